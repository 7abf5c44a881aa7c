/** Extensions of stays: the length before and after, who extended, and whether it was undone. */
import type { Kysely } from 'kysely';

export const stayExtensions = {
  async up(db: Kysely<unknown>): Promise<void> {
    // No reference to stays or children: an extension outlives the person it was about.
    await db.schema
      .createTable('stay_extensions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('stay_id', 'text', (c) => c.notNull())
      .addColumn('duration_before', 'integer', (c) => c.notNull())
      .addColumn('duration_after', 'integer', (c) => c.notNull())
      .addColumn('time_up_at_before', 'bigint')
      .addColumn('extended_by', 'text', (c) => c.notNull())
      .addColumn('extended_at', 'bigint', (c) => c.notNull())
      .addColumn('undone_by', 'text')
      .addColumn('undone_at', 'bigint')
      .addColumn('notified_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('stay_extensions_stay')
      .on('stay_extensions')
      .columns(['stay_id', 'extended_at'])
      .execute();
    await db.schema
      .createIndex('stay_extensions_unnotified')
      .on('stay_extensions')
      .columns(['notified_at', 'extended_at'])
      .execute();
  },
};

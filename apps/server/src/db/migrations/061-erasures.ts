/** Ids of erased people, so that a restore of an older backup can erase them again. */
import type { Kysely } from 'kysely';

export const erasures = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('erasures')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('subject_id', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('erasures_key', ['kind', 'subject_id'])
      .execute();
  },
};

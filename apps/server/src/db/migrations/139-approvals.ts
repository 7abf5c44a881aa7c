/** Requests for the approval of a second person (decision 047). */
import type { Kysely } from 'kysely';

export const approvals = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('approvals')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('subject_kind', 'text')
      .addColumn('subject_id', 'text')
      .addColumn('asked_by', 'text', (c) => c.notNull())
      .addColumn('asked_at', 'bigint', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'bigint')
      .addColumn('used_at', 'bigint')
      .execute();
    await db.schema.createIndex('approvals_asked').on('approvals').columns(['asked_by', 'state']).execute();
  },
};

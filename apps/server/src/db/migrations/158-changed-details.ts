/**
 * Changes of details: those of which the account's address is still to be told, and when a detail last changed that the desk
 * compares people with.
 */
import type { Kysely } from 'kysely';

export const changedDetails = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('held_changes')
      .addColumn('parent_id', 'text', (c) => c.notNull().references('parents.id').onDelete('cascade'))
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('change', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('held_changes_key', ['parent_id', 'email', 'change'])
      .execute();
    await db.schema
      .createTable('detail_changes')
      .addColumn('subject_id', 'text', (c) => c.notNull())
      .addColumn('subject_kind', 'text', (c) => c.notNull())
      .addColumn('field', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('detail_changes_key', ['subject_id', 'subject_kind', 'field'])
      .execute();
  },
};

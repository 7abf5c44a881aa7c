/** Changes of details by a parent of which the account is still to be told. */
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
  },
};

/** Gives the steps of incidents the columns that every queue has: `next_try_at` and `attempts` (decision 030). */
import type { Kysely } from 'kysely';

export const oneQueue = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('incident_steps').renameColumn('claimed_until', 'next_try_at').execute();
    await db.schema
      .alterTable('incident_steps')
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};

/** Events say whom they are for beside staff: the account that they name, or every guardian of their child (decision 049). */
import type { Kysely } from 'kysely';

export const eventAudience = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('events')
      .addColumn('audience', 'text', (c) => c.notNull().defaultTo('family'))
      .execute();
  },
};

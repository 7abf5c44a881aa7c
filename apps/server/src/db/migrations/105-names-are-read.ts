/** Drops the search column of parents: the search reads their names, and no copy of them remains (decision 034). */
import type { Kysely } from 'kysely';

export const namesAreRead = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('parents').dropColumn('search_text').execute();
  },
};

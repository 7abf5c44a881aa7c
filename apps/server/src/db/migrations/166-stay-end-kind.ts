/** Stays remember by which end they began, besides their minutes, so that it is preselected the next time (decision 035). */
import type { Kysely } from 'kysely';

export const stayEndKind = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('stays').addColumn('end_kind', 'text').execute();
  },
};

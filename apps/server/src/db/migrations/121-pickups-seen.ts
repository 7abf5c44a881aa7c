/** The time at which staff confirmed that they have seen an announced pick-up (decision 036). */
import type { Kysely } from 'kysely';

export const pickupsSeen = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('pickups').addColumn('seen_at', 'bigint').execute();
  },
};

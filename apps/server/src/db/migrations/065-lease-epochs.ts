/** Leases get an epoch, which grows each time a lease is taken and is never reset. */
import type { Kysely } from 'kysely';

export const leaseEpochs = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('leases')
      .addColumn('epoch', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};

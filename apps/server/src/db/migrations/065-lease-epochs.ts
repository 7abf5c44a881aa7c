/** Leases count who had them: an epoch that grows with every taking and never begins anew. */
import type { Kysely } from 'kysely';

export const leaseEpochs = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('leases')
      .addColumn('epoch', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};

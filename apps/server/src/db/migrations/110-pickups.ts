/** Announced pick-ups: somebody is on the way to fetch a child (decision 036). */
import type { Kysely } from 'kysely';

export const pickups = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('pickups')
      .addColumn('stay_id', 'text', (c) => c.primaryKey())
      .addColumn('child_id', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('arrives_at', 'bigint', (c) => c.notNull())
      .addColumn('announced_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('pickups_arrival').on('pickups').column('arrives_at').execute();
    await db.schema.createIndex('pickups_child').on('pickups').column('child_id').execute();
  },
};

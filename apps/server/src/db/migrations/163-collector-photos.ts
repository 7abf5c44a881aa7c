/** Photos of collectors: photos of a child, sealed with the child's key, that name the collector whom they show. */
import type { Kysely } from 'kysely';

export const collectorPhotos = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('photos').addColumn('collector_id', 'text').execute();
    await db.schema.createIndex('photos_collector').on('photos').column('collector_id').execute();
  },
};

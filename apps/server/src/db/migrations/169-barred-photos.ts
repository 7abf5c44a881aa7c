/** Photos of barred adults: photos of a child, sealed with the child's key, that name the bar of the adult whom they show. */
import type { Kysely } from 'kysely';

export const barredPhotos = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('photos').addColumn('bar_id', 'text').execute();
    await db.schema.createIndex('photos_bar').on('photos').column('bar_id').execute();
  },
};

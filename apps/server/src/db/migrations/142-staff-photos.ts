/** Photos of staff, which colleagues see. */
import type { Kysely } from 'kysely';

export const staffPhotos = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('staff').addColumn('photo_id', 'text').execute();
  },
};

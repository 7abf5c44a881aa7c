/** Desk tablets, the PINs of staff, and sessions that belong to a tablet (decision 045). */
import type { Kysely } from 'kysely';

export const sharedDesk = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('kiosks')
      .addColumn('kind', 'text', (c) => c.notNull().defaultTo('kiosk'))
      .execute();
    await db.schema.alterTable('sessions').addColumn('desk_id', 'text').execute();
    await db.schema.alterTable('sessions').addColumn('idle_ms', 'bigint').execute();
    await db.schema.createIndex('sessions_desk').on('sessions').column('desk_id').execute();
    await db.schema
      .createTable('staff_pins')
      .addColumn('staff_id', 'text', (c) => c.primaryKey())
      .addColumn('pin_hash', 'text', (c) => c.notNull())
      .addColumn('set_at', 'bigint', (c) => c.notNull())
      .execute();
  },
};

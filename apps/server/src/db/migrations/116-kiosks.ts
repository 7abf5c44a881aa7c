/** Kiosks with their devices, the PINs and codes of families, and their requests (decision 038). */
import { type Kysely, sql } from 'kysely';

export const kiosks = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('kiosks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('sort_name', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('kiosk_pairings')
      .addColumn('kiosk_id', 'text', (c) => c.primaryKey())
      .addColumn('code_mac', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('kiosk_devices')
      .addColumn('kiosk_id', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('paired_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema
      .createTable('kiosk_pins')
      .addColumn('parent_id', 'text', (c) => c.primaryKey())
      .addColumn('pin_hash', 'text', (c) => c.notNull())
      .addColumn('set_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('kiosk_codes')
      .addColumn('session_hash', 'text', (c) => c.primaryKey())
      .addColumn('parent_id', 'text', (c) => c.notNull())
      .addColumn('code_hash', 'text', (c) => c.notNull().unique())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('kiosk_grants')
      .addColumn('grant_hash', 'text', (c) => c.primaryKey())
      .addColumn('kiosk_id', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'text', (c) => c.notNull())
      .addColumn('proved_by', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await createRequests(db);
  },
};

async function createRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('kiosk_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('visit_id', 'text', (c) => c.notNull())
    .addColumn('kiosk_id', 'text', (c) => c.notNull())
    .addColumn('kiosk_name', 'text', (c) => c.notNull())
    .addColumn('parent_id', 'text', (c) => c.notNull())
    .addColumn('child_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('duration', 'integer')
    .addColumn('proved_by', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  await db.schema.createIndex('kiosk_requests_visit').on('kiosk_requests').column('visit_id').execute();
  // At most one request waits for each child.
  await sql`create unique index kiosk_requests_waiting on kiosk_requests (child_id) where state = 'waiting'`.execute(
    db,
  );
}

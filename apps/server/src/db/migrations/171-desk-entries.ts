/** What happens at desk tablets without a connection, and the tickets that let them tell it later (decision 055). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The facility of the connection's present work, as in migration 144. */
const FACILITY = "(select coalesce(current_setting('haris.facility', true), ''))";

export const deskEntries = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('desk_tickets')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('desk_id', 'text', (c) => c.notNull())
      .addColumn('staff_id', 'text', (c) => c.notNull())
      .addColumn('session_hash', 'text', (c) => c.notNull())
      .addColumn('made_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('seal', 'text')
      .execute();
    await db.schema.createIndex('desk_tickets_desk').on('desk_tickets').column('desk_id').execute();
    await db.schema
      .createTable('desk_entries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('facility_id', 'text', (c) => c.notNull())
      .addColumn('desk_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('child_id', 'text', (c) => c.notNull())
      .addColumn('staff_id', 'text')
      .addColumn('happened_at', 'bigint', (c) => c.notNull())
      .addColumn('claimed_at', 'bigint')
      .addColumn('is_unsure', 'integer', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('took_effect', 'integer', (c) => c.notNull())
      .addColumn('entry_code', 'text', (c) => c.notNull())
      .addColumn('stay_id', 'text')
      .addColumn('sealed', dialect === 'sqlite' ? 'blob' : 'bytea')
      .execute();
    await db.schema.createIndex('desk_entries_child').on('desk_entries').column('child_id').execute();
    await db.schema.createIndex('desk_entries_received').on('desk_entries').column('received_at').execute();
    await db.schema
      .createIndex('desk_entries_desk')
      .on('desk_entries')
      .columns(['desk_id', 'received_at'])
      .execute();
    if (dialect !== 'postgres') return;
    await sql`alter table desk_entries enable row level security`.execute(db);
    await sql`alter table desk_entries force row level security`.execute(db);
    await sql`create policy facility on desk_entries
      using (${sql.raw(FACILITY)} = '' or ${sql.raw(`facility_id = ${FACILITY}`)})`.execute(db);
  },
});

/** Care logs of children, and when the next check of a sleeping child is due (decision 052). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The facility of the connection's present work, as in migration 144. */
const FACILITY = "(select coalesce(current_setting('haris.facility', true), ''))";

export const careLog = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('care_entries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('child_id', 'text', (c) => c.notNull().references('children.id').onDelete('cascade'))
      .addColumn('facility_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('recorded_at', 'bigint', (c) => c.notNull())
      .addColumn('recorded_by', 'text', (c) => c.notNull())
      .addColumn('corrects', 'text', (c) => c.unique())
      .addColumn('asks_signature', 'integer', (c) => c.notNull())
      .addColumn('tells_family', 'integer', (c) => c.notNull())
      .addColumn('sealed', bytes, (c) => c.notNull())
      .addColumn('signed_at', 'bigint')
      .addColumn('signed_by', 'text')
      .addColumn('signature', bytes)
      .execute();
    await db.schema
      .createIndex('care_entries_child')
      .on('care_entries')
      .columns(['child_id', 'at'])
      .execute();
    await db.schema
      .createIndex('care_entries_recorded')
      .on('care_entries')
      .columns(['facility_id', 'recorded_at'])
      .execute();
    await db.schema.alterTable('stays').addColumn('sleep_due_at', 'bigint').execute();
    if (dialect === 'postgres') await protect(db);
  },
});

async function protect(db: Kysely<unknown>): Promise<void> {
  await sql`alter table care_entries enable row level security`.execute(db);
  await sql`alter table care_entries force row level security`.execute(db);
  await sql`create policy facility on care_entries
    using (${sql.raw(FACILITY)} = '' or ${sql.raw(`facility_id = ${FACILITY}`)})`.execute(db);
}

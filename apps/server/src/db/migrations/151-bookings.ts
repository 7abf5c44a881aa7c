/** Bookings and absences of children at facilities, and until when a stay was booked (decision 051). */
import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The facility of the connection's present work, as in migration 144. */
const FACILITY = "(select coalesce(current_setting('haris.facility', true), ''))";

const TABLES = ['booking_patterns', 'booking_exceptions', 'absences', 'booking_arrivals'];

/** Child and facility. The row goes with the child, and when the child is removed from the facility. */
function ofChild(db: Kysely<unknown>, table: string): CreateTableBuilder<string, string> {
  return db.schema
    .createTable(table)
    .addColumn('child_id', 'text', (c) => c.notNull().references('children.id').onDelete('cascade'))
    .addColumn('facility_id', 'text', (c) => c.notNull())
    .addForeignKeyConstraint(
      `${table}_known`,
      ['child_id', 'facility_id'],
      'child_facilities',
      ['child_id', 'facility_id'],
      (c) => c.onDelete('cascade'),
    );
}

export const bookings = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;
    await ofChild(db, 'booking_patterns')
      .addColumn('valid_from', 'text', (c) => c.notNull())
      .addColumn('week', 'text', (c) => c.notNull())
      .addColumn('set_by', 'text', (c) => c.notNull())
      .addColumn('set_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('booking_patterns_pkey', ['facility_id', 'child_id', 'valid_from'])
      .execute();
    await ofChild(db, 'booking_exceptions')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('from_time', 'text')
      .addColumn('to_time', 'text')
      .addColumn('set_by', 'text', (c) => c.notNull())
      .addColumn('set_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('booking_exceptions_pkey', ['facility_id', 'child_id', 'day'])
      .execute();
    await ofChild(db, 'absences')
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('from_day', 'text', (c) => c.notNull())
      .addColumn('to_day', 'text', (c) => c.notNull())
      .addColumn('sealed', bytes, (c) => c.notNull())
      .addColumn('reporter_kind', 'text', (c) => c.notNull())
      .addColumn('reported_by', 'text', (c) => c.notNull())
      .addColumn('reported_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('absences_pkey', ['id', 'facility_id'])
      .execute();
    await db.schema
      .createIndex('absences_child')
      .on('absences')
      .columns(['facility_id', 'child_id', 'to_day'])
      .execute();
    await ofChild(db, 'booking_arrivals')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('arrives_at', 'bigint', (c) => c.notNull())
      .addColumn('announced_by', 'text', (c) => c.notNull())
      .addColumn('announced_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('booking_arrivals_pkey', ['facility_id', 'child_id', 'day'])
      .execute();
    await db.schema.alterTable('stays').addColumn('booked_until', 'bigint').execute();
    if (dialect === 'postgres') for (const table of TABLES) await protect(db, table);
  },
});

async function protect(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
  await sql`alter table ${sql.table(table)} force row level security`.execute(db);
  await sql`create policy facility on ${sql.table(table)}
    using (${sql.raw(FACILITY)} = '' or ${sql.raw(`facility_id = ${FACILITY}`)})`.execute(db);
}

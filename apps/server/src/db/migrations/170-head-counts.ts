/** Head counts of groups that move to another room, and the last place of a missing child (decision 056). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The facility of the connection's present work, as in migration 144. */
const FACILITY = "(select coalesce(current_setting('haris.facility', true), ''))";

export const headCounts = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('head_counts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('facility_id', 'text', (c) => c.notNull())
      .addColumn('from_room_id', 'text', (c) => c.notNull())
      .addColumn('to_room_id', 'text', (c) => c.notNull())
      .addColumn('started_by', 'text', (c) => c.notNull())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_by', 'text')
      .addColumn('ended_at', 'bigint')
      .addColumn('outcome', 'text')
      .execute();
    await db.schema
      .createIndex('head_counts_started')
      .on('head_counts')
      .columns(['facility_id', 'started_at'])
      .execute();
    await db.schema
      .createTable('head_count_children')
      .addColumn('count_id', 'text', (c) => c.notNull().references('head_counts.id').onDelete('cascade'))
      .addColumn('child_id', 'text', (c) => c.notNull().references('children.id').onDelete('cascade'))
      .addColumn('stay_id', 'text', (c) => c.notNull())
      .addColumn('is_added', 'integer', (c) => c.notNull())
      .addColumn('state', 'text')
      .addColumn('by_id', 'text')
      .addColumn('at', 'bigint')
      .addColumn('alerted_at', 'bigint')
      .addPrimaryKeyConstraint('head_count_children_key', ['count_id', 'child_id'])
      .execute();
    await db.schema
      .createIndex('head_count_children_child')
      .on('head_count_children')
      .column('child_id')
      .execute();
    await db.schema.alterTable('incidents').addColumn('last_area', 'text').execute();
    await db.schema.alterTable('incidents').addColumn('last_seen_at', 'bigint').execute();
    if (dialect === 'sqlite') return;
    await protect(db, 'head_counts', `facility_id = ${FACILITY}`);
    await protect(
      db,
      'head_count_children',
      'exists (select 1 from head_counts where head_counts.id = head_count_children.count_id)',
    );
  },
});

async function protect(db: Kysely<unknown>, table: string, isOfFacility: string): Promise<void> {
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
  await sql`alter table ${sql.table(table)} force row level security`.execute(db);
  await sql`create policy facility on ${sql.table(table)}
    using (${sql.raw(FACILITY)} = '' or ${sql.raw(isOfFacility)})`.execute(db);
}

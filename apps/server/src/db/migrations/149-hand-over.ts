/** Who may take a child, and who took it (decision 049). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** Tables that belong to the facilities of another row: its policy decides in the subquery. */
const HANGING: readonly (readonly [string, string, string])[] = [
  ['collectors', 'child_id', 'children'],
  ['collector_passes', 'collector_id', 'collectors'],
  ['barred_adults', 'child_id', 'children'],
  ['releases', 'stay_id', 'stays'],
  ['release_refusals', 'stay_id', 'stays'],
  ['pickup_codes', 'parent_id', 'parents'],
];

async function createAdults(db: Kysely<unknown>, bytes: 'blob' | 'bytea'): Promise<void> {
  await db.schema
    .createTable('collectors')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('child_id', 'text', (c) => c.notNull())
    .addColumn('sealed', bytes, (c) => c.notNull())
    .addColumn('valid_from', 'text')
    .addColumn('valid_until', 'text')
    .addColumn('weekdays', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('named_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('confirmed_by', 'text')
    .addColumn('ended_at', 'bigint')
    .execute();
  await db.schema.createIndex('collectors_child').on('collectors').column('child_id').execute();
  await db.schema
    .createTable('collector_passes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('collector_id', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('used_stay_id', 'text')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('collector_passes_collector')
    .on('collector_passes')
    .column('collector_id')
    .execute();
  await db.schema
    .createTable('barred_adults')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('child_id', 'text', (c) => c.notNull())
    .addColumn('sealed', bytes, (c) => c.notNull())
    .addColumn('adult_id', 'text')
    .addColumn('others', 'text', (c) => c.notNull())
    .addColumn('document_date', 'text')
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('lifted_by', 'text')
    .addColumn('lifted_at', 'bigint')
    .execute();
  await db.schema.createIndex('barred_adults_child').on('barred_adults').column('child_id').execute();
}

async function createReleases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('releases')
    .addColumn('stay_id', 'text', (c) => c.primaryKey())
    .addColumn('child_id', 'text', (c) => c.notNull())
    .addColumn('adult_kind', 'text')
    .addColumn('adult_id', 'text')
    .addColumn('proof', 'text')
    .addColumn('code_step', 'bigint')
    .addColumn('released_by', 'text', (c) => c.notNull())
    .addColumn('second_by', 'text')
    .addColumn('had_document', 'integer', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('unexpected_by', 'text')
    .addColumn('unexpected_at', 'bigint')
    .execute();
  await db.schema.createIndex('releases_child').on('releases').columns(['child_id', 'at']).execute();
  await db.schema.createIndex('releases_unexpected').on('releases').column('unexpected_at').execute();
  await db.schema
    .createTable('release_refusals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('stay_id', 'text', (c) => c.notNull())
    .addColumn('child_id', 'text', (c) => c.notNull())
    .addColumn('adult_id', 'text')
    .addColumn('by_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('release_refusals_at').on('release_refusals').column('at').execute();
  await db.schema
    .createTable('pickup_codes')
    .addColumn('parent_id', 'text', (c) => c.primaryKey())
    .addColumn('epoch', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
}

export const handOver = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createAdults(db, dialect === 'sqlite' ? 'blob' : 'bytea');
    await createReleases(db);
    // Slips that were printed before carry no token, so they prove nothing.
    await db.schema.alterTable('stays').addColumn('slip_token', 'text').execute();
    if (dialect === 'sqlite') return;
    for (const [table, column, of] of HANGING) {
      await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
      await sql`alter table ${sql.table(table)} force row level security`.execute(db);
      await sql`create policy facility on ${sql.table(table)}
        using ((select coalesce(current_setting('haris.facility', true), '')) = ''
          or exists (select 1 from ${sql.raw(of)} where ${sql.raw(of)}.id = ${sql.raw(`${table}.${column}`)}))`.execute(
        db,
      );
    }
  },
});

/** A child has one or more guardians (decision 049). The account of each existing child becomes its first, with all rights. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

const FACILITY = "(select coalesce(current_setting('haris.facility', true), ''))";

/** Makes policies follow the guardians: a parent is known where a child is known whose guardian the parent is. */
async function protect(db: Kysely<unknown>): Promise<void> {
  // As of `children`, whose policy would decide the same in another subquery.
  const isOfFacility = `exists (select 1 from child_facilities cf
      where cf.child_id = guardians.child_id and cf.facility_id = ${FACILITY})
    or not exists (select 1 from child_facilities cf where cf.child_id = guardians.child_id)`;
  await sql`alter table guardians enable row level security`.execute(db);
  await sql`alter table guardians force row level security`.execute(db);
  await sql`create policy facility on guardians
    using (${sql.raw(FACILITY)} = '' or (${sql.raw(isOfFacility)}))`.execute(db);
  await sql`
    create or replace function haris_has_child(parent text) returns boolean language plpgsql stable as $$
    declare
      facility text := coalesce(current_setting('haris.facility', true), '');
      found boolean;
    begin
      perform set_config('haris.facility', '', true);
      found := exists (select 1 from guardians
        where parent_id = parent and accepted_at is not null and ended_at is null);
      perform set_config('haris.facility', facility, true);
      return found;
    end $$`.execute(db);
  await sql`drop policy facility on parents`.execute(db);
  await sql`create policy facility on parents using (${sql.raw(FACILITY)} = ''
    or exists (select 1 from guardians g join child_facilities cf on cf.child_id = g.child_id
      where g.parent_id = parents.id and g.accepted_at is not null and g.ended_at is null
        and cf.facility_id = ${sql.raw(FACILITY)})
    or not haris_has_child(parents.id))`.execute(db);
}

export const guardians = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('guardians')
      .addColumn('child_id', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'text', (c) => c.notNull())
      .addColumn('may_live', 'integer', (c) => c.notNull())
      .addColumn('may_edit', 'integer', (c) => c.notNull())
      .addColumn('may_collect', 'integer', (c) => c.notNull())
      .addColumn('added_by', 'text')
      .addColumn('added_at', 'bigint', (c) => c.notNull())
      .addColumn('accepted_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('ended_by', 'text')
      .addPrimaryKeyConstraint('guardians_key', ['child_id', 'parent_id'])
      .execute();
    await db.schema.createIndex('guardians_parent').on('guardians').column('parent_id').execute();
    await sql`insert into guardians
        (child_id, parent_id, may_live, may_edit, may_collect, added_at, accepted_at)
      select id, parent_id, 1, 1, 1, created_at, created_at from children`.execute(db);
    if (dialect === 'postgres') await protect(db);
  },
});

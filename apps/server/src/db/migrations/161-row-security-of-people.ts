/** Row-level security in PostgreSQL for what belongs to children, parents and staff (decision 048). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The facility of the connection's present work: empty for the whole organisation. Read once in a query. */
const FACILITY = "(select coalesce(current_setting('haris.facility', true), ''))";

/**
 * Whether a person is known at the facility, by the id, as the policies of migration 144 say it of the person's own row. They
 * are repeated here, because a row may be older than its person's: a photo is inserted first. Somebody whom no facility knows
 * is visible everywhere.
 */
const isChildHere = (id: string) =>
  `(exists (select 1 from child_facilities cf where cf.child_id = ${id} and cf.facility_id = ${FACILITY})
    or not exists (select 1 from child_facilities cf where cf.child_id = ${id}))`;
const isParentHere = (id: string) =>
  `(exists (select 1 from children c join child_facilities cf on cf.child_id = c.id
    where c.parent_id = ${id} and cf.facility_id = ${FACILITY})
    or not haris_has_child(${id}))`;
const isStaffHere = (id: string) =>
  `(exists (select 1 from memberships m where m.staff_id = ${id} and m.facility_id in (${FACILITY}, ''))
    or not exists (select 1 from memberships m where m.staff_id = ${id}))`;

const isSubjectHere = (table: string) =>
  `case ${table}.subject_kind when 'child' then ${isChildHere(`${table}.subject_id`)}
    else ${isParentHere(`${table}.subject_id`)} end`;

const POLICIES: readonly (readonly [table: string, isOfFacility: string])[] = [
  [
    'photos',
    `case photos.owner_kind when 'child' then ${isChildHere('photos.owner_id')}
      when 'parent' then ${isParentHere('photos.owner_id')} else ${isStaffHere('photos.owner_id')} end`,
  ],
  ['photo_bodies', 'exists (select 1 from photos where photos.id = photo_bodies.photo_id)'],
  ['face_encodings', isChildHere('face_encodings.child_id')],
  ['proposals', isSubjectHere('proposals')],
  ['detail_changes', isSubjectHere('detail_changes')],
];

export const rowSecurityOfPeople = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (dialect === 'sqlite') return;
    for (const [table, isOfFacility] of POLICIES) {
      await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
      await sql`alter table ${sql.table(table)} force row level security`.execute(db);
      await sql`create policy facility on ${sql.table(table)}
        using (${sql.raw(FACILITY)} = '' or ${sql.raw(isOfFacility)})`.execute(db);
    }
  },
});

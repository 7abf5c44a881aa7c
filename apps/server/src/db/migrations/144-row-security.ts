/** Row-level security in PostgreSQL: a second wall for queries that are not limited to their facility (decision 048). */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/** The facility of the connection's present work: empty for the whole organisation. Read once in a query. */
const FACILITY = "(select coalesce(current_setting('haris.facility', true), ''))";

/** Rows that name their facility. */
const OWNED = [
  'rooms',
  'room_moves',
  'room_staff',
  'cameras',
  'sensors',
  'home_assistant_accounts',
  'kiosks',
  'kiosk_requests',
  'stays',
  'incidents',
  'pending_conditions',
  'visitors',
  'sightings',
  'approvals',
];

/** Rows that belong to the facility of another row. The policy of that row's table decides in the subquery. */
const HANGING: readonly (readonly [string, string, string])[] = [
  ['camera_pairings', 'camera_id', 'cameras'],
  ['camera_devices', 'camera_id', 'cameras'],
  ['camera_states', 'camera_id', 'cameras'],
  ['seen_announcements', 'camera_id', 'cameras'],
  ['kiosk_pairings', 'kiosk_id', 'kiosks'],
  ['kiosk_devices', 'kiosk_id', 'kiosks'],
  ['kiosk_grants', 'kiosk_id', 'kiosks'],
  ['sensor_readings', 'sensor_id', 'sensors'],
  ['sensor_means', 'sensor_id', 'sensors'],
  ['sensor_states', 'sensor_id', 'sensors'],
];

/** The same, of tables that grow: each row looks up its own instead of reading all. */
const HANGING_ON_MANY: readonly (readonly [string, string, string])[] = [
  ['pickups', 'stay_id', 'stays'],
  ['stay_corrections', 'stay_id', 'stays'],
  ['stay_extensions', 'stay_id', 'stays'],
  ['incident_subjects', 'incident_id', 'incidents'],
  ['incident_timeline', 'incident_id', 'incidents'],
  ['incident_steps', 'incident_id', 'incidents'],
  ['incident_audience', 'incident_id', 'incidents'],
  ['evacuation_ticks', 'incident_id', 'incidents'],
  ['evacuation_staff', 'incident_id', 'incidents'],
];

/** People. A person without a facility is visible everywhere, because the row that names the facility is inserted later. */
const PEOPLE: readonly (readonly [string, string])[] = [
  [
    'children',
    `exists (select 1 from child_facilities cf where cf.child_id = children.id and cf.facility_id = ${FACILITY})
      or not exists (select 1 from child_facilities cf where cf.child_id = children.id)`,
  ],
  [
    'parents',
    `exists (select 1 from children c join child_facilities cf on cf.child_id = c.id
      where c.parent_id = parents.id and cf.facility_id = ${FACILITY})
      or not haris_has_child(parents.id)`,
  ],
  [
    'staff',
    `exists (select 1 from memberships m where m.staff_id = staff.id and m.facility_id in (${FACILITY}, ''))
      or not exists (select 1 from memberships m where m.staff_id = staff.id)`,
  ],
];

/**
 * Whether a parent has a child at any facility: with the policy of one facility, a family of another would have none.
 * Only a superuser may give a function a setting of its own, so it changes the setting itself.
 */
const HAS_CHILD = `
  create function haris_has_child(parent text) returns boolean language plpgsql stable as $$
  declare
    facility text := coalesce(current_setting('haris.facility', true), '');
    found boolean;
  begin
    perform set_config('haris.facility', '', true);
    found := exists (select 1 from children where parent_id = parent);
    perform set_config('haris.facility', facility, true);
    return found;
  end $$`;

async function protect(db: Kysely<unknown>, table: string, isOfFacility: string): Promise<void> {
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
  // Policies also apply to the owner of the tables, because that is the server's role.
  await sql`alter table ${sql.table(table)} force row level security`.execute(db);
  await sql`create policy facility on ${sql.table(table)}
    using (${sql.raw(FACILITY)} = '' or ${sql.raw(isOfFacility)})`.execute(db);
}

export const rowSecurity = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (dialect === 'sqlite') return;
    await sql.raw(HAS_CHILD).execute(db);
    for (const table of OWNED) await protect(db, table, `facility_id = ${FACILITY}`);
    for (const [table, column, of] of HANGING)
      await protect(db, table, `${column} in (select id from ${of})`);
    for (const [table, column, of] of HANGING_ON_MANY)
      await protect(db, table, `exists (select 1 from ${of} where ${of}.id = ${table}.${column})`);
    for (const [table, isKnown] of PEOPLE) await protect(db, table, `(${isKnown})`);
  },
});

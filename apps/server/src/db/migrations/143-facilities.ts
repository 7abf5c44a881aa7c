/** Every row of a facility's own names its facility, and children are known at facilities (decision 048). */
import { type Kysely, sql } from 'kysely';

const MAIN = 'main';
const OWNED = [
  'cameras',
  'sensors',
  'home_assistant_accounts',
  'kiosks',
  'kiosk_requests',
  'stays',
  'incidents',
  'visitors',
  'sightings',
  'approvals',
  'events',
  'audit_log',
];
/** Settings that each facility has for itself. The others are the organisation's. */
const OWN_SETTINGS = [
  'facilityName',
  'facilityPhone',
  'facilityAddress',
  'timeZone',
  'language',
  'region',
  'notSeenAfterMinutes',
  'alarms',
  'areaAlarms',
  'deskIdleMinutes',
];

export const facilities = {
  async up(db: Kysely<unknown>): Promise<void> {
    // SQLite adds a column without a default only to an empty table.
    for (const table of OWNED)
      await db.schema
        .alterTable(table)
        .addColumn('facility_id', 'text', (c) => c.notNull().defaultTo(MAIN))
        .execute();
    await sql`create index stays_facility on stays (facility_id, entry_time)`.execute(db);
    await sql`create index incidents_facility on incidents (facility_id, raised_at)`.execute(db);
    await sql`create index audit_log_facility on audit_log (facility_id, seq)`.execute(db);
    await db.schema.alterTable('tickets').addColumn('facility_id', 'text').execute();
    await sql`drop index incidents_open`.execute(db);
    await sql`create unique index incidents_open on incidents (facility_id, condition) where cleared_at is null`.execute(
      db,
    );
    await makeConditionsOwn(db);
    await knowChildren(db);
    await makeSettingsOwn(db);
  },
};

/** They last for seconds, and the next reading makes them again. */
async function makeConditionsOwn(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('pending_conditions').execute();
  await db.schema
    .createTable('pending_conditions')
    .addColumn('facility_id', 'text', (c) => c.notNull())
    .addColumn('condition', 'text', (c) => c.notNull())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('pending_conditions_of_facility', ['facility_id', 'condition'])
    .execute();
}

async function knowChildren(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('child_facilities')
    .addColumn('child_id', 'text', (c) => c.notNull())
    .addColumn('facility_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('child_facilities_pkey', ['child_id', 'facility_id'])
    .execute();
  await db.schema
    .createIndex('child_facilities_facility')
    .on('child_facilities')
    .columns(['facility_id', 'child_id'])
    .execute();
  await sql`insert into child_facilities (child_id, facility_id, created_at)
    select id, ${MAIN}, created_at from children`.execute(db);
}

/** Neither database can change a primary key in place, so the table is made again. */
async function makeSettingsOwn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings_of_facilities')
    .addColumn('facility_id', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('settings_of_facilities_pkey', ['facility_id', 'key'])
    .execute();
  const own = sql.join(OWN_SETTINGS);
  await sql`insert into settings_of_facilities (facility_id, key, value)
    select case when key in (${own}) then ${MAIN} else '' end, key, value from settings`.execute(db);
  await db.schema.dropTable('settings').execute();
  await db.schema.alterTable('settings_of_facilities').renameTo('settings').execute();
}

/**
 * Dumps and fills the whole database as rows by table name, for backup and restore, including older schemas.
 */
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DatabaseFileError, explainDatabaseFile } from './damage.ts';
import { type Dialect, hasTable } from './dialect.ts';
import type { Database } from './schema.ts';

/**
 * Every table, in an order in which they can be filled: rows come after the rows that they refer to. A table of the
 * schema that is missing here is a type error. `false`: the table is dumped separately, one photo at a time.
 */
const tableOrder = {
  meta: true,
  settings: true,
  erasures: true,
  parents: true,
  staff: true,
  facilities: true,
  roles: true,
  memberships: true,
  approvals: true,
  rooms: true,
  children: true,
  child_facilities: true,
  booking_patterns: true,
  booking_exceptions: true,
  absences: true,
  booking_arrivals: true,
  data_keys: true,
  care_cards: true,
  care_entries: true,
  photos: true,
  photo_bodies: false,
  face_encodings: true,
  adult_faces: true,
  proposals: true,
  gallery: true,
  stays: true,
  room_moves: true,
  room_staff: true,
  pickups: true,
  stay_corrections: true,
  stay_extensions: true,
  collectors: true,
  collector_passes: true,
  barred_adults: true,
  releases: true,
  release_refusals: true,
  pickup_codes: true,
  cameras: true,
  camera_pairings: true,
  camera_devices: true,
  kiosks: true,
  kiosk_pairings: true,
  kiosk_devices: true,
  kiosk_pins: true,
  kiosk_codes: true,
  kiosk_grants: true,
  kiosk_requests: true,
  staff_pins: true,
  sightings: true,
  seen_announcements: true,
  presence_conditions: true,
  sensors: true,
  home_assistant_accounts: true,
  sensor_readings: true,
  sensor_means: true,
  sensor_states: true,
  camera_states: true,
  incidents: true,
  incident_subjects: true,
  incident_timeline: true,
  incident_steps: true,
  incident_audience: true,
  pending_conditions: true,
  evacuation_ticks: true,
  evacuation_staff: true,
  visitors: true,
  leases: true,
  sessions: true,
  second_factors: true,
  recovery_codes: true,
  factor_challenges: true,
  oidc_links: true,
  oidc_attempts: true,
  known_devices: true,
  known_networks: true,
  desk_codes: true,
  push_subscriptions: true,
  notification_preferences: true,
  notification_deliveries: true,
  one_time_tokens: true,
  tickets: true,
  throttle_hits: true,
  mails: true,
  idempotency_keys: true,
  events: true,
  audit_log: true,
  audit_head: true,
} as const satisfies Record<keyof Database, boolean>;

/**
 * Names of tables before a migration renamed them. A start writes a backup before it migrates; this backup comes from a
 * database with the old names and must still contain these tables.
 */
const FORMER_NAMES: Readonly<Record<string, keyof Database>> = {
  admins: 'staff',
  presence_episodes: 'presence_conditions',
  pending_episodes: 'pending_conditions',
  notice_preferences: 'notification_preferences',
  notice_deliveries: 'notification_deliveries',
};

/**
 * Tables that a restore leaves out, because they would revive what has been revoked since. Everyone signs in again and
 * requests new links; a push device belongs to a session.
 */
const ENDED = new Set<string>([
  'sessions',
  'push_subscriptions',
  'tickets',
  'one_time_tokens',
  // Some may have been used since the backup.
  'recovery_codes',
  'factor_challenges',
  'approvals',
  'oidc_attempts',
  'camera_pairings',
  'desk_codes',
  'kiosk_pairings',
  'kiosk_devices',
  'kiosk_pins',
  'kiosk_codes',
  'kiosk_grants',
  'kiosk_requests',
  'staff_pins',
  // Phones fetch new ones; a pass may have been used since.
  'pickup_codes',
  'collector_passes',
  'mails',
  'leases',
] satisfies (keyof Database)[]);

const TABLES = (Object.keys(tableOrder) as (keyof Database)[]).filter((table) => tableOrder[table]);

/** Whether a restore brings back the rows of a table, by its present or former name. */
export function isRestored(table: string): boolean {
  return !ENDED.has(FORMER_NAMES[table] ?? table);
}

/** The database's tables that a backup contains, in an order in which they can be filled. */
function tablesOf(existing: readonly string[]): string[] {
  return TABLES.flatMap((table) =>
    existing.filter((name) => (FORMER_NAMES[name] ?? name) === table && isRestored(name)),
  );
}

const ROWS_AT_ONCE = 500;

/** Runs `work`, which only reads, on a snapshot of the database while other transactions continue to write. */
export async function* readOneMoment<T>(
  db: Kysely<Database>,
  dialect: Dialect,
  work: (trx: Transaction<Database>) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const starting = db.startTransaction();
  // A reader of SQLite sees a snapshot anyway.
  const trx = await (dialect === 'postgres'
    ? starting.setIsolationLevel('repeatable read')
    : starting
  ).execute();
  try {
    yield* work(trx);
  } finally {
    await trx.rollback().execute();
  }
}

export interface TablePart {
  /** The table's name in this database, which may be a former name. */
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** All rows that a backup contains, except photos, at most 500 at a time. */
export async function* readTables(
  trx: Transaction<Database>,
  existing: readonly string[],
): AsyncGenerator<TablePart> {
  for (const table of tablesOf(existing)) {
    const counted = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(
      trx,
    );
    for (let offset = 0; offset < Number(counted.rows[0]?.total ?? 0); offset += ROWS_AT_ONCE) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} order by 1, 2 limit ${ROWS_AT_ONCE} offset ${offset}`.execute(trx);
      yield { table, rows };
    }
  }
}

/** Tables with rows that migrations insert. */
const SEEDED = ['gallery', 'audit_head', 'facilities', 'rooms'] as const;

/** Removes the rows that migrations insert, so that those of a backup can take their place. `existing`: all tables. */
export async function deleteSeededRows(
  trx: Transaction<Database>,
  existing: readonly string[],
): Promise<void> {
  for (const table of SEEDED)
    if (existing.includes(table)) await sql`delete from ${sql.table(table)}`.execute(trx);
}

export type Value = null | string | number | Uint8Array;

/** Inserts a row into a table of any schema. */
export async function insertRow(
  trx: Transaction<Database>,
  table: string,
  row: Readonly<Record<string, Value>>,
): Promise<void> {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  const values = sql.join(Object.values(row).map((value) => sql`${value}`));
  await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(trx);
}

/** Makes generated numbers continue after the restored rows. */
export async function continueSequences(trx: Transaction<Database>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`select setval(pg_get_serial_sequence('events', 'id'), greatest((select coalesce(max(id), 0) from events), 1))`.execute(
    trx,
  );
}

/** Inserts the sealed photos of a backup, without opening them. */
export async function insertPhotoBodies(
  db: Kysely<Database>,
  photos: readonly { readonly photo_id: string; readonly sealed: Uint8Array }[],
): Promise<void> {
  if (photos.length > 0) await db.insertInto('photo_bodies').values(photos).execute();
}

/** Whether this database has never been used, in any schema. */
export async function isUnused(db: Kysely<Database>, dialect: Dialect): Promise<boolean> {
  for (const table of ['parents', 'staff', 'admins', 'stays', 'audit_log', 'meta']) {
    if (!(await hasTable(db, dialect, table))) continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  return true;
}

/** Copies a snapshot of an embedded database, also during writes, and checks the copy. Throws `DatabaseFileError`. */
export function copyDatabaseFile(file: string, copyFile: string): void {
  try {
    const source = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      // sqlite.backup() restarts after every write, so it would never finish at a busy desk.
      source.prepare('vacuum into ?').run(copyFile);
    } finally {
      source.close();
    }
    const copy = new DatabaseSync(copyFile, { readOnly: true });
    try {
      const found = copy.prepare('pragma quick_check(1)').all();
      const isWhole = found.length === 1 && found[0]?.quick_check === 'ok';
      if (!isWhole || copy.prepare('pragma foreign_key_check').all().length > 0)
        throw new DatabaseFileError(
          `${file} is damaged: its copy does not hold together. Keep the last backup, and restore it.`,
        );
    } finally {
      copy.close();
    }
  } catch (error) {
    throw explainDatabaseFile(file, error);
  }
}

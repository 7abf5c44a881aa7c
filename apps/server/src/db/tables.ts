/** What each table is to backup and restore, said once: the order in which tables are filled, and what becomes of their rows. */
import type { Database } from './schema.ts';

/**
 * What a backup does with the rows of a table.
 * - `kept`: they are in a backup, and a restore brings them back.
 * - `apart`: in a backup too, but one photo at a time, after all rows.
 * - `ended`: they are in no backup, and a restore leaves out those of older ones, because they would revive what has been
 *   revoked since. Everyone signs in again and requests new links; a push device belongs to a session.
 */
type Rows = 'kept' | 'apart' | 'ended';

interface TableFacts {
  readonly rows: Rows;
  /** Migrations insert rows, which those of a backup replace. */
  readonly isSeeded?: true;
  /** The column whose numbers the database generates. */
  readonly generated?: string;
  /** The table's name before a migration renamed it. A start writes a backup before it migrates, with this name. */
  readonly formerName?: string;
}

const kept = { rows: 'kept' } as const;
const ended = { rows: 'ended' } as const;

/**
 * Every table, in an order in which they can be filled: rows come after the rows that they refer to. A table of the
 * schema that is missing here is a type error. The key of a table is what the database says ({@link readTables}), because
 * an older schema may have another one.
 */
const facts = {
  meta: kept,
  settings: kept,
  erasures: kept,
  parents: kept,
  staff: { ...kept, formerName: 'admins' },
  held_changes: kept,
  facilities: { ...kept, isSeeded: true },
  roles: kept,
  memberships: kept,
  approvals: ended,
  rooms: { ...kept, isSeeded: true },
  children: kept,
  guardians: kept,
  child_facilities: kept,
  booking_patterns: kept,
  booking_exceptions: kept,
  absences: kept,
  booking_arrivals: kept,
  data_keys: kept,
  care_cards: kept,
  care_entries: kept,
  photos: kept,
  photo_bodies: { rows: 'apart' },
  face_encodings: kept,
  adult_faces: kept,
  proposals: kept,
  detail_changes: kept,
  gallery: { ...kept, isSeeded: true },
  stays: kept,
  room_moves: kept,
  room_staff: kept,
  head_counts: kept,
  head_count_children: kept,
  pickups: kept,
  stay_corrections: kept,
  stay_extensions: kept,
  collectors: kept,
  // A pass may have been used since.
  collector_passes: ended,
  barred_adults: kept,
  releases: kept,
  release_refusals: kept,
  // Phones fetch new ones.
  pickup_codes: ended,
  cameras: kept,
  camera_pairings: ended,
  camera_devices: kept,
  kiosks: kept,
  kiosk_pairings: ended,
  kiosk_devices: ended,
  kiosk_pins: ended,
  kiosk_codes: ended,
  kiosk_grants: ended,
  kiosk_requests: ended,
  staff_pins: ended,
  desk_tickets: ended,
  // An entry that a tablet sends again after a restore must find itself.
  desk_entries: kept,
  sightings: kept,
  seen_announcements: kept,
  presence_conditions: { ...kept, formerName: 'presence_episodes' },
  sensors: kept,
  home_assistant_accounts: kept,
  sensor_readings: kept,
  sensor_means: kept,
  sensor_states: kept,
  camera_states: kept,
  incidents: kept,
  incident_subjects: kept,
  incident_timeline: kept,
  incident_steps: kept,
  incident_audience: kept,
  pending_conditions: { ...kept, formerName: 'pending_episodes' },
  evacuation_ticks: kept,
  evacuation_staff: kept,
  visitors: kept,
  leases: ended,
  sessions: ended,
  second_factors: kept,
  // Some may have been used since.
  recovery_codes: ended,
  factor_challenges: ended,
  oidc_links: kept,
  oidc_attempts: ended,
  known_devices: kept,
  known_networks: kept,
  desk_codes: ended,
  push_subscriptions: ended,
  notification_preferences: { ...kept, formerName: 'notice_preferences' },
  notification_deliveries: { ...kept, formerName: 'notice_deliveries' },
  one_time_tokens: ended,
  tickets: ended,
  throttle_hits: kept,
  mails: ended,
  idempotency_keys: kept,
  events: { ...kept, generated: 'id' },
  audit_log: kept,
  audit_head: { ...kept, isSeeded: true },
} as const satisfies Record<keyof Database, TableFacts>;

const tables: ReadonlyMap<string, TableFacts> = new Map(Object.entries(facts));
const presentNames = new Map(
  [...tables].flatMap(([name, { formerName }]) => (formerName === undefined ? [] : [[formerName, name]])),
);

/** What becomes of a table's rows, by its present or former name; undefined for a table that no version has had. */
export function rowsOf(name: string): Rows | undefined {
  return tables.get(presentNames.get(name) ?? name)?.rows;
}

/** Those of the database's tables whose rows are in a backup, in an order in which they can be filled. */
export function inFillingOrder(existing: readonly string[]): string[] {
  return [...tables.keys()].flatMap((table) =>
    existing.filter((name) => (presentNames.get(name) ?? name) === table && rowsOf(name) === 'kept'),
  );
}

/** Tables with rows that migrations insert. */
export const seededTables: readonly string[] = [...tables.keys()].filter(
  (name) => tables.get(name)?.isSeeded,
);

/** Tables whose numbers the database generates, each with the column. */
export const generatedColumns: readonly (readonly [table: string, column: string])[] = [...tables].flatMap(
  ([name, { generated }]) => (generated === undefined ? [] : [[name, generated] as const]),
);

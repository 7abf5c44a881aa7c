/**
 * Tells PostgreSQL the facility of the current work, for the row-level security that separates facilities in addition
 * to the plugin (decision 048).
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  sql,
} from 'kysely';
import { scopeName } from '../facility.ts';
import type { Database } from './schema.ts';

/** Tables with a policy. */
export const PROTECTED = [
  'rooms',
  'room_moves',
  'room_staff',
  'head_counts',
  'head_count_children',
  'cameras',
  'camera_pairings',
  'camera_devices',
  'camera_states',
  'seen_announcements',
  'sensors',
  'sensor_readings',
  'sensor_means',
  'sensor_states',
  'home_assistant_accounts',
  'kiosks',
  'kiosk_pairings',
  'kiosk_devices',
  'kiosk_grants',
  'kiosk_requests',
  'desk_entries',
  'stays',
  'pickups',
  'stay_corrections',
  'stay_extensions',
  'collectors',
  'collector_passes',
  'barred_adults',
  'releases',
  'release_refusals',
  'pickup_codes',
  'incidents',
  'incident_subjects',
  'incident_timeline',
  'incident_steps',
  'incident_audience',
  'evacuation_ticks',
  'evacuation_staff',
  'pending_conditions',
  'visitors',
  'sightings',
  'approvals',
  'booking_patterns',
  'booking_exceptions',
  'absences',
  'booking_arrivals',
  'care_cards',
  'care_entries',
  'children',
  'guardians',
  'parents',
  'staff',
] as const satisfies readonly (keyof Database)[];

/** A statement that names no protected table needs no facility. Most statements of a request are such. */
const namesProtected = new RegExp(`\\b(?:${PROTECTED.join('|')})\\b`);

/**
 * Makes each statement of a connection run for the facility of the work that sends it. The facility is that of the
 * session, so it is sent only when it changes; a statement waits for the one before it, so that none runs between.
 */
function limitToFacility(connection: DatabaseConnection): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  /** Undefined: not known. */
  let known: string | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function run<R>(query: CompiledQuery, wanted: string): Promise<QueryResult<R>> {
    try {
      if (wanted !== known && namesProtected.test(query.sql)) {
        known = undefined;
        await execute(CompiledQuery.raw("select set_config('haris.facility', $1, false)", [wanted]));
        known = wanted;
      }
      return await execute<R>(query);
    } catch (error) {
      known = undefined;
      throw error;
    } finally {
      // A rollback also undoes the setting of the transaction.
      if (query.sql.startsWith('rollback')) known = undefined;
    }
  }

  connection.executeQuery = <R>(query: CompiledQuery) => {
    const wanted = scopeName();
    const result = last.then(() => run<R>(query, wanted));
    last = result.catch(() => undefined);
    return result;
  };
}

class FacilityDriver extends PostgresDriver {
  readonly #limited = new WeakSet<DatabaseConnection>();

  override async acquireConnection(
    ...options: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(...options);
    if (!this.#limited.has(connection)) {
      this.#limited.add(connection);
      limitToFacility(connection);
    }
    return connection;
  }
}

/** PostgreSQL, with each statement limited to the facility of the work that sends it. */
export class FacilityDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new FacilityDriver(this.#config);
  }
}

/** Whether PostgreSQL exempts the role of this connection from row-level security. */
export async function isExemptFromRowSecurity(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ exempt: boolean }>`
    select rolsuper or rolbypassrls as exempt from pg_roles where rolname = current_user`.execute(db);
  return rows[0]?.exempt !== false;
}

/** What a backup holds: the rows of one moment, and every photo that they name. Writing it, and reading it through. */
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Dialect, findMigrations, findTables } from '../db/open.ts';
import { readPhotoFile } from '../db/photo-files.ts';
import { findPhotoBody, photoContext } from '../db/photos.ts';
import type { Database } from '../db/schema.ts';
import type { MasterKey } from '../vault/master-key.ts';
import { openVault, type Vault } from '../vault/vault.ts';
import { ArchiveError } from './archive.ts';
import { formatLine, fromCell, parseLines, type Row, toRow } from './lines.ts';

/**
 * Every table, in the order in which they can be filled: a row that refers to another comes after it. A table that the
 * schema has and this list has not is an error of the compiler. `false`: its rows are lines of their own.
 */
const tableOrder = {
  meta: true,
  settings: true,
  erasures: true,
  parents: true,
  admins: true,
  children: true,
  data_keys: true,
  photos: true,
  photo_bodies: false,
  face_encodings: true,
  adult_faces: true,
  proposals: true,
  gallery: true,
  stays: true,
  stay_corrections: true,
  cameras: true,
  camera_pairings: true,
  camera_devices: true,
  sightings: true,
  seen_announcements: true,
  presence_episodes: true,
  sensors: true,
  home_assistant_accounts: true,
  sensor_readings: true,
  sensor_means: true,
  sensor_states: true,
  camera_states: true,
  incidents: true,
  incident_timeline: true,
  incident_steps: true,
  incident_audience: true,
  pending_episodes: true,
  evacuation_ticks: true,
  leases: true,
  sessions: true,
  known_devices: true,
  known_networks: true,
  desk_codes: true,
  push_subscriptions: true,
  notice_preferences: true,
  notice_deliveries: true,
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
 * What a restore must not bring back: it would revive what was revoked since. Whoever was signed in signs in again, links
 * are asked for anew, and a device for notices belongs to a session.
 */
const ENDED = new Set<string>([
  'sessions',
  'push_subscriptions',
  'tickets',
  'one_time_tokens',
  'camera_pairings',
  'desk_codes',
  'mails',
  'leases',
] satisfies (keyof Database)[]);

const TABLES = (Object.keys(tableOrder) as (keyof Database)[]).filter((table) => tableOrder[table]);

/** Whether rows of a table come back with a restore. */
export function isRestored(table: string): boolean {
  return !ENDED.has(table);
}

const ROWS_AT_ONCE = 500;

export interface Counts {
  readonly rows: number;
  readonly photos: number;
  /** Ids of photos whose bytes are gone: their rows are kept, and can be shown no more than before. */
  readonly lost: readonly string[];
}

export interface Source {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  /** Where photos may still be files: before a migration that makes them rows. */
  readonly dataDir: string;
}

/** Lines as of one moment, while others go on writing; the photos stay sealed as they are in the database. */
export async function* writeContents(
  { db, dialect, dataDir }: Source,
  now: Date,
  done: (counts: Counts) => void,
): AsyncGenerator<Buffer> {
  let rows = 0;
  let photos = 0;
  const lost: string[] = [];
  const starting = db.startTransaction();
  // SQLite's reader sees one moment by itself.
  const trx = await (dialect === 'postgres'
    ? starting.setIsolationLevel('repeatable read')
    : starting
  ).execute();
  try {
    const schema = (await findMigrations(trx, dialect)).at(-1);
    yield formatLine({ haris: 1, at: now.toISOString(), schema });
    const tables = await findTables(trx, dialect);
    const named: string[] = [];
    for await (const part of readTables(trx, tables)) {
      rows += part.rows.length;
      if (part.table === 'photos') named.push(...part.rows.map((row) => String(row.id)));
      yield formatLine(part);
    }
    for (const id of named) {
      const row = tables.includes('photo_bodies') ? await findPhotoBody(trx, id) : undefined;
      const sealed = row ?? (await readPhotoFile(dataDir, id));
      if (!sealed) lost.push(id);
      else {
        photos++;
        yield formatLine({ photo: id, sealed: Buffer.from(sealed).toString('base64') });
      }
    }
  } finally {
    await trx.rollback().execute();
  }
  done({ rows, photos, lost });
  yield formatLine({ end: { rows, photos, lost } });
}

async function* readTables(
  trx: Transaction<Database>,
  existing: readonly string[],
): AsyncGenerator<{ table: keyof Database; rows: Record<string, Row[string]>[] }> {
  for (const table of TABLES.filter((name) => existing.includes(name) && isRestored(name))) {
    const total = await trx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    for (let offset = 0; offset < Number(total.total); offset += ROWS_AT_ONCE) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} order by 1, 2 limit ${ROWS_AT_ONCE} offset ${offset}`.execute(trx);
      yield { table, rows: rows.map(toRow) };
    }
  }
}

export interface Checked extends Counts {
  /** When the backup was made, as text. */
  readonly at: string;
  /** The newest migration of its rows. */
  readonly schema: string;
  /** Ids of photos that are there and cannot be opened with their owner's key. */
  readonly unreadable: readonly string[];
}

/**
 * Reads a backup to its end without touching anything, and opens each photo in it. Throws {@link ArchiveError} where it
 * is not whole, or where its rows were sealed with another master key.
 */
export async function checkContents(bytes: AsyncIterable<Uint8Array>, master: MasterKey): Promise<Checked> {
  let head: { at: string; schema: string } | null = null;
  let end: Counts | null = null;
  let rows = 0;
  const held = new Set<string>();
  const unreadable: string[] = [];
  const owners = new Owners(openVault(master));
  for await (const line of parseLines(bytes)) {
    if (end) throw new ArchiveError('The backup is damaged: something follows its end.');
    if ('haris' in line) head = line;
    else if ('table' in line) {
      rows += line.rows.length;
      owners.learn(line.table, line.rows);
      if (line.table === 'meta') checkKey(line.rows, master);
    } else if ('photo' in line) {
      held.add(line.photo);
      if (!owners.canOpen(line.photo, Buffer.from(line.sealed, 'base64'))) unreadable.push(line.photo);
    } else end = line.end;
  }
  if (!head || !end) throw new ArchiveError('The backup is cut off.');
  const all = held.union(new Set(end.lost));
  if (end.rows !== rows || end.photos !== held.size || owners.photos().symmetricDifference(all).size > 0)
    throw new ArchiveError('The backup does not hold all that it says.');
  return { at: head.at, schema: head.schema, rows, photos: held.size, lost: end.lost, unreadable };
}

function checkKey(rows: readonly Row[], master: MasterKey): void {
  const fingerprint = rows.find((row) => row.key === 'master_key')?.value;
  if (fingerprint !== undefined && fingerprint !== master.fingerprint)
    throw new ArchiveError('The backup was made of a database that belongs to another master key.');
}

/** Whose photos a backup holds, and with which keys: what is needed to open them. */
class Owners {
  readonly #vault: Vault;
  readonly #keys = new Map<string, Uint8Array>();
  readonly #owners = new Map<string, string>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  learn(table: string, rows: readonly Row[]): void {
    if (table !== 'data_keys' && table !== 'photos') return;
    for (const row of rows) {
      const owner = `${row.owner_kind} ${row.owner_id}`;
      const wrapped = fromCell(row.wrapped ?? null);
      if (table === 'photos') this.#owners.set(String(row.id), owner);
      else if (wrapped instanceof Uint8Array) this.#keys.set(owner, wrapped);
    }
  }

  photos(): Set<string> {
    return new Set(this.#owners.keys());
  }

  canOpen(photo: string, sealed: Uint8Array): boolean {
    const owner = this.#owners.get(photo);
    const wrapped = owner === undefined ? undefined : this.#keys.get(owner);
    if (owner === undefined || !wrapped) return false;
    try {
      this.#vault.openDataKey(owner, wrapped).open(photoContext(photo), sealed);
      return true;
    } catch {
      return false;
    }
  }
}

/** The contents of a backup: the rows of one moment, and every photo that they name. Writes them, and checks them. */
import type { Kysely } from 'kysely';
import { type Dialect, findTables } from '../db/dialect.ts';
import { countRows, readOneMoment, readTables } from '../db/dump.ts';
import { findMigrations } from '../db/migrate.ts';
import { readPhotoFile } from '../db/photo-files.ts';
import { findPhotoBody, photoContext } from '../db/photos.ts';
import type { Database } from '../db/schema.ts';
import type { MasterKey } from '../vault/master-key.ts';
import { openVault, type Vault } from '../vault/vault.ts';
import { ArchiveError } from './archive.ts';
import { KeySet } from './key-set.ts';
import { formatLine, fromCell, parseLines, type Row, type TableLine, toRow } from './lines.ts';

export interface Counts {
  readonly rows: number;
  readonly photos: number;
  /** Ids of photos whose bytes are lost; their rows are kept. */
  readonly lost: readonly string[];
}

export interface Source {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  /** Folder of the photos, which are files until the migration that stores them as rows. */
  readonly dataDir: string;
}

/** What was written or read until now. */
type Sofar = Pick<Counts, 'rows' | 'photos'>;

/**
 * Writes the lines from a snapshot, while other transactions continue to write. Photos stay sealed as in the database.
 * `tell` is called often.
 */
export async function* writeContents(
  { db, dialect, dataDir }: Source,
  now: Date,
  done: (counts: Counts) => void,
  tell: (sofar: Sofar, all: Sofar) => void = () => {},
): AsyncGenerator<Buffer> {
  let rows = 0;
  let photos = 0;
  const lost: string[] = [];
  let counted: Record<string, number> = {};
  yield* readOneMoment(db, dialect, async function* (trx) {
    const schema = (await findMigrations(trx, dialect)).at(-1);
    yield formatLine({ haris: 1, at: now.toISOString(), schema });
    const tables = await findTables(trx, dialect);
    counted = await countRows(trx, tables);
    const all = {
      rows: Object.values(counted).reduce((sum, count) => sum + count, 0),
      photos: counted.photos ?? 0,
    };
    const photoIds: string[] = [];
    for await (const { table, key, rows: part } of readTables(trx, dialect, tables)) {
      rows += part.length;
      if (table === 'photos') photoIds.push(...part.map((row) => String(row.id)));
      yield formatLine({ table, key: [...key], rows: part.map(toRow) });
      tell({ rows, photos }, all);
    }
    for (const id of photoIds) {
      const row = tables.includes('photo_bodies') ? await findPhotoBody(trx, id) : undefined;
      const sealed = row ?? (await readPhotoFile(dataDir, id));
      if (!sealed) lost.push(id);
      else {
        photos++;
        yield formatLine({ photo: id, sealed: Buffer.from(sealed).toString('base64') });
        tell({ rows, photos }, all);
      }
    }
  });
  done({ rows, photos, lost });
  yield formatLine({ end: { rows, photos, lost, tables: counted } });
}

export interface Checked extends Counts {
  /** Time of the backup, ISO 8601. */
  readonly at: string;
  /** The newest migration of its rows. */
  readonly schema: string;
  /** Ids of photos that their owner's key does not open. */
  readonly unreadable: readonly string[];
  /** Rows of each table, counted by the database; missing in older backups. */
  readonly tables: Readonly<Record<string, number>> | undefined;
  /** Of all sealed photos. */
  readonly photoBytes: number;
}

/**
 * Reads a backup to its end without changing anything, and opens each photo in it. Throws {@link ArchiveError} if it is
 * incomplete, if it holds a row twice, or if its rows were sealed with another master key. A table is complete if it has as
 * many different keys as the database counted rows. `tell` is called often.
 */
export async function checkContents(
  bytes: AsyncIterable<Uint8Array>,
  master: MasterKey,
  tell: (sofar: Sofar) => void = () => {},
): Promise<Checked> {
  let head: { at: string; schema: string } | null = null;
  let end: (Counts & { readonly tables?: Readonly<Record<string, number>> | undefined }) | null = null;
  let rows = 0;
  const keys = new TableKeys();
  const held = new Set<string>();
  const unreadable: string[] = [];
  let photoBytes = 0;
  const owners = new Owners(openVault(master));
  for await (const line of parseLines(bytes)) {
    if (end) throw new ArchiveError('The backup is damaged: something follows its end.');
    if ('haris' in line) head = line;
    else if ('table' in line) {
      rows += line.rows.length;
      keys.learn(line);
      owners.learn(line.table, line.rows);
      if (line.table === 'meta') checkKey(line.rows, master);
    } else if ('photo' in line) {
      held.add(line.photo);
      const sealed = Buffer.from(line.sealed, 'base64');
      photoBytes += sealed.length;
      if (!owners.canOpen(line.photo, sealed)) unreadable.push(line.photo);
    } else end = line.end;
    tell({ rows, photos: held.size });
  }
  if (!head || !end) throw new ArchiveError('The backup is cut off.');
  const all = held.union(new Set(end.lost));
  if (end.rows !== rows || end.photos !== held.size || owners.photos().symmetricDifference(all).size > 0)
    throw new ArchiveError('The backup does not hold all that it says.');
  if (end.tables) keys.expect(end.tables);
  const { lost, tables } = end;
  return { at: head.at, schema: head.schema, rows, photos: held.size, lost, unreadable, tables, photoBytes };
}

function checkKey(rows: readonly Row[], master: MasterKey): void {
  const fingerprint = rows.find((row) => row.key === 'master_key')?.value;
  if (fingerprint !== undefined && fingerprint !== master.fingerprint)
    throw new ArchiveError('The backup was made of a database that belongs to another master key.');
}

/** The keys of the rows in a backup, table by table, as the rows come. Backups of 0.2.0 and older ones do not name the keys. */
class TableKeys {
  readonly #counts = new Map<string, number>();
  #table = '';
  #keys = new KeySet();

  learn({ table, key, rows }: TableLine): void {
    if (!key) return;
    if (table !== this.#table) this.#finish();
    this.#table = table;
    for (const row of rows) this.#keys.add(key.map((name) => row[name] ?? null));
  }

  /** Throws unless each table has as many different keys as this. */
  expect(counts: Readonly<Record<string, number>>): void {
    this.#finish();
    for (const [table, count] of Object.entries(counts)) {
      const held = this.#counts.get(table) ?? 0;
      if (held !== count)
        throw new ArchiveError(`The backup holds ${held} of ${count} rows of the table ${table}.`);
    }
  }

  #finish(): void {
    if (this.#table === '') return;
    if (this.#keys.hasRepeated() || this.#counts.has(this.#table))
      throw new ArchiveError(`The backup holds a row of the table ${this.#table} twice.`);
    this.#counts.set(this.#table, this.#keys.size);
    this.#table = '';
    this.#keys = new KeySet();
  }
}

/** Owners and keys of the photos in a backup, to open them. */
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

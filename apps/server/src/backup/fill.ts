/** Fills an empty database with a backup at the backup's schema, and then migrates it. */
import type { Kysely } from 'kysely';
import { type Dialect, findTables } from '../db/dialect.ts';
import { continueSequences, deleteSeededRows, insertPhotoBodies, insertRow, type Value } from '../db/dump.ts';
import { deleteMeta, writeMeta } from '../db/meta.ts';
import { migrate } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';
import { rowsOf } from '../db/tables.ts';
import { inTransaction } from '../db/transaction.ts';
import { RESTORE_UNFINISHED } from '../installation.ts';
import { ArchiveError } from './archive.ts';
import { fromCell, parseLines, type Row } from './lines.ts';

/** Photos per transaction: some megabytes. */
const PHOTOS_AT_ONCE = 50;

export interface Filling {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  /** Each call reads the same bytes from the beginning. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

/**
 * Fills a database that was migrated to the schema of the backup. Read the bytes through with `checkContents` first. Until
 * {@link finishFilling} the database is marked as unfinished.
 */
export async function fillDatabase({ db, dialect, open }: Filling): Promise<void> {
  await inTransaction(db, async ({ trx }) => {
    const tables = await findTables(trx, dialect);
    await deleteSeededRows(trx, tables);
    for await (const line of parseLines(open())) {
      if (!('table' in line) || rowsOf(line.table) === 'ended') continue;
      if (!tables.includes(line.table)) throw new ArchiveError('The backup holds an unknown table.');
      for (const row of line.rows) await insertRow(trx, line.table, valuesOf(row));
    }
    await writeMeta(trx, RESTORE_UNFINISHED, '1');
    await continueSequences(trx, dialect);
  });
  await migrate(db, dialect);
  let waiting: { photo_id: string; sealed: Buffer }[] = [];
  const flush = async (): Promise<void> => {
    await insertPhotoBodies(db, waiting);
    waiting = [];
  };
  for await (const line of parseLines(open())) {
    if (!('photo' in line)) continue;
    waiting.push({ photo_id: line.photo, sealed: Buffer.from(line.sealed, 'base64') });
    if (waiting.length >= PHOTOS_AT_ONCE) await flush();
  }
  await flush();
}

/** Marks the database as whole. */
export async function finishFilling(db: Kysely<Database>): Promise<void> {
  await deleteMeta(db, RESTORE_UNFINISHED);
}

function valuesOf(row: Row): Record<string, Value> {
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, fromCell(cell)]));
}

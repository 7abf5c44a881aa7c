/** Fills an empty database with a backup: at the schema of the backup, which is then brought up to date. */
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Dialect, findTables, hasTable, migrate } from '../db/open.ts';
import type { Database } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { RESTORE_UNFINISHED } from '../installation.ts';
import { ArchiveError } from './archive.ts';
import { isRestored } from './contents.ts';
import { fromCell, parseLines, type Row } from './lines.ts';

/** Tables that a migrated database has rows in from the start. */
const SEEDED = ['gallery', 'audit_head'] as const;
/** Photos of one transaction: some megabytes. */
const PHOTOS_AT_ONCE = 50;

export interface Filling {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  /** Each call reads the same bytes from the beginning. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

/**
 * Fills a database that was migrated to the schema of the backup. Read the bytes through with `checkContents` first. Until
 * {@link finishFilling} the database says that it is not whole.
 */
export async function fillDatabase({ db, dialect, open }: Filling): Promise<void> {
  await inTransaction(db, async ({ trx }) => {
    for (const table of SEEDED) await sql`delete from ${sql.table(table)}`.execute(trx);
    const tables = await findTables(trx, dialect);
    for await (const line of parseLines(open())) {
      if (!('table' in line) || !isRestored(line.table)) continue;
      if (!tables.includes(line.table)) throw new ArchiveError('The backup holds an unknown table.');
      await insertRows(trx, line.table, line.rows);
    }
    await trx.insertInto('meta').values({ key: RESTORE_UNFINISHED, value: '1' }).execute();
    // What is added next continues after what was restored.
    if (dialect === 'postgres')
      await sql`select setval(pg_get_serial_sequence('events', 'id'), greatest((select coalesce(max(id), 0) from events), 1))`.execute(
        trx,
      );
  });
  await migrate(db, dialect);
  let waiting: { photo_id: string; sealed: Buffer }[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) await db.insertInto('photo_bodies').values(waiting).execute();
    waiting = [];
  };
  for await (const line of parseLines(open())) {
    if (!('photo' in line)) continue;
    waiting.push({ photo_id: line.photo, sealed: Buffer.from(line.sealed, 'base64') });
    if (waiting.length >= PHOTOS_AT_ONCE) await flush();
  }
  await flush();
}

export async function finishFilling(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', RESTORE_UNFINISHED).execute();
}

async function insertRows(trx: Transaction<Database>, table: string, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    const names = Object.keys(row);
    const values = names.map((name) => sql`${fromCell(row[name] ?? null)}`);
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) values (${sql.join(values)})`.execute(
      trx,
    );
  }
}

/** Whether this database has never been used. */
export async function isUnused(db: Kysely<Database>, dialect: Dialect): Promise<boolean> {
  for (const table of ['parents', 'admins', 'stays', 'audit_log', 'meta'] as const) {
    if (!(await hasTable(db, dialect, table))) continue;
    if (await db.selectFrom(table).select(sql<number>`1`.as('one')).executeTakeFirst()) return false;
  }
  return true;
}

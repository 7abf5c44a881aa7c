/**
 * Dumps and fills the whole database as rows by table name, for backup and restore, including older schemas.
 */
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DatabaseFileError, explainDatabaseFile } from './damage.ts';
import { type Dialect, hasTable } from './dialect.ts';
import type { Database } from './schema.ts';
import { generatedColumns, inFillingOrder, seededTables } from './tables.ts';

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
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Sorted by the key. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Columns of a table's primary key, in its order, in any schema. Throws if it has none. */
async function findKey(trx: Transaction<Database>, dialect: Dialect, table: string): Promise<string[]> {
  const { rows } =
    dialect === 'postgres'
      ? await sql<{ name: string }>`
          select attribute.attname as name
          from pg_index, unnest(pg_index.indkey) with ordinality as part (number, place), pg_attribute as attribute
          where pg_index.indrelid = ${table}::regclass and pg_index.indisprimary
            and attribute.attrelid = pg_index.indrelid and attribute.attnum = part.number
          order by part.place`.execute(trx)
      : await sql<{
          name: string;
        }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(trx);
  if (rows.length === 0) throw new Error(`The table ${table} has no primary key.`);
  return rows.map(({ name }) => name);
}

/**
 * All rows that a backup contains, except photos, at most 500 at a time. Each part begins after the whole key of the last
 * row: an offset would read all rows before it again, and a part of a key would lose or repeat rows with equal parts.
 */
export async function* readTables(
  trx: Transaction<Database>,
  dialect: Dialect,
  existing: readonly string[],
): AsyncGenerator<TablePart> {
  for (const table of inFillingOrder(existing)) {
    const key = await findKey(trx, dialect, table);
    const columns = sql.join(key.map((name) => sql.ref(name)));
    let last: Readonly<Record<string, unknown>> | undefined;
    do {
      const after = last;
      const beyond = after && sql`where (${columns}) > (${sql.join(key.map((name) => after[name]))})`;
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} ${beyond ?? sql``} order by ${columns} limit ${ROWS_AT_ONCE}`.execute(
        trx,
      );
      if (rows.length > 0) yield { table, key, rows };
      last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
    } while (last);
  }
}

/** Number of rows in each table that a backup contains. */
export async function countRows(
  trx: Transaction<Database>,
  existing: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of inFillingOrder(existing)) {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(
      trx,
    );
    counts[table] = Number(rows[0]?.total);
  }
  return counts;
}

/** Removes the rows that migrations insert, so that those of a backup can take their place. `existing`: all tables. */
export async function deleteSeededRows(
  trx: Transaction<Database>,
  existing: readonly string[],
): Promise<void> {
  for (const table of seededTables)
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
  for (const [table, column] of generatedColumns)
    await sql`
      select setval(
        pg_get_serial_sequence(${table}, ${column}),
        greatest((select coalesce(max(${sql.ref(column)}), 0) from ${sql.table(table)}), 1)
      )`.execute(trx);
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

/** Puts made-up rows into every table of a database, from the columns and keys that the database itself names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLogger } from '@haris/runtime/log';
import { type Kysely, sql } from 'kysely';
import { embeddedFile } from '../db/embedded.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/schema.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}
/** A foreign key: each own column with the column of the parent that it equals. */
interface Reference {
  readonly parent: string;
  readonly columns: ReadonlyMap<string, string>;
}
interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  readonly references: readonly Reference[];
}
type Cell = string | number | Uint8Array;
type Row = Record<string, Cell>;

/** Tables whose rows mean something to backup and restore themselves: the test makes those through the product. */
const REAL: readonly string[] = [
  'meta',
  'data_keys',
  'photos',
  'photo_bodies',
  'gallery',
  'audit_log',
  'audit_head',
];

/** References that the schema means but does not enforce, and others build on. */
const MEANT: Readonly<Record<string, readonly Reference[]>> = {
  child_facilities: [
    { parent: 'children', columns: new Map([['child_id', 'id']]) },
    { parent: 'facilities', columns: new Map([['facility_id', 'id']]) },
  ],
};

/** The schema, which is the same on both databases, as the embedded one tells it. */
async function readSchema(): Promise<Table[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'haris-schema-'));
  const log = createLogger('tests', 'fatal');
  await (await openDatabase({ databaseUrl: null, dataDir, log })).close();
  const db = new DatabaseSync(embeddedFile(dataDir), { readOnly: true });
  try {
    const names = db
      .prepare(
        "select name from sqlite_schema where type = 'table' and name not like 'kysely_%' and name not like 'sqlite_%'",
      )
      .all();
    return names.map((row) => readTable(db, String(row.name)));
  } finally {
    db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function readTable(db: DatabaseSync, name: string): Table {
  const columns = db.prepare('select name, type, pk from pragma_table_info(?)').all(name);
  const references = new Map<number, { parent: string; columns: Map<string, string> }>();
  for (const row of db.prepare('select * from pragma_foreign_key_list(?)').all(name)) {
    const reference = references.get(Number(row.id)) ?? { parent: String(row.table), columns: new Map() };
    reference.columns.set(String(row.from), String(row.to));
    references.set(Number(row.id), reference);
  }
  return {
    name,
    columns: columns.map((column) => ({ name: String(column.name), type: String(column.type) })),
    key: columns
      .filter((column) => Number(column.pk) > 0)
      .sort((a, b) => Number(a.pk) - Number(b.pk))
      .map((column) => String(column.name)),
    // The widest last: it decides where two share a column.
    references: [...(MEANT[name] ?? []), ...references.values()].sort(
      (a, b) => a.columns.size - b.columns.size,
    ),
  };
}

function makeCell({ name, type }: Column, index: number): Cell {
  if (type === 'BLOB') return Buffer.from(`${name} ${index}`);
  if (type === 'double precision') return index + 0.25;
  if (type === 'TEXT') return `${name} ${index}`;
  return index;
}

/**
 * Row number `index` of a table. All parts of a longer key but the last one are equal in all rows, so that no part of the
 * key tells two rows from each other.
 */
function makeRow(table: Table, index: number, parents: ReadonlyMap<string, readonly Row[]>): Row {
  const isLongKey = table.key.length > 1;
  const last = table.key.at(-1) ?? '';
  const row = Object.fromEntries(
    table.columns.map((column) => {
      const isEqual = isLongKey && table.key.includes(column.name) && column.name !== last;
      // Beyond the numbers that the database has generated.
      const isNumbered = !isLongKey && column.name === last && column.type === 'INTEGER';
      return [column.name, makeCell(column, isEqual ? 1 : isNumbered ? 1_000_000 + index : index)];
    }),
  );
  for (const { parent, columns } of table.references) {
    const isEqual =
      isLongKey && [...columns.keys()].some((name) => table.key.includes(name)) && !columns.has(last);
    const rows = parents.get(parent) ?? [];
    const from = rows[isEqual ? 0 : index - 1] ?? rows[0];
    for (const [own, theirs] of columns) row[own] = from?.[theirs] ?? row[own] ?? '';
  }
  return row;
}

/** Parents before children. */
function inOrder(tables: readonly Table[]): Table[] {
  const done: Table[] = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ name, references }) =>
      references.every(({ parent }) => parent === name || done.some((table) => table.name === parent)),
    );
    const [table] = waiting.splice(next, 1);
    if (next < 0 || !table) throw new Error('The references of the tables go in a circle.');
    done.push(table);
  }
  return done;
}

/**
 * Inserts rows into every table but a few, more than two pages of a backup into those with a longer key and those that
 * they refer to. Returns the names of the tables.
 */
export async function fillEveryTable(db: Kysely<Database>): Promise<string[]> {
  const tables = inOrder((await readSchema()).filter(({ name }) => !REAL.includes(name)));
  const many = new Set(tables.filter(({ key }) => key.length > 1).map(({ name }) => name));
  for (const table of [...tables].reverse())
    if (many.has(table.name)) for (const { parent } of table.references) many.add(parent);
  const made = new Map<string, readonly Row[]>();
  for (const table of tables) {
    const count = many.has(table.name) ? 1_101 : 3;
    const rows = Array.from({ length: count }, (_, index) => makeRow(table, index + 1, made));
    made.set(table.name, rows);
    const names = sql.join(table.columns.map(({ name }) => sql.ref(name)));
    for (let from = 0; from < rows.length; from += 100) {
      const values = rows
        .slice(from, from + 100)
        .map((row) => sql`(${sql.join(table.columns.map(({ name }) => sql`${row[name]}`))})`);
      await sql`insert into ${sql.table(table.name)} (${names}) values ${sql.join(values)}`.execute(db);
    }
  }
  return tables.map(({ name }) => name);
}

/** Backup and restore of rows in every table, within a database and from one kind to the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import { type Kysely, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/schema.ts';
import { rowsOf } from '../db/tables.ts';
import { inTransaction } from '../db/transaction.ts';
import { type FreshDatabase, freshDb, testDialect } from '../testing/database.ts';
import { fillEveryTable } from '../testing/every-table.ts';
import { startTestApp } from '../testing/harness.ts';
import { runServerProgram } from '../testing/server-programs.ts';

const scratch = mkdtempSync(join(tmpdir(), 'haris-every-table-'));
const databases: FreshDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

type Kind = 'sqlite' | 'postgres';
type Env = Readonly<Record<string, string>>;

/** Environment of an empty place; without DATABASE_URL it is the embedded database. */
async function makePlace(kind: Kind): Promise<Env> {
  const dataDir = mkdtempSync(join(scratch, 'place-'));
  if (kind === 'sqlite') return { DATA_DIR: dataDir };
  const database = await freshDb();
  databases.push(database);
  return { DATA_DIR: dataDir, DATABASE_URL: String(database.url) };
}

async function withDatabase<T>(env: Env, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase({
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: String(env.DATA_DIR),
    log: createLogger('test', 'fatal'),
  });
  return work(db).finally(close);
}

/** Every table by name, each row as text, sorted. */
async function dump(db: Kysely<Database>): Promise<Map<string, string[]>> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => !name.startsWith('kysely_'));
  const all = new Map<string, string[]>();
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    const cell = (value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
    const text = (row: Record<string, unknown>) =>
      JSON.stringify(
        Object.entries(row)
          .map(([column, value]) => [column, cell(value)])
          .sort(),
      );
    // The time at which the storage was last tried.
    all.set(
      name,
      rows
        .filter((row) => row.key !== 'storage_probe')
        .map(text)
        .sort(),
    );
  }
  return all;
}

/** A house with a family, a long audit log, and made-up rows in every other table. */
async function furnish(env: Env): Promise<string[]> {
  const app = await startTestApp({ config: { DATABASE_URL: '', ...env } });
  await app.makeChild(await app.makeFamily());
  const fact = { actor: null, action: 'parents.imported', subject: null, details: { rows: 1 } } as const;
  for (let part = 0; part < 12; part++)
    await inTransaction(app.context.db, (tx) => app.context.audit.appendAll(tx, Array(100).fill(fact)));
  await app.close();
  return withDatabase(env, fillEveryTable);
}

const kinds: Kind[] = testDialect === 'postgres' ? ['postgres', 'sqlite'] : ['sqlite'];

describe.each(kinds)('rows in every table of %s', (kind) => {
  test('are all in a backup, and come back equal in each kind of database', async () => {
    const source = await makePlace(kind);
    const filled = await furnish(source);
    const before = await withDatabase(source, dump);
    for (const name of filled) expect(before.get(name)?.length, name).toBeGreaterThanOrEqual(3);
    const file = join(scratch, `${kind}.backup`);
    expect(await runServerProgram('backup', [file], source)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^Backed up \d{5} rows and \d+ photos/),
    });
    const shown = await runServerProgram('backup', ['--recovery-key'], source);
    for (const other of kinds) {
      const target = { ...(await makePlace(other)), RECOVERY_KEY: shown.text.split('\n')[0] ?? '' };
      expect(await runServerProgram('restore', [file], target)).toMatchObject({
        code: 0,
        text: expect.stringContaining('The audit log is whole'),
      });
      const after = await withDatabase(target, dump);
      expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
      for (const [name, rows] of before)
        expect(after.get(name), name).toEqual(rowsOf(name) === 'ended' ? [] : rows);
    }
  });
});

/** Detects a damaged database: `/readyz` reports it, and staff are notified. */
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { testDialect } from '../testing/database.ts';
import { startTestApp } from '../testing/harness.ts';
import { NO_VISION, startProgram } from '../testing/program.ts';
import { connectUntouched } from './sqlite.ts';

const PAGE_BYTES = 4096;
const SECRETS = { ADMIN_EMAIL: 'boss@haris.test', ADMIN_PASSWORD: 'boss-password' };

/** Overwrites the first page of a table in a file that no process has open. */
function damage(file: string, table: string): void {
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  const page = database.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.rootpage;
  database.close();
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(PAGE_BYTES, 0x5a), 0, PAGE_BYTES, (Number(page) - 1) * PAGE_BYTES);
  closeSync(handle);
}

test('a sound database, and one elsewhere, are not called damaged', async () => {
  const app = await startTestApp();
  expect(await app.context.integrity.check()).toBe(testDialect === 'sqlite' ? 'whole' : 'unknown');
  const ready = await app.app.inject('/readyz');
  expect(ready.json().parts.database).toBe('ok');
  await app.close();
});

test('a look beside a server whose log is empty sees what it writes; without a server it leaves no file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'haris-integrity-'));
  const file = join(folder, 'haris.db');
  const writer = new DatabaseSync(file);
  writer.exec('pragma journal_mode = wal; create table notes (id integer)');
  writer.exec('pragma wal_checkpoint(truncate)');
  expect(statSync(`${file}-wal`).size).toBe(0);
  const count = (database: DatabaseSync) => database.prepare('select count(*) as n from notes').get()?.n;
  const reader = connectUntouched(file);
  writer.exec('insert into notes values (1)');
  expect(count(reader)).toBe(1);
  reader.close();
  writer.close();
  const alone = connectUntouched(file);
  expect(count(alone)).toBe(1);
  alone.close();
  expect(readdirSync(folder)).toEqual(['haris.db']);
  rmSync(folder, { recursive: true });
});

if (testDialect === 'sqlite')
  test('a damaged page is found after the start: /readyz says it, and staff have an incident', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'haris-integrity-'));
    const env = { DATA_DIR: dataDir, ...NO_VISION, ...SECRETS };
    const first = await startProgram(env);
    first.kill('SIGTERM');
    await first.ended;
    damage(join(dataDir, 'haris.db'), 'stay_corrections');
    const program = await startProgram(env);
    try {
      const ask = async (path: string, init: RequestInit = {}) =>
        (await (await fetch(program.url + path, init)).json()) as {
          token: string;
          parts: { database: string };
          incidents: { kind: string }[];
        };
      await expect
        .poll(async () => (await ask('/readyz')).parts.database, { timeout: 240_000 })
        .toBe('damaged');
      expect((await fetch(`${program.url}/readyz`)).status).toBe(503);
      const { token } = await ask('/api/admin/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: SECRETS.ADMIN_EMAIL, password: SECRETS.ADMIN_PASSWORD }),
      });
      const kinds = async () =>
        (
          await ask('/api/incidents?state=open', { headers: { authorization: `Bearer ${token}` } })
        ).incidents.map(({ kind }) => kind);
      await expect.poll(kinds, { timeout: 240_000 }).toContain('database');
    } finally {
      program.kill('SIGKILL');
      await program.ended;
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

/** The schema is brought up to date whole or not at all: a start that fails half-way can be repeated. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLogger } from '@haris/runtime/log';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from './open.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'haris-migrations-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function inFile<T>(work: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(join(dataDir, 'haris.db'));
  try {
    return work(file);
  } finally {
    file.close();
  }
}

test('a migration that fails half-way leaves nothing of itself', async () => {
  const place = { databaseUrl: null, dataDir, log: createLogger('migrations', 'fatal') };
  // In the way of a migration that has made tables before it comes to this one.
  inFile((file) => file.exec('create table incident_steps (stranger text)'));
  await expect(openDatabase(place)).rejects.toThrow(/incident_steps/);
  const tables = inFile((file) => file.prepare("select name from sqlite_schema where type = 'table'").all());
  expect(tables).not.toContainEqual({ name: 'incidents' });
  inFile((file) => file.exec('drop table incident_steps'));
  const opened = await openDatabase(place);
  await expect(opened.db.selectFrom('incidents').selectAll().execute()).resolves.toEqual([]);
  await opened.close();
});

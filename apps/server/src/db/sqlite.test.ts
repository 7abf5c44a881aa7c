/** The embedded database under Kysely, after SQLite itself has rolled a transaction back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSqlite } from './sqlite.ts';
import { isStorageFull } from './storage-full.ts';

const folder = mkdtempSync(join(tmpdir(), 'haris-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what follows in a transaction that SQLite rolled back by itself is refused, not committed', () => {
  const database = openSqlite(join(folder, 'lost.db'));
  const run = (text: string) => database.prepare(text).run([]);
  run('create table t (a text)');
  run('begin');
  run("insert into t values ('first')");
  // As a full disk does, without the caller's knowledge.
  run('rollback /* by SQLite */');
  expect(() => run("insert into t values ('second')")).toThrow(/rolled back/);
  expect(() => database.prepare('select * from t').all([])).toThrow(/rolled back/);
  expect(() => run('commit')).toThrow(/rolled back/);
  run('rollback');
  expect(database.prepare('select * from t').all([])).toEqual([]);
  run('begin');
  run("insert into t values ('third')");
  run('commit');
  expect(database.prepare('select * from t').all([])).toEqual([{ a: 'third' }]);
  database.close();
});

test('a write without room is told from every other failure', () => {
  const database = openSqlite(join(folder, 'full.db'));
  database.prepare('create table t (a blob)').run([]);
  const attempt = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  expect(isStorageFull(attempt(() => database.prepare('select * from nowhere')))).toBe(false);
  database.prepare('pragma max_page_count = 1').all([]);
  const failure = attempt(() => database.prepare('insert into t values (zeroblob(100000))').run([]));
  expect(failure).toBeInstanceOf(Error);
  expect(isStorageFull(failure)).toBe(true);
  database.close();
});

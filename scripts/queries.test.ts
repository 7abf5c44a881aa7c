import { describe, expect, test } from 'vitest';
import { checkRooms, findQueries } from './queries.mjs';

const query = `await db.selectFrom('stays').selectAll().execute();`;

describe('a query is', () => {
  test.each([
    query,
    `const rows = await db\n    .selectFrom('stays')`,
    `const { insertInto } = trx;`,
    `await trx.updateTable('stays').set({ exit_time: now });`,
    `await trx.deleteFrom('stays');`,
    `await openStays(db).executeTakeFirst();`,
    `await openStays(db).execute();`,
    `import { sql } from 'kysely';`,
    `import { type Kysely, sql } from 'kysely';`,
    `import {\n  type Kysely,\n  sql,\n} from 'kysely';`,
    `import * as kysely from 'kysely';`,
    `import { jsonArrayFrom } from 'kysely/helpers/postgres';`,
    `export { sql } from 'kysely';`,
    `const { sql } = await import('kysely');`,
    `import pg from 'pg';`,
    `import { DatabaseSync } from 'node:sqlite';`,
  ])('%s', (text) => {
    expect(findQueries(text)).not.toEqual([]);
  });

  test.each([
    `import type { Kysely } from 'kysely';`,
    `import { type Kysely, type Transaction } from 'kysely';`,
    `import {\n  type Kysely,\n  type Transaction,\n} from 'kysely';`,
    `import { findChild } from '../../db/children.ts';`,
    `await inTransaction(context.db, (tx) => endStay(tx.trx, id));`,
  ])('not %s', (text) => {
    expect(findQueries(text)).toEqual([]);
  });
});

describe('the rooms', () => {
  test('a query stands in db/ alone; tests may hold one', () => {
    const at = (path: string) => ({ path, text: `\n${query}` });
    expect(
      checkRooms([at('db/stays.ts'), at('features/stays/stays.test.ts'), at('testing/nursery.ts')], []),
    ).toEqual([]);
    expect(checkRooms([at('features/stays/service.ts')], [])[0]).toBe(
      'features/stays/service.ts:2: a query outside db/: selectFrom',
    );
  });

  test('being inside is written in db/stays.ts alone', () => {
    for (const text of [`.where('stays.exit_time', 'is', null)`, 'sql`case when exit_time is not null`']) {
      const at = (path: string) => [{ path, text }];
      expect(checkRooms(at('db/stays.ts'), [])).toEqual([]);
      expect(checkRooms(at('db/migrations/001-foundation.ts'), [])).toEqual([]);
      expect(checkRooms(at('db/children.ts'), [])).toEqual([
        'db/children.ts: says what being inside means: use isOpenStay of db/stays.ts',
      ]);
    }
  });

  test("the column of a child's parent is named in db/guardians/conditions.ts alone", () => {
    const at = (path: string) => [{ path, text: 'sql`select children.parent_id from children`' }];
    expect(checkRooms(at('db/guardians/conditions.ts'), [])).toEqual([]);
    expect(checkRooms(at('db/migrations/001-foundation.ts'), [])).toEqual([]);
    for (const path of ['db/stays.ts', 'db/guardians/of-child.ts'])
      expect(checkRooms(at(path), [])).toEqual([
        `${path}: names the column of a child's parent: use guardianOf of db/guardians/conditions.ts`,
      ]);
  });

  test('the guardians of children are queried in db/guardians/ alone', () => {
    for (const text of [
      `db.selectFrom('guardians').selectAll()`,
      `trx.updateTable('guardians')`,
      `.innerJoin(\n'guardians', 'guardians.child_id', 'children.id')`,
      `.leftJoin('guardians as g', 'g.child_id', 'children.id')`,
      'sql`exists (select 1 from guardians where ended_at is null)`',
    ]) {
      const at = (path: string) => [{ path, text }];
      expect(checkRooms(at('db/guardians/of-child.ts'), [])).toEqual([]);
      expect(checkRooms(at('db/migrations/162-guardians.ts'), [])).toEqual([]);
      for (const path of ['db/stays.ts', 'db/guardians.ts'])
        expect(checkRooms(at(path), []), text).toEqual([
          `${path}: queries the guardians of children: use isGuardedBy of db/guardians/conditions.ts`,
        ]);
    }
    expect(checkRooms([{ path: 'db/tables.ts', text: '  guardians: kept,' }], [])).toEqual([]);
  });

  test('an exception without a query must go', () => {
    const files = [
      { path: 'features/stays/service.ts', text: query },
      { path: 'features/live/rights.ts', text: '' },
    ];
    expect(checkRooms(files, ['features/stays/'])).toEqual([]);
    expect(checkRooms(files, ['features/stays/', 'features/live/'])).toEqual([
      'features/live/ holds no queries any more: delete it from EXCEPTED in scripts/queries.mjs',
    ]);
  });
});

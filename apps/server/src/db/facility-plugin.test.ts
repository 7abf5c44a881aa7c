/** Queries in the scope of a facility, of the organisation and of nobody (decision 048). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import { type Insertable, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FacilityScopeError, inFacility, inScopeOf } from '../facility.ts';
import { type FreshDatabase, freshMigratedDb } from '../testing/database.ts';
import type { OpenDatabase } from './dialect.ts';
import { openDatabase } from './open.ts';
import type { Database } from './schema.ts';

const scratch = mkdtempSync(join(tmpdir(), 'haris-facilities-'));
let database: FreshDatabase;
let opened: OpenDatabase;
let db: Kysely<Database>;

const room = (id: string): Insertable<Database['rooms']> => ({
  ...{ id, name: id, sort_name: id, capacity: null, capacity_kind: 'soft', ratios: '[]' },
  ...{ is_default: 0, created_at: 1, version: 1 },
});
const sensor = (id: string): Insertable<Database['sensors']> => ({
  ...{ id, name: id, area: 'Hall', kind: 'haris', demo: 0, username: id, topic: id, period: null },
  ...{ password_mac: '', device_key_mac: id, refused_count: 0, refused_at: null, refused_reason: null },
  ...{ sort_name: id, search_text: id, created_at: 1 },
});
const staff = (id: string): Insertable<Database['staff']> => ({
  ...{ id, name: id, email: `${id}@haris.test`, password_hash: '', national_id_sealed: null },
  ...{ national_id_mac: null, email_verified: 1, language: 'en', sort_name: id, search_text: id },
  ...{ created_at: 1 },
});

/** Rooms and sensors of each facility, and staff at one, at all and at none. */
async function fill(): Promise<void> {
  for (const facility of ['here', 'there']) {
    await db.insertInto('facilities').values({ id: facility, created_at: 1 }).execute();
    await inFacility(facility, async () => {
      await db
        .insertInto('rooms')
        .values([room(`${facility} 1`), room(`${facility} 2`)])
        .execute();
      await db
        .insertInto('sensors')
        .values(sensor(`${facility} 1`))
        .execute();
    });
    await db
      .insertInto('staff')
      .values(staff(`of ${facility}`))
      .execute();
    await db
      .insertInto('memberships')
      .values({ staff_id: `of ${facility}`, facility_id: facility, role_id: 'teacher' })
      .execute();
  }
  await db
    .insertInto('staff')
    .values([staff('of all'), staff('of none')])
    .execute();
  await db
    .insertInto('memberships')
    .values({ staff_id: 'of all', facility_id: '', role_id: 'owner' })
    .execute();
}

beforeAll(async () => {
  database = await freshMigratedDb();
  opened = await openDatabase({
    databaseUrl: database.url ?? null,
    dataDir: scratch,
    log: createLogger('test', 'fatal'),
  });
  db = opened.db;
  await fill();
});
afterAll(async () => {
  await opened.close();
  await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

const here = <T>(work: () => T): T => inFacility('here', work);
const nowhere = <T>(work: () => T): T => inScopeOf({ scope: 'none' }, work);

describe('in a facility', () => {
  test('a select finds its rows, under any name of the table', async () => {
    const plain = await here(() => db.selectFrom('rooms').select('id').orderBy('id').execute());
    expect(plain).toEqual([{ id: 'here 1' }, { id: 'here 2' }]);
    const named = await here(() => db.selectFrom('rooms as r').select('r.id').orderBy('r.id').execute());
    expect(named).toEqual(plain);
  });

  test('its condition holds beside an `or`', async () => {
    const rows = await here(() =>
      db
        .selectFrom('rooms')
        .select('id')
        .where((eb) => eb.or([eb('id', '=', 'here 1'), eb('id', '=', 'there 1')]))
        .execute(),
    );
    expect(rows).toEqual([{ id: 'here 1' }]);
    const either = sql<boolean>`id = 'there 1' or id = 'here 1'`;
    expect(await here(() => db.selectFrom('rooms').select('id').where(either).execute())).toEqual(rows);
  });

  test('a join finds no row of another, and a left join keeps the row without it', async () => {
    const pairs = await here(() =>
      db
        .selectFrom('facilities')
        .innerJoin('sensors', (join) => join.onTrue())
        .select(['facilities.id as facility', 'sensors.id'])
        .orderBy('facilities.id')
        .execute(),
    );
    expect(new Set(pairs.map(({ id }) => id))).toEqual(new Set(['here 1']));
    const left = await here(() =>
      db
        .selectFrom('facilities')
        .leftJoin('sensors as s', 's.facility_id', 'facilities.id')
        .select(['facilities.id as facility', 's.id'])
        .where('facilities.id', 'in', ['here', 'there'])
        .orderBy('facilities.id')
        .execute(),
    );
    expect(left).toEqual([
      { facility: 'here', id: 'here 1' },
      { facility: 'there', id: null },
    ]);
  });

  test('a subquery finds its rows, in a condition, in a column and in `from`', async () => {
    const [row] = await here(() =>
      db
        .selectFrom('facilities')
        .select((eb) => [
          eb.selectFrom('rooms').select(eb.fn.countAll<number>().as('n')).as('rooms'),
          eb.exists(eb.selectFrom('rooms').select('id').where('id', '=', 'there 1')).as('foreign'),
        ])
        .where('id', '=', 'there')
        .execute(),
    );
    expect({ rooms: Number(row?.rooms), foreign: Boolean(row?.foreign) }).toEqual({
      rooms: 2,
      foreign: false,
    });
    const from = await here(() =>
      db
        .selectFrom((eb) => eb.selectFrom('sensors').select('id').as('found'))
        .selectAll()
        .execute(),
    );
    expect(from).toEqual([{ id: 'here 1' }]);
    const withs = await here(() =>
      db
        .with('found', (one) => one.selectFrom('sensors').select('id'))
        .selectFrom('found')
        .selectAll()
        .execute(),
    );
    expect(withs).toEqual(from);
  });

  test('staff are those with a role there or everywhere', async () => {
    const rows = await here(() => db.selectFrom('staff').select('id').orderBy('id').execute());
    expect(rows).toEqual([{ id: 'of all' }, { id: 'of here' }]);
  });

  test('an update changes no row of another', async () => {
    await here(() => db.updateTable('rooms').set({ capacity: 7 }).execute());
    const rows = await db.selectFrom('rooms').select('id').where('capacity', '=', 7).orderBy('id').execute();
    expect(rows).toEqual([{ id: 'here 1' }, { id: 'here 2' }]);
    await here(() => db.updateTable('staff').set({ name: 'Changed' }).execute());
    const changed = db.selectFrom('staff').select('id').where('name', '=', 'Changed').orderBy('id');
    expect(await changed.execute()).toEqual([{ id: 'of all' }, { id: 'of here' }]);
  });

  test('a delete removes no row of another', async () => {
    const own = ['gone 1', 'gone 2'].map(room);
    await here(() => db.insertInto('rooms').values(own).execute());
    await inFacility('there', () => db.deleteFrom('rooms').where('id', 'like', 'gone%').execute());
    const left = () => db.selectFrom('rooms').select('id').where('id', 'like', 'gone%').execute();
    expect(await left()).toHaveLength(2);
    await here(() => db.deleteFrom('rooms').where('id', 'like', 'gone%').execute());
    expect(await left()).toEqual([]);
  });

  test('the tables that an update or a delete reads are limited too', () => {
    const update = here(() => db.updateTable('facilities').from('rooms').set({ created_at: 2 }).compile());
    const removal = here(() => db.deleteFrom('facilities').using('rooms').compile());
    for (const { sql: text, parameters } of [update, removal]) {
      expect(text).toContain('"rooms"."facility_id" = ');
      expect(parameters).toContain('here');
    }
  });

  test('each row of an insert becomes its own', async () => {
    const rows = await db
      .selectFrom('rooms')
      .select(['id', 'facility_id'])
      .where('facility_id', 'in', ['here', 'there'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual(
      ['here 1', 'here 2', 'there 1', 'there 2'].map((id) => ({ id, facility_id: id.replace(/ \d/, '') })),
    );
  });
});

describe('for the organisation', () => {
  test('a query finds the rows of all facilities', async () => {
    const rows = await db.selectFrom('sensors').select('id').orderBy('id').execute();
    expect(rows).toEqual([{ id: 'here 1' }, { id: 'there 1' }]);
  });

  test('a row without a facility is refused', async () => {
    const insert = (over: object) => db.insertInto('sensors').values({ ...sensor('homeless'), ...over });
    expect(() => insert({}).compile()).toThrow(FacilityScopeError);
    expect(() => insert({ facility_id: 'here' }).compile()).not.toThrow();
  });
});

describe('before the sender of a request is known', () => {
  test('no query on a table of facilities is sent', async () => {
    nowhere(() => {
      expect(() => db.selectFrom('children').selectAll().compile()).toThrow(FacilityScopeError);
      expect(() => db.selectFrom('rooms as r').selectAll().compile()).toThrow(FacilityScopeError);
      expect(() => db.updateTable('stays').set({ exit_time: 1 }).compile()).toThrow(FacilityScopeError);
      expect(() => db.deleteFrom('visitors').compile()).toThrow(FacilityScopeError);
      expect(() => db.insertInto('rooms').values(room('x')).compile()).toThrow(FacilityScopeError);
      const joined = db.selectFrom('sessions').innerJoin('staff', 'staff.id', 'sessions.account_id');
      expect(() => joined.selectAll().compile()).toThrow(FacilityScopeError);
    });
    const rows = nowhere(() => db.selectFrom('facilities').select('id').execute());
    expect((await rows).length).toBeGreaterThan(0);
  });
});

/** Tables with a facility whose queries are not limited, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  audit_log: 'the chain is one; `db/read-audit.ts` chooses the rows',
  child_facilities: 'says where a child is known',
  events: 'a stream reads all at once; `features/events/event-pages.ts` chooses for each reader',
  memberships: 'says who works where, and is read before a request has a facility',
  settings: '`db/settings.ts` reads those of a facility and of the organisation',
  tickets: 'has the facility for which it opens something, and is found by its secret',
};

test('every table with a facility is limited, or named here with its reason', async () => {
  const tables = (await db.introspection.getTables()).filter(({ columns }) =>
    columns.some(({ name }) => name === 'facility_id'),
  );
  const names = tables.map(({ name }) => name);
  expect(names).toContain('stays');
  const unlimited = names.filter((name) => {
    const query = db.selectFrom(name as keyof Database).selectAll();
    try {
      nowhere(() => query.compile());
      return true;
    } catch (error) {
      if (error instanceof FacilityScopeError) return false;
      throw error;
    }
  });
  expect(unlimited.sort()).toEqual(Object.keys(ELSEWHERE).sort());
});

/** Installations of before there were rooms, and of before rooms had the limits of children, after the next start. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldForSearch } from '@haris/contract/search/folding';
import { createLogger } from '@haris/runtime/log';
import { type Kysely, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import { openDatabase } from './open.ts';
import type { Database } from './schema.ts';

const databases: FreshDatabase[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'haris-rooms-'));
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Migrates a database of an older version, filled by `fill`, and returns what `read` finds in it. */
async function afterMigration<T>(
  fill: (db: Kysely<Database>) => Promise<void>,
  read: (db: Kysely<Database>) => Promise<T>,
  upTo = '130-second-factors',
): Promise<T> {
  const database = await freshDb();
  databases.push(database);
  const place = {
    databaseUrl: database.url ?? null,
    dataDir: mkdtempSync(join(scratch, 'place-')),
    log: createLogger('test', 'fatal'),
  };
  const old = await openDatabase({ ...place, upTo });
  await fill(old.db);
  await old.close();
  const opened = await openDatabase(place);
  return read(opened.db).finally(opened.close);
}

const addCamera = (db: Kysely<Database>, id: string, area: string) =>
  sql`insert into cameras (id, name, area, kind, zones, enabled, sort_name, search_text, created_at)
    values (${id}, ${id}, ${area}, 'browser', '[]', 1, ${id}, ${id}, 1)`.execute(db);
const addStay = (db: Kysely<Database>, id: string, exit: number | null) =>
  sql`insert into stays (id, unique_entry_id, child_id, checked_in_by, entry_time, duration, exit_time)
    values (${id}, ${id}, ${id}, 'desk', 1, 30, ${exit})`.execute(db);
const addSetting = (db: Kysely<Database>, key: string, value: unknown) =>
  sql`insert into settings (key, value) values (${key}, ${JSON.stringify(value)})`.execute(db);

const readAll = async (db: Kysely<Database>) => ({
  rooms: await db.selectFrom('rooms').select(['name', 'is_default', 'facility_id']).orderBy('name').execute(),
  areas: await db.selectFrom('cameras').select(['id', 'area']).orderBy('id').execute(),
  stays: await db
    .selectFrom('stays')
    .leftJoin('rooms', 'rooms.id', 'stays.room_id')
    .select(['stays.id', 'rooms.name', 'stays.room_since'])
    .orderBy('stays.id')
    .execute(),
  settings: await db.selectFrom('settings').selectAll().where('key', '=', 'areaAlarms').execute(),
});

test('each area is a room, spellings of one name are one, and the children inside are in the default room', async () => {
  const found = await afterMigration(async (db) => {
    await addSetting(db, 'facilityName', 'Little Stars');
    await addSetting(db, 'areaAlarms', [
      { area: 'NAP ROOM', capacity: 5, notSeenAfterMinutes: 15 },
      { area: 'Garden', unknownPerson: true },
    ]);
    for (const [id, area] of [
      ['a', 'Nap room'],
      ['b', 'Nap room'],
      ['c', 'NAP ROOM'],
      ['d', 'Garden'],
    ] as const)
      await addCamera(db, id, area);
    await addStay(db, 'inside', null);
    await addStay(db, 'left', 2);
  }, readAll);
  expect(found.rooms).toEqual([
    { name: 'Garden', is_default: 0, facility_id: 'main' },
    { name: 'Little Stars', is_default: 1, facility_id: 'main' },
    { name: 'Nap room', is_default: 0, facility_id: 'main' },
  ]);
  expect(found.areas.map(({ area }) => area)).toEqual(['Nap room', 'Nap room', 'Nap room', 'Garden']);
  expect(found.stays).toEqual([
    { id: 'inside', name: 'Little Stars', room_since: null },
    { id: 'left', name: null, room_since: null },
  ]);
  expect(JSON.parse(String(found.settings[0]?.value))).toEqual([
    { area: 'Garden', unknownPerson: true },
    { area: 'Nap room', notSeenAfterMinutes: 15 },
  ]);
});

test('without a name of the facility there is a main room, which an area of that name is', async () => {
  const { rooms, areas } = await afterMigration(
    (db) => addCamera(db, 'a', 'MAIN ROOM').then(() => {}),
    readAll,
  );
  expect(rooms).toEqual([{ name: 'Main room', is_default: 1, facility_id: 'main' }]);
  expect(areas).toEqual([{ id: 'a', area: 'Main room' }]);
});

test('the limit of an area is the soft capacity of its room, unless the room has one, at each facility', async () => {
  const addRoom = (db: Kysely<Database>, facility: string, name: string, capacity: number | null = null) =>
    sql`insert into rooms
      (id, facility_id, name, sort_name, capacity, capacity_kind, ratios, is_default, created_at, version)
      values (${`${facility} ${name}`}, ${facility}, ${name}, ${foldForSearch(name)}, ${capacity}, 'hard', '[]', 0, 1, 1)`.execute(
      db,
    );
  const addLimits = (db: Kysely<Database>, facility: string, areas: unknown) =>
    sql`insert into settings (facility_id, key, value)
      values (${facility}, 'areaAlarms', ${JSON.stringify(areas)})`.execute(db);
  const addIncident = (db: Kysely<Database>, id: string, condition: string, clearedAt: number | null) =>
    sql`insert into incidents (id, facility_id, kind, condition, raised_at, cleared_at)
      values (${id}, 'main', 'capacity', ${condition}, 1, ${clearedAt})`.execute(db);
  const found = await afterMigration(
    async (db) => {
      for (const name of ['Nap room', 'Garden', 'Hall', 'Huge']) await addRoom(db, 'main', name);
      await addRoom(db, 'main', 'Attic', 3);
      await addRoom(db, 'north', 'Garden');
      await addRoom(db, 'south', 'Garden');
      await addLimits(db, 'main', [
        { area: ' NAP  ROOM ', capacity: 8, unknownPerson: true },
        { area: 'Nap room', capacity: 5 },
        { area: 'Garden', capacity: null },
        { area: 'Huge', capacity: 10_000 },
        { area: 'Attic', capacity: 12, notSeenAfterMinutes: 20 },
        { area: 'Demolished', capacity: 4 },
      ]);
      await addLimits(db, 'north', [{ area: 'Garden', capacity: 9 }]);
      await addLimits(db, 'south', 'no list');
      await addIncident(db, 'whole facility', 'capacity ', null);
      await addIncident(db, 'long over', 'capacity ', 2);
      await addIncident(db, 'of a room', 'capacity Garden', null);
    },
    async (db) => ({
      rooms: await db
        .selectFrom('rooms')
        .select(['id', 'capacity', 'capacity_kind'])
        .where('id', 'like', '% %')
        .orderBy('id')
        .execute(),
      limits: (
        await db
          .selectFrom('settings')
          .select(['facility_id', 'value'])
          .where('key', '=', 'areaAlarms')
          .orderBy('facility_id')
          .execute()
      ).map(({ facility_id, value }) => [facility_id, JSON.parse(value)]),
      conditions: await db.selectFrom('incidents').select(['id', 'condition']).orderBy('id').execute(),
    }),
    '144-row-security',
  );
  expect(found.rooms.map(({ id, capacity, capacity_kind }) => [id, capacity, capacity_kind])).toEqual([
    ['main Attic', 3, 'hard'],
    ['main Garden', null, 'hard'],
    ['main Hall', null, 'hard'],
    ['main Huge', 1000, 'soft'],
    ['main Nap room', 5, 'soft'],
    ['north Garden', 9, 'soft'],
    ['south Garden', null, 'hard'],
  ]);
  expect(found.limits).toEqual([
    [
      'main',
      [
        { area: ' NAP  ROOM ', unknownPerson: true },
        { area: 'Attic', notSeenAfterMinutes: 20 },
      ],
    ],
    ['north', []],
    ['south', 'no list'],
  ]);
  expect(found.conditions).toEqual([
    { id: 'long over', condition: 'capacity ' },
    { id: 'of a room', condition: 'capacity Garden' },
    { id: 'whole facility', condition: 'capacity' },
  ]);
});

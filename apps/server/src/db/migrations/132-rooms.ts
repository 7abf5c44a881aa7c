/** Rooms, the staff in them, and the rooms of stays (decision 043); every area of a camera or sensor becomes a room. */
import { randomUUID } from 'node:crypto';
import { foldForSearch } from '@haris/contract/search/folding';
import { type Kysely, sql } from 'kysely';

const FACILITY = 'main';
const DEFAULT_NAME = 'Main room';

export const rooms = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createTables(db);
    const now = Date.now();
    const byFold = new Map<string, string>();
    const name = (await facilityName(db)) ?? DEFAULT_NAME;
    for (const area of [name, ...(await findAreas(db))]) {
      const fold = foldForSearch(area);
      const known = byFold.get(fold);
      if (known === undefined) {
        byFold.set(fold, area);
        await addRoom(db, { name: area, fold, isDefault: byFold.size === 1, now });
      } else await renameArea(db, area, known);
    }
    await sql`update stays set room_id = (select id from rooms where is_default = 1) where exit_time is null`.execute(
      db,
    );
  },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rooms')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('facility_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sort_name', 'text', (c) => c.notNull())
    .addColumn('capacity', 'integer')
    .addColumn('capacity_kind', 'text', (c) => c.notNull())
    .addColumn('ratios', 'text', (c) => c.notNull())
    .addColumn('is_default', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addUniqueConstraint('rooms_name', ['facility_id', 'sort_name'])
    .execute();
  await sql`create unique index rooms_default on rooms (facility_id) where is_default = 1`.execute(db);
  await db.schema
    .createTable('room_moves')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('facility_id', 'text', (c) => c.notNull())
    .addColumn('stay_id', 'text', (c) => c.notNull())
    .addColumn('from_room_id', 'text')
    .addColumn('to_room_id', 'text', (c) => c.notNull())
    .addColumn('by_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('room_moves_stay').on('room_moves').column('stay_id').execute();
  await db.schema
    .createTable('room_staff')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('facility_id', 'text', (c) => c.notNull())
    .addColumn('staff_id', 'text', (c) => c.notNull())
    .addColumn('room_id', 'text', (c) => c.notNull())
    .addColumn('from_at', 'bigint', (c) => c.notNull())
    .addColumn('to_at', 'bigint')
    .execute();
  await db.schema.createIndex('room_staff_from').on('room_staff').column('from_at').execute();
  await sql`create unique index room_staff_open on room_staff (staff_id) where to_at is null`.execute(db);
  await db.schema.alterTable('children').addColumn('birth_date', 'text').execute();
  await db.schema.alterTable('children').addColumn('home_room_id', 'text').execute();
  await db.schema.alterTable('stays').addColumn('room_id', 'text').execute();
  await db.schema.alterTable('stays').addColumn('room_since', 'bigint').execute();
  await sql`create index stays_room_open on stays (room_id) where exit_time is null`.execute(db);
}

async function facilityName(db: Kysely<unknown>): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`
    select value from settings where key = 'facilityName'`.execute(db);
  const name = readJson(rows[0]?.value);
  return typeof name === 'string' && foldForSearch(name) !== '' ? name : null;
}

/** The areas of cameras and sensors, those of most things first, so that a room is called what most of them call it. */
async function findAreas(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ area: string }>`
    select area from (select area from cameras union all select area from sensors) as things
    group by area order by count(*) desc, area`.execute(db);
  return rows.map(({ area }) => area);
}

async function addRoom(
  db: Kysely<unknown>,
  { name, fold, isDefault, now }: { name: string; fold: string; isDefault: boolean; now: number },
): Promise<void> {
  await sql`insert into rooms
    (id, facility_id, name, sort_name, capacity, capacity_kind, ratios, is_default, created_at, version)
    values (${randomUUID()}, ${FACILITY}, ${name}, ${fold}, null, 'soft', '[]', ${isDefault ? 1 : 0}, ${now}, 1)`.execute(
    db,
  );
}

/** Two spellings of one name become one room. Their folded names are equal, so search columns stay. */
async function renameArea(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  await sql`update cameras set area = ${to} where area = ${from}`.execute(db);
  await sql`update sensors set area = ${to} where area = ${from}`.execute(db);
  await sql`update incidents set area = ${to} where area = ${from} and cleared_at is null`.execute(db);
  await sql`update incident_subjects set area = ${to} where area = ${from} and left_at is null`.execute(db);
  const { rows } = await sql<{ value: string }>`
    select value from settings where key = 'areaAlarms'`.execute(db);
  const limits = readJson(rows[0]?.value);
  if (!Array.isArray(limits)) return;
  const others = limits.filter((one) => one?.area !== from);
  const own = limits.find((one) => one?.area === from);
  const isTaken = others.some((one) => one?.area === to);
  const next = own === undefined || isTaken ? others : [...others, { ...own, area: to }];
  await sql`update settings set value = ${JSON.stringify(next)} where key = 'areaAlarms'`.execute(db);
}

function readJson(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Rooms of a facility: their rows, the children and staff in them, and the names of areas that follow a room's name. */
import { randomUUID } from 'node:crypto';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
import type { Database, RoomRow } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** All rooms by name. */
export async function findRooms(db: Reader, facility: string): Promise<RoomRow[]> {
  return db
    .selectFrom('rooms')
    .selectAll()
    .where('facility_id', '=', facility)
    .orderBy('sort_name')
    .orderBy('id')
    .execute();
}

export async function findRoom(db: Reader, facility: string, id: string): Promise<RoomRow | undefined> {
  return db
    .selectFrom('rooms')
    .selectAll()
    .where('facility_id', '=', facility)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Locks a room until the transaction ends, on both databases. This serializes who gets its last place. */
export async function lockRoom(
  trx: Transaction<Database>,
  facility: string,
  id: string,
): Promise<RoomRow | undefined> {
  return trx
    .updateTable('rooms')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('facility_id', '=', facility)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Locks the room that is the default now. */
export async function lockDefaultRoom(
  trx: Transaction<Database>,
  facility: string,
): Promise<RoomRow | undefined> {
  return trx
    .updateTable('rooms')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('facility_id', '=', facility)
    .where('is_default', '=', 1)
    .returningAll()
    .executeTakeFirst();
}

/** Locks the room with this name, however it is spelt. */
export async function lockRoomByName(
  trx: Transaction<Database>,
  facility: string,
  name: string,
): Promise<RoomRow | undefined> {
  return trx
    .updateTable('rooms')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('facility_id', '=', facility)
    .where('sort_name', '=', foldForSearch(name))
    .returningAll()
    .executeTakeFirst();
}

export type NewRoom = Pick<RoomRow, 'name' | 'capacity' | 'capacity_kind' | 'ratios' | 'created_at'>;

/** Adds a room that is not the default; undefined if the name is taken. */
export async function insertRoom(
  trx: Transaction<Database>,
  facility: string,
  room: NewRoom,
): Promise<RoomRow | undefined> {
  return trx
    .insertInto('rooms')
    .values({
      ...room,
      id: randomUUID(),
      facility_id: facility,
      sort_name: foldForSearch(room.name),
      is_default: 0,
      version: 1,
    })
    .onConflict((conflict) => conflict.columns(['facility_id', 'sort_name']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Changes a room. Rejects with a unique violation if the name is taken. */
export async function updateRoomRow(
  trx: Transaction<Database>,
  id: string,
  { name, ...change }: Partial<Pick<RoomRow, 'name' | 'capacity' | 'capacity_kind' | 'ratios'>>,
): Promise<void> {
  const changed = { ...change, ...(name === undefined ? {} : { name, sort_name: foldForSearch(name) }) };
  if (Object.keys(changed).length === 0) return;
  await trx.updateTable('rooms').set(changed).where('id', '=', id).execute();
}

/** Makes a room the default instead of the current one. */
export async function setDefaultRoom(
  trx: Transaction<Database>,
  facility: string,
  id: string,
): Promise<void> {
  await trx
    .updateTable('rooms')
    .set({ is_default: 0 })
    .where('facility_id', '=', facility)
    .where('is_default', '=', 1)
    .execute();
  await trx.updateTable('rooms').set({ is_default: 1 }).where('id', '=', id).execute();
}

/** Deletes a room; children whose home room it was have none. Nothing else may refer to it. */
export async function deleteRoomRow(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('child_facilities')
    .set({ home_room_id: null })
    .where('home_room_id', '=', id)
    .execute();
  await trx.deleteFrom('rooms').where('id', '=', id).execute();
}

export async function countRooms(db: Reader, facility: string): Promise<number> {
  const { count } = await db
    .selectFrom('rooms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('facility_id', '=', facility)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of children inside who are in a room. */
export async function countChildrenIn(db: Reader, roomId: string): Promise<number> {
  const { count } = await db
    .selectFrom('stays')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('room_id', '=', roomId)
    .where(isOpenStay)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The name of the room in which a child inside is; undefined without one. */
export async function findRoomOfChild(db: Reader, childId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('stays')
    .innerJoin('rooms', 'rooms.id', 'stays.room_id')
    .select('rooms.name')
    .where('stays.child_id', '=', childId)
    .where(isOpenStay)
    .executeTakeFirst();
  return row?.name;
}

/** The rooms of the children inside, with their birth dates (`YYYY-MM-DD`). */
export async function findRoomsOfChildren(
  db: Reader,
  facility: string,
): Promise<{ room_id: string; birth_date: string | null }[]> {
  return db
    .selectFrom('stays')
    .innerJoin('rooms', 'rooms.id', 'stays.room_id')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select(['rooms.id as room_id', 'children.birth_date'])
    .where('rooms.facility_id', '=', facility)
    .where(isOpenStay)
    .execute();
}

/** Numbers of cameras and sensors whose area is the room's name, and of children whose home room it is. */
export interface RoomUses {
  readonly cameras: number;
  readonly sensors: number;
  readonly homeChildren: number;
}

/** The uses of all rooms; cameras and sensors by name, children by id. */
export async function findRoomUses(db: Reader): Promise<(room: Pick<RoomRow, 'id' | 'name'>) => RoomUses> {
  const [cameras, sensors] = [await countAreas(db, 'cameras'), await countAreas(db, 'sensors')];
  const homes = await db
    .selectFrom('child_facilities')
    .innerJoin('rooms', 'rooms.id', 'home_room_id')
    .select((eb) => ['home_room_id', eb.fn.countAll<number>().as('count')])
    .groupBy('home_room_id')
    .execute();
  const byRoom = new Map(homes.map(({ home_room_id, count }) => [home_room_id, Number(count)]));
  return ({ id, name }) => ({
    cameras: cameras.get(name) ?? 0,
    sensors: sensors.get(name) ?? 0,
    homeChildren: byRoom.get(id) ?? 0,
  });
}

async function countAreas(db: Reader, table: 'cameras' | 'sensors'): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom(table)
    .select((eb) => ['area', eb.fn.countAll<number>().as('count')])
    .groupBy('area')
    .execute();
  return new Map(rows.map(({ area, count }) => [area, Number(count)]));
}

/** Facilities, and which families, devices and children belong to them (decision 048). */
import { nameSchema } from '@haris/contract/fields';
import type { Kysely, Transaction } from 'kysely';
import { inFacility } from '../facility.ts';
import { findGuardedPlaces } from './guardians/children-of.ts';
import { findFacilityIds } from './memberships.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Names of the facilities that have one, by id. */
export async function findFacilityNames(db: Reader): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('settings')
    .select(['facility_id', 'value'])
    .where('key', '=', 'facilityName')
    .execute();
  return new Map(
    rows.flatMap(({ facility_id, value }) => {
      const name = nameSchema.safeParse(readJson(value));
      return name.success ? [[facility_id, name.data] as const] : [];
    }),
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function insertFacility(trx: Transaction<Database>, id: string, now: number): Promise<void> {
  await trx.insertInto('facilities').values({ id, created_at: now }).execute();
}

/** Facilities at which a child is known, the oldest first. */
export async function findFacilitiesOfChild(db: Reader, childId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('child_facilities')
    .innerJoin('facilities', 'facilities.id', 'child_facilities.facility_id')
    .select('facilities.id')
    .where('child_id', '=', childId)
    .orderBy('facilities.created_at')
    .orderBy('facilities.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The facility, if there is only one; null if there are several. */
export async function findOnlyFacility(db: Reader): Promise<string | null> {
  const rows = await db.selectFrom('facilities').select('id').limit(2).execute();
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

/** The facility at which all children are known whose guardian a parent is; null if there are several, or no child yet. */
export async function findFamilyFacility(db: Reader, parentId: string): Promise<string | null> {
  const places = await findGuardedPlaces(db, [parentId]);
  if (places.length === 0) return findOnlyFacility(db);
  return places.length === 1 ? (places[0]?.facility ?? null) : null;
}

/** The facility of a desk tablet or kiosk; null if the tablet is gone. */
export async function findDeskFacility(db: Reader, kioskId: string): Promise<string | null> {
  const row = await db
    .selectFrom('kiosks')
    .select('facility_id')
    .where('id', '=', kioskId)
    .executeTakeFirst();
  return row?.facility_id ?? null;
}

/** Adds a child to a facility; does nothing if it is known there. */
export async function addChildToFacility(
  trx: Transaction<Database>,
  childId: string,
  facility: string,
  now: number,
): Promise<void> {
  await trx
    .insertInto('child_facilities')
    .values({ child_id: childId, facility_id: facility, created_at: now })
    .onConflict((conflict) => conflict.columns(['child_id', 'facility_id']).doNothing())
    .execute();
}

/** Removes a child from a facility, with its home room there. */
export async function removeChildFromFacility(
  trx: Transaction<Database>,
  childId: string,
  facility: string,
): Promise<void> {
  await trx
    .deleteFrom('child_facilities')
    .where('child_id', '=', childId)
    .where('facility_id', '=', facility)
    .execute();
}

/** Facilities at which the children are known whose guardians these parents are, by parent. */
export async function findFacilitiesOfFamilies(
  db: Reader,
  parentIds: readonly string[],
): Promise<Map<string, string[]>> {
  const byParent = Map.groupBy(await findGuardedPlaces(db, parentIds), ({ guardian }) => guardian);
  return new Map([...byParent].map(([id, found]) => [id, found.map(({ facility }) => facility)]));
}

/** Runs the same work in each facility, one after the other. */
export async function atEachFacility(db: Reader, work: (facility: string) => Promise<void>): Promise<void> {
  for (const facility of await findFacilityIds(db)) await inFacility(facility, () => work(facility));
}

/** Rows of announced pick-ups. Only queries, no rules. */
import type { PickupSource } from '@haris/contract/objects';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import { isOpenStay } from './stays.ts';

export interface Pickup {
  readonly stayId: string;
  readonly childId: string;
  readonly parentId: string;
  readonly source: PickupSource;
  /** Milliseconds since 1970. */
  readonly arrivesAt: number;
  readonly announcedAt: number;
}

/** The open stay of a child with its announced pick-up; undefined while the child is outside. */
export async function findStayToFetch(
  trx: Transaction<Database>,
  childId: string,
): Promise<
  { id: string; source: PickupSource | null; arrives_at: number | null; by: string | null } | undefined
> {
  return trx
    .selectFrom('stays')
    .leftJoin('pickups', 'pickups.stay_id', 'stays.id')
    .select(['stays.id', 'pickups.source', 'pickups.arrives_at', 'pickups.parent_id as by'])
    .where('stays.child_id', '=', childId)
    .where(isOpenStay)
    .executeTakeFirst();
}

/** Adds the pick-up of a stay, or replaces it. */
export async function keepPickup(trx: Transaction<Database>, pickup: Pickup): Promise<void> {
  const { stayId, childId, parentId, source, arrivesAt, announcedAt } = pickup;
  const row = {
    parent_id: parentId,
    source,
    arrives_at: arrivesAt,
    announced_at: announcedAt,
    seen_at: null,
  };
  await trx
    .insertInto('pickups')
    .values({ stay_id: stayId, child_id: childId, ...row })
    .onConflict((conflict) => conflict.column('stay_id').doUpdateSet(row))
    .execute();
}

/**
 * Sets when staff saw the announced pick-up of a child's open stay; null: not seen. Returns who announced it; undefined if there is
 * none for this time, or it is so already.
 */
export async function setPickupSeen(
  trx: Transaction<Database>,
  childId: string,
  arrivesAt: number,
  seenAt: number | null,
): Promise<string | undefined> {
  const stay = await findStayToFetch(trx, childId);
  if (stay === undefined) return undefined;
  const row = await trx
    .updateTable('pickups')
    .set({ seen_at: seenAt })
    .where('stay_id', '=', stay.id)
    .where('arrives_at', '=', arrivesAt)
    .where('seen_at', seenAt === null ? 'is not' : 'is', null)
    .returning('parent_id')
    .executeTakeFirst();
  return row?.parent_id;
}

/**
 * Deletes the pick-ups of a child from `source`. Returns false if the open stay has no such pick-up. Lock the child first.
 */
export async function dropPickup(
  trx: Transaction<Database>,
  childId: string,
  source: PickupSource,
): Promise<boolean> {
  const stay = await findStayToFetch(trx, childId);
  await trx.deleteFrom('pickups').where('child_id', '=', childId).where('source', '=', source).execute();
  return stay?.source === source;
}

/** Deletes the pick-ups of a child that a parent has announced. Returns whether there were any. Lock the child first. */
export async function dropPickupsBy(
  trx: Transaction<Database>,
  childId: string,
  parentId: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('pickups')
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes all pick-ups of a child. */
export async function deletePickupsOf(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('pickups').where('child_id', '=', childId).execute();
}

/** Ids of the children with a pick-up that was due before `before` (milliseconds since 1970), each once. */
export async function findChildrenWithPastPickups(db: Kysely<Database>, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pickups')
    .select('child_id')
    .distinct()
    .where('arrives_at', '<', before)
    .execute();
  return rows.map((row) => row.child_id);
}

/**
 * Deletes the pick-ups of a child that were due before `before`. Returns the parent if one of them belonged to the open
 * stay.
 */
export async function dropPastPickups(
  trx: Transaction<Database>,
  childId: string,
  before: number,
): Promise<{ parent_id: string } | undefined> {
  const open = await trx
    .selectFrom('pickups')
    .innerJoin('stays', 'stays.id', 'pickups.stay_id')
    .select('pickups.parent_id')
    .where('pickups.child_id', '=', childId)
    .where('pickups.arrives_at', '<', before)
    .where(isOpenStay)
    .executeTakeFirst();
  await trx.deleteFrom('pickups').where('child_id', '=', childId).where('arrives_at', '<', before).execute();
  return open;
}

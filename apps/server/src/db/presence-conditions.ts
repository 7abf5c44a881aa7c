/** Presence conditions: a child inside whom no camera sees, and a child outside whom a camera sees. Only queries. */
import type { Kysely, Transaction } from 'kysely';
import { guardianOf } from './guardians/conditions.ts';
import type { Database } from './schema.ts';
import { isOpenStay, type OpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A new condition begins when a child outside is seen again after this time without a sighting. Milliseconds. */
export const OUTSIDE_CONDITION_MS = 5 * 60_000;

export interface SeenChild {
  readonly childId: string;
  readonly cameraId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Records that `child.seen` is emitted. False if it was emitted for this child and camera within `everyMs`. */
export async function markSeen(
  trx: Transaction<Database>,
  { childId, cameraId, at }: SeenChild,
  everyMs: number,
): Promise<boolean> {
  const marked = await trx
    .insertInto('seen_announcements')
    .values({ child_id: childId, camera_id: cameraId, at })
    .onConflict((conflict) =>
      conflict
        .columns(['child_id', 'camera_id'])
        .doUpdateSet({ at })
        .where('seen_announcements.at', '<=', at - everyMs),
    )
    .returning('child_id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Records that a child outside was seen at `at` (milliseconds since 1970). True if this begins a new condition. */
export async function markSeenOutside(
  trx: Transaction<Database>,
  childId: string,
  at: number,
): Promise<boolean> {
  await trx
    .insertInto('presence_conditions')
    .values({ child_id: childId, not_seen_stay: null, outside_seen_at: null })
    .onConflict((conflict) => conflict.column('child_id').doNothing())
    .execute();
  const begun = await trx
    .updateTable('presence_conditions')
    .set({ outside_seen_at: at })
    .where('child_id', '=', childId)
    .where((eb) =>
      eb.or([eb('outside_seen_at', 'is', null), eb('outside_seen_at', '<', at - OUTSIDE_CONDITION_MS)]),
    )
    .returning('child_id')
    .executeTakeFirst();
  if (begun) return true;
  await trx
    .updateTable('presence_conditions')
    .set({ outside_seen_at: at })
    .where('child_id', '=', childId)
    .where('outside_seen_at', '<', at)
    .execute();
  return false;
}

/** Records that `child.not_seen` is emitted for a stay. False if it was emitted for this stay before. */
export async function markNotSeen(
  trx: Transaction<Database>,
  childId: string,
  stayId: string,
): Promise<boolean> {
  const marked = await trx
    .insertInto('presence_conditions')
    .values({ child_id: childId, not_seen_stay: stayId, outside_seen_at: null })
    .onConflict((conflict) =>
      conflict
        .column('child_id')
        .doUpdateSet({ not_seen_stay: stayId })
        .where((eb) =>
          eb.or([
            eb('presence_conditions.not_seen_stay', 'is', null),
            eb('presence_conditions.not_seen_stay', '!=', stayId),
          ]),
        ),
    )
    .returning('child_id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Ends both conditions of a child, because a camera has seen it inside. */
export async function endPresenceConditions(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx
    .updateTable('presence_conditions')
    .set({ not_seen_stay: null, outside_seen_at: null })
    .where('child_id', '=', childId)
    .where((eb) => eb.or([eb('not_seen_stay', 'is not', null), eb('outside_seen_at', 'is not', null)]))
    .execute();
}

/**
 * Open stays that began at `latest` (milliseconds since 1970) or before and for which `child.not_seen` was not emitted
 * yet, unordered.
 */
export async function findStaysNotMissed(
  db: Reader,
  latest: number,
): Promise<Pick<OpenStay, 'id' | 'child_id' | 'entry_time'>[]> {
  const stays = await db
    .selectFrom('stays')
    .leftJoin('presence_conditions', 'presence_conditions.child_id', 'stays.child_id')
    .select(['stays.id', 'stays.child_id', 'stays.entry_time', 'presence_conditions.not_seen_stay'])
    .where(isOpenStay)
    .where('stays.entry_time', '<=', latest)
    .execute();
  return stays.filter((stay) => stay.not_seen_stay !== stay.id);
}

/** A child with a begun condition. Each field is null if it does not apply. */
export interface PresenceCondition {
  readonly id: string;
  readonly parent_id: string;
  readonly not_seen_stay: string | null;
  readonly outside_seen_at: number | null;
  /** The child's open stay. */
  readonly stay_id: string | null;
}

/** All children with at least one condition, unordered. */
export async function findPresenceConditions(db: Reader): Promise<PresenceCondition[]> {
  return db
    .selectFrom('presence_conditions')
    .innerJoin('children', 'children.id', 'presence_conditions.child_id')
    .leftJoin('stays', (join) => join.onRef('stays.child_id', '=', 'children.id').on(isOpenStay))
    .select([
      'children.id',
      guardianOf().as('parent_id'),
      'presence_conditions.not_seen_stay',
      'presence_conditions.outside_seen_at',
      'stays.id as stay_id',
    ])
    .where((eb) =>
      eb.or([
        eb('presence_conditions.not_seen_stay', 'is not', null),
        eb('presence_conditions.outside_seen_at', 'is not', null),
      ]),
    )
    .execute();
}

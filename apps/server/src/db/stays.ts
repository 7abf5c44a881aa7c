/** Stays: check-in, checkout, undo, and the children inside. Only queries, no rules. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { StayEndKind } from '@haris/contract/fields';
import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { ALL_FACILITIES } from '../facility.ts';
import { guardianOf, isChildOf, isGuardedBy, isTakenBy } from './guardians/conditions.ts';
import { findGuardianIds } from './guardians/of-child.ts';
import type { Database, StayRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/**
 * The SQL condition of being inside, on a table named `stays`. Other modules use it in `where`, `on` and `case`; it
 * matches the partial index of open stays.
 */
export const isOpenStay = sql<boolean>`stays.exit_time is null`;

/** Actor and time of a change. Milliseconds since 1970. */
export interface Mark {
  readonly by: string;
  readonly at: number;
}

export interface NewStay {
  readonly id: string;
  /** The random token on the entry slip. */
  readonly entryId: string;
  readonly childId: string;
  readonly durationInMinutes: number;
  /** Which end was chosen; left out for a period. */
  readonly endKind?: StayEndKind | undefined;
  readonly roomId: string;
  /** The token of a slip that is printed already; undefined: a new one. */
  readonly slipToken?: string;
}

/** A new token of an entry slip: 128 bits in hexadecimal digits. */
export function newSlipToken(): string {
  return randomBytes(16).toString('hex');
}

/** Checks a child in. False if it is inside already: a unique index forbids a second open stay. */
export async function beginStay(
  trx: Transaction<Database>,
  { id, entryId, childId, durationInMinutes, endKind, roomId, slipToken = newSlipToken() }: NewStay,
  { by, at }: Mark,
): Promise<boolean> {
  const made = await trx
    .insertInto('stays')
    .values({
      id,
      unique_entry_id: entryId,
      child_id: childId,
      checked_in_by: by,
      entry_time: at,
      duration: durationInMinutes,
      end_kind: endKind ?? null,
      checked_out_by: null,
      exit_time: null,
      time_up_at: null,
      room_id: roomId,
      room_since: at,
      slip_token: slipToken,
    })
    .onConflict((conflict) => conflict.column('child_id').where('exit_time', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Checks a child out. Undefined if it is outside. */
export async function endStay(
  trx: Transaction<Database>,
  childId: string,
  { by, at }: Mark,
): Promise<Pick<StayRow, 'id' | 'entry_time'> | undefined> {
  return trx
    .updateTable('stays')
    .set({ exit_time: at, checked_out_by: by })
    .where('child_id', '=', childId)
    .where(isOpenStay)
    .returning(['id', 'entry_time'])
    .executeTakeFirst();
}

/** Ends the open stays of some children without recording who checked them out. `at`: milliseconds since 1970. */
export async function endStaysOf(
  trx: Transaction<Database>,
  childIds: readonly string[],
  at: number,
): Promise<void> {
  if (childIds.length === 0) return;
  await trx
    .updateTable('stays')
    .set({ exit_time: at })
    .where('child_id', 'in', childIds)
    .where(isOpenStay)
    .execute();
}

/** The stay of an entry slip. */
export async function findStayByEntryId(db: Reader, entryId: string): Promise<StayRow | undefined> {
  return db.selectFrom('stays').selectAll().where('unique_entry_id', '=', entryId).executeTakeFirst();
}

/** Undoes a check-in: marks the stay as void, which closes it. Stores the previous values as a correction. */
export async function voidStay(trx: Transaction<Database>, stay: StayRow, mark: Mark): Promise<void> {
  const { by, at } = mark;
  await trx
    .updateTable('stays')
    .set({ exit_time: at, checked_out_by: by, voided_at: at })
    .where('id', '=', stay.id)
    .execute();
  await insertCorrection(trx, 'check_in_undone', stay, mark);
}

/**
 * Undoes a checkout: reopens the stay with the same entry id. Stores the previous values as a correction. Keeps
 * `time_up_at`, because `child.time_up` is emitted once per stay. `roomId`: the room in which the stay continues.
 */
export async function reopenStay(
  trx: Transaction<Database>,
  stay: StayRow,
  roomId: string,
  mark: Mark,
): Promise<void> {
  await trx
    .updateTable('stays')
    .set({ exit_time: null, checked_out_by: null, room_id: roomId, booked_until: null })
    .where('id', '=', stay.id)
    .execute();
  await insertCorrection(trx, 'checkout_undone', stay, mark);
}

/** Gives a stay that has ended another end. Stores the previous values as a correction; `of`: who let the child go, and when. */
export async function replaceEnd(
  trx: Transaction<Database>,
  stay: StayRow,
  of: Mark,
  mark: Mark,
): Promise<void> {
  await trx
    .updateTable('stays')
    .set({ exit_time: of.at, checked_out_by: of.by })
    .where('id', '=', stay.id)
    .execute();
  await insertCorrection(trx, 'checkout_undone', stay, mark);
}

/**
 * Gives a stay another begin. Stores the previous values as a correction. If the booked time ends later than now, `child.time_up` is
 * emitted again.
 */
export async function moveBegin(
  trx: Transaction<Database>,
  stay: StayRow,
  entryTime: number,
  mark: Mark,
): Promise<void> {
  const isDueLater = entryTime + stay.duration * 60_000 > mark.at;
  await trx
    .updateTable('stays')
    .set({
      entry_time: entryTime,
      time_up_at: isDueLater ? null : stay.time_up_at,
      room_since: stay.room_since === stay.entry_time ? entryTime : stay.room_since,
    })
    .where('id', '=', stay.id)
    .execute();
  await insertCorrection(trx, 'check_in_moved', stay, mark);
}

async function insertCorrection(
  trx: Transaction<Database>,
  kind: Database['stay_corrections']['kind'],
  before: StayRow,
  { by, at }: Mark,
): Promise<void> {
  await trx
    .insertInto('stay_corrections')
    .values({
      id: randomUUID(),
      stay_id: before.id,
      kind,
      corrected_by: by,
      corrected_at: at,
      exit_time_before: before.exit_time,
      checked_out_by_before: before.checked_out_by,
      time_up_at_before: before.time_up_at,
      entry_time_before: kind === 'check_in_moved' ? before.entry_time : null,
    })
    .execute();
}

/** How often a checkout of this stay was undone. */
export async function countUndoneCheckOuts(db: Reader, stayId: string): Promise<number> {
  const { undone } = await db
    .selectFrom('stay_corrections')
    .select((eb) => eb.fn.countAll<number>().as('undone'))
    .where('stay_id', '=', stayId)
    .where('kind', '=', 'checkout_undone')
    .executeTakeFirstOrThrow();
  return Number(undone);
}

/** An open stay with the family of its child. */
export interface OpenStay extends Pick<StayRow, 'id' | 'child_id' | 'entry_time' | 'duration'> {
  readonly parent_id: string;
}

function openStays(db: Reader): SelectQueryBuilder<Database, 'stays' | 'children', OpenStay> {
  return db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select([
      'stays.id',
      'stays.child_id',
      'stays.entry_time',
      'stays.duration',
      guardianOf().as('parent_id'),
    ])
    .where(isOpenStay);
}

/** The stays of all children inside, unordered. */
export async function findOpenStays(db: Reader): Promise<OpenStay[]> {
  return openStays(db).execute();
}

/** Open stays that are due by `now` (milliseconds since 1970) and for which `child.time_up` was not emitted yet. */
export async function findStaysToAnnounce(db: Reader, now: number): Promise<OpenStay[]> {
  return openStays(db)
    .where('stays.time_up_at', 'is', null)
    .where((eb) => eb(eb('stays.entry_time', '+', eb('stays.duration', '*', 60_000)), '<=', now))
    .execute();
}

/** Records that `child.time_up` is emitted. False if another server has done so, or the child has left. */
export async function markTimeUp(trx: Transaction<Database>, stayId: string, now: number): Promise<boolean> {
  const marked = await trx
    .updateTable('stays')
    .set({ time_up_at: now })
    .where('id', '=', stayId)
    .where(isOpenStay)
    .where('time_up_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Ids of the children inside, unordered. */
export async function findChildIdsInside(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('stays').select('child_id').where(isOpenStay).execute();
  return rows.map((row) => row.child_id);
}

/** The number of children inside. */
export async function countChildrenInside(db: Reader): Promise<number> {
  const { inside } = await db
    .selectFrom('stays')
    .select((eb) => eb.fn.countAll<number>().as('inside'))
    .where(isOpenStay)
    .executeTakeFirstOrThrow();
  return Number(inside);
}

/** Whether at least one of these children is inside. */
export async function isAnyInside(db: Reader, childIds: readonly string[]): Promise<boolean> {
  if (childIds.length === 0) return false;
  const row = await db
    .selectFrom('stays')
    .select('id')
    .where('child_id', 'in', childIds)
    .where(isOpenStay)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether at least one child is inside whose first guardian this parent is. */
export async function hasChildInside(db: Reader, parentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select('stays.id')
    .where(isOpenStay)
    .where(isChildOf(parentId))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a child is inside that this parent may take home. Call it across facilities. */
export async function hasChildToTake(db: Reader, parentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select('stays.id')
    .where(isOpenStay)
    .where(isTakenBy(parentId))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Facilities at which a child is inside whose guardian this parent is. */
export async function findFacilitiesInside(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select('stays.facility_id')
    .distinct()
    .where(isOpenStay)
    .where(isGuardedBy(parentId))
    .execute();
  return rows.map(({ facility_id }) => facility_id);
}

/** Ids of the guardians of the children inside, unique and sorted. */
export async function findParentIdsInside(db: Reader, facility: string): Promise<string[]> {
  const stays = db.selectFrom('stays').select('stays.child_id').where(isOpenStay);
  return findGuardianIds(
    db,
    facility === ALL_FACILITIES ? stays : stays.where('stays.facility_id', '=', facility),
  );
}

/** A child that was inside during a period, with its stay and its parent. */
export interface PresentChild extends Pick<StayRow, 'child_id' | 'exit_time'> {
  readonly name: string;
  readonly sort_name: string;
  readonly photo_id: string | null;
  /** When staff confirmed the photo and the name; null: never. Milliseconds since 1970. */
  readonly photo_confirmed_at: number | null;
  readonly name_confirmed_at: number | null;
  readonly parent_id: string;
  readonly parent_name: string;
  readonly phone: string | null;
  /** The room of the stay, and since when; null as in `StayRow`. */
  readonly room_name: string | null;
  readonly room_since: number | null;
}

/**
 * The children who were inside at any time between `from` and `to` (milliseconds since 1970; null: now), by name, each
 * with its latest stay. Void stays do not count.
 */
export async function findChildrenPresent(
  db: Reader,
  { from, to }: { readonly from: number; readonly to: number | null },
): Promise<PresentChild[]> {
  let stays = db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .innerJoin('parents', (join) => join.on('parents.id', '=', guardianOf()))
    .leftJoin('rooms', 'rooms.id', 'stays.room_id')
    .select([
      'stays.child_id',
      'stays.exit_time',
      'stays.room_since',
      'rooms.name as room_name',
      'children.name',
      'children.sort_name',
      'children.photo_id',
      'children.photo_confirmed_at',
      'children.name_confirmed_at',
      'parents.id as parent_id',
      'parents.name as parent_name',
      'parents.phone',
    ])
    .where('stays.voided_at', 'is', null)
    .where((eb) => eb.or([isOpenStay, eb('stays.exit_time', '>=', from)]));
  if (to !== null) stays = stays.where('stays.entry_time', '<=', to);
  const rows = await stays
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .orderBy('stays.entry_time')
    .execute();
  return [...new Map(rows.map((row) => [row.child_id, row])).values()];
}

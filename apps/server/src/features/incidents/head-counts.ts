/**
 * Head counts of groups that have arrived in another room: staff tick the children by name, and who is not accounted for becomes
 * the danger of a missing child (decision 056). Knows nothing of cameras: they tick nobody.
 */
import { randomUUID } from 'node:crypto';
import { HEAD_COUNT_ALERT_MS, HEAD_COUNT_OPEN_MS } from '@haris/contract/constants';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild } from '../../db/children.ts';
import {
  addCountedChild,
  type CountedChild,
  endHeadCount as endRow,
  findCountedChildren,
  findHeadCount,
  findOpenCountsOf,
  findStaysIn,
  findUncounted,
  insertHeadCount,
  lockHeadCount,
  removeCountedChild,
  setAlerted,
  setWord,
  type UncountedChild,
} from '../../db/head-counts.ts';
import { inTransactionUnder, type Lease } from '../../db/leases.ts';
import { findStaysToMove } from '../../db/room-moves.ts';
import { findRoom } from '../../db/rooms.ts';
import type { HeadCountRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { may } from '../../policy.ts';
import { moveChildrenIn } from '../../rooms/move.ts';
import { lockAskedRoom } from '../../rooms/places.ts';
import { clearMissingIn, hasBeenFoundSince, raiseMissingIn } from './missing-child.ts';

/** A server that was down raises dangers of counts that began within this time. Milliseconds. */
const LOOKS_BACK_MS = 12 * 3_600_000;

interface Start {
  readonly fromRoomId: string;
  readonly toRoomId: string;
  readonly childIds?: readonly string[] | undefined;
}

/** Whether children are ticked: nobody has ended it, and it is not over. `now`: milliseconds since 1970. */
export function isOpenCount(count: Pick<HeadCountRow, 'ended_at' | 'started_at'>, now: number): boolean {
  return count.ended_at === null && now - count.started_at < HEAD_COUNT_OPEN_MS;
}

/** What a child of a count is to it now. Pure. */
export function stateOfChild(
  child: CountedChild,
  { started_at, from_room_id }: Pick<HeadCountRow, 'started_at' | 'from_room_id'>,
): 'open' | 'here' | 'stays' | 'left' | 'elsewhere' {
  if (child.is_inside === 0) return 'left';
  if (child.state !== null) return child.state;
  // Moved and back again, as by an undo: nobody has said that it came along.
  const isMoved =
    child.room_since !== null && child.room_since > started_at && child.room_id !== from_room_id;
  return isMoved || child.here_elsewhere === 1 ? 'elsewhere' : 'open';
}

/**
 * Starts a count, or returns the open one of the same children between the same rooms, because two people may press at once.
 * Throws 404, `room_changed`, `head_count_running`.
 */
export async function startHeadCount(
  context: Context,
  actor: Actor,
  facility: string,
  { fromRoomId, toRoomId, childIds }: Start,
): Promise<HeadCountRow> {
  return inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    if (!(await findRoom(trx, facility, fromRoomId))) throw new AppError('not_found');
    // Children before rooms, and in the order of their ids, as a move does.
    const wanted = childIds ?? (await findStaysIn(trx, fromRoomId)).map(({ child_id }) => child_id);
    for (const id of [...new Set(wanted)].sort())
      if (!(await lockChild(trx, id)) && childIds) throw new AppError('not_found');
    await lockAskedRoom(trx, facility, toRoomId);
    const isWanted = new Set(wanted);
    const stays = (await findStaysIn(trx, fromRoomId)).filter(({ child_id }) => isWanted.has(child_id));
    // Who is chosen by name is on the list, or whoever counts would believe it.
    if (stays.length === 0 || (childIds && stays.length < isWanted.size)) throw new AppError('room_changed');
    const now = context.clock.now();
    const counted = stays.map(({ child_id }) => child_id);
    const same = await findSame(tx, { fromRoomId, toRoomId }, counted, now);
    if (same) return same;
    const count = {
      id: randomUUID(),
      from_room_id: fromRoomId,
      to_room_id: toRoomId,
      started_by: actor.id,
      started_at: now,
    };
    await insertHeadCount(trx, count, stays);
    await record(context, tx, actor, 'started', count, { children: stays.length });
    return findOrFail(tx, count.id);
  });
}

/** The open count that is asked for; undefined if none of the children is in one. Throws `head_count_running`. */
async function findSame(
  { trx }: Tx,
  { fromRoomId, toRoomId }: Start,
  childIds: readonly string[],
  now: number,
): Promise<HeadCountRow | undefined> {
  const taken = await findOpenCountsOf(trx, childIds, now - HEAD_COUNT_OPEN_MS);
  if (taken.length === 0) return undefined;
  // Whoever ran along with another group is in that count, too.
  for (const [id, own] of Map.groupBy(taken, ({ count_id }) => count_id)) {
    if (own.length < childIds.length) continue;
    const count = await findHeadCount(trx, id);
    if (count?.from_room_id === fromRoomId && count.to_room_id === toRoomId) return count;
  }
  throw new AppError('head_count_running');
}

async function findOrFail({ trx }: Tx, id: string): Promise<HeadCountRow> {
  const count = await findHeadCount(trx, id);
  if (!count) throw new AppError('not_found');
  return count;
}

/** Appends the audit row and the event of the count. */
async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  what: 'started' | 'ended' | 'cancelled',
  { id, from_room_id, to_room_id }: Pick<HeadCountRow, 'id' | 'from_room_id' | 'to_room_id'>,
  details: Readonly<Record<string, number>>,
): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action: `head_count.${what}`,
    subject: { kind: 'room', id: to_room_id },
    details: { countId: id, from: from_room_id, ...details },
  });
  await context.events.append(tx, { type: 'head_count.changed' });
}

interface Word {
  readonly childId: string;
  readonly state: 'here' | 'stays' | 'open';
}

/** Says of a child where it is. Throws 404, `not_inside`, `head_count_over`, and what a move throws. */
export async function tickHeadCount(
  context: Context,
  actor: Actor,
  facility: string,
  id: string,
  { childId, state }: Word,
): Promise<HeadCountRow> {
  return inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    const count = await lockHeadCount(trx, id);
    if (!count || !(await lockChild(trx, childId))) throw new AppError('not_found');
    const at = context.clock.now();
    const listed = (await findCountedChildren(trx, [id])).find(({ child_id }) => child_id === childId);
    const isLate = !isOpenCount(count, at);
    if (isLate && !isLateWord(count, listed, state)) throw new AppError('head_count_over');
    if (!listed && state !== 'here') throw new AppError('not_found');
    const [stay] = await findStaysToMove(trx, [childId]);
    if (!stay && state !== 'open') throw new AppError('not_inside');
    const key = { count_id: id, child_id: childId };
    const word = { by: actor.id, at, ...(stay ? { stayId: stay.id } : {}) };
    if (!listed) {
      if (stay) await addCountedChild(trx, { ...key, stay_id: stay.id, by: actor.id, at });
    } else if (state !== 'open') await setWord(trx, key, { ...word, state });
    else if (listed.state === null) return count;
    else if (listed.is_added === 1) await removeCountedChild(trx, key);
    // The counted stay: whoever takes the word back knows nothing of another one.
    else await setWord(trx, key, { state: null, by: actor.id, at });
    if (isLate && state === 'here')
      await moveChildrenIn(context, tx, actor, facility, { childIds: [childId], roomId: count.to_room_id });
    if (state === 'here' && may(actor, 'children.check_in'))
      await clearMissingIn(context, tx, actor, childId, undefined);
    if (state === 'open' && listed && (await isMissedAgain(tx, count, listed, isLate)))
      await miss(context, tx, actor, key);
    await context.audit.append(tx, {
      actor,
      action: 'head_count.ticked',
      subject: { kind: 'child', id: childId },
      details: { countId: id, state },
    });
    await context.events.append(tx, { type: 'head_count.changed' });
    return count;
  });
}

/** Whether a word counts after the end: a child who was missing then has come, or that is taken back. */
function isLateWord(count: HeadCountRow, child: CountedChild | undefined, state: Word['state']): boolean {
  if (count.outcome !== 'moved' || count.ended_at === null) return false;
  if (!child || child.alerted_at === null) return false;
  const hasCome = child.state === 'here' && (child.at ?? 0) >= count.ended_at;
  return state === 'here' ? hasCome || child.state === null : state === 'open' && hasCome;
}

/**
 * Whether the danger is raised at once when a word about a child is taken back: one about it has ended since the start of the count,
 * perhaps by that word, and another count that has missed it does not raise it anew.
 */
async function isMissedAgain(
  tx: Tx,
  count: HeadCountRow,
  child: CountedChild,
  isLate: boolean,
): Promise<boolean> {
  // The late word itself has moved the child, so its room accounts for nothing.
  if (isLate) return child.is_inside === 1 && child.here_elsewhere === 0;
  if (stateOfChild({ ...child, state: null }, count) !== 'open') return false;
  return hasBeenFoundSince(tx, child.child_id, count.started_at);
}

/**
 * Ends a count: moves the children who are here, and raises the danger for each who is not accounted for; or cancels it. Does nothing if
 * it has ended like that. Throws 404, `head_count_over`, and what a move throws.
 */
export async function endHeadCount(
  context: Context,
  actor: Actor,
  facility: string,
  id: string,
  { outcome, overCapacityReason }: EndOf,
): Promise<HeadCountRow> {
  return inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    const count = await lockHeadCount(trx, id);
    if (!count) throw new AppError('not_found');
    if (count.outcome === outcome) return count;
    const at = context.clock.now();
    if (!isOpenCount(count, at)) throw new AppError('head_count_over');
    const ended =
      outcome === 'moved' ? await arrive(context, tx, actor, facility, count, overCapacityReason) : {};
    await endRow(trx, id, { outcome, by: actor.id, at });
    await record(context, tx, actor, outcome === 'moved' ? 'ended' : 'cancelled', count, ended);
    return findOrFail(tx, id);
  });
}

interface EndOf {
  readonly outcome: 'moved' | 'cancelled';
  readonly overCapacityReason?: string | undefined;
}

/** Moves who is here, and misses who is not. Returns the numbers for the record. */
async function arrive(
  context: Context,
  tx: Tx,
  actor: Actor,
  facility: string,
  count: HeadCountRow,
  overCapacityReason: string | undefined,
): Promise<{ here: number; missing: number }> {
  const { trx } = tx;
  const listed = await findCountedChildren(trx, [count.id]);
  // Nobody picks up or moves a child between the reading below and the end.
  for (const id of listed.map(({ child_id }) => child_id).sort()) await lockChild(trx, id);
  const children = await findCountedChildren(trx, [count.id]);
  const here = children.filter((child) => stateOfChild(child, count) === 'here');
  // The newer word counts: a colleague may have moved a child after it was ticked.
  const moving = here.filter(({ room_since, at }) => room_since === null || room_since <= (at ?? 0));
  if (moving.length > 0)
    await moveChildrenIn(context, tx, actor, facility, {
      childIds: moving.map(({ child_id }) => child_id),
      roomId: count.to_room_id,
      overCapacityReason,
    });
  const missing = children.filter((child) => stateOfChild(child, count) === 'open');
  for (const child of missing) if (child.alerted_at === null) await miss(context, tx, actor, child);
  return { here: here.length, missing: missing.length };
}

/** Raises the danger for a child, unless somebody has. */
async function miss(context: Context, tx: Tx, actor: Actor | null, child: UncountedChild): Promise<void> {
  await raiseMissingIn(context, tx, actor, child.child_id);
  await setAlerted(tx.trx, child, context.clock.now());
}

/** The children for whom a danger is due. `now`: milliseconds since 1970. */
export async function findDueChildren({ db }: Pick<Context, 'db'>, now: number): Promise<UncountedChild[]> {
  return findUncounted(db, dueAt(now));
}

const dueAt = (now: number) => ({ from: now - LOOKS_BACK_MS, to: now - HEAD_COUNT_ALERT_MS });

/** Raises the danger for one of them, under the lease, unless somebody has accounted for it meanwhile. Throws LeaseLostError. */
export async function missDueChild(context: Context, child: UncountedChild, lease: Lease): Promise<void> {
  await inTransactionUnder(context, lease, async (tx) => {
    // A tick at this moment either is seen here or comes after the danger, and ends it.
    if (!(await lockChild(tx.trx, child.child_id))) return;
    const due = await findUncounted(tx.trx, dueAt(context.clock.now()), child);
    if (due.length === 0) return;
    await miss(context, tx, null, child);
    // For those who count and do not hear of alerts.
    await context.events.append(tx, { type: 'head_count.changed' });
  });
}

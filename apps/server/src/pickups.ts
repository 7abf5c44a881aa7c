/** Announces pick-ups ("I'm on my way") for the parent's phone and for the kiosk (decision 036). */

import { PICKUP_AHEAD_MS, PICKUP_KEPT_MS, PICKUP_PAST_MS, PICKUPS_PER_HOUR } from '@haris/contract/constants';
import type { PickupSource } from '@haris/contract/objects';
import type { Actor, Origin } from './actor.ts';
import { AppError } from './app-error.ts';
import { toMoment } from './clock.ts';
import type { Context } from './context.ts';
import { type ChildView, findChild, findChildrenByIds, lockChild } from './db/children.ts';
import { atEachFacility } from './db/facilities.ts';
import {
  dropPastPickups,
  dropPickupsBy,
  findChildrenWithPastPickups,
  findStayToFetch,
  keepPickup,
  setPickupSeen,
} from './db/pickups.ts';
import { countHit, type Limit, secondsUntilRoom } from './db/throttle.ts';
import { inTransaction, type Tx } from './db/transaction.ts';
import { lockChildFor } from './guardian-rights.ts';

export interface Announcement {
  /** The guardian who fetches the children. */
  readonly parentId: string;
  readonly childIds: readonly string[];
  /** Milliseconds since 1970. */
  readonly arrivesAt: number;
  readonly source: PickupSource;
}

/**
 * Announces or changes the pick-up of all these children, or of none. `by` is the parent, or the origin of the kiosk's
 * device after the family has identified itself there. The same announcement again changes nothing; that of another guardian is
 * replaced: the desk reads the newest alone.
 * Throws 404 (also for a child whom the parent may not take), 400 for a time out of range, `not_inside`, `too_many_attempts`.
 */
export async function announcePickup(
  context: Context,
  by: Actor | { readonly origin: Origin },
  announcement: Announcement,
): Promise<ChildView[]> {
  const { parentId, source } = announcement;
  const now = context.clock.now();
  const arrivesAt = boundArrival(announcement.arrivesAt, now);
  const childIds = [...new Set(announcement.childIds)].sort();
  const limit: Limit = {
    scope: 'pickup',
    key: context.vault.mac('throttle', parentId),
    most: PICKUPS_PER_HOUR,
    windowMs: 3_600_000,
  };
  return inTransaction(context.db, async (tx) => {
    const changed: { childId: string; stayId: string; before: string | null }[] = [];
    // Locks the children in one order, so that two announcements do not wait for each other.
    for (const childId of childIds) {
      await lockChildFor(tx, { kind: 'parent', id: parentId }, childId, 'mayTake', 'any');
      const stay = await findStayToFetch(tx.trx, childId);
      if (!stay) throw new AppError('not_inside');
      const isSame = stay.arrives_at === arrivesAt && stay.source === source && stay.by === parentId;
      if (!isSame) changed.push({ childId, stayId: stay.id, before: stay.by });
    }
    if (changed.length > 0) {
      const retryAfter = await secondsUntilRoom(tx.trx, [limit], now);
      if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
      await countHit(tx.trx, [limit], now);
    }
    for (const { childId, stayId, before } of changed) {
      await keepPickup(tx.trx, { stayId, childId, parentId, source, arrivesAt, announcedAt: now });
      await context.audit.append(tx, {
        ...('kind' in by ? { actor: by } : { actor: null, origin: by.origin }),
        action: 'child.on_my_way',
        subject: { kind: 'child', id: childId },
        details: { arrivesAt: toMoment(arrivesAt), source },
      });
      await context.events.append(tx, { type: 'child.on_my_way', childId, parentId });
      if (before === null || before === parentId) continue;
      const replaced = {
        type: 'child.on_my_way_ended',
        childId,
        parentId: before,
        audience: 'account',
      } as const;
      await context.events.append(tx, replaced);
    }
    return findChildrenByIds(tx.trx, childIds);
  });
}

/** Limits the time of arrival: a moment just past counts as now. Throws 400. */
function boundArrival(arrivesAt: number, now: number): number {
  if (arrivesAt >= now - PICKUP_PAST_MS && arrivesAt <= now + PICKUP_AHEAD_MS) return arrivesAt;
  const message = 'The time must lie within the next 4 hours';
  throw new AppError('invalid_request', { message, fields: { arrivesAt: message } });
}

/** Takes back the own pick-up of a child; without one, nothing changes. Throws 404. */
export async function cancelPickup(context: Context, actor: Actor, childId: string): Promise<ChildView> {
  return inTransaction(context.db, async (tx) => {
    await lockChildFor(tx, actor, childId, null, 'any');
    const isOpen = (await findStayToFetch(tx.trx, childId))?.by === actor.id;
    await dropPickupsBy(tx.trx, childId, actor.id);
    if (isOpen) {
      await context.audit.append(tx, {
        actor,
        action: 'child.on_my_way_cancelled',
        subject: { kind: 'child', id: childId },
        details: {},
      });
      await emitEnd(context, tx, childId, actor.id);
    }
    const view = await findChild(tx.trx, childId);
    if (!view) throw new AppError('not_found');
    return view;
  });
}

export interface SeenPickup {
  readonly childIds: readonly string[];
  /** The time that staff saw, in milliseconds since 1970. */
  readonly arrivesAt: number;
  readonly isSeen: boolean;
}

/** Staff have seen the pick-up of these children, or take that back. Throws 404. */
export async function markPickupSeen(context: Context, actor: Actor, seen: SeenPickup): Promise<ChildView[]> {
  const { arrivesAt, isSeen } = seen;
  const childIds = [...new Set(seen.childIds)].sort();
  return inTransaction(context.db, async (tx) => {
    for (const childId of childIds) {
      if (!(await lockChild(tx.trx, childId))) throw new AppError('not_found');
      const seenAt = isSeen ? context.clock.now() : null;
      const parentId = await setPickupSeen(tx.trx, childId, arrivesAt, seenAt);
      if (parentId === undefined) continue;
      await context.audit.append(tx, {
        actor,
        action: isSeen ? 'child.on_my_way_seen' : 'child.on_my_way_unseen',
        subject: { kind: 'child', id: childId },
        details: { arrivesAt: toMoment(arrivesAt) },
      });
      await context.events.append(tx, { type: 'child.on_my_way', childId, parentId });
    }
    return findChildrenByIds(tx.trx, childIds);
  });
}

/** Ends pick-ups whose time is long past. Several servers may do so at once. */
export async function endPastPickups(context: Context): Promise<void> {
  await atEachFacility(context.db, () => endPastPickupsHere(context));
}

async function endPastPickupsHere(context: Context): Promise<void> {
  const before = context.clock.now() - PICKUP_KEPT_MS;
  for (const childId of await findChildrenWithPastPickups(context.db, before))
    await inTransaction(context.db, async (tx) => {
      await lockChild(tx.trx, childId);
      const ended = await dropPastPickups(tx.trx, childId, before);
      if (ended) await emitEnd(context, tx, childId, ended.parent_id);
    });
}

function emitEnd(context: Context, tx: Tx, childId: string, parentId: string): Promise<void> {
  return context.events.append(tx, { type: 'child.on_my_way_ended', childId, parentId });
}

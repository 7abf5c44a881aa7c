/** Checks children in and out, and emits an event when a stay is due. */

import { randomUUID } from 'node:crypto';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { recordBookedEnd } from '../../bookings.ts';
import type { Context } from '../../context.ts';
import { isDisowned } from '../../db/accounts.ts';
import type { AuditFact } from '../../db/audit.ts';
import { atEachFacility } from '../../db/facilities.ts';
import { endKioskRequests, findKioskRequest, hasRunOut } from '../../db/kiosk-requests.ts';
import { findParent } from '../../db/parents.ts';
import type { KioskRequestRow } from '../../db/schema.ts';
import { beginStay, endStay, findStaysToAnnounce, isAnyInside, markTimeUp } from '../../db/stays.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { currentFacility } from '../../facility.ts';
import type { LockedChild } from '../../guardian-rights.ts';
import {
  type Accepted,
  type AskedRelease,
  decideHandOver,
  fingerprintOf,
  NOTHING_ASKED,
  recordRelease,
} from '../../hand-over/release.ts';
import { presentCheckedIn } from '../../http/present.ts';
import { notifyOfRelease } from '../../notifications/releases.ts';
import { may } from '../../policy.ts';
import { type Accept, accepting } from '../../proposals/decide.ts';
import { lockRoomForCheckIn, type TakenPlaces, takePlaces } from '../../rooms/places.ts';
import { randomToken } from '../../vault/vault.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import { type Lasting, lastingOf, minutesOf } from './end.ts';
import type { KeyedRequest, StayAnswer } from './idempotency.ts';
import { answerOf, inOneStep } from './one-step.ts';

/** How a check-in treats the child's proposals (contract §6). */
export interface AtTheDoor {
  /** Whether to confirm all proposals for this child. */
  readonly confirm: boolean;
  /** Revision of the proposals that staff saw; undefined confirms any revision. */
  readonly revision: string | undefined;
  /** Set if the family asked for it at a kiosk. */
  readonly asked?: Asked | null;
  /** Undefined: the child's home room, or the default. */
  readonly roomId?: string | undefined;
  /** Why a hard limit is exceeded. */
  readonly overCapacityReason?: string | undefined;
}

/** The kiosk request that this check-in or checkout carries out. */
export type Asked = Pick<KioskRequestRow, 'id' | 'kind' | 'kiosk_id' | 'parent_id' | 'proved_by'>;

/** Throws `kiosk_request_ended` unless the request still waits. Call it with the child locked, before any write. */
async function requireWaiting(context: Context, tx: Tx, asked: Asked | null): Promise<void> {
  if (!asked) return;
  const row = await findKioskRequest(tx.trx, asked.id);
  if (row?.state !== 'waiting' || hasRunOut(row, context.clock.now()))
    throw new AppError('kiosk_request_ended');
}

/** Ends the family's kiosk request for this child: `done` if it asked for this action, overtaken otherwise. */
async function settleAsked(
  context: Context,
  tx: Tx,
  childId: string,
  kind: KioskRequestRow['kind'],
): Promise<void> {
  const at = context.clock.now();
  await endKioskRequests(tx.trx, { childId, kind }, { state: 'done', at });
  await endKioskRequests(tx.trx, { childId }, { state: 'ended', at });
}

/** Details for the audit log: which family announced the child, and where. */
function announcement(asked: Asked | null) {
  return asked ? { announcedBy: asked.parent_id, kiosk: asked.kiosk_id, provedBy: asked.proved_by } : {};
}

/**
 * Checks a child in; with `confirm` also confirms its proposals in the same step, which only staff who edit families may.
 * Throws 404, `already_inside`,
 * `registration_disowned`, `room_full`, `unsuitable_end`, `stay_end_unavailable`, `forbidden`, `idempotency_key_reused`; with `confirm` also `proposal_changed`, `face_already_registered`, 503.
 */
export async function checkIn(
  context: Context,
  actor: Actor,
  childId: string,
  lasting: Lasting,
  key: string | null,
  { confirm, revision, asked = null, roomId, overCapacityReason }: AtTheDoor = {
    confirm: false,
    revision: undefined,
  },
): Promise<StayAnswer> {
  const asks = `check-in ${childId} ${lastingOf(lasting)}${confirm ? ` confirm ${revision ?? ''}` : ''}${asked ? ` kiosk ${asked.id}` : ''}${roomId ? ` room ${roomId}` : ''}${overCapacityReason ? ` over ${overCapacityReason}` : ''}`;
  const place = { roomId, reason: overCapacityReason };
  const request = { actor, key, asks, childId, asked, place };
  if (!confirm) return enter(context, actor, request, lasting, null);
  if (!may(actor, 'families.edit')) throw new AppError('forbidden');
  const subject = { kind: 'child', id: childId } as const;
  const { result } = await accepting(context, actor, subject, { revision, confirmed: false }, (accept) =>
    enter(context, actor, request, lasting, accept),
  );
  return result;
}

interface EntryRequest extends KeyedRequest {
  readonly asked: Asked | null;
  readonly place: { readonly roomId: string | undefined; readonly reason: string | undefined };
}

/**
 * Throws `registration_disowned`: whoever brings the child uses an address whose owner never registered, until staff have
 * checked the account.
 */
async function refuseDisowned({ trx }: Tx, { parent_id }: LockedChild): Promise<void> {
  const parent = await findParent(trx, parent_id);
  if (parent && isDisowned(parent)) throw new AppError('registration_disowned');
}

function enter(
  context: Context,
  actor: Actor,
  request: EntryRequest,
  lasting: Lasting,
  accept: Accept | null,
): Promise<StayAnswer> {
  const { childId, asked, place } = request;
  return inOneStep(context, request, async (tx, child) => {
    const id = randomUUID();
    const now = context.clock.now();
    let durationInMinutes = 0;
    let taken: TakenPlaces | undefined;
    const open = async (): Promise<void> => {
      if (await isAnyInside(tx.trx, [childId])) throw new AppError('already_inside');
      await refuseDisowned(tx, child);
      durationInMinutes = await minutesOf(context, tx, childId, lasting, now);
      const room = await lockRoomForCheckIn(tx, currentFacility(), childId, place.roomId);
      taken = await takePlaces(tx, actor, room, { children: 1, reason: place.reason });
      const endKind = typeof lasting === 'number' ? undefined : lasting.kind;
      const entryId = randomToken();
      const stay = { id, entryId, childId, durationInMinutes, endKind, roomId: room.id };
      const begun = await beginStay(tx.trx, stay, { by: actor.id, at: now });
      if (!begun) throw new AppError('already_inside');
    };
    // Refuse before the first write: the transaction of a refusal commits to store it, with all earlier writes.
    await requireWaiting(context, tx, asked);
    await (accept ? accept(tx, open) : open());
    return recordCheckIn(context, tx, actor, childId, {
      stayId: id,
      minutes: durationInMinutes,
      ...(typeof lasting === 'number' ? {} : { until: lasting.kind }),
      roomId: taken?.room.id ?? null,
      ...(taken?.exceeded === undefined ? {} : { overCapacityReason: taken.exceeded }),
      ...announcement(asked),
    });
  });
}

/** Records and tells of the check-in of a locked child that was just written. `details`: for the audit log. */
export async function recordCheckIn(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  details: AuditFact['details'],
): Promise<StayAnswer> {
  const answer = await answerOf(tx, actor, childId, 'Child checked in successfully', presentCheckedIn);
  await settleAsked(context, tx, childId, 'check_in');
  await endUnprovenPassword(context, tx, actor, answer.child.parent._id, 'checked_in');
  await context.audit.append(tx, {
    actor,
    action: 'child.checked_in',
    subject: { kind: 'child', id: childId },
    ...(details === undefined ? {} : { details }),
  });
  await context.events.append(tx, {
    type: 'child.checked_in',
    childId,
    parentId: answer.child.parent._id,
    audience: 'guardians',
  });
  return answer;
}

/** How a checkout was asked for. */
export interface AtCheckOut {
  /** Set if the family asked for it at a kiosk. */
  readonly asked?: Asked | null;
  /** Who takes the child, and by which proof; undefined if the desk said nothing. */
  readonly release?: AskedRelease;
}

/**
 * Checks a child out and records who took it. Throws 404, `not_inside`, `kiosk_request_ended`, `idempotency_key_reused`,
 * and the refusals of {@link decideHandOver}.
 */
export async function checkOut(
  context: Context,
  actor: Actor,
  childId: string,
  key: string | null,
  { asked = null, release = NOTHING_ASKED }: AtCheckOut = {},
): Promise<StayAnswer> {
  const asks = `checkout ${childId}${asked ? ` kiosk ${asked.id}` : ''}${fingerprintOf(context, release)}`;
  const request = { actor, key, asks, childId };
  return inOneStep(context, request, async (tx, child) => {
    await requireWaiting(context, tx, asked);
    const accepted = await decideHandOver(context, tx, actor, child, release);
    const at = context.clock.now();
    return endAndRecord(context, tx, actor, child, { accepted, at, isLate: false }, announcement(asked));
  });
}

/** A hand-over that is decided, and when it happened (milliseconds since 1970). */
export interface HandedOver {
  readonly accepted: Accepted;
  readonly at: number;
  /** Whether it is told later than it happened. */
  readonly isLate: boolean;
  /** Who handed the child over, if not who makes the call. */
  readonly by?: string;
}

/** Ends the stay of a locked child, records and tells of the hand-over. `details`: more for the audit log. Throws `not_inside`. */
export async function endAndRecord(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: LockedChild,
  { accepted, at, isLate, by = actor.id }: HandedOver,
  details: AuditFact['details'],
): Promise<StayAnswer> {
  const ended = await endStay(tx.trx, child.id, { by, at });
  if (!ended) throw new AppError('not_inside');
  await recordRelease(context, tx, actor, child, accepted, { by, at });
  await recordBookedEnd(context, tx, child.id, ended);
  const answer = await answerOf(tx, actor, child.id, 'Child checked out successfully');
  await settleAsked(context, tx, child.id, 'pick_up');
  const { adult, proof, readers } = accepted;
  const released = { stayId: ended.id, childName: answer.child.name, child };
  await notifyOfRelease(
    context,
    tx,
    released,
    adult && { name: adult.name, readers },
    isLate ? at : undefined,
  );
  await context.audit.append(tx, {
    actor,
    action: 'child.checked_out',
    subject: { kind: 'child', id: child.id },
    details: {
      stayId: ended.id,
      ...(adult === null ? {} : { takenBy: adult.id, takenAs: adult.kind }),
      ...(proof === null ? {} : { proof }),
      ...details,
    },
  });
  await context.events.append(tx, {
    type: 'child.checked_out',
    childId: child.id,
    parentId: answer.child.parent._id,
    audience: 'guardians',
  });
  return answer;
}

/** Emits `child.time_up` once for each stay that is due, also when several servers share the database. */
export async function announceTimeUp(context: Context): Promise<void> {
  await atEachFacility(context.db, () => announceTimeUpHere(context));
}

async function announceTimeUpHere(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  for (const stay of await findStaysToAnnounce(db, now))
    await inTransaction(db, async (tx) => {
      if (!(await markTimeUp(tx.trx, stay.id, now))) return;
      await context.audit.append(tx, {
        actor: null,
        action: 'child.time_up',
        subject: { kind: 'child', id: stay.child_id },
        details: { stayId: stay.id },
      });
      await context.events.append(tx, {
        type: 'child.time_up',
        childId: stay.child_id,
        parentId: stay.parent_id,
        audience: 'guardians',
      });
    });
}

/** Reports and withdraws absences, and takes down when a child comes later (decision 051). */
import { randomUUID } from 'node:crypto';
import { type AbsenceReason, isMissed } from '@haris/contract/bookings';
import { ABSENCE_CHANGES_PER_HOUR, ABSENCES_MAX, PICKUP_PAST_MS } from '@haris/contract/constants';
import { ABSENCE_OVER, ARRIVAL_UNSUITABLE } from '@haris/contract/http/bookings';
import { localDay } from '@haris/contract/zone-time';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { type BookedToday, findBookedToday } from '../../bookings.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type AbsenceView, addAbsence, dropAbsence, findAbsences } from '../../db/absences.ts';
import type { AuditFact } from '../../db/audit.ts';
import { keepArrival } from '../../db/bookings.ts';
import { readSettings } from '../../db/settings.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { currentFacility, inFacility } from '../../facility.ts';
import { lockChildFor } from '../../guardian-rights.ts';

type Reader = Context['db'] | Tx['trx'];

/** A child, and the facilities at which the caller speaks for it. */
export interface ChildAt {
  readonly childId: string;
  readonly facilities: readonly string[];
}

export interface AbsenceInput {
  readonly from: string;
  readonly to: string;
  readonly reason: AbsenceReason;
  readonly note: string | null;
}

const LAST_DAY = '2099-12-31';

/** Locks the child and counts a parent's change. Throws 404, `too_many_attempts`. */
async function begin(context: Context, tx: Tx, actor: Actor, childId: string): Promise<string> {
  const child = await lockChildFor(tx, actor, childId, null);
  if (actor.kind === 'parent') {
    const limit: Limit = {
      scope: 'absence',
      key: context.vault.mac('throttle', actor.id),
      most: ABSENCE_CHANGES_PER_HOUR,
      windowMs: 3_600_000,
    };
    const now = context.clock.now();
    const retryAfter = await secondsUntilRoom(tx.trx, [limit], now);
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    await countHit(tx.trx, [limit], now);
  }
  return child.parent_id;
}

interface Happened {
  readonly childId: string;
  readonly parentId: string;
  readonly action: AuditFact['action'];
  readonly details: NonNullable<AuditFact['details']>;
}

/** Audit row and event at each facility. The reason is not logged: it can be about health. */
async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  facilities: readonly string[],
  { childId, parentId, action, details }: Happened,
): Promise<void> {
  for (const facility of facilities)
    await inFacility(facility, () =>
      context.audit.append(tx, { actor, action, subject: { kind: 'child', id: childId }, details }),
    );
  for (const facility of facilities)
    await inFacility(facility, () =>
      context.events.append(tx, { type: 'booking.changed', childId, parentId }),
    );
}

/** The present local day of a facility. */
const todayAt = ({ config, clock }: Context, db: Reader, facility: string) =>
  inFacility(facility, async () => localDay(clock.now(), (await readSettings(db, config)).timeZone));

/** Of these facilities, those where the absence is not over. Throws 400 if there is none. */
async function findConcerned(
  context: Context,
  db: Reader,
  facilities: readonly string[],
  to: string,
): Promise<string[]> {
  const concerned: string[] = [];
  for (const facility of facilities)
    if (to >= (await todayAt(context, db, facility))) concerned.push(facility);
  if (concerned.length === 0)
    throw new AppError('invalid_request', { message: ABSENCE_OVER, fields: { to: ABSENCE_OVER } });
  return concerned;
}

/**
 * Reports an absence at these facilities; the same report again changes nothing. Throws 404, 400 if it is over,
 * `too_many_absences`, `too_many_attempts`.
 */
export async function reportAbsence(
  context: Context,
  actor: Actor,
  { childId, facilities }: ChildAt,
  input: AbsenceInput,
): Promise<AbsenceView> {
  const concerned = await findConcerned(context, context.db, facilities, input.to);
  const { vault } = context;
  return inTransaction(context.db, async (tx) => {
    const parentId = await begin(context, tx, actor, childId);
    const reported: AbsenceView[] = [];
    for (const facility of concerned) {
      const range = { from: await todayAt(context, tx.trx, facility), to: LAST_DAY };
      const known = await findAbsences(tx.trx, vault, facility, range, [childId]);
      reported.push(...(known.get(childId) ?? []));
    }
    const same = reported.find(
      (one) =>
        one.from === input.from &&
        one.to === input.to &&
        one.reason === input.reason &&
        one.note === input.note,
    );
    if (same) return same;
    if (new Set(reported.map(({ id }) => id)).size >= ABSENCES_MAX) throw new AppError('too_many_absences');
    const absence = {
      id: randomUUID(),
      childId,
      ...input,
      reporterKind: actor.kind,
      reportedBy: actor.id,
      reportedAt: context.clock.now(),
    };
    await addAbsence(tx.trx, vault, absence, concerned);
    const details = { from: input.from, to: input.to };
    await record(context, tx, actor, concerned, { childId, parentId, action: 'absence.reported', details });
    return { ...absence, facility: concerned[0] ?? '' };
  });
}

/** Withdraws an absence at these facilities. Throws 404, `too_many_attempts`. */
export async function withdrawAbsence(
  context: Context,
  actor: Actor,
  { childId, facilities }: ChildAt,
  id: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const parentId = await begin(context, tx, actor, childId);
    const dropped = await dropAbsence(tx.trx, childId, id, facilities);
    const [first] = dropped;
    if (!first) throw new AppError('not_found');
    for (const { facility } of dropped)
      await inFacility(facility, () => expectFromNowOn(context, tx, actor, childId));
    const details = { from: first.from, to: first.to };
    const places = dropped.map(({ facility }) => facility);
    await record(context, tx, actor, places, { childId, parentId, action: 'absence.withdrawn', details });
  });
}

/** A child whose booked time has begun is on the way now, so that nobody asks for it at once. */
async function expectFromNowOn(context: Context, { trx }: Tx, actor: Actor, childId: string): Promise<void> {
  const [booked] = await findBookedToday(context, trx, [childId]);
  const now = context.clock.now();
  if (!booked || !isAwaited(booked) || now < booked.day.expectedAt) return;
  await takeDownArrival(context, trx, actor, booked, now);
}

/** Whether the booking of today lies before the child: neither here, nor absent, nor over. */
function isAwaited({ presence }: BookedToday): boolean {
  return presence === 'expected' || isMissed(presence);
}

async function takeDownArrival(
  context: Context,
  trx: Tx['trx'],
  actor: Actor,
  { childId, date }: BookedToday,
  arrivesAt: number,
): Promise<void> {
  const place = { childId, facility: currentFacility() };
  await keepArrival(trx, place, { day: date, arrivesAt }, { by: actor.id, at: context.clock.now() });
}

/**
 * Takes down when a child comes today, at each facility that waits for it. Throws 404, `already_inside`, `not_expected`, 400 for a
 * time after the end of the booking or in the past, `too_many_attempts`.
 */
export async function announceArrival(
  context: Context,
  actor: Actor,
  { childId, facilities }: ChildAt,
  arrivesAt: number,
): Promise<void> {
  const now = context.clock.now();
  await inTransaction(context.db, async (tx) => {
    const parentId = await begin(context, tx, actor, childId);
    const bookings = new Map<string, BookedToday>();
    for (const facility of facilities) {
      const [booked] = await inFacility(facility, () => findBookedToday(context, tx.trx, [childId]));
      if (booked) bookings.set(facility, booked);
    }
    const awaited = [...bookings].filter(([, booked]) => isAwaited(booked));
    if (awaited.length === 0) {
      const isHere = [...bookings.values()].some(({ presence }) => presence === 'here');
      throw new AppError(isHere ? 'already_inside' : 'not_expected');
    }
    const open = awaited.filter(([, { day }]) => arrivesAt >= now - PICKUP_PAST_MS && arrivesAt < day.endsAt);
    if (open.length === 0)
      throw new AppError('invalid_request', {
        message: ARRIVAL_UNSUITABLE,
        fields: { arrivesAt: ARRIVAL_UNSUITABLE },
      });
    for (const [facility, booked] of open)
      await inFacility(facility, () => takeDownArrival(context, tx.trx, actor, booked, arrivesAt));
    const places = open.map(([facility]) => facility);
    const details = { arrivesAt: toMoment(arrivesAt) };
    await record(context, tx, actor, places, { childId, parentId, action: 'child.coming_later', details });
  });
}

/** Sets weekly bookings and single days, at the facility where the staff member works (decision 051). */
import { type BookingWeek, timesOn, weekdayOf } from '@haris/contract/bookings';
import { BOOKING_IN_PAST } from '@haris/contract/http/bookings';
import type { Interval } from '@haris/contract/opening-hours';
import { localDay } from '@haris/contract/zone-time';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import {
  dropException,
  dropPattern,
  findBookingRules,
  keepException,
  keepPattern,
} from '../../db/bookings.ts';
import { lockChild } from '../../db/children.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { currentFacility } from '../../facility.ts';

/** The present local day of the facility of the current work. */
async function todayHere({ db, config, clock }: Context): Promise<string> {
  return localDay(clock.now(), (await readSettings(db, config)).timeZone);
}

/** What has been stays as it was. Throws 400. */
async function requireNotPast(context: Context, field: string, day: string): Promise<void> {
  if (day >= (await todayHere(context))) return;
  throw new AppError('invalid_request', { message: BOOKING_IN_PAST, fields: { [field]: BOOKING_IN_PAST } });
}

interface Change {
  readonly childId: string;
  readonly action: AuditFact['action'];
  readonly details: AuditFact['details'];
}

/** Changes bookings of a locked child; `work` returns whether anything changed. Throws 404. */
async function change(
  context: Context,
  actor: Actor,
  { childId, action, details }: Change,
  work: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const child = await lockChild(tx.trx, childId);
    if (!child) throw new AppError('not_found');
    if (!(await work(tx))) return;
    await context.audit.append(tx, {
      actor,
      action,
      subject: { kind: 'child', id: childId },
      ...(details ? { details } : {}),
    });
    await context.events.append(tx, { type: 'booking.changed', childId, parentId: child.parent_id });
  });
}

/**
 * When the times of a day count as entered: those that stay the same keep their moment, so that nobody is asked for the child
 * again. `kind`: whether they come from the week alone or may be those of the day.
 */
async function enteredAt(
  { clock }: Context,
  { trx }: Tx,
  childId: string,
  {
    kind,
    day,
    times,
  }: { readonly kind: 'week' | 'day'; readonly day: string; readonly times: Interval | null },
): Promise<number> {
  const range = { from: day, to: day };
  const rules = (await findBookingRules(trx, currentFacility(), range, [childId])).get(childId);
  if (!rules) return clock.now();
  const before = timesOn(kind === 'week' ? { ...rules, exceptions: [] } : rules, day);
  const isSame = times !== null && before.times?.from === times.from && before.times.to === times.to;
  return isSame ? before.setAt : clock.now();
}

const placeOf = (childId: string) => ({ childId, facility: currentFacility() });

/** Sets the week that applies from a day on. Throws 404, 400 for a day in the past. */
export async function setBookings(
  context: Context,
  actor: Actor,
  childId: string,
  pattern: { readonly validFrom: string; readonly week: BookingWeek },
): Promise<void> {
  await requireNotPast(context, 'validFrom', pattern.validFrom);
  const days = Object.values(pattern.week).filter((times) => times !== null).length;
  const details = { validFrom: pattern.validFrom, days };
  await change(context, actor, { childId, action: 'booking.set', details }, async (tx) => {
    const day = pattern.validFrom;
    const times = pattern.week[weekdayOf(day)];
    const at = await enteredAt(context, tx, childId, { kind: 'week', day, times });
    await keepPattern(tx.trx, placeOf(childId), pattern, { by: actor.id, at });
    return true;
  });
}

/** Removes the week that begins on a day. Throws 404. */
export async function removeBookings(
  context: Context,
  actor: Actor,
  childId: string,
  validFrom: string,
): Promise<void> {
  const what = { childId, action: 'booking.removed', details: { validFrom } } as const;
  await change(context, actor, what, async ({ trx }) => {
    if (!(await dropPattern(trx, placeOf(childId), validFrom))) throw new AppError('not_found');
    return true;
  });
}

/** Sets the times of one day; null: the child does not come. Throws 404, 400 for a day in the past. */
export async function setBookedDay(
  context: Context,
  actor: Actor,
  childId: string,
  exception: { readonly day: string; readonly times: Interval | null },
): Promise<void> {
  await requireNotPast(context, 'day', exception.day);
  const details = { day: exception.day, comes: exception.times !== null };
  await change(context, actor, { childId, action: 'booking.day_set', details }, async (tx) => {
    const at = await enteredAt(context, tx, childId, { kind: 'day', ...exception });
    await keepException(tx.trx, placeOf(childId), exception, { by: actor.id, at });
    return true;
  });
}

/** Takes the times of one day back; without any, nothing changes. Throws 404. */
export async function removeBookedDay(
  context: Context,
  actor: Actor,
  childId: string,
  day: string,
): Promise<void> {
  const what = { childId, action: 'booking.day_removed', details: { day } } as const;
  await change(context, actor, what, ({ trx }) => dropException(trx, placeOf(childId), day));
}

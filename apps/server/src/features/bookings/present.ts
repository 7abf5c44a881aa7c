/** Presents bookings, booked days and absences. */
import { bookingOf, type DayBooking, daysFrom, type Presence, patternOn } from '@haris/contract/bookings';
import type { Absence, BookedDay, ChildBookings, ExpectedChild } from '@haris/contract/http/bookings';
import { localDay } from '@haris/contract/zone-time';
import type { Actor } from '../../actor.ts';
import { findBookedToday, NOTHING_BOOKED } from '../../bookings.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type AbsenceView, findAbsences } from '../../db/absences.ts';
import { findVisits } from '../../db/booked-stays.ts';
import { findBookingRules, hasBookings } from '../../db/bookings.ts';
import { findChildrenByIds } from '../../db/children.ts';
import { readSettings } from '../../db/settings.ts';
import { currentFacility, inFacility } from '../../facility.ts';
import { presentChild } from '../../http/present.ts';

/** Days that are shown ahead, today included. */
const DAYS_SHOWN = 14;
/** The last day that a booking can have. */
const LAST_DAY = '2099-12-31';

export function presentAbsence(absence: AbsenceView): Absence {
  return {
    _id: absence.id,
    from: absence.from,
    to: absence.to,
    reason: absence.reason,
    note: absence.note,
    reportedBy: absence.reporterKind === 'parent' ? 'family' : 'staff',
    reportedAt: toMoment(absence.reportedAt),
  };
}

function presentDay(date: string, day: DayBooking<AbsenceView>): BookedDay {
  const nothing = { from: null, to: null, startsAt: null, endsAt: null, arrivesAt: null, isException: false };
  if (day.state === 'none') return { date, state: 'none', ...nothing, holiday: null, absence: null };
  if (day.state === 'closed')
    return { date, state: 'closed', ...nothing, holiday: day.holiday?.name ?? null, absence: null };
  return {
    date,
    state: day.state,
    ...day.times,
    startsAt: toMoment(day.startsAt),
    endsAt: toMoment(day.endsAt),
    arrivesAt: day.arrivesAt === null ? null : toMoment(day.arrivesAt),
    isException: day.isException,
    holiday: null,
    absence: day.state === 'absent' ? presentAbsence(day.absence) : null,
  };
}

/** The bookings of a child at each of these facilities. */
export async function presentBookings(
  context: Context,
  childId: string,
  facilities: readonly string[],
): Promise<ChildBookings[]> {
  const bookings: ChildBookings[] = [];
  for (const facility of facilities)
    bookings.push(await inFacility(facility, () => presentHere(context, childId, facility)));
  return bookings;
}

async function presentHere(context: Context, childId: string, facility: string): Promise<ChildBookings> {
  const { db, vault, config, clock } = context;
  const settings = await readSettings(db, config);
  const { timeZone } = settings;
  const now = clock.now();
  const today = localDay(now, timeZone);
  const range = { from: today, to: LAST_DAY };
  const rules = (await findBookingRules(db, facility, range, [childId])).get(childId) ?? NOTHING_BOOKED;
  const absences = (await findAbsences(db, vault, facility, range, [childId])).get(childId) ?? [];
  const { patterns, exceptions } = rules;
  const inForce = patternOn(patterns, today);
  return {
    childId,
    facility: { _id: facility, name: settings.facilityName },
    timeZone,
    region: settings.region,
    today,
    patterns: patterns
      .filter((pattern) => pattern === inForce || pattern.validFrom > today)
      .map(({ validFrom, week }) => ({ validFrom, week })),
    exceptions: exceptions.map(({ day, times }) => ({ date: day, times })),
    absences: absences
      .toSorted((a, b) => (a.from + a.to < b.from + b.to ? -1 : 1))
      .map((absence) => presentAbsence(absence)),
    days: daysFrom(now, timeZone, DAYS_SHOWN).map((day) =>
      presentDay(day, bookingOf({ ...rules, absences }, settings, day)),
    ),
    presence: await presenceHere(context, childId),
  };
}

/** Whether a child is here now, also without a booking. */
async function presenceHere(context: Context, childId: string): Promise<Presence> {
  const [booked] = await findBookedToday(context, context.db, [childId]);
  if (booked) return booked.presence;
  const visits = await findVisits(context.db, currentFacility(), context.clock.now(), [childId]);
  return visits.get(childId)?.isInside ? 'here' : 'none';
}

/** Who is booked today at the facility of the current work, by the time at which they are expected. */
export async function presentExpected(context: Context, actor: Actor) {
  const { db, config, clock } = context;
  const { timeZone } = await readSettings(db, config);
  const booked = await findBookedToday(context, db);
  const children = new Map(
    (
      await findChildrenByIds(
        db,
        booked.map(({ childId }) => childId),
      )
    ).map((child) => [child.id, child]),
  );
  const expected = booked.flatMap(({ childId, date, day, presence }) => {
    const child = children.get(childId);
    if (!child) return [];
    const shown: ExpectedChild = {
      child: presentChild(child, actor),
      day: presentDay(date, day),
      presence,
    };
    return [{ shown, at: day.expectedAt, name: child.name }];
  });
  return {
    date: localDay(clock.now(), timeZone),
    timeZone,
    hasBookings: booked.length > 0 || (await hasBookings(db, currentFacility())),
    expected: expected.sort((a, b) => a.at - b.at || a.name.localeCompare(b.name)).map(({ shown }) => shown),
  };
}

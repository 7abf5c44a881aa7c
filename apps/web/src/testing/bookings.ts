/** Bookings for page tests: of Omar, from eight to two, today. */
import type { Absence, BookedDay, ChildBookings, ExpectedChild } from '@haris/contract/http/bookings';
import { localDay, momentAt, nextDay } from '@haris/contract/zone-time';
import { child } from './people.ts';

export const ZONE = 'Africa/Cairo';

export const today = () => localDay(Date.now(), ZONE);

/** A booked day from 08:00 to 14:00 in Cairo. */
export function bookedDay(more: Partial<BookedDay> = {}): BookedDay {
  const date = more.date ?? today();
  return {
    date,
    state: 'booked',
    from: '08:00',
    to: '14:00',
    startsAt: new Date(momentAt(date, '08:00', ZONE, 'first')).toISOString(),
    endsAt: new Date(momentAt(date, '14:00', ZONE, 'last')).toISOString(),
    arrivesAt: null,
    isException: false,
    holiday: null,
    absence: null,
    ...more,
  };
}

export function absence(more: Partial<Absence> = {}): Absence {
  return {
    _id: 'absence-1',
    from: today(),
    to: today(),
    reason: 'illness',
    note: null,
    reportedBy: 'family',
    reportedAt: new Date().toISOString(),
    ...more,
  };
}

const times = { from: '08:00', to: '14:00' };

/** Omar is booked every day but tomorrow, which is closed. */
export function bookings(more: Partial<ChildBookings> = {}): ChildBookings {
  const days = [bookedDay()];
  while (days.length < 14) {
    const date = nextDay(days.at(-1)?.date ?? '');
    days.push(
      days.length === 1
        ? {
            ...bookedDay({ date, state: 'closed', holiday: 'Feast' }),
            ...{ from: null, to: null, startsAt: null, endsAt: null },
          }
        : bookedDay({ date }),
    );
  }
  return {
    childId: 'child-omar',
    facility: { _id: 'main', name: 'Little Ark' },
    timeZone: ZONE,
    region: 'EG',
    today: today(),
    patterns: [
      {
        validFrom: '2026-01-01',
        week: {
          ...{ sunday: times, monday: times, tuesday: times, wednesday: times },
          ...{ thursday: times, friday: times, saturday: times },
        },
      },
    ],
    exceptions: [],
    absences: [],
    days,
    presence: 'expected',
    ...more,
  };
}

/** A child of the list of today. */
export function expectedChild(
  name: string,
  presence: ExpectedChild['presence'],
  day: Partial<BookedDay> = {},
): ExpectedChild {
  return { child: child({ _id: `child-${name}`, name }), day: bookedDay(day), presence };
}

/** The booking of each day of a year, in zones whose clocks change, and whether the child is here. */
import { describe, expect, test } from 'vitest';
import {
  type BookingRules,
  type BookingWeek,
  bookingOf,
  daysFrom,
  minutesLate,
  patternOn,
  presenceOf,
  weekdayOf,
} from './bookings.ts';
import type { Hours } from './open-now.ts';
import { type Interval, WEEKDAYS } from './opening-hours.ts';
import { localDay, momentAt, nextDay } from './zone-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Their clocks change in spring and autumn, at midnight in Cairo and Beirut; those of Riyadh never do. */
const ZONES = [
  'Africa/Cairo',
  'Asia/Beirut',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Riyadh',
  'Pacific/Auckland',
];
const SOME: readonly Interval[] = [
  { from: '08:00', to: '14:00' },
  { from: '00:00', to: '24:00' },
  { from: '23:30', to: '24:00' },
  { from: '02:10', to: '02:50' },
  { from: '00:15', to: '03:15' },
];

/** A reproducible sequence of numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const weekOf = (times: (index: number) => Interval | null): BookingWeek =>
  Object.fromEntries(WEEKDAYS.map((day, index) => [day, times(index)])) as unknown as BookingWeek;
const week = (times: Interval | null) => weekOf(() => times);
const open = (timeZone: string, more: Partial<Hours> = {}): Hours => ({
  openingHours: null,
  holidays: [],
  timeZone,
  ...more,
});
const rules = (more: Partial<BookingRules> = {}): BookingRules => ({
  patterns: [{ validFrom: '2026-01-01', week: week(SOME[0] ?? null), setAt: 0 }],
  exceptions: [],
  absences: [],
  arrivals: [],
  ...more,
});
const iso = (at: number) => new Date(at).toISOString().slice(0, 16);
function yearOf(first = '2026-01-01'): string[] {
  const days = [first];
  while (days.length < 366) days.push(nextDay(days.at(-1) ?? ''));
  return days;
}

describe.each(ZONES)('each day of a year in %s', (timeZone) => {
  test('a booking begins and ends on its local day, at the booked times, and lasts as long as its clocks say', () => {
    const random = randomOf(ZONES.indexOf(timeZone) + 7);
    const pick = () => SOME[Math.floor(random() * (SOME.length + 1))] ?? null;
    const patterns = ['2026-01-01', '2026-03-20', '2026-10-20'].map((validFrom) => ({
      validFrom,
      week: weekOf(pick),
      setAt: 0,
    }));
    let before = Number.NEGATIVE_INFINITY;
    for (const day of yearOf()) {
      const booking = bookingOf(rules({ patterns }), open(timeZone), day);
      const wanted = patternOn(patterns, day)?.week[weekdayOf(day)] ?? null;
      if (booking.state === 'none') {
        // Nothing is booked, or the clocks skip all of it.
        if (wanted !== null)
          expect(
            momentAt(day, wanted.to === '24:00' ? '23:59' : wanted.to, timeZone, 'last'),
          ).toBeLessThanOrEqual(momentAt(day, wanted.from, timeZone, 'first'));
        continue;
      }
      if (booking.state !== 'booked') throw new Error(booking.state);
      const { startsAt, endsAt, times, expectedAt } = booking;
      expect(times).toEqual(wanted);
      expect(localDay(startsAt, timeZone)).toBe(day);
      expect(localDay(endsAt - 1, timeZone)).toBe(day);
      expect(endsAt).toBeGreaterThan(startsAt);
      expect(startsAt).toBeGreaterThanOrEqual(before);
      expect(expectedAt).toBe(startsAt);
      const shown =
        (Date.parse(`${day}T${times.to === '24:00' ? '23:59' : times.to}Z`) -
          Date.parse(`${day}T${times.from}Z`)) /
        HOUR;
      expect(Math.abs((endsAt - startsAt) / HOUR - shown)).toBeLessThanOrEqual(1.02);
      before = endsAt;
    }
  });

  test('closed beats absent beats exception beats pattern, on every day', () => {
    const random = randomOf(ZONES.indexOf(timeZone) + 99);
    for (const day of yearOf()) {
      const [isClosed, isAbsent, isException, comes] = [0, 1, 2, 3].map(() => random() < 0.5);
      const booking = bookingOf(
        rules({
          exceptions: isException
            ? [{ day, times: comes ? { from: '10:00', to: '11:00' } : null, setAt: 0 }]
            : [],
          absences: isAbsent ? [{ from: day, to: day }] : [{ from: nextDay(day), to: nextDay(day) }],
        }),
        open(timeZone, { holidays: isClosed ? [{ from: day, to: day, name: 'Feast' }] : [] }),
        day,
      );
      const expected = isException && !comes ? 'none' : isClosed ? 'closed' : isAbsent ? 'absent' : 'booked';
      expect(booking.state, day).toBe(expected);
      if (booking.state === 'booked') expect(booking.isException).toBe(isException);
    }
  });

  test('at every quarter of an hour around it, exactly one presence holds, and it never goes back', () => {
    const order = ['expected', 'late', 'missing', 'over'];
    const nobody = { isInside: false, hasLeft: false };
    for (const day of yearOf().filter((_, index) => index % 3 === 0)) {
      const booking = bookingOf(rules(), open(timeZone), day);
      if (booking.state !== 'booked') throw new Error(booking.state);
      let at = 0;
      for (let now = booking.startsAt - HOUR; now <= booking.endsAt + HOUR; now += 15 * MINUTE) {
        const next = order.indexOf(presenceOf(booking, nobody, now));
        expect(next).toBeGreaterThanOrEqual(at);
        at = next;
        expect(presenceOf(booking, { isInside: true, hasLeft: false }, now)).toBe('here');
        expect(presenceOf(booking, { isInside: false, hasLeft: true }, now)).toBe('left');
      }
      expect(order[at]).toBe('over');
    }
  });
});

describe('the moments', () => {
  test('08:00 in Cairo is another moment after the clocks change', () => {
    const startOn = (day: string) => {
      const booking = bookingOf(rules(), open('Africa/Cairo'), day);
      return booking.state === 'booked' ? iso(booking.startsAt) : booking.state;
    };
    expect(startOn('2026-04-23')).toBe('2026-04-23T06:00');
    expect(startOn('2026-04-24')).toBe('2026-04-24T05:00');
    expect(startOn('2026-10-30')).toBe('2026-10-30T06:00');
  });

  test('a time that clocks show twice counts from its first to its last, and one that they skip does not exist', () => {
    const during = (day: string) =>
      bookingOf(
        rules({ exceptions: [{ day, times: { from: '02:10', to: '02:50' }, setAt: 0 }] }),
        open('Europe/Berlin'),
        day,
      );
    expect(during('2026-03-29').state).toBe('none');
    const twice = during('2026-10-25');
    expect(twice.state === 'booked' && (twice.endsAt - twice.startsAt) / MINUTE).toBe(100);
  });

  test('asked 15 minutes after start, arrival and entry, whichever is latest; missing 15 minutes later', () => {
    const day = '2026-11-23';
    const at = (time: string) => momentAt(day, time, 'Africa/Cairo', 'first');
    const presence = (time: string, more: Partial<BookingRules> = {}) =>
      presenceOf(
        bookingOf(rules(more), open('Africa/Cairo'), day),
        { isInside: false, hasLeft: false },
        at(time),
      );
    expect(['08:14', '08:15', '08:29', '08:30', '13:59', '14:00'].map((time) => presence(time))).toEqual([
      ...['expected', 'late', 'late', 'missing', 'missing', 'over'],
    ]);
    const later = { arrivals: [{ day, arrivesAt: at('10:00') }] };
    expect(['10:14', '10:15', '10:30'].map((time) => presence(time, later))).toEqual([
      ...['expected', 'late', 'missing'],
    ]);
    const entered = { exceptions: [{ day, times: { from: '08:00', to: '14:00' }, setAt: at('09:00') }] };
    expect(['09:14', '09:15'].map((time) => presence(time, entered))).toEqual(['expected', 'late']);
    const other = { arrivals: [{ day: nextDay(day), arrivesAt: at('10:00') }] };
    expect(presence('08:15', other)).toBe('late');
  });

  test('a weekday without opening hours is closed; without any hours, only holidays are', () => {
    const hours = Object.fromEntries(WEEKDAYS.map((day) => [day, day === 'friday' ? [] : [SOME[0]]]));
    const openingHours = hours as unknown as NonNullable<Hours['openingHours']>;
    expect(bookingOf(rules(), open('Africa/Cairo', { openingHours }), '2026-11-20').state).toBe('closed');
    expect(bookingOf(rules(), open('Africa/Cairo', { openingHours }), '2026-11-21').state).toBe('booked');
    expect(bookingOf(rules(), open('Africa/Cairo'), '2026-11-20').state).toBe('booked');
  });

  test('the first of two absences counts; before its first pattern a child is not booked', () => {
    const absences = [
      { from: '2026-11-23', to: '2026-11-23', n: 1 },
      { from: '2026-11-20', to: '2026-11-30', n: 2 },
    ];
    const booking = bookingOf({ ...rules(), absences }, open('Africa/Cairo'), '2026-11-23');
    expect(booking.state === 'absent' && booking.absence.n).toBe(1);
    expect(bookingOf(rules(), open('Africa/Cairo'), '2025-12-31').state).toBe('none');
  });

  test('days from a moment are local ones; late minutes are whole and never negative', () => {
    expect(daysFrom(Date.parse('2026-11-20T22:30:00Z'), 'Africa/Cairo', 3)).toEqual([
      ...['2026-11-21', '2026-11-22', '2026-11-23'],
    ]);
    expect([-1, 0, 59_999, 60_000, 90_000].map((ms) => minutesLate(1e12 + ms, 0, 1e12))).toEqual([
      0, 0, 0, 1, 1,
    ]);
    expect(minutesLate(10 * MINUTE, 4 * MINUTE, null)).toBe(6);
  });
});

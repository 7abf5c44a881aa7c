/** Open now, until when, and the next opening: pauses, midnight, holidays, and the nights when clocks change. */
import { expect, test } from 'vitest';
import { type Hours, openStateAt, upcomingHolidays } from './open-now.ts';
import type { Interval, OpeningHours, Weekday } from './opening-hours.ts';
import { localDay, momentAt } from './zone-time.ts';

const day: Interval[] = [{ from: '07:30', to: '16:00' }];
const allDay: Interval[] = [{ from: '00:00', to: '24:00' }];

/** A week with the same times on each of the days named. */
function week(days: readonly Weekday[], intervals: readonly Interval[] = day): OpeningHours {
  const on = (name: Weekday) => (days.includes(name) ? [...intervals] : []);
  return {
    sunday: on('sunday'),
    monday: on('monday'),
    tuesday: on('tuesday'),
    wednesday: on('wednesday'),
    thursday: on('thursday'),
    friday: on('friday'),
    saturday: on('saturday'),
  };
}

const WORK: Weekday[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday'];
const EVERY: Weekday[] = [...WORK, 'friday', 'saturday'];

const cairo = (more: Partial<Hours> = {}): Hours => ({
  openingHours: week(WORK),
  holidays: [],
  timeZone: 'Africa/Cairo',
  ...more,
});

/** The state at an ISO moment, with its moments in ISO. */
function stateAt(hours: Hours, moment: string) {
  const state = openStateAt(hours, Date.parse(moment));
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16));
  if (state === null) return null;
  return state.isOpen
    ? { until: iso(state.until) }
    : { next: iso(state.next), holiday: state.holiday?.name ?? null };
}

// 23 November 2026 is a Monday; Cairo is two hours ahead of UTC then.
test.each([
  ['before opening', '2026-11-23T05:29:59Z', { next: '2026-11-23T05:30', holiday: null }],
  ['at opening', '2026-11-23T05:30:00Z', { until: '2026-11-23T14:00' }],
  ['just before closing', '2026-11-23T13:59:59Z', { until: '2026-11-23T14:00' }],
  ['at closing', '2026-11-23T14:00:00Z', { next: '2026-11-24T05:30', holiday: null }],
  ['before a weekend', '2026-11-26T15:00:00Z', { next: '2026-11-29T05:30', holiday: null }],
  [
    'in the local day that begins before UTC’s',
    '2026-11-28T22:30:00Z',
    { next: '2026-11-29T05:30', holiday: null },
  ],
])('%s', (_when, moment, state) => {
  expect(stateAt(cairo(), moment)).toEqual(state);
});

test('in a pause it is closed; times that follow without one are one opening', () => {
  const split = [
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '15:00' },
    { from: '15:00', to: '17:00' },
  ];
  const hours = cairo({ openingHours: week(WORK, split) });
  expect(stateAt(hours, '2026-11-23T10:30:00Z')).toEqual({ next: '2026-11-23T11:00', holiday: null });
  expect(stateAt(hours, '2026-11-23T12:00:00Z')).toEqual({ until: '2026-11-23T15:00' });
});

test('over midnight, around the clock, and never', () => {
  const night = week(EVERY, [
    { from: '00:00', to: '01:00' },
    { from: '16:00', to: '24:00' },
  ]);
  expect(stateAt(cairo({ openingHours: night }), '2026-11-23T20:00:00Z')).toEqual({
    until: '2026-11-23T23:00',
  });
  expect(stateAt(cairo({ openingHours: week(EVERY, allDay) }), '2026-11-23T20:00:00Z')).toEqual({
    until: null,
  });
  expect(stateAt(cairo({ openingHours: week(WORK, allDay) }), '2026-11-23T20:00:00Z')).toEqual({
    until: '2026-11-26T22:00',
  });
  expect(stateAt(cairo({ openingHours: week([]) }), '2026-11-23T20:00:00Z')).toEqual({
    next: null,
    holiday: null,
  });
});

test('holidays close whole local days; the next opening is after them, however many follow', () => {
  const eid = { from: '2026-11-23', to: '2026-11-24', name: 'Eid' };
  const bridge = { from: '2026-11-25', to: '2026-11-26', name: 'Bridge' };
  const hours = cairo({ holidays: [eid, bridge] });
  expect(stateAt(hours, '2026-11-23T08:00:00Z')).toEqual({ next: '2026-11-29T05:30', holiday: 'Eid' });
  // Local midnight is two hours before that of UTC.
  expect(stateAt(hours, '2026-11-22T21:59:59Z')).toEqual({ next: '2026-11-29T05:30', holiday: null });
  expect(stateAt(hours, '2026-11-22T22:00:00Z')).toEqual({ next: '2026-11-29T05:30', holiday: 'Eid' });
  const year = { from: '2026-01-01', to: '2027-01-01', name: 'Renovation' };
  expect(stateAt(cairo({ holidays: [year] }), '2026-01-01T08:00:00Z')).toEqual({
    next: '2027-01-03T05:30',
    holiday: 'Renovation',
  });
  // Open around the clock, it closes for a holiday.
  const always = cairo({ openingHours: week(EVERY, allDay), holidays: [bridge] });
  expect(stateAt(always, '2026-11-23T20:00:00Z')).toEqual({ until: '2026-11-24T22:00' });
});

test('without opening hours only a holiday today is known', () => {
  const eid = { from: '2026-11-23', to: '2026-11-24', name: 'Eid' };
  const hours = cairo({ openingHours: null, holidays: [eid] });
  expect(stateAt(hours, '2026-11-22T08:00:00Z')).toBeNull();
  expect(stateAt(hours, '2026-11-23T08:00:00Z')).toEqual({ next: null, holiday: 'Eid' });
});

test('opening times stay those of the clocks when summer time begins and ends', () => {
  const london: Hours = { openingHours: week(EVERY), holidays: [], timeZone: 'Europe/London' };
  // 29 March 2026, 01:00 UTC: forward. 25 October 2026, 01:00 UTC: back.
  expect(stateAt(london, '2026-03-28T20:00:00Z')).toEqual({ next: '2026-03-29T06:30', holiday: null });
  expect(stateAt(london, '2026-03-29T06:30:00Z')).toEqual({ until: '2026-03-29T15:00' });
  expect(stateAt(london, '2026-10-24T20:00:00Z')).toEqual({ next: '2026-10-25T07:30', holiday: null });
});

test('a time that clocks leave out is when they change; one that they show twice lasts to its second', () => {
  // Cairo sets its clocks forward at midnight, from 24 April 00:00 to 01:00, and back from 30 October 00:00 to 29 October 23:00.
  const night = (from: string, to: string) => cairo({ openingHours: week(EVERY, [{ from, to }]) });
  expect(stateAt(night('00:30', '02:00'), '2026-04-23T21:59:59Z')).toEqual({
    next: '2026-04-23T22:00',
    holiday: null,
  });
  expect(stateAt(night('00:30', '02:00'), '2026-04-23T22:00:00Z')).toEqual({ until: '2026-04-23T23:00' });
  // Times that are skipped altogether never open.
  expect(stateAt(night('00:10', '00:50'), '2026-04-23T21:59:59Z')).toEqual({
    next: '2026-04-24T21:10',
    holiday: null,
  });
  expect(stateAt(night('20:00', '23:30'), '2026-10-29T20:45:00Z')).toEqual({ until: '2026-10-29T21:30' });
  expect(stateAt(night('20:00', '24:00'), '2026-10-29T20:45:00Z')).toEqual({ until: '2026-10-29T22:00' });
  expect(stateAt(night('23:15', '23:45'), '2026-10-29T20:00:00Z')).toEqual({
    next: '2026-10-29T20:15',
    holiday: null,
  });
});

test('a local time and its moment belong together in every zone, half hours and years included', () => {
  for (const timeZone of ['UTC', 'Africa/Cairo', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham'])
    for (const date of ['2026-01-01', '2026-03-29', '2026-06-30', '2026-10-25', '2026-12-31'])
      for (const which of ['first', 'last'] as const) {
        const moment = momentAt(date, '12:15', timeZone, which);
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
        expect(shown.format(moment), timeZone).toBe(`${date} 12:15`);
        expect(localDay(moment, timeZone)).toBe(date);
      }
});

test('upcoming holidays begin within the days asked for, or have begun', () => {
  const holiday = (from: string, to: string) => ({ from, to, name: `${from} ${to}` });
  const past = holiday('2026-11-20', '2026-11-22');
  const running = holiday('2026-11-20', '2026-11-23');
  const last = holiday('2026-12-07', '2026-12-30');
  const later = holiday('2026-12-08', '2026-12-08');
  expect(upcomingHolidays([past, running, last, later], '2026-11-23', 14)).toEqual([running, last]);
});

/** When a nightly backup is due, whatever the clock does. */
import { expect, test } from 'vitest';
import { findRunning, isDue, isLate, isTrialDue, type NightlyState, nightOf } from './nightly-state.ts';

const at = (moment: string) => Date.parse(moment);
const HOUR = 3_600_000;

test.each([
  // Cairo is two hours ahead of UTC in winter.
  ['2026-11-26T00:29:59.999Z', '02:30', 'Africa/Cairo', '2026-11-25'],
  ['2026-11-26T00:30:00.000Z', '02:30', 'Africa/Cairo', '2026-11-26'],
  ['2026-11-26T22:00:00.000Z', '02:30', 'Africa/Cairo', '2026-11-26'],
  ['2026-11-26T22:00:00.000Z', '00:00', 'Africa/Cairo', '2026-11-27'],
  ['2026-12-31T23:00:00.000Z', '23:59', 'Africa/Cairo', '2026-12-31'],
  ['2027-01-01T21:00:00.000Z', '23:59', 'Africa/Cairo', '2026-12-31'],
  // In Berlin 02:30 does not exist on 29 March, and is there twice on 25 October.
  ['2026-03-29T00:59:59.000Z', '02:30', 'Europe/Berlin', '2026-03-28'],
  ['2026-03-29T01:00:00.000Z', '02:30', 'Europe/Berlin', '2026-03-29'],
  ['2026-10-25T00:30:00.000Z', '02:30', 'Europe/Berlin', '2026-10-25'],
  ['2026-10-25T01:00:00.000Z', '02:30', 'Europe/Berlin', '2026-10-24'],
  ['2026-10-25T01:30:00.000Z', '02:30', 'Europe/Berlin', '2026-10-25'],
])('%s, with %s in %s, is the night of %s', (moment, time, zone, night) => {
  expect(nightOf(at(moment), time, zone).day).toBe(night);
});

const made: NightlyState = {
  night: '2026-10-25',
  madeAt: at('2026-10-25T00:30:00.000Z'),
  failedAt: null,
  missing: 0,
  triedAt: null,
  trialFailedAt: null,
  folder: '/mnt/backup',
  since: at('2026-10-01T00:30:00.000Z'),
  running: null,
};

test('what a server that ended left half done is not being made any more', () => {
  const progress = { step: 'write', rows: 1, allRows: 2, photos: 0, allPhotos: 3 } as const;
  const now = at('2026-10-26T00:31:00.000Z');
  const toldAt = (told: number) => findRunning({ ...made, running: { ...progress, at: told } }, now);
  expect(toldAt(now)).toEqual(progress);
  expect(toldAt(now - 60_000)).toEqual(progress);
  expect(toldAt(now - 60_001)).toBeNull();
  // A clock that was set back.
  expect(toldAt(now + 60_001)).toBeNull();
  expect(findRunning(made, now)).toBeNull();
});

/** Whether it is due in Berlin at a time, with a clock that is sure of itself or not. */
function due(state: NightlyState | null, moment: string, isSure = false, time = '02:30'): boolean {
  return isDue(state, at(moment), nightOf(at(moment), time, 'Europe/Berlin'), isSure);
}

test('the first is due at once, and then one each night', () => {
  expect(due(null, '2026-10-25T12:00:00Z')).toBe(true);
  expect(due(made, '2026-10-25T00:30:00Z')).toBe(false);
  expect(due(made, '2026-10-26T01:29:59Z')).toBe(false);
  expect(due(made, '2026-10-26T01:30:00Z')).toBe(true);
  // The machine was off.
  expect(due(made, '2026-12-01T09:00:00Z')).toBe(true);
});

test('a clock or a zone that is set back makes no second one of a night', () => {
  // The hour that is there twice.
  expect(due(made, '2026-10-25T01:00:00Z')).toBe(false);
  expect(due(made, '2026-10-25T01:30:00Z')).toBe(false);
  for (const isSure of [false, true]) {
    expect(due(made, '2026-10-24T20:00:00Z', isSure)).toBe(false);
    expect(due(made, '2026-10-24T00:30:00Z', isSure)).toBe(false);
  }
});

test('a time that is set to much later makes a second one of that night, and a little later none', () => {
  // Made at 02:30 in summer; since the night's change of time 22:00 is 21:00 UTC.
  expect(due(made, '2026-10-25T15:00:00Z', false, '22:00')).toBe(false);
  expect(due(made, '2026-10-25T20:59:59Z', false, '22:00')).toBe(false);
  expect(due(made, '2026-10-25T21:00:00Z', false, '22:00')).toBe(true);
  expect(due(made, '2026-10-25T23:30:00Z', false, '22:00')).toBe(true);
  const again = { ...made, madeAt: at('2026-10-25T21:00:30Z') };
  expect(due(again, '2026-10-25T21:01:30Z', false, '22:00')).toBe(false);
  expect(due(again, '2026-10-26T21:00:00Z', false, '22:00')).toBe(true);
  // The next night is soon enough: it is never late by that.
  expect(due(made, '2026-10-25T12:00:00Z', false, '12:30')).toBe(false);
  expect(isLate(made, at('2026-10-26T11:30:00Z'))).toBe(false);
});

test('a clock far behind the last one is waited for, until it is sure that the last one was wrong', () => {
  expect(due(made, '1970-01-01T00:05:00Z')).toBe(false);
  const ahead = { ...made, night: '2027-10-25', madeAt: at('2027-10-25T00:30:00Z') };
  expect(due(ahead, '2026-10-26T01:30:00Z')).toBe(false);
  expect(due(ahead, '2026-10-26T01:30:00Z', true)).toBe(true);
});

test('after a failure it is tried again an hour later', () => {
  const failed = { ...made, failedAt: at('2026-10-26T01:30:00Z') };
  expect(due(failed, '2026-10-26T01:30:00Z')).toBe(false);
  expect(due(failed, '2026-10-26T02:29:59Z')).toBe(false);
  expect(due(failed, '2026-10-26T02:30:00Z')).toBe(true);
  // A failure in the time to come is one of a wrong clock.
  expect(due({ ...failed, failedAt: at('2027-10-26T01:30:00Z') }, '2026-10-26T01:30:00Z')).toBe(true);
});

test('it is late after 36 hours, also the first one', () => {
  const last = made.madeAt ?? 0;
  expect(isLate(made, last + 36 * HOUR)).toBe(false);
  expect(isLate(made, last + 36 * HOUR + 1)).toBe(true);
  const never = { ...made, night: null, madeAt: null };
  expect(isLate(never, never.since + 36 * HOUR)).toBe(false);
  expect(isLate(never, never.since + 36 * HOUR + 1)).toBe(true);
});

test('a trial is due at first, each seventh night, after one that failed, and after one of a clock that was ahead', () => {
  const night = (moment: string) => nightOf(at(moment), '02:30', 'Europe/Berlin');
  const due = (moment: string, tried: string | null, state = made) =>
    isTrialDue(state, night(moment), tried === null ? null : night(tried));
  expect(due('2026-10-25T00:30:00Z', null)).toBe(true);
  // Made late on its night; the seventh night begins after less than seven days, of which one has 25 hours.
  const tried = '2026-10-22T09:00:00Z';
  expect(due('2026-10-22T09:00:00Z', tried)).toBe(false);
  expect(due('2026-10-28T01:30:00Z', tried)).toBe(false);
  expect(due('2026-10-29T01:30:00Z', tried)).toBe(true);
  expect(due('2026-12-24T01:30:00Z', tried)).toBe(true);
  expect(due('2026-10-23T01:30:00Z', tried, { ...made, trialFailedAt: at(tried) })).toBe(true);
  expect(due('2026-10-21T01:30:00Z', tried)).toBe(true);
});

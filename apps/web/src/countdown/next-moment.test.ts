import { expect, test } from 'vitest';
import { nextMomentAt, nextMomentLike } from './next-moment.ts';

const next = (time: string, now: string, zone: string) => {
  const moment = nextMomentAt(time, Date.parse(now), zone);
  return moment === null ? null : new Date(moment).toISOString();
};

test('is the next moment at which clocks of the zone show the time; this minute counts', () => {
  expect(next('16:20', '2026-11-20T13:50:30Z', 'Africa/Cairo')).toBe('2026-11-20T14:20:00.000Z');
  expect(next('13:50', '2026-11-20T13:50:30Z', 'UTC')).toBe('2026-11-20T13:50:00.000Z');
  expect(next('13:49', '2026-11-20T13:50:30Z', 'UTC')).toBe('2026-11-21T13:49:00.000Z');
  for (const none of ['', '9:5', '24:00', '12:60', 'soon'])
    expect(next(none, '2026-11-20T13:50:30Z', 'UTC')).toBeNull();
});

test('follows clocks that change on the way', () => {
  // Berlin: forward at 02:00 on 29 March, back at 03:00 on 25 October.
  expect(next('06:00', '2026-03-28T22:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T04:00:00.000Z');
  expect(next('06:00', '2026-10-24T21:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T05:00:00.000Z');
  // Clocks never show 02:30 in that night, but 03:30.
  expect(next('02:30', '2026-03-28T22:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});

test('the same time of day as at another moment, also if the clocks have changed since', () => {
  const like = (moment: string, now: string) =>
    new Date(nextMomentLike(Date.parse(moment), Date.parse(now), 'Europe/Berlin')).toISOString();
  expect(like('2026-11-20T13:15:00Z', '2026-11-23T08:00:00Z')).toBe('2026-11-23T13:15:00.000Z');
  expect(like('2026-11-20T13:15:00Z', '2026-11-23T13:16:00Z')).toBe('2026-11-24T13:15:00.000Z');
  expect(like('2026-10-23T12:15:00Z', '2026-10-26T08:00:00Z')).toBe('2026-10-26T13:15:00.000Z');
});

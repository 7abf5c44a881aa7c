/** The clock of a desk tablet without a connection: what it believes, and when it is not sure. */
import { expect, test } from 'vitest';
import { type ClockBase, readClock, resumeFrom } from './desk-clock.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The server's clock is a minute ahead of the wall clock. */
const base: ClockBase = { server: 1_060_000, wall: 1_000_000, steady: 500, isUnsure: false };

/** Reads one after the other: each step moves the wall clock and the steady clock by so much. */
function after(...steps: readonly (readonly [wall: number, steady: number])[]) {
  let now = { wall: base.wall, steady: base.steady };
  let read = readClock(base, now);
  for (const [wall, steady] of steps) {
    now = { wall: now.wall + wall, steady: now.steady + steady };
    read = readClock(read.base, now);
  }
  return read.time;
}

test('it counts on with the steady clock', () => {
  expect(after([HOUR, HOUR])).toEqual({ at: base.server + HOUR, isUnsure: false });
});

test.each([1_500, -1_500])('a gap of %i ms between the clocks is none', (gap) => {
  expect(after([HOUR + gap, HOUR])).toEqual({ at: base.server + HOUR, isUnsure: false });
});

test('a wall clock that was set back is not believed', () => {
  expect(after([-HOUR, SECOND])).toEqual({ at: base.server + SECOND, isUnsure: false });
  expect(after([-1_501, 0])).toEqual({ at: base.server, isUnsure: false });
});

test('one that runs ahead is: the tablet slept, or its time was changed, and nobody knows which', () => {
  expect(after([HOUR, SECOND])).toEqual({ at: base.server + HOUR, isUnsure: true });
  expect(after([1_501, 0])).toEqual({ at: base.server + 1_501, isUnsure: true });
});

test('unsure is unsure until the server answers, also if the clock is set right again', () => {
  expect(after([HOUR, 0], [-HOUR, 0], [SECOND, SECOND])).toEqual({
    at: base.server + HOUR + SECOND,
    isUnsure: true,
  });
});

test('a sleep does not hide behind a clock that was set back before', () => {
  expect(after([-HOUR, 0], [HOUR, 0])).toEqual({ at: base.server + HOUR, isUnsure: true });
});

test('many short sleeps are noticed together', () => {
  const steps = Array.from({ length: 4 }, () => [2 * SECOND, SECOND] as const);
  expect(after(...steps).isUnsure).toBe(true);
});

test('times never fall', () => {
  let now = { wall: base.wall, steady: base.steady };
  let read = readClock(base, now);
  for (const wall of [SECOND, -HOUR, SECOND, 2 * HOUR, -SECOND, SECOND, -3 * HOUR]) {
    const before = read.time.at;
    now = { wall: now.wall + wall, steady: now.steady + SECOND };
    read = readClock(read.base, now);
    expect(read.time.at).toBeGreaterThanOrEqual(before);
  }
});

test('a page that was opened anew goes on by the wall clock from the last note', () => {
  const note = { server: base.server, wall: base.wall, isUnsure: false };
  const opened = { wall: base.wall + HOUR, steady: 7 };
  const resumed = resumeFrom(note, opened);
  expect(resumed).toEqual({ server: base.server + HOUR, isUnsure: false, ...opened });
  const later = { wall: opened.wall + SECOND, steady: opened.steady + SECOND };
  expect(readClock(resumed, later).time).toEqual({ at: base.server + HOUR + SECOND, isUnsure: false });
  expect(resumeFrom({ ...note, isUnsure: true }, opened).isUnsure).toBe(true);
});

test('unless that is before the note: then it goes on from there, unsure', () => {
  const note = { server: base.server, wall: base.wall, isUnsure: false };
  const opened = { wall: base.wall - 1, steady: 7 };
  expect(resumeFrom(note, opened)).toEqual({ server: base.server, isUnsure: true, ...opened });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAt, formatClock, overdueSeconds, remainingSeconds, type Stay } from './remaining.ts';

const outside: Stay = { isInside: false, entryTime: null, duration: null };
const entered = Date.parse('2026-11-20T10:15:00.000Z');
const inside = (duration: number): Stay => ({
  isInside: true,
  entryTime: '2026-11-20T10:15:00.000Z',
  duration,
});

const anyStay = fc.record({
  isInside: fc.constant(true),
  entryTime: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  duration: fc.constantFrom(30, 60, 120, 240),
});
/** From the check-in to a day later, because laptops sleep. */
const anyOffset = fc.integer({ min: 0, max: 86_400_000 });

describe('remainingSeconds', () => {
  it('counts from entry time plus duration', () => {
    expect(remainingSeconds(inside(120), entered)).toBe(7200);
    expect(remainingSeconds(inside(120), entered + 1_001)).toBe(7199);
    expect(remainingSeconds(inside(30), entered + 30 * 60_000 - 1)).toBe(1);
    expect(remainingSeconds(inside(30), entered + 30 * 60_000)).toBe(0);
    expect(remainingSeconds(inside(30), entered + 86_400_000)).toBe(0);
  });

  it('is null outside, without an entry time, and for an entry time that is no time', () => {
    expect(remainingSeconds(outside, entered)).toBeNull();
    expect(remainingSeconds({ ...inside(30), entryTime: null }, entered)).toBeNull();
    expect(remainingSeconds({ ...inside(30), entryTime: 'soon' }, entered)).toBeNull();
  });

  it('is the smallest whole number of seconds that is not shorter than the time left, from the calendar', () => {
    fc.assert(
      fc.property(anyStay, anyOffset, (stay, offset) => {
        const now = Date.parse(stay.entryTime) + offset;
        // An independent definition: compute the due time with calendar minutes, and check the bounds around the
        // result.
        const due = new Date(stay.entryTime);
        due.setUTCMinutes(due.getUTCMinutes() + stay.duration);
        const left = remainingSeconds(stay, now);
        if (left === null) return false;
        if (now >= due.getTime()) return left === 0;
        return (
          Number.isInteger(left) &&
          now + left * 1000 >= due.getTime() &&
          now + (left - 1) * 1000 < due.getTime()
        );
      }),
    );
  });

  it('is never more than the whole stay, however far behind the clock is', () => {
    fc.assert(
      fc.property(anyStay, fc.integer({ min: 1, max: 86_400_000 }), (stay, early) => {
        return remainingSeconds(stay, Date.parse(stay.entryTime) - early) === stay.duration * 60;
      }),
    );
  });

  it('falls by exactly one each second until zero', () => {
    fc.assert(
      fc.property(anyStay, anyOffset, (stay, offset) => {
        const now = Date.parse(stay.entryTime) + offset;
        const before = remainingSeconds(stay, now) ?? -1;
        return remainingSeconds(stay, now + 1000) === Math.max(0, before - 1);
      }),
    );
  });

  it('is zero exactly when the due moment has come', () => {
    fc.assert(
      fc.property(anyStay, anyOffset, (stay, offset) => {
        const now = Date.parse(stay.entryTime) + offset;
        return (remainingSeconds(stay, now) === 0) === now >= (dueAt(stay) ?? 0);
      }),
    );
  });
});

describe('overdueSeconds', () => {
  it('starts at the due moment', () => {
    const due = entered + 30 * 60_000;
    expect(overdueSeconds(inside(30), due - 5_000)).toBe(0);
    expect(overdueSeconds(inside(30), due + 999)).toBe(0);
    expect(overdueSeconds(inside(30), due + 61_000)).toBe(61);
    expect(overdueSeconds(outside, due)).toBe(0);
  });
});

describe('formatClock', () => {
  it('writes MM:SS with the minutes running past 59', () => {
    expect(formatClock(0)).toBe('00:00');
    expect(formatClock(59)).toBe('00:59');
    expect(formatClock(60)).toBe('01:00');
    expect(formatClock(7198)).toBe('119:58');
    expect(formatClock(14_400)).toBe('240:00');
  });

  it('can be read back', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (seconds) => {
        const match = /^(\d{2,}):([0-5]\d)$/.exec(formatClock(seconds));
        return match !== null && Number(match[1]) * 60 + Number(match[2]) === seconds;
      }),
    );
  });

  it('writes the digits that it is given', () => {
    const arabic = new Intl.NumberFormat('ar-EG', { minimumIntegerDigits: 2, useGrouping: false });
    expect(formatClock(7198, (value) => arabic.format(value))).toBe('١١٩:٥٨');
  });
});

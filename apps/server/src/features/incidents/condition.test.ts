/** One condition per danger, despite noise. */
import type { AlarmLimit } from '@haris/contract/alarms';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterReading, type ConditionChange, type ConditionState, QUIET } from './condition.ts';

const limit: AlarmLimit = { from: 40, hysteresis: 1, delaySeconds: 0, clearSeconds: 60 };
const SECOND = 1_000;

function run(
  readings: readonly { value: number; at: number; isBelievable?: boolean }[],
  by: AlarmLimit = limit,
): { state: ConditionState; changes: ConditionChange[] } {
  let state: ConditionState = QUIET;
  const changes = readings.map((reading) => {
    const next = afterReading(state, { isBelievable: true, ...reading }, by);
    state = next.state;
    return next.change;
  });
  return { state, changes };
}
const raisings = (changes: readonly ConditionChange[]) => changes.filter((one) => one === 'raised').length;

test('40 raises, a hair below does not', () => {
  expect(run([{ value: 39.999, at: 0 }]).changes).toEqual(['none']);
  expect(run([{ value: 40, at: 0 }]).changes).toEqual(['raised']);
});

test('noise around the limit makes one condition, however long', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 39.01, max: 41, noNaN: true }), { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 1, max: 600 }),
      (values, periodS) => {
        const { changes } = run(values.map((value, index) => ({ value, at: index * periodS * SECOND })));
        expect(raisings(changes)).toBe(values.some((value) => value >= 40) ? 1 : 0);
        expect(changes).not.toContain('cleared');
      },
    ),
  );
});

test('wild noise faster than the calm makes one condition too', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 80, noNaN: true }), { maxLength: 200 }), (values) => {
      // Every second reading is hot, so no calm lasts a minute.
      const readings = values.flatMap((value, index) => [
        { value: 45, at: index * 20 * SECOND },
        { value, at: (index * 20 + 10) * SECOND },
      ]);
      expect(raisings(run(readings).changes)).toBe(values.length > 0 ? 1 : 0);
    }),
  );
});

test('raising and clearing take turns, whatever comes', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          value: fc.double({ min: -40, max: 85, noNaN: true }),
          wait: fc.nat(120),
          isBelievable: fc.boolean(),
        }),
      ),
      fc.record({
        from: fc.double({ min: -40, max: 85, noNaN: true }),
        hysteresis: fc.double({ min: 0, max: 20, noNaN: true }),
        delaySeconds: fc.nat(120),
        clearSeconds: fc.nat(120),
      }),
      (steps, by) => {
        let at = 0;
        const { changes } = run(
          steps.map(({ wait, ...step }) => {
            at += wait * SECOND;
            return { ...step, at };
          }),
          by,
        );
        const ends = changes.filter((change) => change === 'raised' || change === 'cleared');
        for (const [index, change] of ends.entries())
          expect(change).toBe(index % 2 === 0 ? 'raised' : 'cleared');
      },
    ),
  );
});

test('it is over once it was calm for its time, and calm begins anew after each heat', () => {
  const at = (seconds: number, value: number) => ({ value, at: seconds * SECOND });
  expect(run([at(0, 41), at(10, 39), at(69, 38)]).changes).toEqual(['raised', 'none', 'none']);
  expect(run([at(0, 41), at(10, 39), at(70, 38)]).changes).toEqual(['raised', 'none', 'cleared']);
  expect(run([at(0, 41), at(10, 39), at(40, 39.5), at(70, 38)]).changes).not.toContain('cleared');
  expect(run([at(0, 41), at(10, 38), at(70, 38), at(80, 41)]).changes).toEqual([
    'raised',
    'none',
    'cleared',
    'raised',
  ]);
});

test('what may not be believed ends nothing, but raises', () => {
  const hot = { value: 50, at: 0, isBelievable: false };
  const cold = { value: 20, at: 100 * SECOND, isBelievable: false };
  const { changes } = run([hot, cold, { ...cold, at: 900 * SECOND }]);
  expect(changes).toEqual(['raised', 'none', 'none']);
});

test('a delay must pass above the limit; calm within it takes all back', () => {
  const slow = { ...limit, delaySeconds: 30 };
  const at = (seconds: number, value: number) => ({ value, at: seconds * SECOND });
  expect(run([at(0, 41), at(29, 41), at(30, 41)], slow).changes).toEqual(['none', 'none', 'raised']);
  expect(run([at(0, 41), at(10, 38), at(30, 41), at(59, 41)], slow).changes).not.toContain('raised');
  // A dip within the hysteresis is noise, but a value below the limit raises nothing.
  expect(run([at(0, 41), at(10, 39.5), at(30, 39.5), at(31, 40)], slow).changes).toEqual([
    'none',
    'none',
    'none',
    'raised',
  ]);
});

test('worse is told in steps of the hysteresis', () => {
  const values = [40, 40.5, 41, 41.5, 42.2, 41, 60];
  const { changes } = run(values.map((value, index) => ({ value, at: index })));
  expect(changes).toEqual(['raised', 'none', 'worse', 'none', 'worse', 'none', 'worse']);
});

test('what was noted while the clock was ahead makes no delay and no calm longer', () => {
  const limit = { from: 40, hysteresis: 1, delaySeconds: 60, clearSeconds: 60 };
  const future = 4_000_000;
  const hot = (at: number) => ({ value: 41, at, isBelievable: true });
  const cool = (at: number) => ({ value: 20, at, isBelievable: true });
  const pending = afterReading({ phase: 'pending', since: future }, hot(1_000), limit);
  expect(pending).toEqual({ state: { phase: 'pending', since: 1_000 }, change: 'none' });
  expect(afterReading(pending.state, hot(61_000), limit).change).toBe('raised');
  const calm = afterReading({ phase: 'active', worst: 41, calmSince: future }, cool(1_000), limit);
  expect(calm.state).toMatchObject({ calmSince: 1_000 });
  expect(afterReading(calm.state, cool(61_000), limit).change).toBe('cleared');
});

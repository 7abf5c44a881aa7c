/** The due times of every kind's steps. */
import { INCIDENT_KINDS } from '@haris/contract/incident-kinds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueSteps, hasStepsLeft, LADDERS, ladderOf } from './ladders.ts';

const MINUTE = 60_000;
const open = { acknowledgedAt: null, clearedAt: null };

test('time’s up reaches the desk, after 5 minutes all staff, after 15 the administrators; a parent once', () => {
  const due = (minutes: number) =>
    dueSteps({ ladder: LADDERS.time_up, raisedAt: 1_000, ...open }, 1_000 + minutes * MINUTE);
  expect(LADDERS.time_up.map(({ audience }) => audience)).toEqual([['desk'], ['staff'], ['administrators']]);
  expect(ladderOf({ kind: 'time_up', for_staff: 0 })).toEqual([{ afterMs: 0, audience: ['parent'] }]);
  expect([0, 5 - 1 / MINUTE, 5, 15 - 1 / MINUTE, 15, 10_000].map(due)).toEqual([
    [0],
    [0],
    [0, 1],
    [0, 1],
    [0, 1, 2],
    [0, 1, 2],
  ]);
});

test('while a step is still to come, nobody has taken it on and it is not over, it has steps left', () => {
  const left = (minutes: number, ended: object = {}) =>
    hasStepsLeft({ ladder: LADDERS.time_up, raisedAt: 0, ...open, ...ended }, minutes * MINUTE);
  expect([left(0), left(15 - 1 / MINUTE), left(15)]).toEqual([true, true, false]);
  expect([left(1, { acknowledgedAt: 1 }), left(1, { clearedAt: 1 })]).toEqual([false, false]);
});

describe.each(INCIDENT_KINDS)('the ladder of %s', (kind) => {
  const steps = LADDERS[kind];

  test('begins at once, climbs in order and reaches somebody on each step', () => {
    expect(steps[0].afterMs).toBe(0);
    const times = steps.map(({ afterMs }) => afterMs);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    for (const { audience } of steps) expect(audience.length).toBeGreaterThan(0);
  });

  test('has each step due from its moment on, and none after somebody took it on or it was over', () => {
    for (const [step, { afterMs }] of steps.entries()) {
      expect(dueSteps({ ladder: steps, raisedAt: 0, ...open }, afterMs)).toContain(step);
      if (step === 0) continue;
      expect(dueSteps({ ladder: steps, raisedAt: 0, ...open }, afterMs - 1)).not.toContain(step);
      for (const ended of ['acknowledgedAt', 'clearedAt'])
        expect(dueSteps({ ladder: steps, raisedAt: 0, ...open, [ended]: 1 }, afterMs)).toEqual([0]);
    }
  });

  test('loses no step that was due, however time goes on', () => {
    fc.assert(
      fc.property(fc.nat(100 * MINUTE), fc.nat(100 * MINUTE), (now, later) => {
        const before = dueSteps({ ladder: steps, raisedAt: 0, ...open }, now);
        expect(
          dueSteps({ ladder: steps, raisedAt: 0, ...open }, now + later).slice(0, before.length),
        ).toEqual(before);
      }),
    );
  });
});

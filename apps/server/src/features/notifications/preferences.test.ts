/** Recipients, channels and times: the rules, for arbitrary preferences and times. */

import { INCIDENT_KINDS, type IncidentKind, severityOf } from '@haris/contract/incident-kinds';
import { NOTIFICATION_CHANNELS, PARENT_KINDS, type StoredPreferences } from '@haris/contract/notifications';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  completePreferences,
  decide,
  NOTHING_CHOSEN,
  type Recipient,
} from '../../notifications/preferences.ts';
import { quietUntil } from '../../notifications/quiet-hours.ts';
import { ladderOf } from '../incidents/ladders.ts';
import { KINDS_FOR_FIRST, KINDS_FOR_GUARDIANS } from '../incidents/policy.ts';
import { isWithinRate } from './rate.ts';

const channels = fc.subarray([...NOTIFICATION_CHANNELS]);
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const timeZone = fc.constantFrom(
  'Africa/Cairo',
  'UTC',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/St_Johns',
);
const quiet = fc.record({ from: clock, to: clock, timeZone });
const kind = fc.constantFrom(...INCIDENT_KINDS);
const wishes: fc.Arbitrary<StoredPreferences> = fc.record({
  kinds: fc.dictionary(kind, channels).map((kinds) => ({ ...kinds })),
  quietHours: fc.option(quiet, { nil: null }),
  areas: fc.option(fc.array(fc.constantFrom('Hall', 'Garden')), { nil: null }),
});
const recipient: fc.Arbitrary<Recipient> = fc.record({
  account: fc.constantFrom('admin' as const, 'parent' as const),
  isOnDuty: fc.boolean(),
  reachableBy: channels,
  stored: wishes,
});
const severity = fc.constantFrom('safety' as const, 'care' as const, 'operation' as const);
const occasion = fc.record({ kind, severity, area: fc.constantFrom('Hall', 'Kitchen', null) });
const now = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-12-31') });

describe('for any wish', () => {
  test('staff on duty get what is a danger, at once, by some channel that leads to them', () => {
    fc.assert(
      fc.property(recipient, occasion, now, (who, what, at) => {
        const decision = decide(
          { ...who, account: 'admin', isOnDuty: true },
          { ...what, severity: 'safety' },
          at,
        );
        expect(decision.notBefore).toBeNull();
        expect(decision.channels.length > 0).toBe(who.reachableBy.length > 0);
      }),
    );
  });

  test('no channel is taken that leads nowhere, and none twice', () => {
    fc.assert(
      fc.property(recipient, occasion, now, (who, what, at) => {
        const { channels: taken } = decide(who, what, at);
        expect(who.reachableBy).toEqual(expect.arrayContaining([...taken]));
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });

  test('what is no danger waits until the quiet hours are over, and not longer than a day', () => {
    fc.assert(
      fc.property(recipient, occasion, now, (who, what, at) => {
        const { notBefore } = decide(who, { ...what, severity: 'care' }, at);
        if (notBefore === null) return;
        expect(who.stored.quietHours).not.toBeNull();
        expect(notBefore).toBeGreaterThan(at);
        // Includes a day with the hour that daylight saving time adds.
        expect(notBefore - at).toBeLessThanOrEqual(25 * 3_600_000);
        expect(quietUntil(who.stored.quietHours, notBefore) === null || isWholeDay(who)).toBe(true);
      }),
    );
  });

  test('a parent, and staff who are not signed in, are not told of what they muted', () => {
    fc.assert(
      fc.property(recipient, occasion, now, (who, what, at) => {
        const muted = { ...who.stored, kinds: { ...who.stored.kinds, [what.kind]: [] } };
        expect(decide({ ...who, isOnDuty: false, stored: muted }, what, at).channels).toEqual([]);
      }),
    );
  });
});

function isWholeDay({ stored }: Recipient): boolean {
  return stored.quietHours?.from === stored.quietHours?.to;
}

const desk: Recipient = {
  account: 'admin',
  isOnDuty: true,
  reachableBy: ['push', 'mail'],
  stored: NOTHING_CHOSEN,
};
const noon = Date.parse('2026-11-20T10:00:00.000Z');

test('areas of staff: another one is not theirs, a danger in it is', () => {
  const who = { ...desk, stored: { ...NOTHING_CHOSEN, areas: ['Hall'] } };
  const offline = { kind: 'sensor_offline', severity: 'operation' } as const;
  expect(decide(who, { ...offline, area: 'Hall' }, noon).channels).toEqual(['push']);
  expect(decide(who, { ...offline, area: null }, noon).channels).toEqual(['push']);
  expect(decide(who, { ...offline, area: 'Kitchen' }, noon).channels).toEqual([]);
  const fire = { kind: 'temperature', severity: 'safety', area: 'Kitchen' } as const;
  expect(decide(who, fire, noon).channels).toEqual(['push', 'mail']);
  expect(decide({ ...who, isOnDuty: false }, fire, noon).channels).toEqual([]);
});

test('where the chosen channel leads nowhere any more, a danger takes the other one', () => {
  const who: Recipient = {
    ...desk,
    isOnDuty: false,
    reachableBy: ['mail'],
    stored: { ...NOTHING_CHOSEN, kinds: { air: ['push'], camera_down: ['push'] } },
  };
  expect(decide(who, { kind: 'air', severity: 'safety', area: null }, noon).channels).toEqual(['mail']);
  expect(decide(who, { kind: 'camera_down', severity: 'operation', area: null }, noon).channels).toEqual([]);
});

test.each([
  // In November Cairo is two hours ahead of UTC.
  ['22:00', '07:00', '2026-11-20T19:59:59.999Z', null],
  ['22:00', '07:00', '2026-11-20T20:00:00.000Z', '2026-11-21T05:00:00.000Z'],
  ['22:00', '07:00', '2026-11-21T04:59:59.999Z', '2026-11-21T05:00:00.000Z'],
  ['22:00', '07:00', '2026-11-21T05:00:00.000Z', null],
  ['13:00', '15:00', '2026-11-20T11:00:00.000Z', '2026-11-20T13:00:00.000Z'],
  ['13:00', '15:00', '2026-11-20T13:00:00.000Z', null],
  ['00:00', '00:00', '2026-11-20T11:00:00.000Z', '2026-11-20T22:00:00.000Z'],
])('quiet from %s to %s, at %s: %s', (from, to, at, until) => {
  const ends = quietUntil({ from, to, timeZone: 'Africa/Cairo' }, Date.parse(at));
  expect(ends === null ? null : new Date(ends).toISOString()).toBe(until);
});

test('staff can mute all kinds but the dangers, and parents choose among those that reach them', () => {
  const dangers: IncidentKind[] = [
    ...(['temperature', 'air', 'barred_person', 'missing_child'] as const),
    ...(['doubtful_release', 'evacuation'] as const),
  ];
  expect(INCIDENT_KINDS.filter((one) => severityOf(one) === 'safety')).toEqual(dangers);
  expect(completePreferences('admin', NOTHING_CHOSEN).locked).toEqual(dangers);
  const reaches = (one: IncidentKind, for_staff: 0 | 1) =>
    ladderOf({ kind: one, for_staff }).some(({ audience }) =>
      audience.some((name) => name.startsWith('parent')),
    );
  const forParents = INCIDENT_KINDS.filter((one) =>
    [...KINDS_FOR_FIRST, ...KINDS_FOR_GUARDIANS].includes(one) ? reaches(one, 0) : reaches(one, 1),
  );
  // A release is no incident.
  expect([...PARENT_KINDS].sort()).toEqual([...forParents, 'released'].sort());
  // The end of a stay is nothing for staff until the time is up.
  expect(completePreferences('admin', NOTHING_CHOSEN).kinds).not.toHaveProperty('stay_due');
  expect(completePreferences('parent', NOTHING_CHOSEN)).toMatchObject({ locked: [], areas: null });
});

test('of any number, the first of an incident, its end and every danger go out', () => {
  const phase = fc.constantFrom('raised' as const, 'escalated' as const, 'cleared' as const);
  fc.assert(
    fc.property(phase, fc.boolean(), fc.boolean(), fc.nat(500), (one, isSafety, wasNotified, sentLately) => {
      const goes = isWithinRate({ phase: one, isSafety, wasNotified, sentLately });
      if (one !== 'escalated' || !wasNotified || isSafety) expect(goes).toBe(true);
    }),
  );
  const step = { phase: 'escalated', isSafety: false, wasNotified: true } as const;
  expect(isWithinRate({ ...step, sentLately: 19 })).toBe(true);
  expect(isWithinRate({ ...step, sentLately: 20 })).toBe(false);
});

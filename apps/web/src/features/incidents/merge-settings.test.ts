/** Two people change the settings of alerts at once. */
import { expect, test } from 'vitest';
import { settings } from '../../testing/settings.ts';
import { type Draft, draftOf, mergeDraft } from './merge-settings.ts';

const base = draftOf(settings({ areaAlarms: [{ area: 'Hall', notSeenAfterMinutes: 5 }] }));
const hot = (draft: Draft, from: number): Draft => ({
  ...draft,
  alarms: { ...draft.alarms, temperature: { ...draft.alarms.temperature, from } },
});

test('a field keeps the change that was made to it, by whomever', () => {
  const merged = mergeDraft(base, { ...hot(base, 45), backupDueDays: 3 }, { ...base, incidentDays: 30 });
  expect(merged).toEqual({ ...hot(base, 45), backupDueDays: 3, incidentDays: 30 });
});

test('fields of one limit are apart', () => {
  const theirs: Draft = {
    ...base,
    alarms: { ...base.alarms, temperature: { ...base.alarms.temperature, delaySeconds: 9 } },
  };
  expect(mergeDraft(base, hot(base, 45), theirs).alarms.temperature).toMatchObject({
    from: 45,
    delaySeconds: 9,
  });
});

test('what both changed stays what is on the screen', () => {
  expect(mergeDraft(base, hot(base, 45), hot(base, 50)).alarms.temperature.from).toBe(45);
});

test('rooms are joined by name: one added here, one removed there, one changed by both', () => {
  const mine: Draft = {
    ...base,
    areaAlarms: [...base.areaAlarms, { area: 'Playroom', notSeenAfterMinutes: 20 }],
  };
  expect(mergeDraft(base, mine, { ...base, areaAlarms: [] }).areaAlarms).toEqual([
    { area: 'Playroom', notSeenAfterMinutes: 20 },
  ]);
  const theirs: Draft = {
    ...base,
    areaAlarms: [{ area: 'Hall', notSeenAfterMinutes: 5, unknownPerson: true }],
  };
  const changed: Draft = { ...base, areaAlarms: [{ area: 'Hall', notSeenAfterMinutes: 8 }] };
  expect(mergeDraft(base, changed, theirs).areaAlarms).toEqual([
    { area: 'Hall', notSeenAfterMinutes: 8, unknownPerson: true },
  ]);
});

test('an empty field that is no number yet is a change, too', () => {
  expect(
    mergeDraft(base, { ...base, incidentDays: Number.NaN }, { ...base, backupDueDays: 2 }),
  ).toMatchObject({
    incidentDays: Number.NaN,
    backupDueDays: 2,
  });
});

/**
 * Merges typed settings with those that somebody else has saved in the meantime, field by field.
 * Pure.
 */
import type { Settings } from '@haris/contract/objects';

/** The settings of this screen. */
export type Draft = Pick<
  Settings,
  'alarms' | 'areaAlarms' | 'notSeenAfterMinutes' | 'backupDueDays' | 'incidentDays'
>;

export function draftOf(settings: Settings): Draft {
  const { alarms, areaAlarms, notSeenAfterMinutes, backupDueDays, incidentDays } = settings;
  return { alarms, areaAlarms, notSeenAfterMinutes, backupDueDays, incidentDays };
}

type Plain = Record<string, unknown>;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** NaN stands for a field that is no number yet. */
export function isSame(a: unknown, b: unknown): boolean {
  if (!isPlain(a) || !isPlain(b))
    return Array.isArray(a) && Array.isArray(b) ? sameItems(a, b) : Object.is(a, b);
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSame(a[key], b[key]));
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
}

function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(mine, base)) return theirs;
  if (isSame(theirs, base) || !isPlain(mine) || !isPlain(theirs)) return mine;
  const from = isPlain(base) ? base : {};
  const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  return Object.fromEntries(
    [...keys]
      .map((key) => [key, merge(from[key], mine[key], theirs[key])] as const)
      .filter(([, value]) => value !== undefined),
  );
}

const byArea = (areas: Draft['areaAlarms']) => Object.fromEntries(areas.map((one) => [one.area, one]));

/** `base`: the settings that `mine` started from. If both changed a field, mine wins. */
export function mergeDraft(base: Draft, mine: Draft, theirs: Draft): Draft {
  const flat = (draft: Draft) => ({ ...draft, areaAlarms: byArea(draft.areaAlarms) });
  // The merged value has the same shape as the three inputs.
  const merged = merge(flat(base), flat(mine), flat(theirs)) as ReturnType<typeof flat>;
  return { ...merged, areaAlarms: Object.values(merged.areaAlarms) };
}

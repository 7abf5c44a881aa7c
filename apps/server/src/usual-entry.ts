/** The usual entry of a family: the children of its last check-in, and how long they stayed. Pure. */
import { ENTRY_PERIODS_MINUTES } from '@haris/contract/constants';
import type { UsualEntry } from '@haris/contract/http/search';
import { toMoment } from './clock.ts';
import type { LastEntry } from './db/past-stays.ts';

/** Check-ins this close to each other were one visit to the desk. Milliseconds. */
const TOGETHER_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

/** A stay until an end may happen to last as long as a period: the end is what was meant. */
function lastingOf({ entry_time, duration, end_kind }: LastEntry): Pick<UsualEntry, 'minutes' | 'end'> {
  if (end_kind === null)
    return { minutes: ENTRY_PERIODS_MINUTES.find((period) => period === duration) ?? null };
  if (end_kind !== 'until') return { minutes: null, end: { kind: end_kind } };
  // Stays last whole minutes, rounded up: the wanted time is the minute in which they end.
  const at = Math.floor(entry_time / MINUTE_MS + duration) * MINUTE_MS;
  return { minutes: null, end: { kind: 'until', at: toMoment(at) } };
}

/**
 * `entries`: the last check-ins of the family's children. With `childId`, the children who came with that child last
 * time. Without it, the children of the family's latest visit.
 */
export function usualEntryOf(entries: readonly LastEntry[], childId?: string): UsualEntry {
  const last =
    childId === undefined
      ? entries.reduce<LastEntry | undefined>(
          (latest, entry) => (latest === undefined || entry.entry_time > latest.entry_time ? entry : latest),
          undefined,
        )
      : entries.find((entry) => entry.child_id === childId);
  if (last === undefined) return { childIds: childId === undefined ? [] : [childId], minutes: null };
  const together = entries.filter((entry) => Math.abs(entry.entry_time - last.entry_time) <= TOGETHER_MS);
  return { childIds: together.map((entry) => entry.child_id), ...lastingOf(last) };
}

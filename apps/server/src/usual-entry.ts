/** The usual entry of a family: the children of its last check-in, and the period. Pure. */
import { ENTRY_PERIODS_MINUTES } from '@haris/contract/constants';
import type { UsualEntry } from '@haris/contract/http/search';
import type { LastEntry } from './db/past-stays.ts';

/** Check-ins this close to each other were one visit to the desk. Milliseconds. */
const TOGETHER_MS = 10 * 60_000;

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
  return {
    childIds: together.map((entry) => entry.child_id),
    minutes: ENTRY_PERIODS_MINUTES.find((period) => period === last.duration) ?? null,
  };
}

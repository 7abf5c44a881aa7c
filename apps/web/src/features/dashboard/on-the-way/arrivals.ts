/** The announced pick-ups of the children inside, by who comes and time. Pure. */
import type { Child } from '@haris/contract/objects';

export interface Arrival {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the family stands at the kiosk. */
  readonly isHere: boolean;
  /** Who comes: the child's family, or a further guardian. */
  readonly parentName: string;
  readonly children: readonly Child[];
}

/** One arrival per guardian and time, the earliest first, without those that staff have seen. */
export function arrivalsOf(inside: readonly Child[]): Arrival[] {
  const arrivals = new Map<string, Arrival>();
  for (const child of inside) {
    if (child.onMyWay === undefined || child.onMyWay.seenAt !== undefined) continue;
    const { arrivesAt, source, by } = child.onMyWay;
    const key = `${child.parent._id} ${by ?? ''} ${arrivesAt} ${source}`;
    const before = arrivals.get(key)?.children ?? [];
    arrivals.set(key, {
      key,
      at: Date.parse(arrivesAt),
      isHere: source === 'kiosk',
      parentName: by ?? child.parent.name,
      children: [...before, child].toSorted((a, b) => a.name.localeCompare(b.name)),
    });
  }
  return [...arrivals.values()].sort((a, b) => a.at - b.at || a.key.localeCompare(b.key));
}

/** Whole minutes until an arrival; negative once it is late. Less than a minute either way is 0. */
export function minutesUntil(at: number, now: number): number {
  return Math.trunc((at - now) / 60_000);
}

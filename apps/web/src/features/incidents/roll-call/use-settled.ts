/** Rows of the roll call move only some time after the last tick of this device, so that none moves under a finger. */
import { useEffect, useRef, useState } from 'react';
import type { RollEntry } from './roll-list.ts';
import type { TickState } from './ticks.ts';

/** Pause after a tick before rows move. Milliseconds. */
const SETTLE_MS = 3_000;
/** Presses are ignored for this long after rows have moved: the finger aimed at another row. Milliseconds. */
const BLIND_MS = 400;

type States = ReadonlyMap<string, TickState | null>;

const statesOf = (entries: readonly RollEntry[]): States =>
  new Map(entries.map(({ id, tick }) => [id, tick?.state ?? null]));

/** States of the rows when they last moved, and whether a press counts now. A row that is new has its own state. */
export function useSettled(entries: readonly RollEntry[]) {
  const [settled, setSettled] = useState<States>(() => statesOf(entries));
  const movedAt = useRef(0);
  const waiting = entries.map(({ id, tick }) => `${id}${tick?.state ?? ''}`).join();
  const latest = useRef(entries);
  latest.current = entries;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick restarts the pause
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled((before) => {
        const next = statesOf(latest.current);
        const hasMoved = [...next].some(([id, state]) => before.has(id) && before.get(id) !== state);
        if (hasMoved) movedAt.current = performance.now();
        return hasMoved || next.size !== before.size ? next : before;
      });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return {
    stateOf: ({ id, tick }: RollEntry): TickState | null =>
      settled.get(id) ?? (settled.has(id) ? null : (tick?.state ?? null)),
    mayPress: () => performance.now() - movedAt.current > BLIND_MS,
  };
}

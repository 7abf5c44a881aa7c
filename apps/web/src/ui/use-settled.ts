/** Rows that people tick move only some time after the last tick of this device, so that none moves under a finger. */
import { useCallback, useEffect, useRef, useState } from 'react';

/** Pause after a tick before rows move. Milliseconds. */
const SETTLE_MS = 3_000;
/** Presses are ignored for this long after rows have moved: the finger aimed at another row. Milliseconds. */
const BLIND_MS = 400;

interface Row {
  readonly id: string;
}

/**
 * States of the rows when they last moved, and whether a press counts now. A row that is new has its own state. `read`: the present
 * state of a row, null while nobody has ticked it; a stable function.
 */
export function useSettled<R extends Row, S extends string>(rows: readonly R[], read: (row: R) => S | null) {
  const statesOf = (all: readonly R[]): ReadonlyMap<string, S | null> =>
    new Map(all.map((row) => [row.id, read(row)]));
  const [settled, setSettled] = useState(() => statesOf(rows));
  const movedAt = useRef(0);
  const waiting = rows.map((row) => `${row.id}${read(row) ?? ''}`).join();
  const latest = useRef(rows);
  latest.current = rows;
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
  const mayPress = useCallback(() => performance.now() - movedAt.current > BLIND_MS, []);
  return {
    stateOf: (row: R): S | null => settled.get(row.id) ?? (settled.has(row.id) ? null : read(row)),
    mayPress,
  };
}

/** Which rows of the roll call are shown: by state, room and name. */
import { useState } from 'react';
import { findEntries } from './find-entries.ts';
import { isInRoom, type RollEntry, type RollFilter } from './roll-list.ts';
import type { TickState } from './ticks.ts';

/** `stateOf`: the state in which a row is shown; null before anybody has ticked it. */
export function useRollFilters(
  entries: readonly RollEntry[],
  stateOf: (entry: RollEntry) => TickState | null,
) {
  const [state, setState] = useState<RollFilter>('all');
  const [typed, setTyped] = useState('');
  const [room, setRoom] = useState('');
  const found = findEntries(
    entries.filter(
      (entry) => isInRoom(entry, room) && (state === 'all' || (stateOf(entry) ?? 'open') === state),
    ),
    typed,
  );
  return { state, setState, typed, setTyped, room, setRoom, found };
}

export type RollFilters = ReturnType<typeof useRollFilters>;

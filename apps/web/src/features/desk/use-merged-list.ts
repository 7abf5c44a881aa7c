/** The kept list of a desk tablet with what the tablet wrote since, for its screen. Makes no calls. */
import type { DeskList } from '@haris/contract/desk-list';
import { useCallback, useEffect, useState } from 'react';
import type { WrittenEntry } from '../../desk-entries/use-entries.ts';
import { type MergedList, withEntries } from '../../desk-entries/with-entries.ts';
import { openList } from '../../desk-list/kept-list.ts';

export interface OpenedList {
  /** As the server sent it. */
  readonly list: DeskList;
  readonly merged: MergedList;
  /** When the server last said that it is up to date: milliseconds since 1970. */
  readonly asOf: number;
}

/**
 * Opens the list anew whenever `entries` change, because one that goes is on the newer list. Undefined: not opened yet; null: it cannot be.
 */
export function useMergedList(entries: readonly WrittenEntry[]): {
  opened: OpenedList | null | undefined;
  retry: () => void;
} {
  const [opened, setOpened] = useState<OpenedList | null | undefined>(undefined);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens the list again
  useEffect(() => {
    let isOver = false;
    void openList().then((found) => {
      if (!isOver) setOpened(found && { ...found, merged: withEntries(found.list, entries) });
    });
    return () => {
      isOver = true;
    };
  }, [tries, entries]);
  return { opened, retry: useCallback(() => setTries((number) => number + 1), []) };
}

/** Children of the roll call whom all staff search, and what is asked after a tick. Makes no calls. */
import { useCallback, useMemo, useState } from 'react';
import type { ShownDanger } from '../danger/shown-danger.ts';
import type { RollEntry } from './roll-list.ts';
import type { TickState } from './ticks.ts';

/**
 * The open alerts for missing children, and the child that the panel at the foot asks about: somebody marked as missing
 * and not yet sought, or sought and perhaps found. It asks nothing that has been settled meanwhile.
 */
export function useSearches(
  dangers: readonly ShownDanger[],
  entries: readonly RollEntry[],
  maySearch: boolean,
) {
  const searchOf = useMemo(
    () =>
      new Map(
        dangers.flatMap((danger) =>
          danger.kind === 'missing_child' && danger.child !== null
            ? [[danger.child.id, danger] as const]
            : [],
        ),
      ),
    [dangers],
  );
  const [question, setQuestion] = useState<{ id: string; what: 'alert' | 'end' } | null>(null);
  /** After a tick with `state`, or, without one, for the row's own button. */
  const ask = useCallback(
    ({ id, kind }: RollEntry, state?: TickState) => {
      if (kind !== 'child' || !maySearch) return;
      const isSought = searchOf.has(id);
      if (isSought && state !== 'missing') setQuestion({ id, what: 'end' });
      else if (!isSought && state !== 'present') setQuestion({ id, what: 'alert' });
      else setQuestion((before) => (before?.id === id ? null : before));
    },
    [maySearch, searchOf],
  );
  const entry = question === null ? undefined : entries.find(({ id }) => id === question.id);
  const search = question === null ? undefined : searchOf.get(question.id);
  const isOpen = question?.what === 'end' ? search !== undefined : search === undefined;
  // Not `mayBeSought`: between this device's mark and the server's there is a moment without any, which must not close it.
  const isMissed = entry?.isInside === true && entry.tick?.state !== 'present';
  const asked =
    entry !== undefined && isOpen && (search !== undefined || isMissed) ? { entry, search } : null;
  // An answer that comes late leaves a question about another child open.
  const stopAsking = (id: string) => setQuestion((before) => (before?.id === id ? null : before));
  return { searchOf, asked, ask, stopAsking };
}

/** Which children of the shown family are ticked. */
import { useState } from 'react';
import { NOBODY, withId } from './id-set.ts';
import type { Choice } from './use-family-choice.ts';

export type EntryTicks = ReturnType<typeof useTicks>;

/** Ticked child ids of one result; ignored once another one is shown. */
interface Ticks {
  readonly choiceId: string;
  readonly ids: ReadonlySet<string>;
}

/**
 * Ticked ids of the shown family. Ticked by default: the child that was found, and the siblings who came with it last
 * time; for a parent, the children who came last, or the only child. A child whose siblings are all inside is not: the
 * siblings may have been checked in a moment ago.
 */
function tickedOf(choice: Choice | null, ticks: Ticks | null): ReadonlySet<string> {
  if (choice === null) return NOBODY;
  if (ticks?.choiceId === choice.id) return ticks.ids;
  const { parent, child, usual } = choice;
  const [only] = parent.children;
  const alone = only !== undefined && parent.children.length === 1 ? [only._id] : [];
  return new Set([...(child === null ? alone : [child._id]), ...usual.childIds]);
}

export function useTicks(choice: Choice | null) {
  const [ticks, setTicks] = useState<Ticks | null>(null);
  return {
    ids: tickedOf(choice, ticks),
    tick(id: string, isTicked: boolean) {
      if (choice === null) return;
      setTicks((known) => ({ choiceId: choice.id, ids: withId(tickedOf(choice, known), id, isTicked) }));
    },
    reset: () => setTicks(null),
  };
}

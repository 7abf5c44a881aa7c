/** The family of the form: the picked one, or the one marked in the search. Knows nothing of who comes in. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { familyQuery } from '../lists/queries.ts';
import type { Choice } from './use-family-choice.ts';

export type EntryFamily = ReturnType<typeof useFamily>;

type FamilyStart = Pick<Choice, 'parent' | 'usual'>;

/** A family that was opened with the dialog, as if it had been found. */
function startChoice({ parent, usual }: FamilyStart): Choice {
  return { id: parent._id, parent, child: null, usual };
}

/** The picked family, or the one marked in the search. A picked one is read again when the families change. */
export function useFamily(start: FamilyStart | null) {
  const [picked, setPicked] = useState<Choice | null>(start === null ? null : startChoice(start));
  const [marked, setMarked] = useState<Choice | null>(null);
  const [isStale, setStale] = useState(false);
  const choice = picked ?? marked;
  const read = useQuery({ ...familyQuery(picked?.parent._id ?? ''), enabled: picked !== null }).data;
  const parent = (picked === null ? undefined : read?.parent) ?? choice?.parent ?? null;
  return {
    picked: picked === null ? null : parent,
    choice,
    parent,
    /** True while the family shown belongs to an earlier input. */
    isStale,
    pick(next: Choice | null) {
      setPicked(next);
      setMarked(null);
      setStale(false);
    },
    mark(next: Choice | null, isCurrent: boolean) {
      // The last family stays on screen until new results arrive, so that the layout does not jump at each letter.
      setStale(!isCurrent);
      if (isCurrent) setMarked(next);
    },
  };
}

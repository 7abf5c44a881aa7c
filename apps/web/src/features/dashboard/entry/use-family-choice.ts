/** State of the search for a family: the input, the results, and the marked result. Renders nothing. */
import type { UsualEntry } from '@haris/contract/http/search';
import type { Child, Parent } from '@haris/contract/objects';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type FoundFamilies, useFamilySearch } from '../lists/queries.ts';

const SEARCH_DELAY_MS = 120;

/** A result: a child with its family, or a family. */
export interface Choice {
  readonly id: string;
  readonly parent: Parent;
  /** Null if the parent was found. */
  readonly child: Child | null;
  readonly usual: UsualEntry;
}

const NONE: readonly Choice[] = [];

function choicesOf({ children, parents }: FoundFamilies): readonly Choice[] {
  const ranked = [
    ...parents.map(({ rank, parent, usual }) => ({
      rank,
      choice: { id: parent._id, parent, child: null, usual },
    })),
    ...children.map(({ rank, child, parent, usual }) => ({
      rank,
      choice: { id: child._id, parent, child, usual },
    })),
  ];
  return ranked.sort((one, other) => one.rank - other.rank).map(({ choice }) => choice);
}

export interface FamilyChoice {
  typed: string;
  type: (text: string) => void;
  /** The last results; they stay until the next ones arrive. */
  choices: readonly Choice[];
  /** True if `choices` are the results for the current input. */
  isCurrent: boolean;
  isError: boolean;
  /** Index of the marked result; -1 for none and while results are loading. */
  mark: number;
  setMark: (index: number) => void;
  /** Picks the first result as soon as it arrives. Returns false if the input is empty. */
  takeFirst: () => boolean;
}

interface FamilyChoiceHandlers {
  onPick: (choice: Choice) => void;
  onMark: (choice: Choice | null, isCurrent: boolean) => void;
}

export function useFamilyChoice({ onPick, onMark }: FamilyChoiceHandlers): FamilyChoice {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const found = useFamilySearch(search);
  const choices = useMemo(() => (found.data === undefined ? NONE : choicesOf(found.data)), [found.data]);
  // Enter pressed after the newer input must not pick a result of the older one.
  const isCurrent = search === typed.trim() && !found.isPlaceholderData && !found.isPending;
  // Marked by id, because another desk may add a family above the marked one.
  const [markedId, setMarkedId] = useState<string>();
  const mark = isCurrent ? choices.findIndex(({ id }) => id === markedId) : -1;
  const marked = choices[mark] ?? null;
  /** Set when Enter is pressed before the results arrive. */
  const wantsFirst = useRef(false);

  const answered = isCurrent ? search : null;
  const onAnswer = useEffectEvent((answer: string) => {
    const [first] = choices;
    setMarkedId(answer === '' ? undefined : first?.id);
    if (wantsFirst.current && first !== undefined) onPick(first);
    wantsFirst.current = false;
  });
  useEffect(() => {
    if (answered !== null) onAnswer(answered);
  }, [answered]);

  const tellMark = useEffectEvent(onMark);
  useEffect(() => tellMark(marked, isCurrent), [marked, isCurrent]);

  return {
    typed,
    type(text) {
      wantsFirst.current = false;
      setTyped(text);
    },
    choices,
    isCurrent,
    isError: found.isError,
    mark,
    setMark(index) {
      if (isCurrent) setMarkedId(choices[index]?.id);
    },
    takeFirst() {
      if (typed.trim() === '') return false;
      wantsFirst.current = !isCurrent;
      return true;
    },
  };
}

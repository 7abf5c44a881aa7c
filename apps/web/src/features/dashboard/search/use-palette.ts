/** State of the search over everything: the input, the lines with their options, and the marked option. */
import type { FoundChild, FoundParent } from '@haris/contract/http/search';
import { queryOf, rankPeople, searchable } from '@haris/contract/search/people';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../../calls/api-error.ts';
import { useMay } from '../../../session/may.ts';
import { useOnline } from '../../../ui/use-online.ts';
import { type FoundFamilies, useFamilySearch } from '../lists/queries.ts';
import { childSheetQuery } from '../sheet/queries.ts';
import { searchCached } from './cached-families.ts';
import { usePaletteState } from './palette-store.ts';

const SEARCH_DELAY_MS = 120;
const CHILDREN_SHOWN = 6;
const FAMILIES_SHOWN = 4;
const NOBODY: FoundFamilies = { children: [], parents: [] };

/** A screen or an action. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly Icon: ComponentType<{ size?: number }>;
  /** Its shortcut, as in the registry of keys. */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

export type Line =
  /** `isCurrent` false: whether the child is inside is not known now. */
  | { readonly kind: 'child'; readonly id: string; readonly found: FoundChild; readonly isCurrent: boolean }
  | { readonly kind: 'family'; readonly id: string; readonly found: FoundParent }
  | { readonly kind: 'entry'; readonly id: string; readonly entry: PaletteEntry };

export interface Section {
  readonly name: 'recent' | 'children' | 'families' | 'entries';
  readonly lines: readonly Line[];
}

function childLine(found: FoundChild, isCurrent: boolean): Line {
  return { kind: 'child', id: `child-${found.child._id}`, found, isCurrent };
}

/** The children that this page opened last, with their current data and without deleted ones. Read only while shown. */
function useRecentLines(isShown: boolean, isAllowed: boolean): Line[] {
  const { recent } = usePaletteState();
  const shown = isShown && isAllowed ? recent : [];
  const read = useQueries({ queries: shown.map(({ child }) => childSheetQuery(child._id)) });
  return shown.flatMap((found, index) => {
    const { data, error } = read[index] ?? {};
    if (error instanceof ApiError && error.code === 'not_found') return [];
    // An answer that could not be read again may be out of date.
    if (data === undefined || error !== null) return [childLine(found, false)];
    return [childLine({ ...found, child: data.child, parent: data.parent }, true)];
  });
}

function entriesFor(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const query = queryOf(typed);
  if (query.folded === '') return entries;
  const fieldsOf = ({ label }: PaletteEntry) => [{ text: searchable('name', label), penalty: 0 }];
  return rankPeople(query, entries, fieldsOf).map(({ person }) => person);
}

export function usePalette(entries: readonly PaletteEntry[]) {
  const client = useQueryClient();
  const isOnline = useOnline();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const may = useMay();
  // People who may not see families search only screens and actions.
  const hasFamilies = may('families.view');
  const answer = useFamilySearch(search, hasFamilies && isOnline && search !== '');
  // Families in memory, while there is no connection or the server does not answer.
  const isCached = hasFamilies && (!isOnline || answer.isError);
  const found =
    search === '' || !hasFamilies
      ? NOBODY
      : isCached
        ? searchCached(client, search)
        : (answer.data ?? NOBODY);
  const recent = useRecentLines(search === '', hasFamilies);
  const isCurrent =
    search === typed.trim() &&
    (search === '' || !hasFamilies || isCached || (!answer.isPlaceholderData && !answer.isPending));

  const sections: Section[] = [
    { name: 'recent', lines: recent },
    { name: 'children', lines: found.children.slice(0, CHILDREN_SHOWN).map((one) => childLine(one, true)) },
    {
      name: 'families',
      lines: found.parents
        .slice(0, FAMILIES_SHOWN)
        .map((family) => ({ kind: 'family', id: `family-${family.parent._id}`, found: family })),
    },
    {
      name: 'entries',
      lines: entriesFor(entries, search).map((entry) => ({ kind: 'entry', id: `entry-${entry.id}`, entry })),
    },
  ];
  const shown = sections.filter(({ lines }) => lines.length > 0);
  return {
    typed,
    setTyped,
    search,
    sections: shown,
    isCurrent,
    isCached,
    mayCheckIn: may('children.check_in'),
  };
}

/** Marks one option by its id: the first of each new answer, then whichever the arrows or the pointer choose. */
export function useMark(ids: readonly string[], answer: string | null, onFirst: (id: string) => void) {
  const [markedId, setMarkedId] = useState<string>();
  /** Set when Enter is pressed before the results arrive. */
  const wantsFirst = useRef(false);
  const onAnswer = useEffectEvent(() => {
    const [first] = ids;
    setMarkedId(first);
    if (wantsFirst.current && first !== undefined) onFirst(first);
    wantsFirst.current = false;
  });
  useEffect(() => {
    if (answer !== null) onAnswer();
  }, [answer]);
  const marked = markedId === undefined ? -1 : ids.indexOf(markedId);
  return {
    mark: answer === null ? -1 : marked,
    setMark: (index: number) => setMarkedId(ids[index]),
    /** Runs the first option of the answer that is on its way. */
    takeFirst() {
      wantsFirst.current = true;
    },
    forgetFirst() {
      wantsFirst.current = false;
    },
  };
}

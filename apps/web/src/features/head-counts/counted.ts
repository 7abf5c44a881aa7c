/** The rows of a head count: the search, the sections with the unticked first, and the numbers. Pure. */
import type { CountedChild, HeadCount } from '@haris/contract/http/head-counts';
import { type Field, queryOf, rankPeople, searchable } from '@haris/contract/search/people';

/** A row of the list. */
export interface CountedRow extends CountedChild {
  readonly id: string;
}

export function rowsOf({ children }: Pick<HeadCount, 'children'>): CountedRow[] {
  return children.map((child) => ({ ...child, id: child.childId }));
}

/** What decides about the place of a row; null: nobody has said anything. */
type RowState = Exclude<CountedChild['state'], 'open'>;

export function readState({ state }: CountedRow): RowState | null {
  return state === 'open' ? null : state;
}

/** In their order on the screen. */
export const SECTIONS = ['open', 'here', 'stays', 'away'] as const;
type Section = (typeof SECTIONS)[number];

/** The section of a state: who has left or is elsewhere needs nothing any more. */
export function sectionOf(state: RowState | null): Section {
  if (state === null) return 'open';
  return state === 'left' || state === 'elsewhere' ? 'away' : state;
}

/** Whether a row can be ticked: after the end, who was missing can still come, and that be taken back. */
export function mayTick(count: Pick<HeadCount, 'state' | 'endedAt'>, row: CountedRow): boolean {
  const { state, at, incidentId, isFound } = row;
  if (count.state === 'open') return state !== 'left';
  if (count.state !== 'moved' || count.endedAt === null) return false;
  if (state === 'here') return at !== null && at >= count.endedAt;
  return (state === 'open' || state === 'elsewhere') && (incidentId !== null || isFound);
}

interface Numbers {
  readonly here: number;
  /** How many are awaited: here, or not accounted for. */
  readonly awaited: number;
  readonly open: number;
  /** Of the open ones, for how many everybody searches. */
  readonly sought: number;
}

export function numbersOf(rows: readonly CountedRow[]): Numbers {
  const here = rows.filter(({ state }) => state === 'here').length;
  const open = rows.filter(({ state }) => state === 'open');
  const sought = open.filter(({ incidentId }) => incidentId !== null).length;
  return { here, awaited: here + open.length, open: open.length, sought };
}

/** Those whose name matches, in their order, with typing errors and in either script; all if nothing was typed. */
export function matching<Named extends { readonly name: string }>(
  all: readonly Named[],
  typed: string,
): readonly Named[] {
  if (typed.trim() === '') return all;
  const fieldsOf = ({ name }: Named): readonly Field[] => [{ text: searchable('name', name), penalty: 0 }];
  const found = new Set(rankPeople(queryOf(typed), all, fieldsOf).map(({ person }) => person));
  return all.filter((one) => found.has(one));
}

/** Filters the children inside as the search finds people; the list is complete on the client. Pure. */
import type { Child } from '@haris/contract/objects';
import { queryOf, rankPeople, searchable } from '@haris/contract/search/people';

/** Children found by their own names or their parents', in the order of the list; all if nothing was typed. */
export function filterInside(inside: readonly Child[], typed: string): readonly Child[] {
  const query = queryOf(typed);
  if (query.folded === '') return inside;
  const matching = rankPeople(query, inside, ({ name, parent }) => [
    { text: searchable('name', name), penalty: 0 },
    { text: searchable('name', parent.name), penalty: 0.5 },
  ]);
  const found = new Set(matching.map(({ person }) => person));
  return inside.filter((child) => found.has(child));
}

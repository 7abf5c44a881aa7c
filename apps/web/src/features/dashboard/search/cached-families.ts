/** Searches the families that this page has in memory, while the server cannot be reached. */
import type { FoundChild, FoundParent } from '@haris/contract/http/search';
import type { Child, Parent } from '@haris/contract/objects';
import { queryOf, rankPeople, searchable } from '@haris/contract/search/people';
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../../calls/query-client.ts';
import { type Families, type FoundFamilies, familiesKey, insideKey } from '../lists/queries.ts';

const SHOWN = 10;

/** Families by id: those of the list, of earlier searches, and the children inside without their siblings. */
function cachedParents(client: QueryClient): Map<string, Parent> {
  const parents = new Map<string, Parent>();
  for (const child of client.getQueryData<readonly Child[]>(insideKey) ?? []) {
    const { _id, name } = child.parent;
    const children = [...(parents.get(_id)?.children ?? []), child];
    parents.set(_id, { ...unknownParent(_id, name), children });
  }
  for (const [, found] of client.getQueriesData<FoundFamilies>({ queryKey: [keys.parents, 'search'] }))
    for (const { parent } of [...(found?.parents ?? []), ...(found?.children ?? [])])
      parents.set(parent._id, parent);
  for (const [, families] of client.getQueriesData<Families>({ queryKey: familiesKey }))
    for (const parent of families?.pages.flatMap((page) => page.parents) ?? [])
      parents.set(parent._id, parent);
  return parents;
}

/** The known details of the parent of a child inside. */
function unknownParent(_id: string, name: string): Parent {
  return {
    _id,
    name,
    email: '',
    phone: null,
    photo: null,
    language: null,
    emailVerified: true,
    pending: [],
    children: [],
  };
}

/** Results in the server's format, only from memory; the usual entry of the family is unknown. */
export function searchCached(client: QueryClient, typed: string): FoundFamilies {
  const query = queryOf(typed);
  if (query.folded === '') return { children: [], parents: [] };
  const families = [...cachedParents(client).values()];
  const name = (text: string) => ({ text: searchable('name', text), penalty: 0 });
  const usual = { childIds: [], minutes: null };
  const children = rankPeople(
    query,
    families.flatMap((parent) => parent.children.map((child) => ({ child, parent }))),
    ({ child }) => [name(child.name)],
  );
  const parents = rankPeople(query, families, ({ name: text, email, phone }) => [
    name(text),
    { text: searchable('email', email), penalty: 0.6 },
    ...(phone === null ? [] : [{ text: searchable('phone', phone), penalty: 0.6 }]),
  ]);
  return {
    children: children
      .slice(0, SHOWN)
      .map(({ person: { child, parent } }, rank): FoundChild => ({ rank, by: 'name', child, parent, usual })),
    parents: parents
      .slice(0, SHOWN)
      .map(({ person }, rank): FoundParent => ({ rank: children.length + rank, parent: person, usual })),
  };
}

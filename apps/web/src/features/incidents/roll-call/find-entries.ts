/** Finds people on the roll call by name, guardian or phone number, with typing errors and in either script. Pure. */
import { type Field, queryOf, rankPeople, searchable } from '@haris/contract/search/people';
import type { RollEntry } from './roll-list.ts';

/** Prepared texts by row, because a hundred rows are compared at each letter. */
const prepared = new WeakMap<RollEntry, readonly Field[]>();

function fieldsOf(entry: RollEntry): readonly Field[] {
  const known = prepared.get(entry);
  if (known !== undefined) return known;
  const { name, note, phone } = entry;
  const fields: Field[] = [
    { text: searchable('name', name), penalty: 0 },
    ...(note === null ? [] : [{ text: searchable('name', note), penalty: 1 }]),
    ...(phone === null ? [] : [{ text: searchable('phone', phone), penalty: 1 }]),
  ];
  prepared.set(entry, fields);
  return fields;
}

/** The rows that match, in their order; all rows if nothing was typed. */
export function findEntries(entries: readonly RollEntry[], typed: string): readonly RollEntry[] {
  if (typed.trim() === '') return entries;
  const found = new Set(rankPeople(queryOf(typed), entries, fieldsOf).map(({ person }) => person));
  return entries.filter((entry) => found.has(entry));
}

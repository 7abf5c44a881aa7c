/** Finds children on the kept list of a desk tablet by name, guardian or phone number, with typing errors and in either script. Pure. */
import type { KeptChild, OutsideChild } from '@haris/contract/desk-list';
import { type Field, queryOf, rankPeople, searchable } from '@haris/contract/search/people';
import type { MergedChild, MergedList } from '../../desk-entries/with-entries.ts';

interface Listed {
  readonly name: string;
  readonly guardian: KeptChild['guardian'] | OutsideChild['guardian'];
}

/** Prepared texts by child, because hundreds are compared at each letter. */
const prepared = new WeakMap<Listed, readonly Field[]>();

function fieldsOf(child: Listed): readonly Field[] {
  const known = prepared.get(child);
  if (known !== undefined) return known;
  const { name, guardian } = child;
  const adult = typeof guardian === 'string' ? { name: guardian, phone: null } : guardian;
  const fields: Field[] = [
    { text: searchable('name', name), penalty: 0 },
    ...(adult === null
      ? []
      : [
          { text: searchable('name', adult.name), penalty: 1 },
          ...(adult.phone === null ? [] : [{ text: searchable('phone', adult.phone), penalty: 1 }]),
        ]),
  ];
  prepared.set(child, fields);
  return fields;
}

function matching<T extends Listed>(children: readonly T[], typed: string): readonly T[] {
  const found = new Set(rankPeople(queryOf(typed), children, fieldsOf).map(({ person }) => person));
  return children.filter((child) => found.has(child));
}

/** Who is inside and matches, in their order, and who is outside; without a typed text all who are inside, and nobody else. */
export function findKept(
  list: MergedList,
  typed: string,
): { inside: readonly MergedChild[]; outside: readonly OutsideChild[] } {
  if (typed.trim() === '') return { inside: list.inside, outside: [] };
  return { inside: matching(list.inside, typed), outside: matching(list.outside, typed) };
}

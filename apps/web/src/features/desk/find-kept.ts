/** Finds children on the kept list of a desk tablet by name, guardian or phone number, with typing errors and in either script. Pure. */
import type { DeskList, KeptChild } from '@haris/contract/desk-list';
import { type Field, queryOf, rankPeople, searchable } from '@haris/contract/search/people';

type Outside = DeskList['outside'][number];
type Listed = Outside & Partial<Pick<KeptChild, 'guardian'>>;

/** Prepared texts by child, because hundreds are compared at each letter. */
const prepared = new WeakMap<Listed, readonly Field[]>();

function fieldsOf(child: Listed): readonly Field[] {
  const known = prepared.get(child);
  if (known !== undefined) return known;
  const { name, guardian } = child;
  const fields: Field[] = [
    { text: searchable('name', name), penalty: 0 },
    ...(guardian == null
      ? []
      : [
          { text: searchable('name', guardian.name), penalty: 1 },
          ...(guardian.phone === null ? [] : [{ text: searchable('phone', guardian.phone), penalty: 1 }]),
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
  list: DeskList,
  typed: string,
): { inside: readonly KeptChild[]; outside: readonly Outside[] } {
  if (typed.trim() === '') return { inside: list.inside, outside: [] };
  return { inside: matching(list.inside, typed), outside: matching(list.outside, typed) };
}

/** Finds families and staff for a search: reads their names, and the contract's search compares them. */
import {
  type Field,
  type Query,
  queryOf,
  type Ranked,
  rankPeople,
  type Searchable,
  searchable,
} from '@haris/contract/search/people';
import { type Kysely, sql, type Transaction } from 'kysely';
import { guardianOf, isGuardedBy } from './guardians/conditions.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Matches that a list can have: a statement holds no more ids on SQLite. */
const MATCHES_MAX = 20_000;

/** Penalty for a match in another field than the person's own name. */
const PENALTY = { own: 0, proposed: 0.3, relative: 0.5, contact: 0.6 } as const;

type Prepare = (kind: Searchable['kind'], text: string, penalty: number) => Field;

/** Cache of prepared texts, by kind and text. It holds only those that the last search of all families used. */
let prepared = new Map<string, Searchable>();

/** Prepares texts for a search of all families, and reuses those of the search before. */
function preparer(): Prepare {
  const before = prepared;
  const now = new Map<string, Searchable>();
  prepared = now;
  return (kind, text, penalty) => {
    const key = `${kind}\n${text}`;
    let known = now.get(key);
    if (known === undefined) {
      known = before.get(key) ?? searchable(kind, text);
      now.set(key, known);
    }
    return { text: known, penalty };
  };
}

const prepareOnce: Prepare = (kind, text, penalty) => ({ text: searchable(kind, text), penalty });

interface SearchableParent {
  readonly id: string;
  readonly own: readonly Field[];
  /** The own fields first, then the names of the children. */
  readonly fields: Field[];
}

interface SearchableChild {
  readonly id: string;
  readonly parent: SearchableParent;
  readonly name: Field;
  /** Null unless a name waits for staff. */
  readonly proposed: Field | null;
  /** Names of the child first, then everything of the parent. */
  readonly fields: readonly Field[];
}

interface Families {
  readonly parents: readonly SearchableParent[];
  readonly children: readonly SearchableChild[];
}

/** The families of the last search of all, reused while the data in the database is unchanged. */
let last: { readonly rows: Rows; readonly families: Families } | null = null;

/** Reads the names of all families, or those of a parent and of the children whose guardian the parent is. */
async function readFamilies(db: Reader, parentId?: string): Promise<Families> {
  const rows = await readRows(db, parentId);
  if (parentId !== undefined) return familiesOf(rows, prepareOnce);
  if (last === null || !isSame(rows, last.rows)) last = { rows, families: familiesOf(rows, preparer()) };
  return last.families;
}

function isSame(one: Rows, other: Rows): boolean {
  return (
    isEach(one.parents, other.parents, ['id', 'name', 'email', 'phone']) &&
    isEach(one.children, other.children, ['id', 'parent_id', 'name']) &&
    isEach(one.names, other.names, ['subject_id', 'value'])
  );
}

function isEach<Row>(rows: readonly Row[], others: readonly Row[], columns: readonly (keyof Row)[]): boolean {
  if (rows.length !== others.length) return false;
  return rows.every((row, index) => columns.every((column) => row[column] === others[index]?.[column]));
}

function familiesOf(rows: Rows, prepare: Prepare): Families {
  const proposed = new Map(rows.names.map(({ subject_id, value }) => [subject_id, value]));
  const proposedOf = (id: string): Field | null => {
    const value = proposed.get(id);
    return value ? prepare('name', value, PENALTY.proposed) : null;
  };
  const parents = new Map<string, SearchableParent>();
  for (const { id, name, email, phone } of rows.parents) {
    const own = [
      prepare('name', name, PENALTY.own),
      proposedOf(id),
      prepare('email', email, PENALTY.contact),
      phone === null ? null : prepare('phone', phone, PENALTY.contact),
    ];
    const fields = own.filter((field) => field !== null);
    parents.set(id, { id, own: fields, fields: [...fields] });
  }
  const children: SearchableChild[] = [];
  for (const { id, parent_id, name } of rows.children) {
    const parent = parents.get(parent_id);
    if (parent === undefined) continue;
    const ownName = prepare('name', name, PENALTY.own);
    const proposedName = proposedOf(id);
    const names = proposedName === null ? [ownName] : [ownName, proposedName];
    const fields = [...names, ...demoted(parent.own, PENALTY.relative)];
    children.push({ id, parent, name: ownName, proposed: proposedName, fields });
    parent.fields.push(...demoted(names, PENALTY.relative));
  }
  return { parents: [...parents.values()], children };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

async function readRows(db: Reader, parentId: string | undefined) {
  let parents = db.selectFrom('parents').select(['id', 'name', 'email', 'phone']);
  // Of another guardian than this parent nothing is compared, or the search would tell the one about the other.
  const family = parentId === undefined ? guardianOf() : sql<string>`cast(${parentId} as text)`;
  let children = db.selectFrom('children').select(['id', family.as('parent_id'), 'name']);
  let names = db.selectFrom('proposals').select(['subject_id', 'value']).where('field', '=', 'name');
  if (parentId !== undefined) {
    parents = parents.where('id', '=', parentId);
    children = children.where(isGuardedBy(parentId));
    names = names.where('by_id', '=', parentId);
  }
  return {
    parents: await parents.orderBy('sort_name').orderBy('id').execute(),
    children: await children.orderBy('sort_name').orderBy('id').execute(),
    names: await names.orderBy('subject_id').execute(),
  };
}

function demoted(fields: readonly Field[], penalty: number): Field[] {
  return fields.map((field) => ({ text: field.text, penalty: field.penalty + penalty }));
}

const fieldsOf = ({ fields }: { readonly fields: readonly Field[] }) => fields;

function rankParents(query: Query, { parents }: Families): Ranked<SearchableParent>[] {
  return rankPeople(query, parents, fieldsOf);
}

/** Ids of the children that a list's `search` finds, by their own names and by their family, or by the parent who asks; null to find all. */
export async function findMatchingChildren(
  db: Reader,
  search: string | undefined,
  parentId?: string,
): Promise<string[] | null> {
  const query = queryOf(search ?? '');
  if (query.folded === '') return null;
  const { children } = await readFamilies(db, parentId);
  const found = rankPeople(query, children, fieldsOf);
  return found.slice(0, MATCHES_MAX).map(({ person }) => person.id);
}

/** Ids of the parents that a list's `search` finds, by their own data or that of their children; null to find all. */
export async function findMatchingParents(db: Reader, search: string | undefined): Promise<string[] | null> {
  const query = queryOf(search ?? '');
  if (query.folded === '') return null;
  const found = rankParents(query, await readFamilies(db));
  return found.slice(0, MATCHES_MAX).map(({ person }) => person.id);
}

/** Ids of the staff that a list's `search` finds; null to find all. */
export async function findMatchingStaff(db: Reader, search: string | undefined): Promise<string[] | null> {
  const query = queryOf(search ?? '');
  if (query.folded === '') return null;
  const staff = await db.selectFrom('staff').select(['id', 'name', 'email']).execute();
  const found = rankPeople(query, staff, ({ name, email }) => [
    { text: searchable('name', name), penalty: PENALTY.own },
    { text: searchable('email', email), penalty: PENALTY.contact },
  ]);
  return found.slice(0, MATCHES_MAX).map(({ person }) => person.id);
}

/** Most names that {@link findMatchingNames} returns: a statement holds each id twice, for who acted and for whom it was about. */
const NAMES_MAX = 10_000;

export interface NameSearch {
  readonly search: string;
  /** Further names, such as those that people had at an earlier time. */
  readonly names: readonly string[];
  /** Something else matches without an error, so nobody is found by one. */
  readonly isClear: boolean;
}

export interface NameMatches {
  readonly ids: readonly string[];
  /** Those of the further names that match. */
  readonly names: readonly string[];
}

/**
 * Everybody whose own name matches: children, parents, visitors, and staff, these by their e-mail too. E-mails and phone numbers
 * of families are not compared, because whoever reads the audit log may not see them.
 */
export async function findMatchingNames(
  db: Reader,
  { search, names, isClear }: NameSearch,
): Promise<NameMatches> {
  const { parents, children } = await readFamilies(db);
  const staff = await db.selectFrom('staff').select(['id', 'name', 'email']).execute();
  const visitors = await db.selectFrom('visitors').select(['id', 'name']).execute();
  const nameOf = (text: string): Field => ({ text: searchable('name', text), penalty: PENALTY.own });
  const people: { readonly id?: string; readonly name?: string; readonly fields: readonly Field[] }[] = [
    ...children.map(({ id, name, proposed }) => ({
      id,
      fields: proposed === null ? [name] : [name, proposed],
    })),
    ...parents.map(({ id, own }) => ({ id, fields: own.filter(({ text }) => text.kind === 'name') })),
    ...staff.map(({ id, name, email }) => ({
      id,
      fields: [nameOf(name), { text: searchable('email', email), penalty: PENALTY.contact }],
    })),
    ...visitors.map(({ id, name }) => ({ id, fields: [nameOf(name)] })),
    ...names.map((name) => ({ name, fields: [nameOf(name)] })),
  ];
  const found = rankPeople(queryOf(search), people, fieldsOf)
    .filter(({ match }) => !isClear || match.kind !== 'typo')
    .slice(0, NAMES_MAX);
  return {
    ids: found.flatMap(({ person }) => person.id ?? []),
    names: found.flatMap(({ person }) => person.name ?? []),
  };
}

export interface FoundIds {
  /** `isProposed`: a word was found only in a name that staff have not confirmed. */
  readonly children: readonly {
    readonly id: string;
    readonly parentId: string;
    readonly isProposed: boolean;
    readonly rank: number;
  }[];
  /** `rank`: place in the order of children and parents together, 0 the best. */
  readonly parents: readonly { readonly id: string; readonly rank: number }[];
}

/**
 * Children and parents, best first, at most `limit` of each. A child is found by a word of its own name, a parent by a
 * word of their own; the other words may be those of the family.
 */
export async function findFamilies(db: Reader, typed: string, limit: number): Promise<FoundIds> {
  const query = queryOf(typed);
  const families = await readFamilies(db);
  if (query.folded === '')
    return { children: [], parents: families.parents.slice(0, limit).map(({ id }, rank) => ({ id, rank })) };
  const children = rankPeople(query, families.children, fieldsOf)
    .filter(
      ({ person: { name, proposed }, match: { fields } }) =>
        fields.has(name) || (proposed !== null && fields.has(proposed)),
    )
    .slice(0, limit);
  const parents = rankParents(query, families)
    .filter(({ person, match }) => person.own.some((field) => match.fields.has(field)))
    .slice(0, limit);
  // Of equal matches the parent comes first: a family name says nothing about which of its children is meant.
  const order = [...parents, ...children].sort((one, other) => one.match.cost - other.match.cost);
  const rankOf = new Map<unknown, number>(order.map(({ person }, rank) => [person, rank]));
  return {
    children: children.map(({ person, match }) => ({
      id: person.id,
      parentId: person.parent.id,
      isProposed: !match.fields.has(person.name),
      rank: rankOf.get(person) ?? 0,
    })),
    parents: parents.map(({ person }) => ({ id: person.id, rank: rankOf.get(person) ?? 0 })),
  };
}

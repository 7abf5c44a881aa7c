/** Pages of lists: search, and keyset paging by (key, id), so that pages do not shift when earlier rows come or go. */

import { foldForSearch } from '@haris/contract/search/folding';
import { type SelectQueryBuilder, type StringReference, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../app-error.ts';

const positionSchema = z.tuple([z.string().max(2_000), z.string().max(100)]);
export type Position = z.infer<typeof positionSchema>;

/** Encodes a position as the opaque text of `nextCursor`. */
export function toCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Decodes a cursor. Throws 400 for a cursor that the server did not issue. */
export function fromCursor(cursor: string): Position {
  try {
    const position = positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (!position.some((part) => part.includes('\0'))) return position;
  } catch {
    // Refused below.
  }
  throw refusedCursor();
}

function refusedCursor(): AppError {
  const message = 'cursor is not one that was given';
  return new AppError('invalid_request', { message, fields: { cursor: message } });
}

/** The start of a page and its maximum number of rows. */
export interface PagePosition {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface PageRequest extends PagePosition {
  readonly search?: string | undefined;
}

/** Rows of a page; `nextCursor` is null on the last one. */
export interface Rows<Row> {
  readonly rows: Row[];
  readonly nextCursor: string | null;
}

/** A page with the number of rows of the whole list. */
export interface Page<Row> extends Rows<Row> {
  readonly total: number;
}

/** Order of a list: by one column of a table, then by `id`. Rows must contain both columns. */
interface PageOrder<Key extends string> {
  readonly table: string;
  readonly key: Key;
  /** The key is text, or a whole number ≥ 0 with at most 15 digits (milliseconds since 1970). */
  readonly holds: 'text' | 'number';
  readonly direction: 'asc' | 'desc';
}

/** Orders by the folded name. */
export function byName(table: string): PageOrder<'sort_name'> {
  return { table, key: 'sort_name', holds: 'text', direction: 'asc' };
}

/** Orders by a column of milliseconds, ascending. */
export function oldestFirst<Key extends string>(table: string, key: Key): PageOrder<Key> {
  return { table, key, holds: 'number', direction: 'asc' };
}

/** Orders by a column of milliseconds, descending. */
export function newestFirst<Key extends string>(table: string, key: Key): PageOrder<Key> {
  return { table, key, holds: 'number', direction: 'desc' };
}

/** A LIKE pattern (escape character `\`) that finds the folded text anywhere; `%` and `_` are plain characters. */
export function containsPattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** Keeps rows in which one of these columns of folded text contains the search. An empty search matches all. */
export function whereContains<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  columns: readonly StringReference<DB, TB>[],
  search: string | undefined,
): SelectQueryBuilder<DB, TB, O> {
  const folded = foldForSearch(search ?? '');
  if (!folded) return query;
  const found = columns.map((column) => sql`${sql.ref(column)} like ${containsPattern(folded)} escape '\\'`);
  return query.where(sql<boolean>`(${sql.join(found, sql` or `)})`);
}

/** Keeps rows with these ids; null keeps all. */
export function whereIdIn<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  column: StringReference<DB, TB>,
  ids: readonly string[] | null,
): SelectQueryBuilder<DB, TB, O> {
  if (ids === null) return query;
  if (ids.length === 0) return query.where(sql<boolean>`1 = 0`);
  return query.where(sql<boolean>`${sql.ref(column)} in (${sql.join(ids)})`);
}

/** A query before its first `select`. */
type Unselected<DB, TB extends keyof DB> = SelectQueryBuilder<DB, TB, Record<never, never>>;

/** The number of rows that a query without a selection matches. */
export async function countRows<DB, TB extends keyof DB>(matching: Unselected<DB, TB>): Promise<number> {
  const counted = matching.select((eb) => eb.fn.countAll<number>().as('total'));
  const { total } = (await counted.executeTakeFirstOrThrow()) as { total: number };
  // PostgreSQL returns counts as text.
  return Number(total);
}

/** The rows of a query after a cursor, in the given order. Throws 400 for a cursor that the server did not issue. */
export async function findRows<
  DB,
  TB extends keyof DB,
  Key extends string,
  Row extends { readonly id: string } & Readonly<Record<Key, string | number>>,
>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { table, key, holds, direction }: PageOrder<Key>,
  { limit, cursor }: PagePosition,
): Promise<Rows<Row>> {
  const [keyColumn, idColumn] = [sql.ref(`${table}.${key}`), sql.ref(`${table}.id`)];
  let following = query;
  if (cursor !== undefined) {
    const [at, id] = fromCursor(cursor);
    if (holds === 'number' && !/^[0-9]{1,15}$/.test(at)) throw refusedCursor();
    const from = holds === 'number' ? Number(at) : at;
    const after = direction === 'asc' ? sql`>` : sql`<`;
    following = following.where(
      sql<boolean>`(${keyColumn} ${after} ${from} or (${keyColumn} = ${from} and ${idColumn} ${after} ${id}))`,
    );
  }
  const found = await following
    .orderBy(keyColumn, direction)
    .orderBy(idColumn, direction)
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit) as Row[];
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last ? toCursor([String(last[key]), last.id]) : null };
}

/**
 * A page of all rows that `matching` finds, with the columns that `select` adds. Throws 400 for a cursor that the server
 * did not issue.
 */
export async function findPage<
  DB,
  TB extends keyof DB,
  Key extends string,
  Row extends { readonly id: string } & Readonly<Record<Key, string | number>>,
>(
  matching: Unselected<DB, TB>,
  select: (matching: Unselected<DB, TB>) => SelectQueryBuilder<DB, TB, Row>,
  order: PageOrder<Key>,
  request: PagePosition,
): Promise<Page<Row>> {
  const total = await countRows(matching);
  return { total, ...(await findRows(select(matching), order, request)) };
}

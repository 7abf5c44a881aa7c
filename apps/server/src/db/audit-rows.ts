/** Reads the rows of the audit log for lists and exports. Does not check the chain. */
import { AUDIT_ACTIONS, type AuditFilterKind, auditActionsOf } from '@haris/contract/audit';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import { containsPattern, countRows, fromCursor, type Page, toCursor } from './paging.ts';
import { findMatchingNames, type NameMatches } from './people-search.ts';
import type { AuditRow, Database } from './schema.ts';

export interface AuditFilter {
  /** Facilities whose rows are read; `''` stands for rows that belong to no single facility. Null: all rows. */
  readonly places: readonly string[] | null;
  /**
   * Matches actions, and names of actors and of the people and things that an action concerned: of people as their lists do,
   * with typing errors and in either script.
   */
  readonly search?: string | undefined;
  /** Milliseconds since 1970, inclusive. */
  readonly from?: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  readonly to?: number | undefined;
  /** Id of the actor. */
  readonly actor?: string | undefined;
  /** Id of the subject. */
  readonly subject?: string | undefined;
  readonly kind?: AuditFilterKind | undefined;
  /** Actions whose rows are left out, of the totals too. */
  readonly without?: readonly string[];
}

/** Tables of things with the names that the search matches, each with the column that holds the folded name. */
const THINGS = [
  ['cameras', 'search_text'],
  ['sensors', 'search_text'],
  ['kiosks', 'sort_name'],
] as const;

/** An action as people type it. */
const spoken = (action: string) => action.replace(/[_.]/g, ' ');

/** Rows that the filter matches, whatever its search. */
function filteredRows(db: Kysely<Database>, filter: AuditFilter) {
  const { places, from, to, actor, subject, kind, without = [] } = filter;
  let filtered = db.selectFrom('audit_log');
  if (places !== null) filtered = filtered.where('facility_id', 'in', places);
  if (from !== undefined) filtered = filtered.where('at', '>=', from);
  if (to !== undefined) filtered = filtered.where('at', '<', to);
  if (actor !== undefined) filtered = filtered.where('actor_id', '=', actor);
  if (subject !== undefined) filtered = filtered.where('subject_id', '=', subject);
  if (kind !== undefined) filtered = filtered.where('action', 'in', auditActionsOf(kind));
  if (without.length > 0) filtered = filtered.where('action', 'not in', without);
  return filtered;
}

interface Searched extends NameMatches {
  readonly pattern: string;
}

/** The people whom the search finds; null without a search. */
async function findSearched(db: Kysely<Database>, filter: AuditFilter): Promise<Searched | null> {
  const folded = foldForSearch(filter.search ?? '');
  if (!folded) return null;
  // A row stores the name that a staff member had at that time. Everybody else is found by the current name.
  const actors = await filteredRows(db, filter)
    .select('actor_name')
    .distinct()
    .where('actor_name', 'is not', null)
    .execute();
  const people = await findMatchingNames(db, {
    search: folded,
    names: actors.flatMap(({ actor_name }) => actor_name ?? []),
    isClear: AUDIT_ACTIONS.some((action) => action.includes(folded) || spoken(action).includes(folded)),
  });
  return { ...people, pattern: containsPattern(folded) };
}

function matchingRows(db: Kysely<Database>, filter: AuditFilter, searched: Searched | null) {
  const filtered = filteredRows(db, filter);
  if (searched === null) return filtered;
  const { pattern, ids, names } = searched;
  const things = sql.join(
    THINGS.map(
      ([table, column]) =>
        sql`select id from ${sql.table(table)} where ${sql.ref(column)} like ${pattern} escape '\\'`,
    ),
    sql` union all `,
  );
  const found = [
    sql`action like ${pattern} escape '\\'`,
    sql`replace(replace(action, '_', ' '), '.', ' ') like ${pattern} escape '\\'`,
    sql`actor_id in (${things})`,
    sql`subject_id in (${things})`,
  ];
  if (ids.length > 0) found.push(sql`actor_id in (${sql.join(ids)})`, sql`subject_id in (${sql.join(ids)})`);
  if (names.length > 0) found.push(sql`actor_name in (${sql.join(names)})`);
  return filtered.where(sql<boolean>`(${sql.join(found, sql` or `)})`);
}

/** The row number in a cursor of this list. Throws 400 for a cursor that the server did not issue. */
function rowOfCursor(cursor: string): number {
  const [, row] = fromCursor(cursor);
  if (/^[1-9][0-9]{0,14}$/.test(row)) return Number(row);
  const message = 'cursor is not one that was given';
  throw new AppError('invalid_request', { message, fields: { cursor: message } });
}

/** A page of the log, newest first. Throws 400 for a cursor that the server did not issue. */
export async function findAuditPage(
  db: Kysely<Database>,
  filter: AuditFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<AuditRow>> {
  const matching = matchingRows(db, filter, await findSearched(db, filter));
  const total = await countRows(matching);
  let page = matching.selectAll();
  if (cursor !== undefined) page = page.where('seq', '<', rowOfCursor(cursor));
  const found = await page
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, total, nextCursor: last ? toCursor(['', String(last.seq)]) : null };
}

export interface AuditExport {
  readonly total: number;
  /** Oldest first. Each call starts a new read. */
  pages(rowsAtOnce: number): AsyncGenerator<AuditRow[]>;
}

/** The rows at the time of the call: rows appended during the export are left out. */
export async function openAuditExport(db: Kysely<Database>, filter: AuditFilter): Promise<AuditExport> {
  const head = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow();
  const matching = matchingRows(db, filter, await findSearched(db, filter)).where('seq', '<=', head.seq);
  return {
    total: await countRows(matching),
    async *pages(rowsAtOnce) {
      for (let after = 0; ; ) {
        const page: AuditRow[] = await matching
          .selectAll()
          .where('seq', '>', after)
          .orderBy('seq')
          .limit(rowsAtOnce)
          .execute();
        yield page;
        const last = page.at(-1);
        if (!last || page.length < rowsAtOnce) return;
        after = last.seq;
      }
    },
  };
}

/** Reads children with their parent's name and their open stay. */
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { containsPattern, foldForSearch } from './folding.ts';
import { fromCursor, type PageRequest, toCursor } from './paging.ts';
import { findProposalsOf, type ProposalView } from './proposals.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A child's row with its parent's name and its open stay. */
interface ChildRow {
  readonly id: string;
  readonly name: string;
  readonly photo_id: string | null;
  readonly sort_name: string;
  readonly parent_id: string;
  readonly parent_name: string;
  readonly entry_time: number | null;
  readonly duration: number | null;
  readonly unique_entry_id: string | null;
}

/**
 * A child as it stands: the three fields of the stay are null while outside. Name and photo are those that staff have
 * confirmed; of a child that nobody has confirmed yet the only ones there are.
 */
export interface ChildView extends ChildRow {
  /** What the parent gave and staff have not confirmed. */
  readonly proposals: readonly ProposalView[];
}

async function withProposals(db: Reader, rows: readonly ChildRow[]): Promise<ChildView[]> {
  const ids = rows.map(({ id }) => id);
  const waiting = await findProposalsOf(db, 'child', ids);
  return rows.map((row) => ({ ...row, proposals: waiting.get(row.id) ?? [] }));
}

function children(db: Reader) {
  return db
    .selectFrom('children')
    .innerJoin('parents', 'parents.id', 'children.parent_id')
    .leftJoin('stays', (join) =>
      join.onRef('stays.child_id', '=', 'children.id').on('stays.exit_time', 'is', null),
    );
}

const columns = [
  'children.id',
  'children.name',
  'children.photo_id',
  'children.sort_name',
  'children.parent_id',
  'parents.name as parent_name',
  'stays.entry_time',
  'stays.duration',
  'stays.unique_entry_id',
] as const;

export async function findChild(db: Reader, id: string): Promise<ChildView | undefined> {
  const rows = await children(db).select(columns).where('children.id', '=', id).execute();
  return (await withProposals(db, rows))[0];
}

export async function findChildrenByIds(db: Reader, ids: readonly string[]): Promise<ChildView[]> {
  if (ids.length === 0) return [];
  return withProposals(db, await children(db).select(columns).where('children.id', 'in', ids).execute());
}

/** Children of exactly this folded name: any, or this parent's, who may call a child by the name that waits as well. */
export async function findChildrenByName(
  db: Reader,
  foldedName: string,
  parentId: string | undefined,
): Promise<ChildView[]> {
  if (parentId !== undefined) {
    const called = (child: ChildView) =>
      child.sort_name === foldedName ||
      child.proposals.some(
        ({ field, value }) => field === 'name' && foldForSearch(value ?? '') === foldedName,
      );
    return (await findChildrenOf(db, [parentId])).filter(called);
  }
  const named = children(db).select(columns).where('children.sort_name', '=', foldedName);
  return withProposals(db, await named.orderBy('children.id').limit(100).execute());
}

/** The children of some parents, by name. */
export async function findChildrenOf(db: Reader, parentIds: readonly string[]): Promise<ChildView[]> {
  if (parentIds.length === 0) return [];
  const rows = await children(db)
    .select(columns)
    .where('children.parent_id', 'in', parentIds)
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .execute();
  return withProposals(db, rows);
}

/** Whether one of this parent's children is inside now. */
export async function hasChildInside(db: Reader, parentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select('stays.id')
    .where('stays.exit_time', 'is', null)
    .where('children.parent_id', '=', parentId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids of the parents who have a child inside now. */
export async function findParentsInside(db: Reader): Promise<Set<string>> {
  const rows = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select('children.parent_id')
    .where('stays.exit_time', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.parent_id));
}

export interface ChildrenFilter extends PageRequest {
  readonly inside?: boolean | undefined;
  /** Only those with, or without, something that waits for staff. */
  readonly pending?: boolean | undefined;
  /** Only this parent's. */
  readonly parentId?: string | undefined;
}

/** A page of children by name; `search` is part of the child's name or of the parent's name, e-mail or phone. */
export async function findChildrenPage(
  db: Reader,
  filter: ChildrenFilter,
): Promise<{ rows: ChildView[]; total: number; nextCursor: string | null }> {
  let matching = children(db);
  if (filter.parentId !== undefined) matching = matching.where('children.parent_id', '=', filter.parentId);
  if (filter.inside !== undefined)
    // By the column of the index of open stays: by the id, SQLite would walk through all stays there ever were.
    matching = matching.where('stays.child_id', filter.inside ? 'is not' : 'is', null);
  if (filter.pending !== undefined)
    matching = matching.where(sql<boolean>`${sql.raw(filter.pending ? '' : 'not')} exists (
      select 1 from proposals where subject_kind = 'child' and subject_id = children.id)`);
  const folded = foldForSearch(filter.search ?? '');
  if (folded) {
    const pattern = containsPattern(folded);
    matching = matching.where(
      sql<boolean>`(children.sort_name like ${pattern} escape '\\' or parents.search_text like ${pattern} escape '\\')`,
    );
  }
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.select(columns);
  if (filter.cursor !== undefined) {
    const [name, id] = fromCursor(filter.cursor);
    page = page.where((eb) =>
      eb.or([
        eb('children.sort_name', '>', name),
        eb.and([eb('children.sort_name', '=', name), eb('children.id', '>', id)]),
      ]),
    );
  }
  const rows = await page
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .limit(filter.limit + 1)
    .execute();
  const last = rows.length > filter.limit ? rows[filter.limit - 1] : undefined;
  return {
    rows: await withProposals(db, rows.slice(0, filter.limit)),
    total: Number(total),
    nextCursor: last ? toCursor([last.sort_name, last.id]) : null,
  };
}

/**
 * Takes a child for this transaction alone, on both databases, and answers its parent; undefined when it is gone.
 * Check-in, checkout, change and deletion of one child wait for one another here.
 */
export async function takeChild(
  trx: Transaction<Database>,
  id: string,
): Promise<{ parent_id: string } | undefined> {
  return trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning('parent_id')
    .executeTakeFirst();
}

/** Reads parents and their children. */
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { type ChildView, findChildrenOf } from './children.ts';
import { containsPattern, foldForSearch } from './folding.ts';
import { fromCursor, type PageRequest, toCursor } from './paging.ts';
import { findProposalsOf, type ProposalView } from './proposals.ts';
import type { Database, ParentRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface ParentView {
  readonly parent: ParentRow;
  /** What the parent changed of the own account and staff have not confirmed. */
  readonly proposals: readonly ProposalView[];
  readonly children: ChildView[];
}

export async function findParent(db: Reader, id: string): Promise<ParentRow | undefined> {
  return db.selectFrom('parents').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Takes a parent for this transaction alone, on both databases, and answers the row as it is then. Changes of one parent
 * wait for one another here.
 */
export async function takeParent(trx: Transaction<Database>, id: string): Promise<ParentRow | undefined> {
  return trx
    .updateTable('parents')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** By the lower-cased address. */
export async function findParentByEmail(db: Reader, email: string): Promise<ParentRow | undefined> {
  return db.selectFrom('parents').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function findParentView(db: Reader, id: string): Promise<ParentView | undefined> {
  const parent = await findParent(db, id);
  if (!parent) return undefined;
  const proposals = (await findProposalsOf(db, 'parent', [id])).get(id) ?? [];
  return { parent, proposals, children: await findChildrenOf(db, [id]) };
}

/** What lists of accounts are searched in: one folded line each for name, e-mail and phone. */
export function searchText(parts: readonly (string | null)[]): string {
  return parts
    .filter((part): part is string => part !== null)
    .map(foldForSearch)
    .join('\n');
}

export interface ParentsFilter extends PageRequest {
  /** Only families with, or without, something that waits for staff: of the account or of a child. */
  readonly pending?: boolean | undefined;
}

/** A page of parents by name, each with the children. */
export async function findParentsPage(
  db: Reader,
  request: ParentsFilter,
): Promise<{ rows: ParentView[]; total: number; nextCursor: string | null }> {
  let matching = db.selectFrom('parents');
  const folded = foldForSearch(request.search ?? '');
  if (folded)
    matching = matching.where(sql<boolean>`parents.search_text like ${containsPattern(folded)} escape '\\'`);
  if (request.pending !== undefined)
    matching = matching.where(sql<boolean>`parents.id ${sql.raw(request.pending ? 'in' : 'not in')} (
      select subject_id from proposals where subject_kind = 'parent'
      union select children.parent_id from proposals
        inner join children on children.id = proposals.subject_id and proposals.subject_kind = 'child')`);
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.selectAll();
  if (request.cursor !== undefined) {
    const [name, id] = fromCursor(request.cursor);
    page = page.where((eb) =>
      eb.or([eb('sort_name', '>', name), eb.and([eb('sort_name', '=', name), eb('id', '>', id)])]),
    );
  }
  const rows = await page
    .orderBy('sort_name')
    .orderBy('id')
    .limit(request.limit + 1)
    .execute();
  const shown = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? shown.at(-1) : undefined;
  const ids = shown.map((row) => row.id);
  const byParent = Map.groupBy(await findChildrenOf(db, ids), (child) => child.parent_id);
  const waiting = await findProposalsOf(db, 'parent', ids);
  return {
    rows: shown.map((parent) => ({
      parent,
      proposals: waiting.get(parent.id) ?? [],
      children: byParent.get(parent.id) ?? [],
    })),
    total: Number(total),
    nextCursor: last ? toCursor([last.sort_name, last.id]) : null,
  };
}

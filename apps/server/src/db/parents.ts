/** Reads and writes parents. */
import type { Language } from '@haris/contract/fields';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { type ChildView, findChildrenOf, isPendingChild } from './children.ts';
import type { Dialect } from './dialect.ts';
import { guardianOf } from './guardians/conditions.ts';
import { deleteGuardianships } from './guardians/rows.ts';
import { byName, findPage, type Page, type PageRequest, whereIdIn } from './paging.ts';
import { findMatchingParents } from './people-search.ts';
import { findProposalsOf, type ProposalView } from './proposals.ts';
import type { Database, ParentRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface ParentView {
  readonly parent: ParentRow;
  /** Changes by the parent to the account that staff have not confirmed. */
  readonly proposals: readonly ProposalView[];
  readonly children: ChildView[];
}

export async function findParent(db: Reader, id: string): Promise<ParentRow | undefined> {
  return db.selectFrom('parents').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Locks the row until the transaction ends, on both databases, and returns its current values. This serializes changes of
 * one parent.
 */
export async function lockParent(trx: Transaction<Database>, id: string): Promise<ParentRow | undefined> {
  return trx
    .updateTable('parents')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Looks up by lower-cased address. */
export async function findParentByEmail(db: Reader, email: string): Promise<ParentRow | undefined> {
  return db.selectFrom('parents').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Filters lower-cased addresses: returns those that have an account. Pass at most 500. */
export async function findTakenEmails(db: Reader, emails: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('parents').select('email').where('email', 'in', emails).execute();
  return rows.map(({ email }) => email);
}

export async function findParentView(db: Reader, id: string): Promise<ParentView | undefined> {
  const parent = await findParent(db, id);
  if (!parent) return undefined;
  const proposals = (await findProposalsOf(db, 'parent', [id])).get(id) ?? [];
  return { parent, proposals, children: await findChildrenOf(db, [id]) };
}

/** These parents with their children, unordered. Pass at most 500. */
export async function findParentViews(db: Reader, ids: readonly string[]): Promise<ParentView[]> {
  if (ids.length === 0) return [];
  return withChildren(db, await db.selectFrom('parents').selectAll().where('id', 'in', ids).execute());
}

async function withChildren(db: Reader, parents: readonly ParentRow[]): Promise<ParentView[]> {
  const ids = parents.map(({ id }) => id);
  const byParent = Map.groupBy(await findChildrenOf(db, ids), (child) => child.parent_id);
  const waiting = await findProposalsOf(db, 'parent', ids);
  return parents.map((parent) => ({
    parent,
    proposals: waiting.get(parent.id) ?? [],
    children: byParent.get(parent.id) ?? [],
  }));
}

/** Deletes the row. The caller deletes children, photos, proposals and keys. */
export async function deleteParentRow(trx: Transaction<Database>, id: string): Promise<void> {
  await deleteGuardianships(trx, id);
  await trx.deleteFrom('parents').where('id', '=', id).execute();
}

/** The details that lists are sorted by and that the search compares. */
export interface ParentDetails {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

export interface NewParentRow extends ParentDetails {
  readonly id: string;
  readonly passwordHash: string | null;
  readonly language: Language;
  /** Rough network of the registration; null if staff created the account. */
  readonly madeFrom: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Adds a parent with an unverified e-mail. Rejects with a unique violation if the e-mail has an account. */
export async function insertParent(trx: Transaction<Database>, parent: NewParentRow): Promise<void> {
  const { id, name, email, phone, passwordHash, language, madeFrom, createdAt } = parent;
  const byStaff = madeFrom === null;
  await trx
    .insertInto('parents')
    .values({
      id,
      name,
      email,
      phone,
      password_hash: passwordHash,
      made_by: byStaff ? 'staff' : 'self',
      made_from: madeFrom,
      password_proof: byStaff && passwordHash !== null ? 'staff' : null,
      email_verified: 0,
      pending_email: null,
      photo_id: null,
      language,
      sort_name: foldForSearch(name),
      created_at: createdAt,
    })
    .execute();
}

type ParentColumns = Partial<Omit<ParentRow, 'id' | 'name' | 'email' | 'phone' | 'sort_name' | 'created_at'>>;

/** Changes columns that neither sort nor search lists. */
export async function updateParentRow(
  trx: Transaction<Database>,
  id: string,
  columns: ParentColumns,
): Promise<void> {
  await trx.updateTable('parents').set(columns).where('id', '=', id).execute();
}

/** Sets all three details and other columns. Rejects with a unique violation if the e-mail has an account. */
export async function updateParentDetails(
  trx: Transaction<Database>,
  id: string,
  { name, email, phone }: ParentDetails,
  columns: ParentColumns = {},
): Promise<void> {
  await trx
    .updateTable('parents')
    .set({ ...columns, name, email, phone, sort_name: foldForSearch(name) })
    .where('id', '=', id)
    .execute();
}

/** Removes the password, its proof and a pending change of address. Does not touch sessions and links. */
export async function clearPassword(trx: Transaction<Database>, id: string): Promise<void> {
  await updateParentRow(trx, id, {
    password_hash: null,
    password_proof: null,
    link_opened_by: null,
    pending_email: null,
  });
}

/**
 * Locks a parent that is about to be deleted. On PostgreSQL this waits for a child that is being added, and prevents
 * further additions; SQLite has a single writer. Returns false if there is no such parent.
 */
export async function lockParentForDeletion(
  trx: Transaction<Database>,
  dialect: Dialect,
  id: string,
): Promise<boolean> {
  const parents = trx.selectFrom('parents').select('id').where('id', '=', id);
  const parent = await (dialect === 'postgres' ? parents.forUpdate() : parents).executeTakeFirst();
  return parent !== undefined;
}

export interface ParentsFilter extends PageRequest {
  /** Filters families by whether something of the account or of a child is not confirmed. */
  readonly pending?: boolean | undefined;
}

/** A page of parents by name, each with their children. */
export async function findParentsPage(db: Reader, request: ParentsFilter): Promise<Page<ParentView>> {
  const found = await findMatchingParents(db, request.search);
  let matching = whereIdIn(db.selectFrom('parents'), 'parents.id', found);
  if (request.pending !== undefined)
    matching = matching.where(sql<boolean>`parents.id ${sql.raw(request.pending ? 'in' : 'not in')} (
      select subject_id from proposals where subject_kind = 'parent'
      union select ${guardianOf()} from children where ${isPendingChild})`);
  const page = await findPage(matching, (found) => found.selectAll(), byName('parents'), request);
  return { ...page, rows: await withChildren(db, page.rows) };
}

/** Visitors: people without an account whom staff sign in and out by name. */
import { VISITOR_INSIDE_MAX_MS } from '@haris/contract/constants';
import type { Kysely, Transaction } from 'kysely';
import { findPage, newestFirst, type Page, type PageRequest, whereContains } from './paging.ts';
import type { Database, VisitorRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A visitor with the name of the staff member who signed them in; null after that account's deletion. */
export interface VisitorWithStaff extends VisitorRow {
  readonly signed_in_name: string | null;
}

function visitorsWithStaff(db: Reader) {
  return db
    .selectFrom('visitors')
    .leftJoin('staff', 'staff.id', 'visitors.signed_in_by')
    .selectAll('visitors')
    .select('staff.name as signed_in_name');
}

/** Adds a visitor; returns false if the id exists already. */
export async function insertVisitor(trx: Transaction<Database>, visitor: VisitorRow): Promise<boolean> {
  const made = await trx
    .insertInto('visitors')
    .values(visitor)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

export async function findVisitor(db: Reader, id: string): Promise<VisitorWithStaff | undefined> {
  return visitorsWithStaff(db).where('visitors.id', '=', id).executeTakeFirst();
}

/** Signs a visitor out; returns false if that has happened before. `at`: milliseconds since 1970. */
export async function endVisit(
  trx: Transaction<Database>,
  id: string,
  { by, at }: { readonly by: string; readonly at: number },
): Promise<boolean> {
  const ended = await trx
    .updateTable('visitors')
    .set({ signed_out_at: at, signed_out_by: by })
    .where('id', '=', id)
    .where('signed_out_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export interface VisitorsRequest extends PageRequest {
  /** Only visitors inside at this moment, in milliseconds since 1970. */
  readonly insideAt?: number | undefined;
}

/** A page of visitors, newest first; `search` is part of the name, the phone number or the reason. */
export async function findVisitorsPage(
  db: Reader,
  { insideAt, ...request }: VisitorsRequest,
): Promise<Page<VisitorWithStaff>> {
  let matching = whereContains(
    db.selectFrom('visitors').leftJoin('staff', 'staff.id', 'visitors.signed_in_by'),
    ['visitors.search_text'],
    request.search,
  );
  if (insideAt !== undefined)
    matching = matching
      .where('visitors.signed_out_at', 'is', null)
      .where('visitors.signed_in_at', '>', insideAt - VISITOR_INSIDE_MAX_MS);
  return findPage(
    matching,
    (found) => found.selectAll('visitors').select('staff.name as signed_in_name'),
    newestFirst('visitors', 'signed_in_at'),
    request,
  );
}

/**
 * The visitors who were inside at any time between `from` and `to` (milliseconds since 1970; null: now), by name. One who
 * was never signed out counts for a day.
 */
export async function findVisitorsPresent(
  db: Reader,
  { from, to }: { readonly from: number; readonly to: number | null },
): Promise<VisitorRow[]> {
  let visitors = db
    .selectFrom('visitors')
    .selectAll()
    .where('signed_in_at', '>', from - VISITOR_INSIDE_MAX_MS)
    .where((eb) => eb.or([eb('signed_out_at', 'is', null), eb('signed_out_at', '>=', from)]));
  if (to !== null) visitors = visitors.where('signed_in_at', '<=', to);
  return visitors.orderBy('search_text').orderBy('id').execute();
}

/** Deletes visitors who were signed in before this time (milliseconds since 1970). */
export async function deleteVisitorsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('visitors').where('signed_in_at', '<', before).execute();
}

/** Reads staff. */
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { containsPattern, foldForSearch } from './folding.ts';
import { fromCursor, type PageRequest, toCursor } from './paging.ts';
import type { AdminRow, Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export async function findAdmin(db: Reader, id: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Takes a member of staff for this transaction alone, on both databases, and answers the row as it is then. */
export async function takeAdmin(trx: Transaction<Database>, id: string): Promise<AdminRow | undefined> {
  return trx
    .updateTable('admins')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** By the lower-cased address. */
export async function findAdminByEmail(db: Reader, email: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('email', '=', email).executeTakeFirst();
}

/** A page of staff by name. */
export async function findAdminsPage(
  db: Reader,
  request: PageRequest,
): Promise<{ rows: AdminRow[]; total: number; nextCursor: string | null }> {
  let matching = db.selectFrom('admins');
  const folded = foldForSearch(request.search ?? '');
  if (folded)
    matching = matching.where(sql<boolean>`admins.search_text like ${containsPattern(folded)} escape '\\'`);
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
  return { rows: shown, total: Number(total), nextCursor: last ? toCursor([last.sort_name, last.id]) : null };
}

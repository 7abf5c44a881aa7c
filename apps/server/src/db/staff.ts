/** Reads and writes staff. */

import type { Language } from '@haris/contract/fields';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
import { acrossFacilities } from '../facility.ts';
import type { Dialect } from './dialect.ts';
import { byName, findPage, type Page, type PageRequest, whereIdIn } from './paging.ts';
import { findMatchingStaff } from './people-search.ts';
import type { Database, StaffRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Folded name and e-mail, one per line: the audit log is searched in it. */
function staffSearchText(name: string, email: string): string {
  return [name, email].map(foldForSearch).join('\n');
}

export async function findStaffMember(db: Reader, id: string): Promise<StaffRow | undefined> {
  return db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks the row until the transaction ends, on both databases, and returns its current values. */
export async function lockStaffMember(trx: Transaction<Database>, id: string): Promise<StaffRow | undefined> {
  return trx
    .updateTable('staff')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Looks up by lower-cased address. */
export async function findStaffMemberByEmail(db: Reader, email: string): Promise<StaffRow | undefined> {
  return db.selectFrom('staff').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Whether a staff member has a password here. */
export async function hasPassword(db: Reader, id: string): Promise<boolean> {
  const row = await db.selectFrom('staff').select('password_hash').where('id', '=', id).executeTakeFirst();
  return row !== undefined && row.password_hash !== '';
}

/** Deletes the row. The caller deletes sessions, tokens and keys. */
export async function deleteStaffRow(trx: Transaction<Database>, id: string): Promise<void> {
  // The memberships that make the row known at a facility may be gone already.
  await acrossFacilities(() => trx.deleteFrom('staff').where('id', '=', id).execute());
}

export async function hasNationalId(db: Reader, mac: string): Promise<boolean> {
  const row = await db.selectFrom('staff').select('id').where('national_id_mac', '=', mac).executeTakeFirst();
  return row !== undefined;
}

export async function hasStaff(db: Reader): Promise<boolean> {
  return (await db.selectFrom('staff').select('id').executeTakeFirst()) !== undefined;
}

/** The staff member who was added first; undefined before the first start has finished. */
export async function findFirstStaffMember(db: Reader): Promise<StaffRow | undefined> {
  return db.selectFrom('staff').selectAll().orderBy('created_at').executeTakeFirst();
}

/** Locks all staff until the transaction ends, and returns their ids: if two delete each other, the second waits. */
export async function lockAllStaff(trx: Transaction<Database>, dialect: Dialect): Promise<string[]> {
  const all = trx.selectFrom('staff').select('id');
  // SQLite has a single writer anyway. Those of all facilities: the last one of an installation cannot be deleted.
  const rows = await acrossFacilities(() =>
    (dialect === 'postgres' ? all.orderBy('id').forUpdate() : all).execute(),
  );
  return rows.map(({ id }) => id);
}

export interface NewStaffRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  /** The other staff member who set the password and so knows it; null if the person chose it. */
  readonly passwordSetBy: string | null;
  readonly nationalId: { readonly sealed: Uint8Array; readonly mac: string } | null;
  readonly isVerified: boolean;
  readonly language: Language;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Adds a staff member. Rejects with a unique violation if the e-mail or the national ID is taken. */
export async function insertStaffMember(trx: Transaction<Database>, member: NewStaffRow): Promise<void> {
  const { id, name, email, nationalId } = member;
  await trx
    .insertInto('staff')
    .values({
      id,
      name,
      email,
      password_hash: member.passwordHash,
      password_set_by: member.passwordSetBy,
      national_id_sealed: nationalId?.sealed ?? null,
      national_id_mac: nationalId?.mac ?? null,
      email_verified: member.isVerified ? 1 : 0,
      language: member.language,
      sort_name: foldForSearch(name),
      search_text: staffSearchText(name, email),
      created_at: member.createdAt,
    })
    .execute();
}

/** Changes columns that neither sort nor search lists. */
export async function updateStaffRow(
  trx: Transaction<Database>,
  id: string,
  columns: Partial<Pick<StaffRow, 'password_hash' | 'password_set_by' | 'email_verified' | 'photo_id'>>,
): Promise<void> {
  await trx.updateTable('staff').set(columns).where('id', '=', id).execute();
}

/**
 * Changes name and e-mail, and what lists are sorted and searched by. Rejects with a unique violation if the e-mail has an
 * account.
 */
export async function updateStaffDetails(
  trx: Transaction<Database>,
  id: string,
  { name, email }: Pick<StaffRow, 'name' | 'email'>,
): Promise<void> {
  const columns = { name, email, sort_name: foldForSearch(name), search_text: staffSearchText(name, email) };
  await trx.updateTable('staff').set(columns).where('id', '=', id).execute();
}

/** A page of staff by name. */
export async function findStaffPage(db: Reader, request: PageRequest): Promise<Page<StaffRow>> {
  const found = await findMatchingStaff(db, request.search);
  const matching = whereIdIn(db.selectFrom('staff'), 'staff.id', found);
  return findPage(matching, (found) => found.selectAll(), byName('staff'), request);
}

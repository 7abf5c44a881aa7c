/** Queries that are the same for parents and staff. */
import type { Language } from '@haris/contract/fields';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { findParent, findParentByEmail, lockParent, updateParentRow } from './parents.ts';
import type { Database, ParentRow, StaffRow } from './schema.ts';
import { findStaffMember, findStaffMemberByEmail, lockStaffMember, updateStaffRow } from './staff.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface Account {
  readonly kind: AccountKind;
  readonly id: string;
}

export type AccountRow = ParentRow | StaffRow;

const TABLES = { parent: 'parents', admin: 'staff' } as const satisfies Record<AccountKind, keyof Database>;

export async function findAccount(db: Reader, { kind, id }: Account): Promise<AccountRow | undefined> {
  return kind === 'admin' ? findStaffMember(db, id) : findParent(db, id);
}

/** Looks up by lower-cased address. */
export async function findAccountByEmail(
  db: Reader,
  kind: AccountKind,
  email: string,
): Promise<AccountRow | undefined> {
  return kind === 'admin' ? findStaffMemberByEmail(db, email) : findParentByEmail(db, email);
}

/** Locks the row until the transaction ends, on both databases, and returns its current values. */
export async function lockAccount(
  trx: Transaction<Database>,
  { kind, id }: Account,
): Promise<AccountRow | undefined> {
  return kind === 'admin' ? lockStaffMember(trx, id) : lockParent(trx, id);
}

/** Whether the owner of a parent's address has said that the registration is not theirs, and staff have not vouched since. */
export function isDisowned(account: AccountRow): boolean {
  return 'disowned_at' in account && account.disowned_at !== null;
}

/** The language of an account's mails and files; English if the account is gone. */
export async function findAccountLanguage(db: Reader, { kind, id }: Account): Promise<Language> {
  const row = await db.selectFrom(TABLES[kind]).select('language').where('id', '=', id).executeTakeFirst();
  return row?.language ?? 'en';
}

/** Stores the language that the person chose. Returns false if the account is gone. */
export async function setAccountLanguage(
  trx: Transaction<Database>,
  { kind, id }: Account,
  language: Language,
): Promise<boolean> {
  const changed = await trx
    .updateTable(TABLES[kind])
    .set({ language, language_chosen: 1 })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Stores a password that the account's owner chose in a session. From then on, no other staff member knows it. */
export async function setOwnPassword(
  trx: Transaction<Database>,
  { kind, id }: Account,
  passwordHash: string,
): Promise<void> {
  const columns = { password_hash: passwordHash };
  if (kind === 'admin') await updateStaffRow(trx, id, { ...columns, password_set_by: null });
  else await updateParentRow(trx, id, columns);
}

/**
 * Stores a password that was set through a link mailed to `email`, which verifies that address. Drops a parent's pending
 * change of address, because a previous holder of the account may have requested it.
 * Returns undefined, and changes nothing, if the account is gone or now has another address, because the link then proves
 * nothing, and if it is disowned.
 */
export async function setPasswordByLink(
  trx: Transaction<Database>,
  {
    kind,
    accountId,
    email,
  }: { readonly kind: AccountKind; readonly accountId: string; readonly email: string },
  passwordHash: string,
): Promise<{ name: string; language: Language } | undefined> {
  const account = await lockAccount(trx, { kind, id: accountId });
  if (account?.email !== email || isDisowned(account)) return undefined;
  const columns = { password_hash: passwordHash, email_verified: 1 } as const;
  if (kind === 'admin') await updateStaffRow(trx, accountId, { ...columns, password_set_by: null });
  else await updateParentRow(trx, accountId, { ...columns, password_proof: 'link', pending_email: null });
  return { name: account.name, language: account.language };
}

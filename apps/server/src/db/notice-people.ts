/** Who can be told, who is on duty, and what each wishes to be told. */
import { STAFF_SESSION_IDLE_MS } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import { type StoredPreferences, storedPreferencesSchema } from '@haris/contract/http/notices';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

const IDS_AT_ONCE = 500;

export interface Account {
  readonly kind: AccountKind;
  readonly id: string;
}

/** So many as one statement takes on both databases. */
export function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += IDS_AT_ONCE) chunks.push(all.slice(at, at + IDS_AT_ONCE));
  return chunks;
}

/** What a map of accounts is keyed by. */
export function accountKey({ kind, id }: Account): string {
  return `${kind} ${id}`;
}

/** Staff among these accounts who are signed in somewhere, by id. */
export async function findStaffOnDuty(db: Reader, ids: readonly string[], now: number): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of chunksOf(ids)) {
    const rows = await db
      .selectFrom('sessions')
      .select('account_id')
      .distinct()
      .where('kind', '=', 'admin')
      .where('account_id', 'in', some)
      .where('expires_at', '>', now)
      .where('last_seen_at', '>', now - STAFF_SESSION_IDLE_MS)
      .execute();
    for (const row of rows) found.add(row.account_id);
  }
  return found;
}

export interface NoticeAccount extends Account {
  readonly name: string;
  /** Null while it is not verified: nothing of a child goes to an address that nobody has shown to be theirs. */
  readonly email: string | null;
  readonly language: Language;
}

/** Those of the accounts that exist. */
export async function findNoticeAccounts(db: Reader, accounts: readonly Account[]): Promise<NoticeAccount[]> {
  const found: NoticeAccount[] = [];
  for (const kind of ['admin', 'parent'] as const) {
    const ids = accounts.filter((account) => account.kind === kind).map(({ id }) => id);
    for (const some of chunksOf(ids)) {
      const rows = await db
        .selectFrom(kind === 'admin' ? 'admins' : 'parents')
        .select(['id', 'name', 'email', 'email_verified', 'language'])
        .where('id', 'in', some)
        .execute();
      for (const row of rows)
        found.push({
          kind,
          id: row.id,
          name: row.name,
          email: row.email_verified ? row.email : null,
          language: row.language,
        });
    }
  }
  return found;
}

/** What these accounts chose, by {@link accountKey}; who chose nothing is not there, nor is what no longer fits. */
export async function readPreferences(
  db: Reader,
  accounts: readonly Account[],
): Promise<Map<string, StoredPreferences>> {
  const found = new Map<string, StoredPreferences>();
  for (const some of chunksOf(accounts.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('notice_preferences')
      .selectAll()
      .where('account_id', 'in', some)
      .execute();
    for (const row of rows) {
      const value = storedPreferencesSchema.safeParse(JSON.parse(row.value));
      if (value.success) found.set(accountKey({ kind: row.account_kind, id: row.account_id }), value.data);
    }
  }
  return found;
}

export async function writePreferences(
  trx: Transaction<Database>,
  account: Account,
  preferences: StoredPreferences,
): Promise<void> {
  const value = JSON.stringify(preferences);
  await trx
    .insertInto('notice_preferences')
    .values({ account_kind: account.kind, account_id: account.id, value })
    .onConflict((conflict) => conflict.columns(['account_kind', 'account_id']).doUpdateSet({ value }))
    .execute();
}

/** All that is kept of an account's notices; its devices go with its sessions. */
export async function deleteNoticesOf(trx: Transaction<Database>, account: Account): Promise<void> {
  for (const table of ['notice_preferences', 'notice_deliveries'] as const)
    await trx
      .deleteFrom(table)
      .where('account_kind', '=', account.kind)
      .where('account_id', '=', account.id)
      .execute();
}

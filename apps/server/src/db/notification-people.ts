/** The accounts that notifications go to: addresses, sign-in state, and preferences. */
import type { Language } from '@haris/contract/fields';
import { type StoredPreferences, storedPreferencesSchema } from '@haris/contract/notifications';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import { idlesOutAt } from './sessions.ts';

type Reader = Kysely<Database> | Transaction<Database>;

const IDS_AT_ONCE = 500;

export interface Account {
  readonly kind: AccountKind;
  readonly id: string;
}

/** Splits a list into chunks that fit into one statement on both databases. */
export function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += IDS_AT_ONCE) chunks.push(all.slice(at, at + IDS_AT_ONCE));
  return chunks;
}

/** The key of an account in a map. */
export function accountKey({ kind, id }: Account): string {
  return `${kind} ${id}`;
}

/** Filters staff accounts: returns the ids of those that are signed in on any device. */
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
      .where((eb) => eb(idlesOutAt(eb), '>', now))
      .execute();
    for (const row of rows) found.add(row.account_id);
  }
  return found;
}

export interface NotificationAccount extends Account {
  readonly name: string;
  /** Null until it is verified: data about a child never goes to an unverified address. */
  readonly email: string | null;
  readonly language: Language;
}

/** Filters accounts: returns those that exist. */
export async function findNotificationAccounts(
  db: Reader,
  accounts: readonly Account[],
): Promise<NotificationAccount[]> {
  const found: NotificationAccount[] = [];
  for (const kind of ['admin', 'parent'] as const) {
    const ids = accounts.filter((account) => account.kind === kind).map(({ id }) => id);
    for (const some of chunksOf(ids)) {
      const rows = await db
        .selectFrom(kind === 'admin' ? 'staff' : 'parents')
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

/** Preferences by {@link accountKey}, without accounts that have none or whose preferences no longer parse. */
export async function readPreferences(
  db: Reader,
  accounts: readonly Account[],
): Promise<Map<string, StoredPreferences>> {
  const found = new Map<string, StoredPreferences>();
  for (const some of chunksOf(accounts.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('notification_preferences')
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
    .insertInto('notification_preferences')
    .values({ account_kind: account.kind, account_id: account.id, value })
    .onConflict((conflict) => conflict.columns(['account_kind', 'account_id']).doUpdateSet({ value }))
    .execute();
}

/** Deletes the preferences and deliveries of an account; its push devices are deleted with its sessions. */
export async function deleteNotificationsOf(trx: Transaction<Database>, account: Account): Promise<void> {
  for (const table of ['notification_preferences', 'notification_deliveries'] as const)
    await trx
      .deleteFrom(table)
      .where('account_kind', '=', account.kind)
      .where('account_id', '=', account.id)
      .execute();
}

/** Devices and networks from which accounts have signed in; limits for strangers do not apply to them (contract §3). */
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface AccountRef {
  readonly kind: AccountKind;
  readonly id: string;
}

/** Device and network of a request. */
export interface Place {
  /** Hash of the browser's device cookie; null without a cookie. */
  readonly device: string | null;
  /** Keyed hash of the network. */
  readonly network: string;
}

const DAY_MS = 24 * 3_600_000;
/** A place expires when the account has not signed in from it for this long. */
const KEPT_MS = 180 * DAY_MS;
/** A network counts as a desk's for this long after a staff sign-in: the maximum life of a session. */
const DESK_MS = 30 * DAY_MS;
/** Maximum of places per account; the least recently used ones are dropped. */
const PLACES_PER_ACCOUNT = 20;

/** Whether the account has signed in on this device. */
export async function isKnownDevice(
  db: Reader,
  { kind, id }: AccountRef,
  device: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('last_at')
    .where('account_id', '=', id)
    .where('account_kind', '=', kind)
    .where('device_hash', '=', device)
    .where('last_at', '>', now - KEPT_MS)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the account has signed in from this network. */
export async function isKnownNetwork(
  db: Reader,
  { kind, id }: AccountRef,
  network: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('known_networks')
    .select('last_at')
    .where('network_mac', '=', network)
    .where('account_kind', '=', kind)
    .where('account_id', '=', id)
    .where('last_at', '>', now - KEPT_MS)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the account has signed in from the place where a link was opened: `device:` or `network:` with a hash. */
export function isKnownOpener(
  db: Reader,
  account: AccountRef,
  openedBy: string,
  now: number,
): Promise<boolean> {
  const [kind, hash = ''] = openedBy.split(':');
  return kind === 'device' ? isKnownDevice(db, account, hash, now) : isKnownNetwork(db, account, hash, now);
}

/** Whether staff have signed in from this network within 30 days. */
export async function isDeskNetwork(db: Reader, network: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('known_networks')
    .select('last_at')
    .where('network_mac', '=', network)
    .where('account_kind', '=', 'admin')
    .where('last_at', '>', now - DESK_MS)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a sign-in of the account from this place. */
export async function rememberPlace(
  trx: Transaction<Database>,
  account: AccountRef,
  place: Place,
  now: number,
): Promise<void> {
  const owner = { account_kind: account.kind, account_id: account.id, last_at: now };
  if (place.device !== null)
    await trx
      .insertInto('known_devices')
      .values({ ...owner, device_hash: place.device })
      .onConflict((on) =>
        on.columns(['account_id', 'account_kind', 'device_hash']).doUpdateSet({ last_at: now }),
      )
      .execute();
  await trx
    .insertInto('known_networks')
    .values({ ...owner, network_mac: place.network })
    .onConflict((on) =>
      on.columns(['network_mac', 'account_kind', 'account_id']).doUpdateSet({ last_at: now }),
    )
    .execute();
  for (const [table, column] of [
    ['known_devices', 'device_hash'],
    ['known_networks', 'network_mac'],
  ] as const)
    await trx
      .deleteFrom(table)
      .where('account_kind', '=', account.kind)
      .where('account_id', '=', account.id)
      .where(column, 'not in', (eb) =>
        eb
          .selectFrom(table)
          .select(column)
          .where('account_kind', '=', account.kind)
          .where('account_id', '=', account.id)
          .orderBy('last_at', 'desc')
          .orderBy(column)
          .limit(PLACES_PER_ACCOUNT),
      )
      .execute();
}

/** Deletes all places of an account: when the account is deleted, or when a mailed link sets a new password. */
export async function forgetPlaces(trx: Transaction<Database>, { kind, id }: AccountRef): Promise<void> {
  for (const table of ['known_devices', 'known_networks'] as const)
    await trx.deleteFrom(table).where('account_kind', '=', kind).where('account_id', '=', id).execute();
}

/** Deletes places without a sign-in for 180 days. */
export async function deleteOldPlaces(db: Kysely<Database>, now: number): Promise<void> {
  for (const table of ['known_devices', 'known_networks'] as const)
    await db
      .deleteFrom(table)
      .where('last_at', '<=', now - KEPT_MS)
      .execute();
}

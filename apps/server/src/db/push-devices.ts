/** Push devices: browsers that receive an account's pushes, as long as the session that added them lives. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Vault } from '../vault/vault.ts';
import { type Account, accountKey, chunksOf } from './notification-people.ts';
import type { Database, PushSubscriptionRow } from './schema.ts';
import { idlesOutAt } from './sessions.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Address of a browser's push service, and the public keys to encrypt content for this browser. */
const pushTargetSchema = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() });
export type PushTarget = z.infer<typeof pushTargetSchema>;

export function openPushTarget(vault: Vault, row: Pick<PushSubscriptionRow, 'id' | 'sealed'>): PushTarget {
  const bytes = vault.open(`push device ${row.id}`, row.sealed);
  return pushTargetSchema.parse(JSON.parse(bytes.toString('utf8')));
}

export interface NewDevice {
  readonly account: Account;
  readonly session: string;
  readonly target: PushTarget;
  readonly device: string;
}

/**
 * Adds a device. An existing row with the same subscription is replaced, even if it was another account's; beyond `most`,
 * the oldest devices are deleted. `wasThere`: the device already belonged to this account.
 */
export async function putPushSubscription(
  trx: Transaction<Database>,
  vault: Vault,
  { account, session, target, device }: NewDevice,
  most: number,
  now: number,
): Promise<{ row: PushSubscriptionRow; wasThere: boolean }> {
  const mac = vault.mac('push endpoint', target.endpoint);
  const before = await trx
    .deleteFrom('push_subscriptions')
    .where('endpoint_mac', '=', mac)
    .returning(['account_kind', 'account_id'])
    .executeTakeFirst();
  const id = randomUUID();
  const row = await trx
    .insertInto('push_subscriptions')
    .values({
      id,
      session_hash: session,
      account_kind: account.kind,
      account_id: account.id,
      endpoint_mac: mac,
      sealed: vault.seal(`push device ${id}`, Buffer.from(JSON.stringify(target))),
      device,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const all = await trx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('account_kind', '=', account.kind)
    .where('account_id', '=', account.id)
    .where('id', '!=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const tooMany = all.slice(most - 1).map((one) => one.id);
  if (tooMany.length > 0) await trx.deleteFrom('push_subscriptions').where('id', 'in', tooMany).execute();
  return { row, wasThere: before?.account_kind === account.kind && before.account_id === account.id };
}

/** Devices of these accounts with live sessions, oldest first. */
export async function findPushSubscriptions(
  db: Reader,
  accounts: readonly Account[],
  now: number,
): Promise<PushSubscriptionRow[]> {
  const rows: PushSubscriptionRow[] = [];
  for (const some of chunksOf(accounts.map(({ id }) => id)))
    rows.push(
      ...(await db
        .selectFrom('push_subscriptions')
        .innerJoin('sessions', 'sessions.token_hash', 'push_subscriptions.session_hash')
        .selectAll('push_subscriptions')
        .where('push_subscriptions.account_id', 'in', some)
        .where('sessions.expires_at', '>', now)
        .where((eb) => eb.or([eb('sessions.kind', '=', 'parent'), eb(idlesOutAt(eb), '>', now)]))
        .orderBy('push_subscriptions.created_at')
        .orderBy('push_subscriptions.id')
        .execute()),
    );
  const wanted = new Set(accounts.map(accountKey));
  return rows.filter((row) => wanted.has(accountKey({ kind: row.account_kind, id: row.account_id })));
}

/** One device, if its session is alive. */
export async function findPushSubscription(
  db: Reader,
  id: string,
  now: number,
): Promise<PushSubscriptionRow | undefined> {
  const row = await db.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const alive = await findPushSubscriptions(db, [{ kind: row.account_kind, id: row.account_id }], now);
  return alive.find((one) => one.id === id);
}

/** Deletes a device of this account; returns false if there is no such device. */
export async function deletePushSubscription(db: Reader, account: Account, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('account_kind', '=', account.kind)
    .where('account_id', '=', account.id)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}

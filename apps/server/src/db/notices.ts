/** Devices, wishes and deliveries of notices. */
import { randomUUID } from 'node:crypto';
import { STAFF_SESSION_IDLE_MS } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import {
  type DeliveryFailure,
  type DeliveryWay,
  type StoredPreferences,
  storedPreferencesSchema,
} from '@haris/contract/http/notices';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Vault } from '../vault/vault.ts';
import { fromCursor, toCursor } from './paging.ts';
import type { Database, NoticeDeliveryRow, PushSubscriptionRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Ids that fit into one statement on both databases. */
const IDS_AT_ONCE = 500;

export interface Account {
  readonly kind: AccountKind;
  readonly id: string;
}

function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += IDS_AT_ONCE) chunks.push(all.slice(at, at + IDS_AT_ONCE));
  return chunks;
}

/** What a map of accounts is keyed by. */
export function accountKey({ kind, id }: Account): string {
  return `${kind} ${id}`;
}

// Devices.

/** What a browser gave: where its push service is, and the keys that only the browser can open. */
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
 * The same subscription again takes the place of its row, whoever it belonged to; beyond `most` the oldest go. `wasThere`:
 * it was this account's before.
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

/** Devices of these accounts whose sessions are alive, oldest first. */
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
        .where((eb) =>
          eb.or([
            eb('sessions.kind', '=', 'parent'),
            eb('sessions.last_seen_at', '>', now - STAFF_SESSION_IDLE_MS),
          ]),
        )
        .orderBy('push_subscriptions.created_at')
        .orderBy('push_subscriptions.id')
        .execute()),
    );
  const wanted = new Set(accounts.map(accountKey));
  return rows.filter((row) => wanted.has(accountKey({ kind: row.account_kind, id: row.account_id })));
}

/** One device while its session is alive. */
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

/** Removes a device, if it is this account's; answers whether it was. */
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

// People and their wishes.

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

// Deliveries.

export interface NewDelivery {
  readonly account: Account | { readonly kind: 'webhook'; readonly id: 'webhook' };
  readonly way: DeliveryWay;
  /** The device; empty for the other ways. */
  readonly target: string;
  readonly incidentId: string;
  readonly kind: string;
  readonly step: number;
  readonly phase: NoticeDeliveryRow['phase'];
  readonly content: unknown;
  /** Milliseconds since 1970; null: at once. */
  readonly notBefore: number | null;
  readonly receiptHash?: string;
}

/**
 * Turns of one incident count up from 0: what is to be told later never goes before what is to be told first. A step that
 * is told again keeps its own.
 */
export async function takeTurn(
  trx: Transaction<Database>,
  { incidentId, step, phase }: Pick<NewDelivery, 'incidentId' | 'step' | 'phase'>,
): Promise<number> {
  const rows = await trx
    .selectFrom('notice_deliveries')
    .select(['turn', 'step', 'phase'])
    .distinct()
    .where('incident_id', '=', incidentId)
    .execute();
  const own = rows.find((row) => row.step === step && row.phase === phase);
  return own?.turn ?? Math.max(-1, ...rows.map(({ turn }) => turn)) + 1;
}

/** Puts a delivery into the queue; one that is there already stays as it is. */
export async function addDelivery(
  trx: Transaction<Database>,
  vault: Vault,
  delivery: NewDelivery,
  turn: number,
  now: number,
): Promise<void> {
  const id = randomUUID();
  await trx
    .insertInto('notice_deliveries')
    .values({
      id,
      account_kind: delivery.account.kind,
      account_id: delivery.account.id,
      way: delivery.way,
      target: delivery.target,
      incident_id: delivery.incidentId,
      kind: delivery.kind,
      step: delivery.step,
      phase: delivery.phase,
      turn,
      held: delivery.notBefore === null ? 0 : 1,
      sealed: vault.seal(`notice ${id}`, Buffer.from(JSON.stringify(delivery.content))),
      created_at: now,
      next_try_at: delivery.notBefore ?? now,
      attempts: 0,
      state: 'waiting',
      reason: null,
      ended_at: null,
      receipt_hash: delivery.receiptHash ?? null,
      arrived_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['incident_id', 'account_kind', 'account_id', 'way', 'target', 'step', 'phase'])
        .doNothing(),
    )
    .execute();
}

/** The content of a delivery that still waits. Throws for one that has ended. */
export function openContent(vault: Vault, row: Pick<NoticeDeliveryRow, 'id' | 'sealed'>): unknown {
  if (!row.sealed) throw new Error('the delivery has ended');
  return JSON.parse(vault.open(`notice ${row.id}`, row.sealed).toString('utf8'));
}

/** Of an incident and of the person's last hour: what the rules of rate need. Keys: `<account key> <way>`. */
export async function findToldBefore(
  db: Reader,
  incidentId: string,
  accounts: readonly Account[],
  since: number,
): Promise<{ toldOf: Set<string>; sentLately: Map<string, number> }> {
  const toldOf = new Set<string>();
  const sentLately = new Map<string, number>();
  const told = await db
    .selectFrom('notice_deliveries')
    .select(['account_kind', 'account_id', 'way'])
    .distinct()
    .where('incident_id', '=', incidentId)
    .execute();
  for (const row of told) toldOf.add(`${row.account_kind} ${row.account_id} ${row.way}`);
  for (const some of chunksOf(accounts.map(({ id }) => id))) {
    // A person with three devices was told once, not three times.
    const rows = await db
      .selectFrom('notice_deliveries')
      .select(['account_kind', 'account_id', 'way', 'incident_id', 'step', 'phase'])
      .distinct()
      .where('account_id', 'in', some)
      .where('created_at', '>', since)
      .execute();
    for (const row of rows) {
      const key = `${row.account_kind} ${row.account_id} ${row.way}`;
      sentLately.set(key, (sentLately.get(key) ?? 0) + 1);
    }
  }
  return { toldOf, sentLately };
}

/**
 * Ends further steps that quiet hours hold back, since a newer notice of the same incident follows them. The first that the
 * person gets and the end stay.
 */
export async function dropHeldSteps(
  trx: Transaction<Database>,
  incidentId: string,
  account: Account,
  turn: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('notice_deliveries')
    .set({ state: 'dropped', ended_at: now, sealed: null })
    .where('incident_id', '=', incidentId)
    .where('account_kind', '=', account.kind)
    .where('account_id', '=', account.id)
    .where('state', '=', 'waiting')
    .where('held', '=', 1)
    .where('attempts', '=', 0)
    .where('phase', '=', 'escalated')
    .where('turn', '<', turn)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('notice_deliveries as first')
          .select('first.id')
          .where('first.incident_id', '=', incidentId)
          .whereRef('first.account_kind', '=', 'notice_deliveries.account_kind')
          .whereRef('first.account_id', '=', 'notice_deliveries.account_id')
          .whereRef('first.way', '=', 'notice_deliveries.way')
          .whereRef('first.target', '=', 'notice_deliveries.target')
          .whereRef('first.turn', '<', 'notice_deliveries.turn'),
      ),
    )
    .execute();
}

/**
 * Takes the next due delivery of a way for this server until the lease ends: whoever moves its row first has it. One that
 * waits behind an earlier notice of the same incident to the same place is not due. Undefined: none; null: another was
 * quicker.
 */
export async function takeDelivery(
  db: Kysely<Database>,
  way: DeliveryWay,
  now: number,
  leaseMs: number,
): Promise<NoticeDeliveryRow | undefined | null> {
  const due = await db
    .selectFrom('notice_deliveries as due')
    .selectAll()
    .where('due.state', '=', 'waiting')
    .where('due.way', '=', way)
    .where('due.next_try_at', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notice_deliveries as before')
            .select('before.id')
            .whereRef('before.incident_id', '=', 'due.incident_id')
            .whereRef('before.account_kind', '=', 'due.account_kind')
            .whereRef('before.account_id', '=', 'due.account_id')
            .whereRef('before.way', '=', 'due.way')
            .whereRef('before.target', '=', 'due.target')
            .whereRef('before.turn', '<', 'due.turn')
            .where('before.state', '=', 'waiting'),
        ),
      ),
    )
    .orderBy('due.next_try_at')
    .orderBy('due.turn')
    .limit(1)
    .executeTakeFirst();
  if (!due) return undefined;
  const taken = await db
    .updateTable('notice_deliveries')
    .set({ next_try_at: now + leaseMs, attempts: due.attempts + 1 })
    .where('id', '=', due.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', due.attempts)
    .where('next_try_at', '=', due.next_try_at)
    .returningAll()
    .executeTakeFirst();
  return taken ?? null;
}

/** What was taken is done; its words are not kept. */
export async function endDelivery(
  db: Reader,
  id: string,
  end: { readonly state: 'sent' } | { readonly state: 'failed'; readonly reason: DeliveryFailure },
  now: number,
): Promise<void> {
  await db
    .updateTable('notice_deliveries')
    .set({
      state: end.state,
      reason: end.state === 'failed' ? end.reason : null,
      ended_at: now,
      sealed: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Has it tried again later; nothing where another server took it meanwhile. */
export async function postponeDelivery(
  db: Kysely<Database>,
  row: Pick<NoticeDeliveryRow, 'id' | 'attempts'>,
  reason: DeliveryFailure,
  nextTryAt: number,
): Promise<void> {
  await db
    .updateTable('notice_deliveries')
    .set({ next_try_at: nextTryAt, reason })
    .where('id', '=', row.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', row.attempts)
    .execute();
}

/** All deliveries of an incident or a test, with the names of their devices. */
export async function findDeliveriesOf(
  db: Reader,
  incidentId: string,
): Promise<(NoticeDeliveryRow & { readonly device: string | null })[]> {
  return db
    .selectFrom('notice_deliveries')
    .leftJoin('push_subscriptions', 'push_subscriptions.id', 'notice_deliveries.target')
    .selectAll('notice_deliveries')
    .select('push_subscriptions.device')
    .where('incident_id', '=', incidentId)
    .orderBy('way')
    .orderBy('notice_deliveries.id')
    .execute();
}

/** False where nothing was sent with this receipt. The first moment counts. */
export async function noteArrival(db: Reader, receiptHash: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('notice_deliveries')
    .set((eb) => ({ arrived_at: eb.fn.coalesce('arrived_at', eb.val(now)) }))
    .where('receipt_hash', '=', receiptHash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface FailedDelivery extends NoticeDeliveryRow {
  readonly name: string | null;
}

/** Deliveries that were given up, newest first. */
export async function findFailedPage(
  db: Reader,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ rows: FailedDelivery[]; total: number; nextCursor: string | null }> {
  const failed = db.selectFrom('notice_deliveries').where('state', '=', 'failed');
  const { total } = await failed
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = failed
    .leftJoin('admins', (join) =>
      join
        .onRef('admins.id', '=', 'notice_deliveries.account_id')
        .on('notice_deliveries.account_kind', '=', 'admin'),
    )
    .leftJoin('parents', (join) =>
      join
        .onRef('parents.id', '=', 'notice_deliveries.account_id')
        .on('notice_deliveries.account_kind', '=', 'parent'),
    )
    .selectAll('notice_deliveries')
    .select((eb) => eb.fn.coalesce('admins.name', 'parents.name').as('name'));
  if (cursor !== undefined) {
    const [at, id] = fromCursor(cursor);
    const before = Number(at);
    page = page.where((eb) =>
      eb.or([
        eb('notice_deliveries.ended_at', '<', before),
        eb.and([eb('notice_deliveries.ended_at', '=', before), eb('notice_deliveries.id', '>', id)]),
      ]),
    );
  }
  const rows = await page
    .orderBy('notice_deliveries.ended_at', 'desc')
    .orderBy('notice_deliveries.id')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown,
    total: Number(total),
    nextCursor: last ? toCursor([String(last.ended_at), last.id]) : null,
  };
}

/** Removes what has ended before a moment. Milliseconds since 1970. */
export async function deleteDeliveriesBefore(
  db: Kysely<Database>,
  before: { readonly sent: number; readonly failed: number },
): Promise<void> {
  await db
    .deleteFrom('notice_deliveries')
    .where('state', 'in', ['sent', 'dropped'])
    .where('ended_at', '<', before.sent)
    .execute();
  await db
    .deleteFrom('notice_deliveries')
    .where('state', '=', 'failed')
    .where('ended_at', '<', before.failed)
    .execute();
}

// What the installation keeps of its own.

/** A value of `meta`, sealed; undefined where there is none. Throws where it was sealed with another key. */
export async function readSealedMeta(db: Reader, vault: Vault, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row && vault.open(`meta ${key}`, Buffer.from(row.value, 'base64')).toString('utf8');
}

function sealMeta(vault: Vault, key: string, value: string): string {
  return vault.seal(`meta ${key}`, Buffer.from(value)).toString('base64');
}

/** Keeps a value unless there is one, and answers the one that is kept. */
export async function keepSealedMeta(db: Reader, vault: Vault, key: string, value: string): Promise<string> {
  await db
    .insertInto('meta')
    .values({ key, value: sealMeta(vault, key, value) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await readSealedMeta(db, vault, key)) ?? value;
}

/** Sets a value; null removes it. */
export async function writeSealedMeta(
  trx: Transaction<Database>,
  vault: Vault,
  key: string,
  value: string | null,
): Promise<void> {
  if (value === null) {
    await trx.deleteFrom('meta').where('key', '=', key).execute();
    return;
  }
  const sealed = sealMeta(vault, key, value);
  await trx
    .insertInto('meta')
    .values({ key, value: sealed })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sealed }))
    .execute();
}

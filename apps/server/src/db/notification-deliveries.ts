/** Enqueues deliveries: a row per person, channel, device and step. */
import { randomUUID } from 'node:crypto';
import type { DeliveryChannel } from '@haris/contract/notifications';
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { type Account, chunksOf } from './notification-people.ts';
import type { Database, NotificationDeliveryRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** With the id of the stay, what a delivery about a release has in place of the id of an incident. */
export const RELEASE_PREFIX = 'release ';
/** With the id of the extension, the same of a delivery about the new end of a stay. */
export const EXTENSION_PREFIX = 'extension ';

/**
 * The child whose guardians a delivery is for; null for what is about no single child, as the temperature of a room is; undefined if
 * what it is about is gone. `about`: the delivery's `incident_id`. Ask it for the whole organisation.
 */
export async function findNotifiedChild(db: Reader, about: string): Promise<string | null | undefined> {
  const idAfter = (prefix: string) => (about.startsWith(prefix) ? about.slice(prefix.length) : undefined);
  const [stay, extension] = [idAfter(RELEASE_PREFIX), idAfter(EXTENSION_PREFIX)];
  if (stay !== undefined)
    return (await db.selectFrom('stays').select('child_id').where('id', '=', stay).executeTakeFirst())
      ?.child_id;
  if (extension !== undefined) {
    const extended = db
      .selectFrom('stay_extensions')
      .innerJoin('stays', 'stays.id', 'stay_extensions.stay_id')
      .select('stays.child_id')
      .where('stay_extensions.id', '=', extension);
    return (await extended.executeTakeFirst())?.child_id;
  }
  const incident = await db
    .selectFrom('incidents')
    .select(['subject_id', 'subject_kind', 'for_staff'])
    .where('id', '=', about)
    .executeTakeFirst();
  const isOfChild = incident?.for_staff === 0 && incident.subject_kind === 'child';
  if (isOfChild) return incident.subject_id ?? undefined;
  return incident && null;
}

export interface NewDelivery {
  readonly account: Account | { readonly kind: 'webhook'; readonly id: 'webhook' };
  readonly channel: DeliveryChannel;
  /** The device; empty for the other channels. */
  readonly target: string;
  readonly incidentId: string;
  readonly kind: string;
  readonly step: number;
  readonly phase: NotificationDeliveryRow['phase'];
  readonly content: unknown;
  /** Milliseconds since 1970; null: at once. */
  readonly notBefore: number | null;
  readonly receiptHash?: string;
}

/**
 * The sequence number of a step within its incident, from 0; deliveries leave in this order. A step that is enqueued
 * again keeps its number.
 */
export async function nextSequence(
  trx: Transaction<Database>,
  { incidentId, step, phase }: Pick<NewDelivery, 'incidentId' | 'step' | 'phase'>,
): Promise<number> {
  const rows = await trx
    .selectFrom('notification_deliveries')
    .select(['sequence', 'step', 'phase'])
    .distinct()
    .where('incident_id', '=', incidentId)
    .execute();
  const own = rows.find((row) => row.step === step && row.phase === phase);
  return own?.sequence ?? Math.max(-1, ...rows.map(({ sequence }) => sequence)) + 1;
}

/** The context under which content is sealed. Existing rows depend on it, so it keeps the word of the first version. */
function labelOf(id: string): string {
  return `notice ${id}`;
}

/** Enqueues a delivery; does nothing if it exists already. */
export async function addDelivery(
  trx: Transaction<Database>,
  vault: Vault,
  delivery: NewDelivery,
  sequence: number,
  now: number,
): Promise<void> {
  const id = randomUUID();
  await trx
    .insertInto('notification_deliveries')
    .values({
      id,
      account_kind: delivery.account.kind,
      account_id: delivery.account.id,
      channel: delivery.channel,
      target: delivery.target,
      incident_id: delivery.incidentId,
      kind: delivery.kind,
      step: delivery.step,
      phase: delivery.phase,
      sequence,
      held: delivery.notBefore === null ? 0 : 1,
      sealed: vault.seal(labelOf(id), Buffer.from(JSON.stringify(delivery.content))),
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
        .columns(['incident_id', 'account_kind', 'account_id', 'channel', 'target', 'step', 'phase'])
        .doNothing(),
    )
    .execute();
}

/** The content of a waiting delivery. Throws if the delivery has ended. */
export function openContent(vault: Vault, row: Pick<NotificationDeliveryRow, 'id' | 'sealed'>): unknown {
  if (!row.sealed) throw new Error('the delivery has ended');
  return JSON.parse(vault.open(labelOf(row.id), row.sealed).toString('utf8'));
}

/**
 * Counts for the rate limit, by `<account key> <channel>`: the accounts notified of this incident, and the number of
 * notifications per account since a moment (milliseconds since 1970).
 */
export async function findNotifiedBefore(
  db: Reader,
  incidentId: string,
  accounts: readonly Account[],
  since: number,
): Promise<{ ofIncident: Set<string>; sentLately: Map<string, number> }> {
  const ofIncident = new Set<string>();
  const sentLately = new Map<string, number>();
  const notified = await db
    .selectFrom('notification_deliveries')
    .select(['account_kind', 'account_id', 'channel'])
    .distinct()
    .where('incident_id', '=', incidentId)
    .execute();
  for (const row of notified) ofIncident.add(`${row.account_kind} ${row.account_id} ${row.channel}`);
  for (const some of chunksOf(accounts.map(({ id }) => id))) {
    // A step sent to three devices counts once.
    const rows = await db
      .selectFrom('notification_deliveries')
      .select(['account_kind', 'account_id', 'channel', 'incident_id', 'step', 'phase'])
      .distinct()
      .where('account_id', 'in', some)
      .where('created_at', '>', since)
      .execute();
    for (const row of rows) {
      const key = `${row.account_kind} ${row.account_id} ${row.channel}`;
      sentLately.set(key, (sentLately.get(key) ?? 0) + 1);
    }
  }
  return { ofIncident, sentLately };
}

/**
 * Drops further steps that quiet hours delay, because a newer notification of the same incident follows. Keeps the first
 * notification and the end.
 */
export async function dropHeldSteps(
  trx: Transaction<Database>,
  incidentId: string,
  account: Account,
  sequence: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('notification_deliveries')
    .set({ state: 'dropped', ended_at: now, sealed: null })
    .where('incident_id', '=', incidentId)
    .where('account_kind', '=', account.kind)
    .where('account_id', '=', account.id)
    .where('state', '=', 'waiting')
    .where('held', '=', 1)
    .where('attempts', '=', 0)
    .where('phase', '=', 'escalated')
    .where('sequence', '<', sequence)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('notification_deliveries as first')
          .select('first.id')
          .where('first.incident_id', '=', incidentId)
          .whereRef('first.account_kind', '=', 'notification_deliveries.account_kind')
          .whereRef('first.account_id', '=', 'notification_deliveries.account_id')
          .whereRef('first.channel', '=', 'notification_deliveries.channel')
          .whereRef('first.target', '=', 'notification_deliveries.target')
          .whereRef('first.sequence', '<', 'notification_deliveries.sequence'),
      ),
    )
    .execute();
}

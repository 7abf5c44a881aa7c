/** The queue of deliveries: claims, outcomes, and queries for staff. */
import type { DeliveryChannel, DeliveryFailure } from '@haris/contract/notifications';
import { type Kysely, sql, type Transaction } from 'kysely';
import { RELEASE_PREFIX } from './notification-deliveries.ts';
import { fromCursor, toCursor } from './paging.ts';
import { claimRow, updateClaimedRow } from './queue-rows.ts';
import type { Database, NotificationDeliveryRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/**
 * Claims the next due delivery of a channel until `until`. A delivery is not due while an earlier notification of the
 * same incident to the same place waits. Undefined: none is due; null: another server was quicker.
 */
export async function claimDelivery(
  db: Kysely<Database>,
  channel: DeliveryChannel,
  now: number,
  until: number,
): Promise<NotificationDeliveryRow | undefined | null> {
  const due = await db
    .selectFrom('notification_deliveries as due')
    .selectAll()
    .where('due.state', '=', 'waiting')
    .where('due.channel', '=', channel)
    .where('due.next_try_at', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notification_deliveries as before')
            .select('before.id')
            .whereRef('before.incident_id', '=', 'due.incident_id')
            .whereRef('before.account_kind', '=', 'due.account_kind')
            .whereRef('before.account_id', '=', 'due.account_id')
            .whereRef('before.channel', '=', 'due.channel')
            .whereRef('before.target', '=', 'due.target')
            .whereRef('before.sequence', '<', 'due.sequence')
            .where('before.state', '=', 'waiting'),
        ),
      ),
    )
    .orderBy('due.next_try_at')
    .orderBy('due.sequence')
    .limit(1)
    .executeTakeFirst();
  return due && claimRow(db, 'notification_deliveries', { id: due.id }, due, until);
}

/** Marks a delivery as sent, and deletes its content. */
export async function completeDelivery(db: Kysely<Database>, id: string, now: number): Promise<void> {
  await db
    .updateTable('notification_deliveries')
    .set({ state: 'sent', reason: null, ended_at: now, sealed: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Schedules the next attempt of a claimed delivery. */
export function retryDelivery(
  db: Kysely<Database>,
  row: NotificationDeliveryRow,
  reason: DeliveryFailure,
  at: number,
): Promise<void> {
  return updateClaimedRow(db, 'notification_deliveries', { id: row.id }, row, { next_try_at: at, reason });
}

/** Gives up a claimed delivery, and deletes its content. */
export function failDelivery(
  db: Kysely<Database>,
  row: NotificationDeliveryRow,
  reason: DeliveryFailure,
  now: number,
): Promise<void> {
  const failed = { state: 'failed', reason, ended_at: now, sealed: null };
  return updateClaimedRow(db, 'notification_deliveries', { id: row.id }, row, failed);
}

/** All deliveries of an incident or a test, with the names of their devices. */
export async function findDeliveriesOf(
  db: Reader,
  incidentId: string,
): Promise<(NotificationDeliveryRow & { readonly device: string | null })[]> {
  return db
    .selectFrom('notification_deliveries')
    .leftJoin('push_subscriptions', 'push_subscriptions.id', 'notification_deliveries.target')
    .selectAll('notification_deliveries')
    .select('push_subscriptions.device')
    .where('incident_id', '=', incidentId)
    .orderBy('channel')
    .orderBy('notification_deliveries.id')
    .execute();
}

/** Records the first arrival of a receipt; returns false for an unknown receipt. */
export async function noteArrival(db: Reader, receiptHash: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('notification_deliveries')
    .set((eb) => ({ arrived_at: eb.fn.coalesce('arrived_at', eb.val(now)) }))
    .where('receipt_hash', '=', receiptHash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface FailedDelivery extends NotificationDeliveryRow {
  readonly name: string | null;
}

/** A page of failed deliveries, newest first. */
export async function findFailedPage(
  db: Reader,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ rows: FailedDelivery[]; total: number; nextCursor: string | null }> {
  const failed = db
    .selectFrom('notification_deliveries')
    .leftJoin('staff', (join) =>
      join
        .onRef('staff.id', '=', 'notification_deliveries.account_id')
        .on('notification_deliveries.account_kind', '=', 'admin'),
    )
    .leftJoin('parents', (join) =>
      join
        .onRef('parents.id', '=', 'notification_deliveries.account_id')
        .on('notification_deliveries.account_kind', '=', 'parent'),
    )
    .where('state', '=', 'failed')
    // An account that is unknown at the current facility is not found.
    .where((eb) =>
      eb.or([
        eb('notification_deliveries.account_kind', '=', 'webhook'),
        eb('staff.id', 'is not', null),
        eb('parents.id', 'is not', null),
      ]),
    )
    // A colleague or the webhook is told of incidents at other facilities too; those are not found either.
    .where((eb) =>
      eb.or([
        eb('notification_deliveries.phase', '=', 'test'),
        eb.exists(
          eb
            .selectFrom('incidents')
            .select('incidents.id')
            .whereRef('incidents.id', '=', 'notification_deliveries.incident_id'),
        ),
        // That a child was handed over is about a stay, and the family may not know of it.
        eb.and([
          eb('notification_deliveries.kind', '=', 'released'),
          eb.exists(
            eb
              .selectFrom('stays')
              .select('stays.id')
              .where(
                'stays.id',
                '=',
                sql<string>`substr(notification_deliveries.incident_id, ${sql.lit(RELEASE_PREFIX.length + 1)})`,
              ),
          ),
        ]),
      ]),
    );
  const { total } = await failed
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = failed
    .selectAll('notification_deliveries')
    .select((eb) => eb.fn.coalesce('staff.name', 'parents.name').as('name'));
  if (cursor !== undefined) {
    const [at, id] = fromCursor(cursor);
    const before = Number(at);
    page = page.where((eb) =>
      eb.or([
        eb('notification_deliveries.ended_at', '<', before),
        eb.and([
          eb('notification_deliveries.ended_at', '=', before),
          eb('notification_deliveries.id', '>', id),
        ]),
      ]),
    );
  }
  const rows = await page
    .orderBy('notification_deliveries.ended_at', 'desc')
    .orderBy('notification_deliveries.id')
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

/** Deletes deliveries that ended before a moment. Milliseconds since 1970. */
export async function deleteDeliveriesBefore(
  db: Kysely<Database>,
  before: { readonly sent: number; readonly failed: number },
): Promise<void> {
  await db
    .deleteFrom('notification_deliveries')
    .where('state', 'in', ['sent', 'dropped'])
    .where('ended_at', '<', before.sent)
    .execute();
  await db
    .deleteFrom('notification_deliveries')
    .where('state', '=', 'failed')
    .where('ended_at', '<', before.failed)
    .execute();
}

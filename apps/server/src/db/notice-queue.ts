/** Takes notices out of the queue, and keeps what became of them. */
import type { DeliveryFailure, DeliveryWay } from '@haris/contract/http/notices';
import type { Kysely, Transaction } from 'kysely';
import { fromCursor, toCursor } from './paging.ts';
import type { Database, NoticeDeliveryRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

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

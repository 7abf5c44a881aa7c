/** Puts notices into the queue: a row per person, way, device and step. */
import { randomUUID } from 'node:crypto';
import type { DeliveryWay } from '@haris/contract/http/notices';
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { type Account, chunksOf } from './notice-people.ts';
import type { Database, NoticeDeliveryRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

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

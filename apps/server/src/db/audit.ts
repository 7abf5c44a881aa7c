/**
 * The audit log's chain: each row's keyed hash covers the previous row, and a keyed head covers the newest. Appending
 * locks the head row, so rows and their numbers follow the order of commits.
 */
import type { AuditAction, AuditSubjectKind } from '@haris/contract/audit';
import type { Kysely, Selectable } from 'kysely';
import type { Actor, DeskDevice, Origin } from '../actor.ts';
import type { Clock } from '../clock.ts';
import { ALL_FACILITIES, facilityOrNull, MAIN_FACILITY } from '../facility.ts';
import type { Vault } from '../vault/vault.ts';
import type { AuditRow, Database } from './schema.ts';
import type { Tx } from './transaction.ts';

export interface AuditFact {
  /** Null for the system. A desk tablet without a signed-in person can start an evacuation. */
  readonly actor: Actor | DeskDevice | null;
  readonly origin?: Origin;
  readonly action: AuditAction;
  readonly subject?: { readonly kind: AuditSubjectKind; readonly id: string };
  /** Only ids, numbers and codes. */
  readonly details?: Readonly<
    Record<string, string | number | boolean | null | undefined | readonly string[]>
  >;
}

export interface AuditTrail {
  /** Appends a row in this transaction. Call it last: it blocks all other appends until the commit. */
  append(tx: Tx, fact: AuditFact): Promise<void>;
  /** Appends many rows, in order, in a few statements, so that the lock is held about as long as for one row. */
  appendAll(tx: Tx, facts: readonly AuditFact[]): Promise<void>;
}

/** Each row binds twelve values: the total stays below the parameter limits of SQLite and PostgreSQL. */
const ROWS_AT_ONCE = 500;

/** The fields that a row's hash covers, in this order, as JSON. */
function covered(row: Omit<AuditRow, 'hash'>): string {
  return JSON.stringify([
    row.seq,
    row.at,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.action,
    row.subject_kind,
    row.subject_id,
    row.from_address,
    row.request_id,
    row.details,
    // Rows from before facilities existed belong to the main facility.
    ...(row.facility_id === MAIN_FACILITY ? [] : [row.facility_id]),
  ]);
}

/** A row of the log without its place in the chain. */
function rowOf(fact: AuditFact, seq: number, at: number): Omit<AuditRow, 'hash'> {
  const origin = fact.actor?.origin ?? fact.origin;
  const passwordSetBy = fact.actor?.kind === 'desk' ? null : fact.actor?.passwordSetBy;
  return {
    seq,
    facility_id: facilityOrNull() ?? ALL_FACILITIES,
    at,
    actor_kind: fact.actor?.kind ?? null,
    actor_id: fact.actor?.id ?? null,
    // Staff are accountable by name; a parent's name must not outlive the parent here.
    actor_name: fact.actor && fact.actor.kind !== 'parent' ? fact.actor.name : null,
    action: fact.action,
    subject_kind: fact.subject?.kind ?? null,
    subject_id: fact.subject?.id ?? null,
    from_address: origin?.address ?? null,
    request_id: origin?.requestId ?? null,
    details: JSON.stringify({
      ...fact.details,
      // Another person knows the password of this session.
      ...(passwordSetBy == null ? {} : { passwordSetBy }),
    }),
  };
}

export function openAuditTrail(vault: Vault, clock: Clock): AuditTrail {
  async function appendAll({ trx }: Tx, facts: readonly AuditFact[]): Promise<void> {
    if (facts.length === 0) return;
    const head = await trx
      .updateTable('audit_head')
      .set((eb) => ({ seq: eb('seq', '+', facts.length) }))
      .where('id', '=', 1)
      .returning(['seq', 'hash'])
      .executeTakeFirstOrThrow();
    const first = head.seq - facts.length + 1;
    const at = clock.now();
    let { hash } = head;
    const rows = facts.map((fact, index) => {
      const row = rowOf(fact, first + index, at);
      hash = vault.mac('audit', hash + covered(row));
      return { ...row, hash };
    });
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
      await trx
        .insertInto('audit_log')
        .values(rows.slice(start, start + ROWS_AT_ONCE))
        .execute();
    await trx
      .updateTable('audit_head')
      .set({ hash, mac: headMac(vault, head.seq, hash) })
      .where('id', '=', 1)
      .execute();
  }
  return { append: (tx, fact) => appendAll(tx, [fact]), appendAll };
}

function headMac(vault: Vault, seq: number, hash: string): string {
  return vault.mac('audit head', `${seq} ${hash}`);
}

/** The newest row of the chain. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

/** The head; null if the log is empty or the keyed hash of the head is wrong. */
export async function findAuditHead(db: Kysely<Database>, vault: Vault): Promise<AuditHead | null> {
  const head = await db.selectFrom('audit_head').selectAll().where('id', '=', 1).executeTakeFirst();
  if (!head || head.seq === 0 || headMac(vault, head.seq, head.hash) !== head.mac) return null;
  return { seq: head.seq, hash: head.hash };
}

/** A head that was stored outside the database. */
export interface OutsideHead extends AuditHead {
  readonly at: string;
  readonly kind: 'head' | 'restored';
}

/** The heads that must still be in the chain, by row. A restore invalidates earlier heads beyond the restored row. */
function headsInForce(heads: readonly OutsideHead[]): Map<number, OutsideHead> {
  const inForce = new Map<number, OutsideHead>();
  for (const head of heads) {
    if (head.kind === 'restored') for (const seq of inForce.keys()) if (seq > head.seq) inForce.delete(seq);
    const known = inForce.get(head.seq);
    // The first head of a row number counts: a stored row must not be replaced by another.
    if (!known || head.kind === 'restored') inForce.set(head.seq, head);
  }
  return inForce;
}

/** The actor's newest name in the log; null if the log has none. */
export async function findActorName(db: Kysely<Database>, actorId: string): Promise<string | null> {
  const row = await db
    .selectFrom('audit_log')
    .select('actor_name')
    .where('actor_id', '=', actorId)
    .where('actor_name', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.actor_name ?? null;
}

export type AuditVerdict =
  | { readonly whole: true; readonly rows: number }
  | { readonly whole: false; readonly seq: number; readonly reason: string };

/**
 * Walks the whole chain in batches and returns the first row that does not fit. `outside`: heads stored outside the
 * database, in order; each must still be in the chain.
 */
export async function verifyAuditTrail(
  db: Kysely<Database>,
  vault: Vault,
  outside: readonly OutsideHead[] = [],
): Promise<AuditVerdict> {
  const kept = headsInForce(outside);
  // Reads the head first, so rows appended during the walk are simply beyond it.
  const head = await db.selectFrom('audit_head').selectAll().where('id', '=', 1).executeTakeFirst();
  let previous = '';
  let expected = 1;
  for (;;) {
    const rows: Selectable<Database['audit_log']>[] = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>=', expected)
      .orderBy('seq')
      .limit(1_000)
      .execute();
    for (const row of rows) {
      if (row.seq !== expected) return { whole: false, seq: expected, reason: 'the row is missing' };
      if (vault.mac('audit', previous + covered(row)) !== row.hash)
        return { whole: false, seq: row.seq, reason: 'the row was changed' };
      previous = row.hash;
      const known = kept.get(row.seq);
      if (known && known.hash !== row.hash)
        return { whole: false, seq: row.seq, reason: `it is not the row that was kept at ${known.at}` };
      if (head && head.seq === row.seq && head.hash !== row.hash)
        return { whole: false, seq: row.seq, reason: 'the head of the chain names another row' };
      expected++;
    }
    if (rows.length < 1_000) break;
  }
  const last = expected - 1;
  for (const { seq, at } of kept.values())
    if (seq > last)
      return { whole: false, seq: expected, reason: `the row is missing: at ${at} there were ${seq}` };
  if (!head) return { whole: false, seq: expected, reason: 'the head of the chain is missing' };
  if (head.seq > last) return { whole: false, seq: expected, reason: 'the row is missing' };
  if (head.seq > 0 && headMac(vault, head.seq, head.hash) !== head.mac)
    return { whole: false, seq: head.seq, reason: 'the head of the chain was changed' };
  if (head.seq === 0 && last > 0)
    return { whole: false, seq: 1, reason: 'the head of the chain was changed' };
  // Row 1 records the first administrator, so a log without rows belongs to an installation without staff.
  if (last === 0 && (await db.selectFrom('staff').select('id').executeTakeFirst()))
    return { whole: false, seq: 1, reason: 'the row is missing' };
  return { whole: true, rows: last };
}

/** Time of the newest row, in milliseconds since 1970; null if the log is empty. */
export async function findNewestAuditTime(db: Kysely<Database>): Promise<number | null> {
  const { at } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.max('at').as('at'))
    .executeTakeFirstOrThrow();
  return at === null ? null : Number(at);
}

/** The events table: events in the order of commits, for the streams of `/api/events`. Contains only ids, no names. */
import type { EventType } from '@haris/contract/live/events';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { ALL_FACILITIES, facilityOrNull } from '../facility.ts';
import { isKnownTo } from './guardians/conditions.ts';
import { inPortions, PORTION_ROWS } from './portions.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';
import type { Wakeup } from './wakeup.ts';

/** Whom an event is for: see {@link EventFact}. */
type EventAudience = EventRow['audience'];

export interface EventFact {
  readonly type: EventType;
  readonly childId?: string | null;
  readonly parentId?: string | null;
  /**
   * Whom it is for. `family`, the usual: staff, and this parent. `guardians`: staff, and every guardian of the child: what any of
   * them may read has changed. `account`: this parent alone.
   */
  readonly audience?: EventAudience;
  readonly incidentId?: string;
  /** Also sends the event to every parent who has a child inside at that time. */
  readonly toParentsInside?: boolean;
}

/** Locks the order of events, as appending to the audit log does. Call it before an event without an audit row. */
export async function lockEventOrder({ trx }: Tx): Promise<void> {
  await trx
    .updateTable('audit_head')
    .set((eb) => ({ seq: eb.ref('seq') }))
    .where('id', '=', 1)
    .execute();
}

export interface EventLog {
  /**
   * Appends the event in this transaction. Append the audit row first: it locks the audit head, so event ids follow the
   * order of commits and a client that resumes misses none.
   */
  append(tx: Tx, fact: EventFact): Promise<void>;
}

export function openEventLog(clock: Clock, wakeup: Wakeup): EventLog {
  return {
    async append(tx, fact) {
      await tx.trx
        .insertInto('events')
        .values({
          facility_id: facilityOrNull() ?? ALL_FACILITIES,
          at: clock.now(),
          type: fact.type,
          child_id: fact.childId ?? null,
          parent_id: fact.parentId ?? null,
          incident_id: fact.incidentId ?? null,
          to_parents_inside: fact.toParentsInside ? 1 : 0,
          audience: fact.audience ?? 'family',
        })
        .execute();
      await wakeup.raise(tx);
    },
  };
}

export interface EventRow {
  readonly id: number;
  /** Empty: belongs to no single facility. */
  readonly facility_id: string;
  readonly at: number;
  readonly type: string;
  readonly child_id: string | null;
  readonly parent_id: string | null;
  readonly incident_id: string | null;
  readonly to_parents_inside: 0 | 1;
  readonly audience: 'family' | 'guardians' | 'account';
}

/**
 * At most `limit` events after an id, oldest first. With `parentId`: only events of that family or about a child whose
 * guardian that parent is, and events for all parents with a child inside.
 */
export async function findEventsAfter(
  db: Kysely<Database>,
  after: number,
  limit: number,
  parentId?: string,
): Promise<EventRow[]> {
  let rows = db.selectFrom('events').selectAll().where('id', '>', after);
  if (parentId !== undefined)
    rows = rows.where((eb) =>
      eb.or([
        eb('parent_id', '=', parentId),
        eb('to_parents_inside', '=', 1),
        eb.and([eb('audience', '=', 'guardians'), isKnownTo(parentId, 'events.child_id', 'events.at')]),
      ]),
    );
  return rows.orderBy('id').limit(limit).execute();
}

/** Whether a child was deleted lately whose guardian the parent was then: nobody else knows it afterwards. */
export async function wasDeletedFrom(
  db: Kysely<Database> | Transaction<Database>,
  childId: string,
  parentId: string,
): Promise<boolean> {
  const deletion = db
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'child.deleted')
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .limit(1);
  return (await deletion.executeTakeFirst()) !== undefined;
}

/** The id of the newest event; 0 if there are none. */
export async function findLastEventId(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

/** Deletes events before a moment (milliseconds since 1970). A client that resumes from an older id starts over. */
export async function deleteEventsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await inPortions(async () => {
    const old = db
      .selectFrom('events')
      .select('id')
      .where('at', '<', before)
      .orderBy('id')
      .limit(PORTION_ROWS);
    const { numDeletedRows } = await db.deleteFrom('events').where('id', 'in', old).executeTakeFirst();
    return numDeletedRows;
  });
}

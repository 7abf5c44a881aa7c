/** The events table: what happened, in the order of commits, for `/api/events` to tell. Ids only, no names. */
import type { EventType } from '@haris/contract/live/events';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';
import type { Wakeup } from './wakeup.ts';

export interface EventFact {
  readonly type: EventType;
  readonly childId?: string | null;
  readonly parentId?: string | null;
  readonly incidentId?: string;
  /** Also for every parent who has a child inside when it is told. */
  readonly toParentsInside?: boolean;
}

/** For an event without an audit row: waits for its turn among the others, as appending to the audit log does. */
export async function takeEventTurn({ trx }: Tx): Promise<void> {
  await trx
    .updateTable('audit_head')
    .set((eb) => ({ seq: eb.ref('seq') }))
    .where('id', '=', 1)
    .execute();
}

export interface EventLog {
  /**
   * Appends in this transaction, after the audit row (whose head row orders all of them, so that ids appear in the
   * order of commits and nobody who resumes misses one).
   */
  append(tx: Tx, fact: EventFact): Promise<void>;
}

export function openEventLog(clock: Clock, wakeup: Wakeup): EventLog {
  return {
    async append(tx, fact) {
      await tx.trx
        .insertInto('events')
        .values({
          at: clock.now(),
          type: fact.type,
          child_id: fact.childId ?? null,
          parent_id: fact.parentId ?? null,
          incident_id: fact.incidentId ?? null,
          to_parents_inside: fact.toParentsInside ? 1 : 0,
        })
        .execute();
      await wakeup.raise(tx);
    },
  };
}

export interface EventRow {
  readonly id: number;
  readonly at: number;
  readonly type: string;
  readonly child_id: string | null;
  readonly parent_id: string | null;
  readonly incident_id: string | null;
  readonly to_parents_inside: 0 | 1;
}

/** Events after an id, oldest first, at most `limit`; with `parentId` those of the family and those for parents inside. */
export async function findEventsAfter(
  db: Kysely<Database>,
  after: number,
  limit: number,
  parentId?: string,
): Promise<EventRow[]> {
  let rows = db.selectFrom('events').selectAll().where('id', '>', after);
  if (parentId !== undefined)
    rows = rows.where((eb) => eb.or([eb('parent_id', '=', parentId), eb('to_parents_inside', '=', 1)]));
  return rows.orderBy('id').limit(limit).execute();
}

/** The newest event's id, 0 when there is none. */
export async function findLastEventId(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

/** Removes events older than a moment (milliseconds); a client that resumes from before it starts anew. */
export async function deleteEventsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await sql`delete from events where at < ${before}`.execute(db);
}

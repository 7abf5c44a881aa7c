/** Stays of a child in relation to others: later ones, the last visit, and the last check-in. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, StayRow } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Stays of the same child that began after this one ended, without void ones. Always includes an open stay. */
export async function findLaterStays(
  db: Reader,
  { id, child_id, exit_time }: Pick<StayRow, 'id' | 'child_id' | 'exit_time'>,
): Promise<Pick<StayRow, 'exit_time'>[]> {
  return (
    db
      .selectFrom('stays')
      .select('exit_time')
      .where('child_id', '=', child_id)
      .where('id', '!=', id)
      .where('voided_at', 'is', null)
      // An open stay is always later, even if the clock was set back in between.
      .where((eb) => eb.or([isOpenStay, eb('entry_time', '>=', Number(exit_time))]))
      .execute()
  );
}

/** A stay that has ended. */
export interface PastStay {
  readonly entry_time: number;
  readonly exit_time: number;
}

/** The latest ended stay of each child, by child id, without void ones. */
export async function findLastVisits(
  db: Reader,
  childIds: readonly string[],
): Promise<Map<string, PastStay>> {
  if (childIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('stays')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('stays as ended')
          .select((of) => ['ended.child_id', of.fn.max('ended.exit_time').as('at')])
          .where('ended.child_id', 'in', childIds)
          .where('ended.voided_at', 'is', null)
          .groupBy('ended.child_id')
          .as('last'),
      (join) => join.onRef('last.child_id', '=', 'stays.child_id').onRef('last.at', '=', 'stays.exit_time'),
    )
    .select(['stays.child_id', 'stays.entry_time', 'stays.exit_time'])
    .where('stays.voided_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ child_id, entry_time, exit_time }) => [
      child_id,
      { entry_time, exit_time: exit_time ?? entry_time },
    ]),
  );
}

/** The last check-in of a child. `entry_time`: milliseconds since 1970; `duration`: minutes; `end_kind`: null for a period. */
export interface LastEntry {
  readonly child_id: string;
  readonly entry_time: number;
  readonly duration: number;
  readonly end_kind: StayRow['end_kind'];
}

/** The last check-in of each of these children that was not undone. Children who never came have none. */
export async function findLastEntries(db: Reader, childIds: readonly string[]): Promise<LastEntry[]> {
  if (childIds.length === 0) return [];
  return db
    .selectFrom('stays')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('stays')
          .select(({ fn }) => ['child_id', fn.max('entry_time').as('last_at')])
          .where('child_id', 'in', childIds)
          .where('voided_at', 'is', null)
          .groupBy('child_id')
          .as('latest'),
      (join) =>
        join.onRef('latest.child_id', '=', 'stays.child_id').onRef('latest.last_at', '=', 'stays.entry_time'),
    )
    .select(['stays.child_id', 'stays.entry_time', 'stays.duration', 'stays.end_kind'])
    .where('stays.voided_at', 'is', null)
    .execute();
}

/** Head counts, their children, and who of them is not accounted for (decision 056). Only queries; rules are with the callers. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database, HeadCountRow } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

type HeadCountWord = 'here' | 'stays';

type NewHeadCount = Pick<HeadCountRow, 'id' | 'from_room_id' | 'to_room_id' | 'started_by' | 'started_at'>;

/** A child to be counted, with its open stay. */
interface CountedStay {
  readonly child_id: string;
  readonly stay_id: string;
}

export async function insertHeadCount(
  trx: Transaction<Database>,
  count: NewHeadCount,
  children: readonly CountedStay[],
): Promise<void> {
  await trx
    .insertInto('head_counts')
    .values({ ...count, ended_by: null, ended_at: null, outcome: null })
    .execute();
  await trx
    .insertInto('head_count_children')
    .values(
      children.map((child) => ({
        ...child,
        count_id: count.id,
        is_added: 0 as const,
        state: null,
        by_id: null,
        at: null,
        alerted_at: null,
      })),
    )
    .execute();
}

export async function findHeadCount(db: Reader, id: string): Promise<HeadCountRow | undefined> {
  return db.selectFrom('head_counts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Counts that nobody has ended and that began after a moment (milliseconds since 1970), newest first. */
export async function findOpenHeadCounts(db: Reader, since: number): Promise<HeadCountRow[]> {
  return db
    .selectFrom('head_counts')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('started_at', '>', since)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Locks a count until the transaction ends, on both databases, and returns its current values. */
export async function lockHeadCount(
  trx: Transaction<Database>,
  id: string,
): Promise<HeadCountRow | undefined> {
  return trx
    .updateTable('head_counts')
    .set((eb) => ({ started_at: eb.ref('started_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function endHeadCount(
  trx: Transaction<Database>,
  id: string,
  { outcome, by, at }: { readonly outcome: 'moved' | 'cancelled'; readonly by: string; readonly at: number },
): Promise<void> {
  await trx
    .updateTable('head_counts')
    .set({ outcome, ended_by: by, ended_at: at })
    .where('id', '=', id)
    .execute();
}

/** The children inside who are in a room, with their stays, unordered. */
export async function findStaysIn(db: Reader, roomId: string): Promise<CountedStay[]> {
  return db
    .selectFrom('stays')
    .select(['child_id', 'id as stay_id'])
    .where('room_id', '=', roomId)
    .where(isOpenStay)
    .execute();
}

/** Which open counts that began after a moment these children are in. */
export async function findOpenCountsOf(
  db: Reader,
  childIds: readonly string[],
  since: number,
): Promise<{ count_id: string; child_id: string }[]> {
  if (childIds.length === 0) return [];
  return db
    .selectFrom('head_counts')
    .innerJoin('head_count_children', 'head_count_children.count_id', 'head_counts.id')
    .select(['head_count_children.count_id', 'head_count_children.child_id'])
    .where('head_counts.ended_at', 'is', null)
    .where('head_counts.started_at', '>', since)
    .where('head_count_children.child_id', 'in', childIds)
    .execute();
}

/** Whether a count that nobody has ended, and that began after a moment, leads to a room. */
export async function leadsCountTo(db: Reader, roomId: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('head_counts')
    .select('id')
    .where('to_room_id', '=', roomId)
    .where('ended_at', 'is', null)
    .where('started_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the child has been ticked in another count since this one began: it is there. */
const isHereElsewhere = sql<0 | 1>`case when exists (
  select 1 from head_count_children as others
  inner join head_counts as other_counts on other_counts.id = others.count_id
  where others.child_id = head_count_children.child_id and others.count_id <> head_counts.id
    and others.state = 'here' and others.at >= head_counts.started_at
    and other_counts.facility_id = head_counts.facility_id
    and (other_counts.outcome is null or other_counts.outcome <> 'cancelled')
) then 1 else 0 end`;

/** A child of a count, with its stay now. */
export interface CountedChild {
  readonly count_id: string;
  readonly child_id: string;
  readonly name: string;
  readonly photo_id: string | null;
  readonly photo_confirmed_at: number | null;
  readonly name_confirmed_at: number | null;
  readonly is_added: 0 | 1;
  readonly state: HeadCountWord | null;
  readonly by_id: string | null;
  readonly at: number | null;
  readonly alerted_at: number | null;
  /** Whether the counted stay is open. */
  readonly is_inside: 0 | 1;
  readonly room_id: string | null;
  readonly room_name: string | null;
  /** When it came into its room; null if that is not known. Milliseconds since 1970. */
  readonly room_since: number | null;
  readonly here_elsewhere: 0 | 1;
}

/** The children of counts, by name. */
export async function findCountedChildren(db: Reader, countIds: readonly string[]): Promise<CountedChild[]> {
  if (countIds.length === 0) return [];
  const rows = await db
    .selectFrom('head_counts')
    .innerJoin('head_count_children', 'head_count_children.count_id', 'head_counts.id')
    .innerJoin('children', 'children.id', 'head_count_children.child_id')
    .leftJoin('stays', (join) => join.onRef('stays.id', '=', 'head_count_children.stay_id').on(isOpenStay))
    .leftJoin('rooms', 'rooms.id', 'stays.room_id')
    .select([
      'head_count_children.count_id',
      'head_count_children.child_id',
      'head_count_children.is_added',
      'head_count_children.state',
      'head_count_children.by_id',
      'head_count_children.at',
      'head_count_children.alerted_at',
      'children.name',
      'children.photo_id',
      'children.photo_confirmed_at',
      'children.name_confirmed_at',
      'stays.id as open_stay',
      'stays.room_id',
      'stays.room_since',
      'rooms.name as room_name',
      isHereElsewhere.as('here_elsewhere'),
    ])
    .where('head_counts.id', 'in', countIds)
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .execute();
  return rows.map(({ open_stay, ...row }) => ({ ...row, is_inside: open_stay === null ? 0 : 1 }));
}

/** A child whom nobody has accounted for. */
export interface UncountedChild {
  readonly count_id: string;
  readonly child_id: string;
}

/**
 * Children of counts that nobody has ended and that began within a time (milliseconds since 1970), about whom nobody has said
 * anything since, and for whom the count has raised no danger. With `only`, this one alone.
 */
export async function findUncounted(
  db: Reader,
  { from, to }: { readonly from: number; readonly to: number },
  only?: UncountedChild,
): Promise<UncountedChild[]> {
  let rows = db
    .selectFrom('head_counts')
    .innerJoin('head_count_children', 'head_count_children.count_id', 'head_counts.id')
    .innerJoin('stays', 'stays.id', 'head_count_children.stay_id')
    .select(['head_count_children.count_id', 'head_count_children.child_id'])
    .where(isOpenStay)
    .where('head_counts.ended_at', 'is', null)
    .where('head_counts.started_at', '>=', from)
    .where('head_counts.started_at', '<=', to)
    .where('head_count_children.state', 'is', null)
    .where('head_count_children.alerted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('stays.room_since', eb.lit(0)), '<=', eb.ref('head_counts.started_at')),
        // Moved and back again, as by an undo: nobody has said that it came along.
        eb('stays.room_id', '=', eb.ref('head_counts.from_room_id')),
      ]),
    )
    .where(isHereElsewhere, '=', 0);
  if (only)
    rows = rows
      .where('head_count_children.count_id', '=', only.count_id)
      .where('head_count_children.child_id', '=', only.child_id);
  return rows.execute();
}

/** Stores what staff say of a child of a count; undefined if it is not on the list. */
export async function setWord(
  trx: Transaction<Database>,
  { count_id, child_id }: UncountedChild,
  word: {
    readonly state: HeadCountWord | null;
    readonly by: string;
    readonly at: number;
    readonly stayId?: string;
  },
): Promise<void> {
  await trx
    .updateTable('head_count_children')
    .set({
      state: word.state,
      by_id: word.by,
      at: word.at,
      ...(word.stayId === undefined ? {} : { stay_id: word.stayId }),
      // Whoever takes a word back does not know where the child is: the danger counts anew.
      ...(word.state === null ? { alerted_at: null } : {}),
    })
    .where('count_id', '=', count_id)
    .where('child_id', '=', child_id)
    .execute();
}

/** Adds a child who was not on the list and is here. */
export async function addCountedChild(
  trx: Transaction<Database>,
  child: UncountedChild & CountedStay & { readonly by: string; readonly at: number },
): Promise<void> {
  const { by, ...row } = child;
  await trx
    .insertInto('head_count_children')
    .values({ ...row, by_id: by, is_added: 1, state: 'here', alerted_at: null })
    .execute();
}

/** Takes a child off the list to which it was added. */
export async function removeCountedChild(
  trx: Transaction<Database>,
  { count_id, child_id }: UncountedChild,
): Promise<void> {
  await trx
    .deleteFrom('head_count_children')
    .where('count_id', '=', count_id)
    .where('child_id', '=', child_id)
    .execute();
}

/** Records that the count has raised the danger about a child. `at`: milliseconds since 1970. */
export async function setAlerted(
  trx: Transaction<Database>,
  { count_id, child_id }: UncountedChild,
  at: number,
): Promise<void> {
  await trx
    .updateTable('head_count_children')
    .set({ alerted_at: at })
    .where('count_id', '=', count_id)
    .where('child_id', '=', child_id)
    .execute();
}

/** Takes a child off all counts, at every facility. */
export async function deleteCountedChild(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('head_count_children').where('child_id', '=', childId).execute();
}

/** Deletes counts that began before a moment (milliseconds since 1970), with their children. */
export async function deleteHeadCountsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('head_counts').where('started_at', '<', before).execute();
}

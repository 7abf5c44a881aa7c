/** Reads stays for reports: those that began within some time and are not void, with the names of whom they concern. */
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import { fromCursor, toCursor } from './paging.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Bounds of the entry in milliseconds since 1970: from the first, before the second. */
export interface AttendanceFilter {
  readonly from: number;
  readonly to: number;
  readonly childId?: string | undefined;
}

/** A stay with the names that are known now; null for people who were deleted. */
export interface AttendanceRow {
  readonly id: string;
  readonly unique_entry_id: string;
  readonly child_id: string;
  readonly child_name: string | null;
  readonly parent_name: string | null;
  readonly entry_time: number;
  readonly exit_time: number | null;
  /** Booked, whole minutes. */
  readonly duration: number;
  readonly checked_in_by: string;
  readonly checked_out_by: string | null;
  readonly in_name: string | null;
  readonly out_name: string | null;
}

export interface AttendancePage {
  readonly rows: AttendanceRow[];
  readonly nextCursor: string | null;
}

function attended(db: Reader, { from, to, childId }: AttendanceFilter) {
  const within = db
    .selectFrom('stays')
    // Undone within seconds of a slip of the hand: nobody was there.
    .where('stays.voided_at', 'is', null)
    .where('stays.entry_time', '>=', from)
    .where('stays.entry_time', '<', to);
  return childId === undefined ? within : within.where('stays.child_id', '=', childId);
}

export async function countAttendance(db: Reader, filter: AttendanceFilter): Promise<number> {
  const { total } = await attended(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Stays by entry, those after `cursor`. Throws 400 for a cursor that was never given. */
export async function findAttendancePage(
  db: Reader,
  filter: AttendanceFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<AttendancePage> {
  let page = attended(db, filter)
    .leftJoin('children', 'children.id', 'stays.child_id')
    .leftJoin('parents', 'parents.id', 'children.parent_id')
    .leftJoin('admins as ins', 'ins.id', 'stays.checked_in_by')
    .leftJoin('admins as outs', 'outs.id', 'stays.checked_out_by')
    .select([
      'stays.id',
      'stays.unique_entry_id',
      'stays.child_id',
      'children.name as child_name',
      'parents.name as parent_name',
      'stays.entry_time',
      'stays.exit_time',
      'stays.duration',
      'stays.checked_in_by',
      'stays.checked_out_by',
      'ins.name as in_name',
      'outs.name as out_name',
    ]);
  if (cursor !== undefined) {
    const [entered, id] = positionOf(cursor);
    page = page.where((eb) =>
      eb.or([
        eb('stays.entry_time', '>', entered),
        eb.and([eb('stays.entry_time', '=', entered), eb('stays.id', '>', id)]),
      ]),
    );
  }
  const rows = await page
    .orderBy('stays.entry_time')
    .orderBy('stays.id')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { rows: shown, nextCursor: last ? toCursor([String(last.entry_time), last.id]) : null };
}

function positionOf(cursor: string): [number, string] {
  const [entered, id] = fromCursor(cursor);
  if (/^[0-9]{1,15}$/.test(entered)) return [Number(entered), id];
  const message = 'cursor is not one that was given';
  throw new AppError('invalid_request', { message, fields: { cursor: message } });
}

export interface AttendanceSums {
  readonly child_id: string;
  readonly child_name: string | null;
  readonly parent_name: string | null;
  readonly visits: number;
  /** Still inside; not in the minutes. */
  readonly open: number;
  readonly minutesBooked: number;
  readonly minutesStayed: number;
  readonly minutesOver: number;
}

/** Sums per child, by the child's name, deleted children last. Minutes are those of the rows, each rounded down. */
export async function sumAttendance(db: Reader, filter: AttendanceFilter): Promise<AttendanceSums[]> {
  // Both databases divide whole numbers to whole numbers; a clock that was set back makes no negative stay.
  const stayed = sql<number>`case when stays.exit_time > stays.entry_time
    then (stays.exit_time - stays.entry_time) / 60000 else 0 end`;
  const rows = await attended(db, filter)
    .leftJoin('children', 'children.id', 'stays.child_id')
    .leftJoin('parents', 'parents.id', 'children.parent_id')
    .select([
      'stays.child_id',
      'children.name as child_name',
      'parents.name as parent_name',
      sql<number>`count(*)`.as('visits'),
      sql<number>`sum(case when stays.exit_time is null then 1 else 0 end)`.as('open'),
      sql<number>`sum(case when stays.exit_time is null then 0 else stays.duration end)`.as('booked'),
      sql<number>`sum(case when stays.exit_time is null then 0 else ${stayed} end)`.as('stayed'),
      sql<number>`sum(case when stays.exit_time is not null and ${stayed} > stays.duration
        then ${stayed} - stays.duration else 0 end)`.as('over'),
    ])
    .groupBy(['stays.child_id', 'children.name', 'children.sort_name', 'parents.name'])
    .orderBy(sql`case when children.sort_name is null then 1 else 0 end`)
    .orderBy('children.sort_name')
    .orderBy('stays.child_id')
    .execute();
  // PostgreSQL's sums come as text.
  return rows.map(({ visits, open, booked, stayed: whole, over, ...child }) => ({
    ...child,
    visits: Number(visits),
    open: Number(open),
    minutesBooked: Number(booked),
    minutesStayed: Number(whole),
    minutesOver: Number(over),
  }));
}

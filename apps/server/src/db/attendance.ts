/** Attendance: stays that began within a period and are not void, with the names of children, parents and staff. */
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { guardianOf } from './guardians/conditions.ts';
import {
  countRows,
  findPage,
  findRows,
  newestFirst,
  oldestFirst,
  type Page,
  type PagePosition,
  type Rows,
} from './paging.ts';
import type { Database } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Range of entry times in milliseconds since 1970: `from` inclusive, `to` exclusive. */
export interface AttendanceFilter {
  readonly from: number;
  readonly to: number;
  readonly childId?: string | undefined;
}

/** A stay with current names; null for deleted people. */
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
  /** When the booking of the day ended; null without one. */
  readonly booked_until: number | null;
  readonly checked_in_by: string;
  readonly checked_out_by: string | null;
  readonly in_name: string | null;
  readonly out_name: string | null;
}

function attended(db: Reader, { from, to, childId }: AttendanceFilter) {
  const within = db
    .selectFrom('stays')
    // A void stay is a check-in that was undone, so it is not attendance.
    .where('stays.voided_at', 'is', null)
    .where('stays.entry_time', '>=', from)
    .where('stays.entry_time', '<', to);
  return childId === undefined ? within : within.where('stays.child_id', '=', childId);
}

export async function countAttendance(db: Reader, filter: AttendanceFilter): Promise<number> {
  return countRows(attended(db, filter));
}

/** Stays by entry, the oldest first. Throws 400 for a cursor that the server did not issue. */
export async function findAttendancePage(
  db: Reader,
  filter: AttendanceFilter,
  position: PagePosition,
): Promise<Rows<AttendanceRow>> {
  const stays = attended(db, filter)
    .leftJoin('children', 'children.id', 'stays.child_id')
    .leftJoin('parents', (join) => join.on('parents.id', '=', guardianOf()))
    .leftJoin('staff as ins', 'ins.id', 'stays.checked_in_by')
    .leftJoin('staff as outs', 'outs.id', 'stays.checked_out_by')
    .select([
      'stays.id',
      'stays.unique_entry_id',
      'stays.child_id',
      'children.name as child_name',
      'parents.name as parent_name',
      'stays.entry_time',
      'stays.exit_time',
      'stays.duration',
      'stays.booked_until',
      'stays.checked_in_by',
      'stays.checked_out_by',
      'ins.name as in_name',
      'outs.name as out_name',
    ]);
  return findRows(stays, oldestFirst('stays', 'entry_time'), position);
}

/** The time that a child was inside; `exit_time` is null while the stay is open. */
export type Presence = Pick<AttendanceRow, 'child_id' | 'entry_time' | 'exit_time'>;

/** Stays that overlap the range, including those that began before it, without void ones. */
export async function findPresences(
  db: Reader,
  { from, to, childId }: AttendanceFilter,
): Promise<Presence[]> {
  let stays = db
    .selectFrom('stays')
    .select(['stays.child_id', 'stays.entry_time', 'stays.exit_time'])
    .where('stays.voided_at', 'is', null)
    .where('stays.entry_time', '<', to)
    .where((eb) => eb.or([isOpenStay, eb('stays.exit_time', '>', from)]));
  if (childId !== undefined) stays = stays.where('stays.child_id', '=', childId);
  return stays.execute();
}

/** A stay of one child; it may be void. */
export interface ChildStayRow
  extends Omit<
    AttendanceRow,
    'unique_entry_id' | 'child_id' | 'child_name' | 'parent_name' | 'booked_until'
  > {
  readonly voided_at: number | null;
}

/** The stays of a child, including void ones, newest first. Throws 400 for a cursor that the server did not issue. */
export async function findStaysOfChild(
  db: Reader,
  childId: string,
  position: PagePosition,
): Promise<Page<ChildStayRow>> {
  return findPage(
    db.selectFrom('stays').where('stays.child_id', '=', childId),
    (found) =>
      found
        .leftJoin('staff as ins', 'ins.id', 'stays.checked_in_by')
        .leftJoin('staff as outs', 'outs.id', 'stays.checked_out_by')
        .select([
          'stays.id',
          'stays.entry_time',
          'stays.exit_time',
          'stays.duration',
          'stays.voided_at',
          'stays.checked_in_by',
          'stays.checked_out_by',
          'ins.name as in_name',
          'outs.name as out_name',
        ]),
    newestFirst('stays', 'entry_time'),
    position,
  );
}

export interface AttendanceSums {
  readonly child_id: string;
  readonly child_name: string | null;
  readonly parent_name: string | null;
  readonly visits: number;
  /** Open stays; their minutes are not counted. */
  readonly open: number;
  readonly minutesBooked: number;
  readonly minutesStayed: number;
  readonly minutesOver: number;
  readonly minutesLate: number;
}

/** Sums per child, by name, deleted children last. Minutes are sums of the rows' minutes, each rounded down. */
export async function sumAttendance(db: Reader, filter: AttendanceFilter): Promise<AttendanceSums[]> {
  // Both databases divide integers to integers. If the clock was set back, a stay counts 0, not less.
  const stayed = sql<number>`case when stays.exit_time > stays.entry_time
    then (stays.exit_time - stays.entry_time) / 60000 else 0 end`;
  const end = sql<number>`coalesce(stays.booked_until, stays.entry_time + stays.duration * 60000)`;
  const rows = await attended(db, filter)
    .leftJoin('children', 'children.id', 'stays.child_id')
    .leftJoin('parents', (join) => join.on('parents.id', '=', guardianOf()))
    .select([
      'stays.child_id',
      'children.name as child_name',
      'parents.name as parent_name',
      sql<number>`count(*)`.as('visits'),
      sql<number>`sum(case when ${isOpenStay} then 1 else 0 end)`.as('open'),
      sql<number>`sum(stays.duration)`.as('booked'),
      sql<number>`sum(case when ${isOpenStay} then 0 else ${stayed} end)`.as('stayed'),
      sql<number>`sum(case when not (${isOpenStay}) and ${stayed} > stays.duration
        then ${stayed} - stays.duration else 0 end)`.as('over'),
      sql<number>`sum(case when stays.exit_time > ${end} then (stays.exit_time - ${end}) / 60000 else 0 end)`.as(
        'late',
      ),
    ])
    .groupBy(['stays.child_id', 'children.name', 'children.sort_name', 'parents.name'])
    .orderBy(sql`case when children.sort_name is null then 1 else 0 end`)
    .orderBy('children.sort_name')
    .orderBy('stays.child_id')
    .execute();
  // PostgreSQL's sums come as text.
  return rows.map(({ visits, open, booked, stayed: whole, over, late, ...child }) => ({
    ...child,
    visits: Number(visits),
    open: Number(open),
    minutesBooked: Number(booked),
    minutesStayed: Number(whole),
    minutesOver: Number(over),
    minutesLate: Number(late),
  }));
}

/** Attendance: stays of a period as the calendar of the facility counts it, as rows and as sums. */
import type { AttendanceEntry, AttendanceTotal, ReportPeriod } from '@haris/contract/http/reports';
import { dayOf, type PeriodRange, periodRange } from '../../calendar.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import {
  type AttendanceFilter,
  type AttendancePage,
  type AttendanceRow,
  type AttendanceSums,
  findAttendancePage,
} from '../../db/attendance.ts';
import { readSettings } from '../../db/settings.ts';

const MINUTE_MS = 60_000;

export interface Question {
  readonly period: ReportPeriod;
  readonly date?: string | undefined;
  readonly weekStart: string;
  readonly childId?: string | undefined;
}

export interface Report {
  readonly range: PeriodRange;
  readonly today: string;
  readonly filter: AttendanceFilter;
}

/** What a question is about, by the time zone that is set now. */
export async function openReport(context: Context, question: Question): Promise<Report> {
  const { timeZone } = await readSettings(context.db, context.config);
  const today = dayOf(context.clock.now(), timeZone);
  const range = periodRange(question.period, question.date ?? today, Number(question.weekStart), timeZone);
  return { range, today, filter: { from: range.from, to: range.to, childId: question.childId } };
}

/** The part of every answer that says which days it is about. */
export function presentRange({ range, today }: Report) {
  const { timeZone, date, firstDay, lastDay } = range;
  return { timeZone, today, date, firstDay, lastDay };
}

/** What the audit log keeps of a question. */
export function describeQuestion({ range }: Report, question: Question) {
  return {
    details: { firstDay: range.firstDay, lastDay: range.lastDay, timeZone: range.timeZone },
    ...(question.childId === undefined ? {} : { subject: { kind: 'child', id: question.childId } as const }),
  };
}

/** Names of staff who are gone, as the audit log kept them; asked for once each. */
export type FormerStaff = (id: string) => Promise<string | null>;

export function createFormerStaff(context: Context): FormerStaff {
  const known = new Map<string, Promise<string | null>>();
  return (id) => {
    const asked = known.get(id) ?? findFormerName(context, id);
    known.set(id, asked);
    return asked;
  };
}

async function findFormerName({ db }: Context, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('audit_log')
    .select('actor_name')
    .where('actor_id', '=', id)
    .where('actor_name', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.actor_name ?? null;
}

export async function presentEntry(
  row: AttendanceRow,
  timeZone: string,
  former: FormerStaff,
): Promise<AttendanceEntry> {
  const stayed =
    row.exit_time === null ? null : Math.max(0, Math.floor((row.exit_time - row.entry_time) / MINUTE_MS));
  return {
    _id: row.id,
    date: dayOf(row.entry_time, timeZone),
    child: { _id: row.child_id, name: row.child_name },
    parentName: row.parent_name,
    entryTime: toMoment(row.entry_time),
    exitTime: row.exit_time === null ? null : toMoment(row.exit_time),
    duration: row.duration,
    minutesStayed: stayed,
    minutesOver: stayed === null ? null : Math.max(0, stayed - row.duration),
    checkedInBy: row.in_name ?? (await former(row.checked_in_by)),
    checkedOutBy: row.checked_out_by && (row.out_name ?? (await former(row.checked_out_by))),
    uniqueEntryId: row.unique_entry_id,
  };
}

export function presentTotal(sums: AttendanceSums): AttendanceTotal {
  const { child_id, child_name, parent_name, ...numbers } = sums;
  return { child: { _id: child_id, name: child_name }, parentName: parent_name, ...numbers };
}

/** All children together. */
export function addUp(totals: readonly AttendanceTotal[]) {
  const all = {
    children: totals.length,
    visits: 0,
    open: 0,
    minutesBooked: 0,
    minutesStayed: 0,
    minutesOver: 0,
  };
  for (const total of totals)
    for (const name of ['visits', 'open', 'minutesBooked', 'minutesStayed', 'minutesOver'] as const)
      all[name] += total[name];
  return all;
}

/** All entries of a report in pages of at most `limit`; each page is read when it is asked for. */
export async function* walkEntries(
  context: Context,
  { range, filter }: Report,
  limit: number,
): AsyncGenerator<AttendanceEntry[]> {
  const former = createFormerStaff(context);
  let cursor: string | null = null;
  do {
    const page: AttendancePage = await findAttendancePage(context.db, filter, {
      limit,
      cursor: cursor ?? undefined,
    });
    yield await Promise.all(page.rows.map((row) => presentEntry(row, range.timeZone, former)));
    cursor = page.nextCursor;
  } while (cursor !== null);
}

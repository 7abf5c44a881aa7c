/** Attendance: stays within a period of the facility's calendar, as rows and as sums. */
import { minutesLate } from '@haris/contract/bookings';
import type { AttendanceEntry, AttendanceTotal, ReportPeriod } from '@haris/contract/http/reports';
import { dayOf, daysOf, type PeriodRange, periodRange } from '../../calendar.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import {
  type AttendanceFilter,
  type AttendanceRow,
  type AttendanceSums,
  findAttendancePage,
  findPresences,
} from '../../db/attendance.ts';
import { findActorName } from '../../db/audit.ts';
import type { Rows } from '../../db/paging.ts';
import { readSettings } from '../../db/settings.ts';
import { peakOf, type Step, spansOf, stepsOf } from './occupancy.ts';

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

/** The period and filter of a query, in the time zone of the settings. */
export async function openReport(context: Context, question: Question): Promise<Report> {
  const { timeZone } = await readSettings(context.db, context.config);
  const today = dayOf(context.clock.now(), timeZone);
  const range = periodRange(question.period, question.date ?? today, Number(question.weekStart), timeZone);
  return { range, today, filter: { from: range.from, to: range.to, childId: question.childId } };
}

/** The part of every response that names its days. */
export function presentRange({ range, today }: Report) {
  const { timeZone, date, firstDay, lastDay } = range;
  return { timeZone, today, date, firstDay, lastDay };
}

/** The audit details of a query. */
export function describeQuestion({ range }: Report, question: Question) {
  return {
    details: { firstDay: range.firstDay, lastDay: range.lastDay, timeZone: range.timeZone },
    ...(question.childId === undefined ? {} : { subject: { kind: 'child', id: question.childId } as const }),
  };
}

/** Names of deleted staff from the audit log, each looked up once. */
export type FormerStaff = (id: string) => Promise<string | null>;

export function createFormerStaff(context: Context): FormerStaff {
  const known = new Map<string, Promise<string | null>>();
  return (id) => {
    const asked = known.get(id) ?? findActorName(context.db, id);
    known.set(id, asked);
    return asked;
  };
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
    bookedUntil: row.booked_until === null ? null : toMoment(row.booked_until),
    minutesLate:
      row.exit_time === null
        ? null
        : minutesLate(row.exit_time, row.entry_time + row.duration * MINUTE_MS, row.booked_until),
    checkedInBy: row.in_name ?? (await former(row.checked_in_by)),
    checkedOutBy: row.checked_out_by && (row.out_name ?? (await former(row.checked_out_by))),
    uniqueEntryId: row.unique_entry_id,
  };
}

export function presentTotal(sums: AttendanceSums): AttendanceTotal {
  const { child_id, child_name, parent_name, ...numbers } = sums;
  return { child: { _id: child_id, name: child_name }, parentName: parent_name, ...numbers };
}

/** Sums over all children. */
export function addUp(totals: readonly AttendanceTotal[]) {
  const all = {
    children: totals.length,
    visits: 0,
    open: 0,
    minutesBooked: 0,
    minutesStayed: 0,
    minutesOver: 0,
    minutesLate: 0,
  };
  for (const total of totals)
    for (const name of [
      'visits',
      'open',
      'minutesBooked',
      'minutesStayed',
      'minutesOver',
      'minutesLate',
    ] as const)
      all[name] += total[name];
  return all;
}

/** All entries of a report, read on demand in pages of at most `limit`. */
export async function* walkEntries(
  context: Context,
  { range, filter }: Report,
  limit: number,
): AsyncGenerator<AttendanceEntry[]> {
  const former = createFormerStaff(context);
  let cursor: string | null = null;
  do {
    const page: Rows<AttendanceRow> = await findAttendancePage(context.db, filter, {
      limit,
      cursor: cursor ?? undefined,
    });
    yield await Promise.all(page.rows.map((row) => presentEntry(row, range.timeZone, former)));
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const QUARTER_MS = 15 * MINUTE_MS;

/** The curve of a day, or the days of a week or month. */
export async function presentChart(context: Context, report: Report, question: Question) {
  const { range, filter } = report;
  const presences = await findPresences(context.db, filter);
  const now = context.clock.now();
  const steps = stepsOf(presences, now);
  const moment = ({ at, children }: Step) => ({ at: toMoment(at), children });
  const peak = peakOf(steps, range);
  const quarters = question.period === 'day' ? spansOf(steps, range, QUARTER_MS) : [];
  return {
    ...presentRange(report),
    peak: peak && moment(peak),
    quarters: quarters.map((span) => moment({ at: span.from, children: peakOf(steps, span)?.children ?? 0 })),
    days: daysOf(range).map((day) => {
      const came = presences.filter(({ entry_time: entry }) => entry >= day.from && entry < day.to);
      return {
        date: day.date,
        visits: came.length,
        children: new Set(came.map(({ child_id }) => child_id)).size,
        peak: peakOf(steps, day)?.children ?? 0,
      };
    }),
  };
}

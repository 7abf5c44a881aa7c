/** Attendance by day, week and month: as rows, as totals per child, and as CSV. */
import * as z from 'zod/mini';
import { languageSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

export const reportPeriodSchema = z.enum(['day', 'week', 'month'], {
  error: 'period must be day, week or month',
});
export type ReportPeriod = z.infer<typeof reportPeriodSchema>;

/** First weekday of a week as an ISO 8601 number, from 1 (Monday) to 7 (Sunday). */
const weekStartSchema = z._default(
  z.enum(['1', '2', '3', '4', '5', '6', '7'], { error: 'weekStart must be 1 (Monday) to 7 (Sunday)' }),
  '1',
);

const NOT_A_DAY = 'date must be a day like 2026-11-21, from the year 2000 to 2199';

/**
 * The stays of a report: those that began in the day, week or month of `date`, in the facility's time zone. Default:
 * today.
 */
const attendanceShape = {
  period: z._default(reportPeriodSchema, 'day'),
  date: z.optional(
    z.iso.date(NOT_A_DAY).check(z.refine((day) => day >= '2000-01-01' && day < '2200-01-01', NOT_A_DAY)),
  ),
  weekStart: weekStartSchema,
  childId: z.optional(z.string().check(z.maxLength(100, 'childId is not valid'))),
};

/** Days are `YYYY-MM-DD` in `timeZone` (IANA name); `firstDay` and `lastDay` are both included. */
const rangeShape = {
  timeZone: z.string(),
  today: z.iso.date(),
  date: z.iso.date(),
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
};

/**
 * One stay. It belongs to the day on which it began. Minutes are elapsed whole minutes, rounded down; they and
 * `exitTime` are null while the child is inside. Names are null once the person has been deleted.
 */
export const attendanceEntrySchema = z
  .object({
    _id: z.string(),
    date: z.iso.date(),
    child: z.object({ _id: z.string(), name: z.nullable(z.string()) }),
    parentName: z.nullable(z.string()),
    entryTime: momentSchema,
    exitTime: z.nullable(momentSchema),
    /** Booked minutes, whole. */
    duration: z.int(),
    minutesStayed: z.nullable(z.int().check(z.nonnegative())),
    minutesOver: z.nullable(z.int().check(z.nonnegative())),
    /** When the booking of the day ended; null without one. */
    bookedUntil: z.nullable(momentSchema),
    /** Minutes by which the child was fetched after the booking's end; without a booking, after the due end. */
    minutesLate: z.nullable(z.int().check(z.nonnegative())),
    checkedInBy: z.nullable(z.string()),
    checkedOutBy: z.nullable(z.string()),
    uniqueEntryId: z.string(),
  })
  .register(z.globalRegistry, { id: 'AttendanceEntry' });
export type AttendanceEntry = z.infer<typeof attendanceEntrySchema>;

const sumsShape = {
  visits: z.int(),
  /** Stays still open. Only their booked minutes count; minutes stayed and over time are added at the checkout. */
  open: z.int(),
  minutesBooked: z.int(),
  minutesStayed: z.int(),
  minutesOver: z.int(),
  minutesLate: z.int(),
};

export const attendanceTotalSchema = z
  .object({
    child: z.object({ _id: z.string(), name: z.nullable(z.string()) }),
    parentName: z.nullable(z.string()),
    ...sumsShape,
  })
  .register(z.globalRegistry, { id: 'AttendanceTotal' });
export type AttendanceTotal = z.infer<typeof attendanceTotalSchema>;

export const reportRoutes = {
  listAttendance: defineRoute({
    id: 'listAttendance',
    method: 'GET',
    path: '/api/reports/attendance',
    access: 'staff',
    permission: 'reports.view',
    rows: { entries: ['_id'] },
    summary: 'Stays that began in a day, week or month, oldest first, without voided stays',
    query: z.object({ ...attendanceShape, limit: listQueryShape.limit, cursor: listQueryShape.cursor }),
    status: 200,
    answer: z.object({ ...rangeShape, entries: z.array(attendanceEntrySchema), ...pageShape }),
    errors: [],
  }),
  getAttendanceTotals: defineRoute({
    id: 'getAttendanceTotals',
    method: 'GET',
    path: '/api/reports/attendance/totals',
    access: 'staff',
    permission: 'reports.view',
    rows: { totals: ['child._id'] },
    summary: 'Totals of the same stays, overall and per child by name',
    query: z.object(attendanceShape),
    status: 200,
    answer: z.object({
      ...rangeShape,
      all: z.object({ children: z.int(), ...sumsShape }),
      totals: z.array(attendanceTotalSchema),
    }),
    errors: [],
  }),
  getAttendanceChart: defineRoute({
    id: 'getAttendanceChart',
    method: 'GET',
    path: '/api/reports/attendance/chart',
    access: 'staff',
    permission: 'reports.view',
    summary: 'How many children were inside: by quarter of an hour for a day, by day for a week or month',
    query: z.object(attendanceShape),
    status: 200,
    answer: z.object({
      ...rangeShape,
      /** The most children inside at once, and when that began; null if nobody was. */
      peak: z.nullable(z.object({ at: momentSchema, children: z.int() })),
      /**
       * Only for a single day: the most children inside within each quarter of an hour, from the first to the last
       * visit.
       */
      quarters: z.array(z.object({ at: momentSchema, children: z.int() })),
      /** Stays and children that came on each day, and the most inside at once. A stay over midnight is inside on both. */
      days: z.array(z.object({ date: z.iso.date(), visits: z.int(), children: z.int(), peak: z.int() })),
    }),
    errors: [],
  }),
  exportAttendance: defineRoute({
    id: 'exportAttendance',
    method: 'GET',
    path: '/api/reports/attendance.csv',
    access: 'staff',
    permission: 'reports.export',
    approval: true,
    proof: 'always',
    summary: 'The same stays as CSV for spreadsheets; `x-total-rows` is the number of rows after the header',
    query: z.object({ ...attendanceShape, language: z.optional(languageSchema) }),
    status: 200,
    answer: 'text/csv',
    errors: [],
  }),
};

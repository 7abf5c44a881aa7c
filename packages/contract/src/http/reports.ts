/** Attendance by day, week and month: to read, as totals per child, and as CSV. */
import { z } from 'zod';
import { languageSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

export const reportPeriodSchema = z.enum(['day', 'week', 'month'], {
  error: 'period must be day, week or month',
});
export type ReportPeriod = z.infer<typeof reportPeriodSchema>;

/** ISO 8601 number of the weekday that weeks begin with: 1 Monday to 7 Sunday. */
const weekStartSchema = z
  .enum(['1', '2', '3', '4', '5', '6', '7'], { error: 'weekStart must be 1 (Monday) to 7 (Sunday)' })
  .default('1');

const NOT_A_DAY = 'date must be a day like 2026-11-21, from the year 2000 to 2199';

/**
 * Which stays a report is about: those that began in the day, week or month that `date` lies in, by the calendar of the
 * facility's time zone. Without `date`: today.
 */
const attendanceShape = {
  period: reportPeriodSchema.default('day'),
  date: z.iso
    .date(NOT_A_DAY)
    .refine((day) => day >= '2000-01-01' && day < '2200-01-01', NOT_A_DAY)
    .optional(),
  weekStart: weekStartSchema,
  childId: z.string().max(100, 'childId is not valid').optional(),
};

/** Days are `YYYY-MM-DD` in `timeZone` (IANA name); `firstDay` and `lastDay` both belong to the period. */
const rangeShape = {
  timeZone: z.string(),
  today: z.iso.date(),
  date: z.iso.date(),
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
};

/**
 * One stay. It belongs to the day on which it began. Minutes are elapsed ones, whole, rounded down; they and `exitTime`
 * are null while the child is inside. Names are null once the person was deleted.
 */
export const attendanceEntrySchema = z
  .object({
    _id: z.string(),
    date: z.iso.date(),
    child: z.object({ _id: z.string(), name: z.string().nullable() }),
    parentName: z.string().nullable(),
    entryTime: momentSchema,
    exitTime: momentSchema.nullable(),
    /** Booked, whole minutes. */
    duration: z.number().int(),
    minutesStayed: z.number().int().nonnegative().nullable(),
    minutesOver: z.number().int().nonnegative().nullable(),
    checkedInBy: z.string().nullable(),
    checkedOutBy: z.string().nullable(),
    uniqueEntryId: z.string(),
  })
  .meta({ id: 'AttendanceEntry' });
export type AttendanceEntry = z.infer<typeof attendanceEntrySchema>;

const sumsShape = {
  visits: z.number().int(),
  /** Of these, still inside: their minutes are not in the sums. */
  open: z.number().int(),
  minutesBooked: z.number().int(),
  minutesStayed: z.number().int(),
  minutesOver: z.number().int(),
};

export const attendanceTotalSchema = z
  .object({
    child: z.object({ _id: z.string(), name: z.string().nullable() }),
    parentName: z.string().nullable(),
    ...sumsShape,
  })
  .meta({ id: 'AttendanceTotal' });
export type AttendanceTotal = z.infer<typeof attendanceTotalSchema>;

export const reportRoutes = {
  listAttendance: defineRoute({
    id: 'listAttendance',
    method: 'GET',
    path: '/api/reports/attendance',
    access: 'staff',
    summary: 'Stays that began in a day, week or month, oldest first; voided ones are not attendance',
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
    summary: 'The same stays summed up, in all and per child by name',
    query: z.object(attendanceShape),
    status: 200,
    answer: z.object({
      ...rangeShape,
      all: z.object({ children: z.number().int(), ...sumsShape }),
      totals: z.array(attendanceTotalSchema),
    }),
    errors: [],
  }),
  exportAttendance: defineRoute({
    id: 'exportAttendance',
    method: 'GET',
    path: '/api/reports/attendance.csv',
    access: 'staff',
    proof: 'always',
    summary:
      'The same stays as CSV for spreadsheets; `x-total-rows` tells how many rows come after the header',
    query: z.object({ ...attendanceShape, language: languageSchema.optional() }),
    status: 200,
    answer: 'text/csv',
    errors: [],
  }),
};

/** Opening hours and holidays of a facility as settings: their schemas and limits. `open-now.ts` applies them to a moment. */
import * as z from 'zod/mini';
import { nameSchema } from './fields.ts';

/** Days of the week as `Date.getUTCDay` counts them. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Times of opening in one day. */
export const INTERVALS_MAX = 6;
/** Holidays that a facility may have, past ones included. */
export const HOLIDAYS_MAX = 100;
/** Days of the longest holiday. */
const HOLIDAY_DAYS_MAX = 366;

const TIME = 'Enter a time like 07:30';
const DATE = 'Enter a date like 2026-11-21';
const DAY_MS = 86_400_000;

/** Times of one day, from and to; `error` is said of an end that is not after its start. */
export function intervalWith(error: string) {
  return z
    .object({
      /** Local time `HH:MM`. */
      from: z.string(TIME).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, TIME)),
      /** Local time `HH:MM`, after `from`; `24:00` is the end of the day. */
      to: z.string(TIME).check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, TIME)),
    })
    .check(z.refine(({ from, to }) => to > from, { path: ['to'], error }));
}

const intervalSchema = intervalWith('Closing time must be after opening time');
export type Interval = z.output<typeof intervalSchema>;

/** Whether no two intervals, in the order of their opening, have a minute in common. */
function areApart(intervals: readonly Interval[]): boolean {
  return intervals.every(({ from }, index) => index === 0 || (intervals[index - 1]?.to ?? '') <= from);
}

const INTERVALS = `A day may have up to ${INTERVALS_MAX} opening times`;

/** Opening times of one weekday, in order; empty: closed. */
const dayHoursSchema = z.pipe(
  z.pipe(
    z.array(intervalSchema, 'Opening times are a list').check(z.maxLength(INTERVALS_MAX, INTERVALS)),
    z.transform((intervals) => [...intervals].sort((a, b) => (a.from < b.from ? -1 : 1))),
  ),
  z.array(intervalSchema).check(z.refine(areApart, { error: 'Opening times of a day must not overlap' })),
);

/** Opening times by weekday, in the facility's local time. */
export const openingHoursSchema = z
  .object(
    {
      sunday: dayHoursSchema,
      monday: dayHoursSchema,
      tuesday: dayHoursSchema,
      wednesday: dayHoursSchema,
      thursday: dayHoursSchema,
      friday: dayHoursSchema,
      saturday: dayHoursSchema,
    } satisfies Record<Weekday, unknown>,
    'Opening hours name each weekday',
  )
  .register(z.globalRegistry, { id: 'OpeningHours' });
export type OpeningHours = z.output<typeof openingHoursSchema>;

const dateSchema = z.iso
  .date(DATE)
  .check(z.refine((day) => day >= '2000-01-01' && day <= '2099-12-31', { error: DATE }));

/** Days from one local date to another, both `YYYY-MM-DD`. Pure. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Local dates `YYYY-MM-DD` on which a facility is closed, both inclusive, and why. */
export const holidaySchema = z
  .object({ from: dateSchema, to: dateSchema, name: nameSchema }, 'A holiday has from, to and name')
  .check(
    z.refine(({ from, to }) => to >= from, {
      path: ['to'],
      error: 'The last day must not be before the first',
    }),
    z.refine(({ from, to }) => daysBetween(from, to) < HOLIDAY_DAYS_MAX, {
      path: ['to'],
      error: `A holiday may have up to ${HOLIDAY_DAYS_MAX} days`,
    }),
  )
  .register(z.globalRegistry, { id: 'Holiday' });
export type Holiday = z.output<typeof holidaySchema>;

const HOLIDAYS = `There may be up to ${HOLIDAYS_MAX} holidays`;

/** Holidays, ordered by their first day; past ones stay until somebody removes them. */
export const holidaysSchema = z.pipe(
  z.pipe(
    z.array(holidaySchema, 'Holidays are a list').check(z.maxLength(HOLIDAYS_MAX, HOLIDAYS)),
    z.transform((holidays) => [...holidays].sort((a, b) => (a.from + a.to < b.from + b.to ? -1 : 1))),
  ),
  z.array(holidaySchema),
);

/** A week of times as a form shows and fills it: days in the region's order, and its working days. Pure. */
import { type Interval, type OpeningHours, WEEKDAYS, type Weekday } from '@haris/contract/opening-hours';
import { weekdayName, weekOf } from '../i18n/week.ts';

/** The time of a day that is switched to open. */
export const USUAL_DAY: Interval = { from: '08:00', to: '16:00' };

/** 1 (Monday) to 7 (Sunday). */
function numberOf(day: Weekday): number {
  return WEEKDAYS.indexOf(day) || 7;
}

/** The days of the week from the region's first one. `region`: ISO 3166 code. */
export function daysOf(region: string): Weekday[] {
  const first = weekOf(region).firstDay % 7;
  return [...WEEKDAYS.slice(first), ...WEEKDAYS.slice(0, first)];
}

/** The region's days without its weekend. */
export function workDaysOf(region: string): Weekday[] {
  const { weekend } = weekOf(region);
  return daysOf(region).filter((day) => !weekend.includes(numberOf(day)));
}

/** The name of a day in a language. */
export function nameOfDay(day: Weekday, language: string): string {
  return weekdayName(numberOf(day), language);
}

/** What the form begins with: open on the region's working days. */
export function usualWeek(region: string): OpeningHours {
  const open = workDaysOf(region);
  const hours = WEEKDAYS.map((day) => [day, open.includes(day) ? [USUAL_DAY] : []]);
  return Object.fromEntries(hours) as OpeningHours;
}

/** The times of one day on all of these. */
export function copyDay(hours: OpeningHours, from: Weekday, days: readonly Weekday[]): OpeningHours {
  const copied = days.map((day) => [day, hours[from].map((interval) => ({ ...interval }))]);
  return { ...hours, ...Object.fromEntries(copied) };
}

/** A further time on a day, an hour after the last one. Empty, for the person to type, if that one has no end or ends late. */
export function nextInterval(intervals: readonly Interval[]): Interval {
  const last = intervals.at(-1);
  if (last === undefined) return USUAL_DAY;
  const hour = Number(last.to.slice(0, 2)) + 1;
  if (last.to === '' || hour > 22) return { from: '', to: '' };
  const minutes = last.to.slice(2);
  return {
    from: `${String(hour).padStart(2, '0')}${minutes}`,
    to: `${String(hour + 1).padStart(2, '0')}${minutes}`,
  };
}

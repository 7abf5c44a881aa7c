/** The columns of an attendance file, in the language of who asked for it. */
import type { Language } from '@haris/contract/fields';
import type { AttendanceEntry } from '@haris/contract/http/reports';
import { wallClock } from '../../calendar.ts';
import type { Cell } from '../../http/csv.ts';

const titles: Record<Language, (timeZone: string) => string[]> = {
  en: (timeZone) => [
    'Date',
    'Child',
    'Parent',
    `Entry (${timeZone})`,
    `Exit (${timeZone})`,
    'Booked (min)',
    'Stayed (min)',
    'Over time (min)',
    'Checked in by',
    'Checked out by',
    'Entry ID',
  ],
  ar: (timeZone) => [
    'التاريخ',
    'الطفل',
    'ولي الأمر',
    `الدخول (${timeZone})`,
    `الخروج (${timeZone})`,
    'المدة المحجوزة (دقيقة)',
    'مدة البقاء (دقيقة)',
    'الوقت الزائد (دقيقة)',
    'سجّل الدخول',
    'سجّل الخروج',
    'رقم الدخول',
  ],
};

const deleted: Record<Language, string> = { en: '(deleted)', ar: '(محذوف)' };

export function attendanceTitles(language: Language, timeZone: string): string[] {
  return titles[language](timeZone);
}

/** A stay as cells, in the order of the titles. What is not known yet is an empty cell. */
export function attendanceCells(entry: AttendanceEntry, language: Language, timeZone: string): Cell[] {
  const at = (moment: string | null) => moment && wallClock(Date.parse(moment), timeZone);
  const gone = deleted[language];
  return [
    entry.date,
    entry.child.name ?? gone,
    entry.parentName ?? gone,
    at(entry.entryTime),
    at(entry.exitTime),
    entry.duration,
    entry.minutesStayed,
    entry.minutesOver,
    entry.checkedInBy ?? gone,
    entry.exitTime === null ? null : (entry.checkedOutBy ?? gone),
    entry.uniqueEntryId,
  ];
}

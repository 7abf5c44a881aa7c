/** The columns of an attendance file, in both languages. */
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
    'Overtime (min)',
    'Late pick-up (min)',
    'Checked in by',
    'Checked out by',
    'Entry ID',
  ],
  ar: (timeZone) => [
    'التاريخ',
    'الطفل',
    'وليّ الأمر',
    `الحضور (${timeZone})`,
    `الانصراف (${timeZone})`,
    'المدة المحجوزة (دقيقة)',
    'مدة البقاء (دقيقة)',
    'الوقت الزائد (دقيقة)',
    'التأخر عن الاستلام (دقيقة)',
    'سجّل الحضور',
    'سجّل الانصراف',
    'رقم الزيارة',
  ],
};

const deleted: Record<Language, string> = { en: '(deleted)', ar: '(محذوف)' };

export function attendanceTitles(language: Language, timeZone: string): string[] {
  return titles[language](timeZone);
}

/** A stay as cells, in the order of the titles. Unknown values are empty cells. */
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
    entry.minutesLate,
    entry.checkedInBy ?? gone,
    entry.exitTime === null ? null : (entry.checkedOutBy ?? gone),
    entry.uniqueEntryId,
  ];
}

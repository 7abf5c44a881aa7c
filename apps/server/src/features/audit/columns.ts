/** The columns of the audit log as a file, in the language of the staff member who exports it. */
import type { Language } from '@haris/contract/fields';
import { wallClock } from '../../calendar.ts';
import { toMoment } from '../../clock.ts';
import type { AuditRow } from '../../db/schema.ts';
import type { Cell } from '../../http/csv.ts';

const titles: Record<Language, (timeZone: string) => string[]> = {
  en: (timeZone) => [
    'Row',
    `Time (${timeZone})`,
    'Time (UTC)',
    'Kind of account',
    'Name',
    'Account ID',
    'Action',
    'Kind of subject',
    'Subject ID',
    'From address',
    'Request ID',
    'Details',
  ],
  ar: (timeZone) => [
    'رقم السطر',
    `الوقت (${timeZone})`,
    'الوقت (UTC)',
    'نوع الحساب',
    'الاسم',
    'معرّف الحساب',
    'الإجراء',
    'نوع الموضوع',
    'معرّف الموضوع',
    'عنوان الشبكة',
    'معرّف الطلب',
    'التفاصيل',
  ],
};

export function auditTitles(language: Language, timeZone: string): string[] {
  return titles[language](timeZone);
}

/** A row as cells, in the order of the titles; actions and details are codes, the same in every language. */
export function auditCells(row: AuditRow, timeZone: string): Cell[] {
  return [
    row.seq,
    wallClock(row.at, timeZone),
    toMoment(row.at),
    row.actor_kind,
    row.actor_name,
    row.actor_id,
    row.action,
    row.subject_kind,
    row.subject_id,
    row.from_address,
    row.request_id,
    row.details === '{}' ? null : row.details,
  ];
}

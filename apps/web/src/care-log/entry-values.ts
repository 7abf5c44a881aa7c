/** An entry of the care log as its form holds it: every field a text. Pure. */
import {
  type CareEntryContent,
  type CareEntryKind,
  careEntrySchema,
  SLEEP_MINUTES_USUAL,
} from '@haris/contract/care-log';
import type { CareLogEntry } from '@haris/contract/http/care-log';
import { localDay, momentAt } from '@haris/contract/zone-time';
import * as z from 'zod/mini';
import { validateWith } from '../forms/validation.ts';

export interface EntryValues extends Record<string, unknown> {
  kind: CareEntryKind;
  /** Local day and time of the facility; a blank time means now. */
  day: string;
  time: string;
  what: string;
  where: string;
  firstAid: string;
  seenBy: string;
  name: string;
  dose: string;
  givenBy: string;
  witnessedBy: string;
  nappy: string;
  eaten: string;
  everyMinutes: string;
  note: string;
  reason: string;
}

const BLANK = {
  ...{ what: '', where: '', firstAid: '', seenBy: '' },
  ...{ name: '', dose: '', givenBy: '', witnessedBy: '' },
  ...{ nappy: 'wet', eaten: 'all', everyMinutes: String(SLEEP_MINUTES_USUAL), note: '', reason: '' },
};

const text = z.string();

/** The form as a draft of it is read; its kind is part of the draft's key. */
export const entryFields = {
  ...{ day: text, time: text, what: text, where: text, firstAid: text, seenBy: text },
  ...{ name: text, dose: text, givenBy: text, witnessedBy: text },
  ...{ nappy: text, eaten: text, everyMinutes: text, note: text, reason: text },
};

/** The local time `HH:MM` of a moment. */
function timeAt(moment: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(moment);
}

/** What a new entry of a kind begins with. */
export function newValues(kind: CareEntryKind, timeZone: string, now: number): EntryValues {
  return { ...BLANK, kind, day: localDay(now, timeZone), time: '' };
}

/** What a correction begins with; an entry that cannot be read can only be withdrawn. */
export function valuesOf({ entry, at }: CareLogEntry, timeZone: string): EntryValues {
  const moment = Date.parse(at);
  const when = { day: localDay(moment, timeZone), time: timeAt(moment, timeZone) };
  const content = entry === null ? {} : { ...entry };
  const texts = Object.fromEntries(Object.entries(content).map(([key, value]) => [key, String(value)]));
  return { ...BLANK, ...texts, ...when, kind: entry?.kind ?? 'withdrawn' };
}

/** The entry to send; {@link problemsOf} says whether it is one. */
export function entryOf(values: EntryValues): CareEntryContent {
  const { kind, note } = values;
  const one = {
    accident: () => ({
      what: values.what,
      where: values.where,
      firstAid: values.firstAid,
      seenBy: values.seenBy,
    }),
    medicine: () => ({
      name: values.name,
      dose: values.dose,
      givenBy: values.givenBy,
      witnessedBy: values.witnessedBy,
    }),
    sleep_start: () => ({ everyMinutes: Number(values.everyMinutes) }),
    sleep_check: () => ({ note }),
    sleep_end: () => ({ note }),
    nappy: () => ({ nappy: values.nappy, note }),
    meal: () => ({ eaten: values.eaten, note }),
    withdrawn: () => ({ reason: values.reason }),
  }[kind]();
  return { kind, ...one } as CareEntryContent;
}

/** When it happened; undefined: now, or when the corrected entry says. ISO 8601. */
export function momentOf({ day, time }: EntryValues, before: EntryValues, timeZone: string) {
  if (time === '' || day === '' || (day === before.day && time === before.time)) return undefined;
  return new Date(momentAt(day, time, timeZone, 'last')).toISOString();
}

/** Whether another day was chosen without a time: it would be recorded as now. */
export function lacksTime({ day, time }: EntryValues, before: EntryValues): boolean {
  return time === '' && day !== before.day;
}

const validate = validateWith(careEntrySchema);

/** Problems by field of the form. */
export function problemsOf(values: EntryValues): Record<string, string> {
  return validate(entryOf(values));
}

/** `entry.what` of the contract is `what` in the form, and `at` its time. */
export function inForm(problems: Record<string, string | true>): Record<string, string | true> {
  return Object.fromEntries(
    Object.entries(problems).map(([path, text]) => [
      path === 'at' ? 'time' : path.replace(/^entry\./, ''),
      text,
    ]),
  );
}

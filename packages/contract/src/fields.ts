/** Validation of what people type, with the exact sentences of spec §5; the same schemas serve the forms and the server. */
import { z } from 'zod';
import {
  ENTRY_PERIODS_MINUTES,
  LANGUAGES,
  NAME_MAX,
  PARENT_PASSWORD_MIN,
  PASSWORD_MAX,
  STAFF_PASSWORD_MIN,
} from './constants.ts';

export const INVALID_EMAIL = 'Invalid email format';
export const INVALID_PHONE = 'Invalid phone number format';
export const INVALID_NATIONAL_ID = 'Invalid national ID format';

/** Arabic-Indic (٠–٩) and Eastern Arabic-Indic (۰–۹) digits as 0–9; everything else stays (contract §3). */
export function toAsciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** Something that can be seen; U+2800 is a blank that Unicode counts as a symbol. */
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{S}\p{P}]/u;
/** Control, format (also those that turn the direction), line-break, private and other characters that nobody sees. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Persian and Urdu names are written with U+200C between two Arabic letters; anywhere else it is hidden. */
const NON_JOINER = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu;

/**
 * What a person or a thing is called: NFC, outer blanks removed, every blank a plain one, without emoji variation selectors;
 * 1–100 code points of any script, no character that cannot be seen but U+200C between Arabic letters.
 * `label` begins the sentences of refusal.
 */
function labelSchema<const Label extends 'Name' | 'Area'>(label: Label) {
  return z
    .string({ error: `${label} is required` })
    .transform((text) =>
      text
        .normalize('NFC')
        .toWellFormed()
        .replace(/\p{Zs}/gu, ' ')
        .replace(/[\ufe0e\ufe0f]/g, '')
        .trim(),
    )
    .pipe(
      z
        .string()
        .refine((text) => VISIBLE.test(text), { error: `${label} is required`, abort: true })
        .refine((text) => [...text].length <= NAME_MAX, {
          error: `${label} may have up to ${NAME_MAX} characters`,
          abort: true,
        })
        .refine((text) => !HIDDEN.test(text.replace(NON_JOINER, '')), {
          error: `${label} has characters that are not allowed`,
        }),
    );
}

/** The name of a person, a camera, a sensor or an account of a device. */
export const nameSchema = labelSchema('Name');
/** The name of a room or another part of the place. */
export const areaSchema = labelSchema('Area');

const emailText = z
  .string({ error: (issue) => (issue.input === undefined ? 'Email is required' : INVALID_EMAIL) })
  .transform((text) => text.trim().toLowerCase());

/** The parent's e-mail pattern of spec §5 (no plus sign); lower-cased, outer blanks removed, ≤ 254 characters. */
export const parentEmailSchema = emailText.pipe(
  z
    .string()
    .max(254, INVALID_EMAIL)
    .regex(/^[a-z0-9_.-]+@[a-z0-9.-]+\.[a-z]{2,}$/, INVALID_EMAIL),
);

/** The staff's e-mail: a standard address pattern (spec §5); lower-cased, outer blanks removed. */
export const staffEmailSchema = emailText.pipe(z.email(INVALID_EMAIL).max(254, INVALID_EMAIL));

/** An e-mail typed to sign in or to ask for a reset: only its size is checked, so that the answer tells nothing. */
export const loginEmailSchema = z
  .string({ error: 'Email is required' })
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.string().min(1, 'Email is required').max(254, INVALID_EMAIL));

/** Egyptian mobile number: 11 digits, 01 then 0, 1, 2 or 5 (spec §5); Arabic-Indic digits are accepted. */
export const phoneSchema = z
  .string({ error: (issue) => (issue.input === undefined ? 'Phone number is required' : INVALID_PHONE) })
  .transform((text) => toAsciiDigits(text.trim()))
  .pipe(z.string().regex(/^01[0125][0-9]{8}$/, INVALID_PHONE));

/** National ID: 14 digits, first 2 or 3, digits 4–5 a month 01–12, digits 6–7 a day 01–31 (spec §5). */
export const nationalIdSchema = z
  .string({ error: (issue) => (issue.input === undefined ? 'National ID is required' : INVALID_NATIONAL_ID) })
  .transform((text) => toAsciiDigits(text.trim()))
  .pipe(
    z.string().regex(/^[23][0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9]{7}$/, INVALID_NATIONAL_ID),
  );

/** What a new password is refused with that is among the first to be guessed; the list is the server's. */
export const COMMON_PASSWORD = 'This password is too easy to guess. Please choose another one.';

function passwordSchema(min: number) {
  return z
    .string({ error: 'Password is required' })
    .min(1, { error: 'Password is required', abort: true })
    .min(min, `Password must have at least ${min} characters`)
    .max(PASSWORD_MAX, `Password may have up to ${PASSWORD_MAX} characters`);
}
export const parentPasswordSchema = passwordSchema(PARENT_PASSWORD_MIN);
export const staffPasswordSchema = passwordSchema(STAFF_PASSWORD_MIN);
/** A password typed to sign in: present and not longer than any that can exist. */
export const loginPasswordSchema = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(PASSWORD_MAX, `Password may have up to ${PASSWORD_MAX} characters`);

/** Length of a stay in whole minutes: 30, 60, 120 or 240 (spec §9). */
export const entryPeriodSchema = z.literal(ENTRY_PERIODS_MINUTES, {
  error: 'The period must be 30, 60, 120 or 240 minutes',
});
export type EntryPeriod = z.infer<typeof entryPeriodSchema>;

/** A `uniqueEntryId`, as it comes from a slip: outer blanks removed, 43 characters of base64url. */
export const entryIdSchema = z
  .string({ error: 'The entry code is required' })
  .transform((text) => text.trim())
  .pipe(z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'This is not an entry code'));

export const languageSchema = z.enum(LANGUAGES, { error: 'Language must be en or ar' });
export type Language = z.infer<typeof languageSchema>;

function isTimeZone(name: string): boolean {
  // An offset like +03:00 would pass below, and knows no daylight saving time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Where the facility stands: a name of the IANA time zone database. */
export const timeZoneSchema = z
  .string('must be a time zone like Africa/Cairo')
  .max(100, 'must be a time zone like Africa/Cairo')
  .refine(isTimeZone, 'must be a time zone like Africa/Cairo');

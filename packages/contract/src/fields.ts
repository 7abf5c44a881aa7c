/** Validation of typed input, with the exact sentences of spec §5; forms and server share the schemas. */
import * as z from 'zod/mini';
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

/** A code of six digits from a phone, an app or a mail, also Arabic-Indic; blanks in between are ignored. */
export const sixDigitsSchema = z.pipe(
  z.pipe(
    z.string({ error: 'The code is required' }),
    z.transform((text) => toAsciiDigits(text).replace(/\s/g, '')),
  ),
  z.string().check(z.regex(/^[0-9]{6}$/, 'The code has 6 digits')),
);

/** A visible character; U+2800 is blank, although Unicode counts it as a symbol. */
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{S}\p{P}]/u;
/** Invisible characters: control, format (including direction marks), line break, private use and others. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * Characters that Unicode will never have (U+FFFE, U+FDD0 …), halves of a pair and what replaces them, and more marks on one
 * letter than any script needs (UTS #39: more than four).
 */
const BROKEN = /[\p{Noncharacter_Code_Point}\p{Cs}\ufffd]|\p{Mn}{5}/u;
/** Persian and Urdu names use U+200C between two Arabic letters; anywhere else it counts as invisible. */
const NON_JOINER = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu;

/**
 * Label of a person or thing: NFC, trimmed, every blank a plain space, no emoji variation selectors. 1–100 code
 * points of any script, without invisible characters except U+200C between Arabic letters. `label` begins the error
 * messages.
 */
function labelSchema<const Label extends 'Name' | 'Area' | 'Address' | 'Reason'>(label: Label) {
  return z.pipe(
    z.pipe(
      z.string({ error: `${label} is required` }),
      z.transform((text) =>
        text
          .normalize('NFC')
          .replace(/\p{Zs}/gu, ' ')
          .replace(/[\ufe0e\ufe0f]/g, '')
          .trim(),
      ),
    ),
    z.string().check(
      z.refine((text) => VISIBLE.test(text), { error: `${label} is required`, abort: true }),
      z.refine((text) => [...text].length <= NAME_MAX, {
        error: `${label} may have up to ${NAME_MAX} characters`,
        abort: true,
      }),
      z.refine((text) => !HIDDEN.test(text.replace(NON_JOINER, '')) && !BROKEN.test(text), {
        error: `${label} has characters that are not allowed`,
      }),
    ),
  );
}

/**
 * Free text: NFC, trimmed, line breaks as `\n`, up to `most` characters and no other invisible ones. May be empty
 * unless `missing`, the sentence for an empty one, is given.
 */
export function freeTextSchema(most: number, missing?: string) {
  return z.pipe(
    z.pipe(
      z.string('must be a text'),
      z.transform((text) =>
        text
          .normalize('NFC')
          .replace(/\r\n?/g, '\n')
          .replace(/[\ufe0e\ufe0f]/g, '')
          .trim(),
      ),
    ),
    z.string().check(
      z.refine((text) => missing === undefined || VISIBLE.test(text), { error: missing ?? '', abort: true }),
      z.refine((text) => [...text].length <= most, {
        error: `May have up to ${most} characters`,
        abort: true,
      }),
      z.refine(
        (text) => !HIDDEN.test(text.replace(NON_JOINER, '').replaceAll('\n', '')) && !BROKEN.test(text),
        {
          error: 'There are characters that are not allowed',
        },
      ),
    ),
  );
}

/** A text that must be there, such as a token. */
export const secret = (name: string) =>
  z
    .string(`${name} is required`)
    .check(z.trim(), z.minLength(1, `${name} is required`), z.maxLength(200, `${name} is not valid`));

/** Name of a person, a camera, a sensor or a device account. */
export const nameSchema = labelSchema('Name');
/** Name of a room or another part of the facility. */
export const areaSchema = labelSchema('Area');
const INVALID_BIRTH_DATE = 'Birth date must be a day like 2023-05-31';

/** Birth date as `YYYY-MM-DD`; a blank one is null. Whether it lies in the future depends on the facility's day. */
export const birthDateSchema = z.pipe(
  z.pipe(
    z.string({ error: INVALID_BIRTH_DATE }),
    z.transform((text) => (text.trim() === '' ? null : text.trim())),
  ),
  z.nullable(z.iso.date(INVALID_BIRTH_DATE).check(z.refine((day) => day >= '1990', INVALID_BIRTH_DATE))),
);

/** Postal address of the facility in one line. */
export const facilityAddressSchema = labelSchema('Address');
/** Why a visitor is here. */
export const reasonSchema = labelSchema('Reason');

const emailText = z.pipe(
  z.string({ error: (issue) => (issue.input === undefined ? 'Email is required' : INVALID_EMAIL) }),
  z.transform((text) => text.trim().toLowerCase()),
);

/** Domain of sample families, in a zone where no mail exists (RFC 2606). Nobody can enter such an address. */
export const SAMPLE_MAIL_DOMAIN = 'sample.invalid';

/** E-mail of a parent: the pattern of spec §5 (no plus sign); lower-cased, trimmed, ≤ 254 characters. */
export const parentEmailSchema = z.pipe(
  emailText,
  z.string().check(
    z.maxLength(254, INVALID_EMAIL),
    z.regex(/^[a-z0-9_.-]+@[a-z0-9.-]+\.[a-z]{2,}$/, INVALID_EMAIL),
    z.refine((text) => !text.endsWith(`@${SAMPLE_MAIL_DOMAIN}`), INVALID_EMAIL),
  ),
);

/** E-mail of staff: a standard address pattern (spec §5); lower-cased, trimmed. */
export const staffEmailSchema = z.pipe(
  emailText,
  z.email(INVALID_EMAIL).check(z.maxLength(254, INVALID_EMAIL)),
);

/** E-mail typed to sign in or to request a reset. Only its length is checked, so that the response reveals nothing. */
export const loginEmailSchema = z.pipe(
  z.pipe(
    z.string({ error: 'Email is required' }),
    z.transform((text) => text.trim().toLowerCase()),
  ),
  z.string().check(z.minLength(1, 'Email is required'), z.maxLength(254, INVALID_EMAIL)),
);

/** Egyptian mobile number: 11 digits, 01 then 0, 1, 2 or 5 (spec §5); Arabic-Indic digits are accepted. */
export const phoneSchema = z.pipe(
  z.pipe(
    z.string({ error: (issue) => (issue.input === undefined ? 'Phone number is required' : INVALID_PHONE) }),
    z.transform((text) => toAsciiDigits(text.trim())),
  ),
  z.string().check(z.regex(/^01[0125][0-9]{8}$/, INVALID_PHONE)),
);

const INVALID_FACILITY_PHONE = 'must be a phone number like +20 2 2735 0000';

/**
 * Phone number of a facility, which may be a landline or foreign: 3 to 15 digits with the usual signs; digits become
 * ASCII.
 */
export const facilityPhoneSchema = z.pipe(
  z.pipe(
    z.string(INVALID_FACILITY_PHONE),
    z.transform((text) => toAsciiDigits(text.trim())),
  ),
  z.string().check(
    z.maxLength(30, INVALID_FACILITY_PHONE),
    z.regex(/^\+?[0-9 ()./-]+$/, INVALID_FACILITY_PHONE),
    z.refine((text) => /^(?:\D*\d){3,15}\D*$/.test(text), INVALID_FACILITY_PHONE),
  ),
);

/** Region whose formats of dates and times a facility uses: an ISO 3166 code; {@link REGIONS} lists those on offer. */
export const regionSchema = z
  .string('must be a region like EG')
  .check(z.regex(/^[A-Z]{2}$/, 'must be a region like EG'));

/** The last four digits of a phone number, as typed at a kiosk. */
export const phoneTailSchema = z.pipe(
  z.pipe(
    z.string({ error: 'The last four digits are required' }),
    z.transform((text) => toAsciiDigits(text.trim())),
  ),
  z.string().check(z.regex(/^[0-9]{4}$/, 'Please type the last four digits of the phone number')),
);

/** PINs that many people choose, besides the patterns that {@link isEasyPin} finds. */
const COMMON_PINS: ReadonlySet<string> = new Set([
  '2580',
  '0852',
  '1004',
  '5683',
  '1379',
  '159753',
  '147258',
]);

/** Whether a PIN is a repetition (7777, 121212, 123123), a sequence (2345, 9876) or otherwise common. Pure. */
function isEasyPin(pin: string): boolean {
  const repeats = [1, 2, 3].some(
    (length) => 2 * length <= pin.length && pin === pin.slice(0, length).repeat(6).slice(0, pin.length),
  );
  const steps = [...pin].slice(1).map((digit, index) => (10 + Number(digit) - Number(pin[index])) % 10);
  const isSequence = steps.every((step) => step === 1) || steps.every((step) => step === 9);
  return repeats || isSequence || COMMON_PINS.has(pin);
}

const PIN_FORMAT = 'The PIN must have 4 to 6 digits';
/** Error for a new PIN that is easy to guess. */
export const COMMON_PIN = 'This PIN is too easy to guess. Please choose another one.';

/** A new PIN for the kiosk: 4 to 6 digits that are not easy to guess. */
export const kioskPinSchema = z.pipe(
  z.pipe(
    z.string({ error: PIN_FORMAT }),
    z.transform((text) => toAsciiDigits(text.trim())),
  ),
  z.string().check(
    z.regex(/^[0-9]{4,6}$/, { error: PIN_FORMAT, abort: true }),
    z.refine((pin) => !isEasyPin(pin), { error: COMMON_PIN }),
  ),
);

const STAFF_PIN_FORMAT = 'The PIN must have 6 digits';
/** A PIN as typed at a desk tablet: six digits. */
export const typedStaffPinSchema = z.pipe(
  z.pipe(
    z.string({ error: STAFF_PIN_FORMAT }),
    z.transform((text) => toAsciiDigits(text.trim())),
  ),
  z.string().check(z.regex(/^[0-9]{6}$/, STAFF_PIN_FORMAT)),
);
/** A new PIN of a staff member: six digits that are not easy to guess and do not begin or end with a year of birth. */
export const staffPinSchema = z.pipe(
  typedStaffPinSchema,
  z.string().check(
    z.refine((pin) => !isEasyPin(pin) && !/^(19[4-9]|20[01])|(19[4-9]|20[01])\d$/.test(pin), {
      error: COMMON_PIN,
    }),
  ),
);

/** National ID: 14 digits, first 2 or 3, digits 4–5 a month 01–12, digits 6–7 a day 01–31 (spec §5). */
export const nationalIdSchema = z.pipe(
  z.pipe(
    z.string({
      error: (issue) => (issue.input === undefined ? 'National ID is required' : INVALID_NATIONAL_ID),
    }),
    z.transform((text) => toAsciiDigits(text.trim())),
  ),
  z
    .string()
    .check(z.regex(/^[23][0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9]{7}$/, INVALID_NATIONAL_ID)),
);

/** Error for a new password that is easy to guess; the server has the list. */
export const COMMON_PASSWORD = 'This password is too easy to guess. Please choose another one.';

function passwordSchema(min: number) {
  return z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(1, { error: 'Password is required', abort: true }),
      z.minLength(min, `Password must have at least ${min} characters`),
      z.maxLength(PASSWORD_MAX, `Password may have up to ${PASSWORD_MAX} characters`),
    );
}
export const parentPasswordSchema = passwordSchema(PARENT_PASSWORD_MIN);
export const staffPasswordSchema = passwordSchema(STAFF_PASSWORD_MIN);
/** Password typed to sign in: not empty and not longer than the longest possible password. */
export const loginPasswordSchema = z
  .string({ error: 'Password is required' })
  .check(
    z.minLength(1, 'Password is required'),
    z.maxLength(PASSWORD_MAX, `Password may have up to ${PASSWORD_MAX} characters`),
  );

/** Length of a stay in whole minutes: 30, 60, 120 or 240 (spec §9). */
export const entryPeriodSchema = z.literal(ENTRY_PERIODS_MINUTES, {
  error: 'The period must be 30, 60, 120 or 240 minutes',
});
export type EntryPeriod = z.infer<typeof entryPeriodSchema>;

/** Further ends of a stay that a facility may offer at the check-in: a time of day, its closing, the end of the child's booking. */
export const STAY_ENDS = ['until', 'closing', 'booking'] as const;

/** When a stay ends, instead of a period. `at`: ISO 8601. */
export const stayEndSchema = z.discriminatedUnion(
  'kind',
  [
    z.object({
      kind: z.literal('until'),
      at: z.iso.datetime({ offset: true, error: 'at must be an ISO 8601 time' }),
    }),
    z.object({ kind: z.enum(['closing', 'booking']) }),
  ],
  'kind must be until, closing or booking',
);
export type StayEnd = z.infer<typeof stayEndSchema>;
export type StayEndKind = StayEnd['kind'];

/** A slip's QR code: a `uniqueEntryId` of 43 characters of base64url, and on newer slips a dot and a token. */
export const entryIdSchema = z.pipe(
  z.pipe(
    z.string({ error: 'The entry code is required' }),
    z.transform((text) => text.trim().replace(/\.[0-9a-f]{32}$/, '')),
  ),
  z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'This is not an entry code')),
);

export const languageSchema = z.enum(LANGUAGES, { error: 'Language must be en or ar' });
export type Language = z.infer<typeof languageSchema>;

function isTimeZone(name: string): boolean {
  // An offset like +03:00 would pass the check below, but it has no daylight saving time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Time zone of the facility: a name of the IANA time zone database. */
export const timeZoneSchema = z
  .string('must be a time zone like Africa/Cairo')
  .check(
    z.maxLength(100, 'must be a time zone like Africa/Cairo'),
    z.refine(isTimeZone, 'must be a time zone like Africa/Cairo'),
  );

/** Id of a role that comes with Haris, or of a custom one. */
export const roleIdSchema = z
  .string('Role is required')
  .check(z.regex(/^[0-9a-z-]{1,40}$/, 'This is not a role'));

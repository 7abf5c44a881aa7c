/** Makes the sentences of the checks, each in English and Arabic. */
import type { Language } from '@haris/contract/fields';
import { findLocale } from '@haris/contract/locales';
import { DEFAULT_REGION } from '@haris/contract/regions';
import { WORDS, type Word } from './words.ts';

/** The same in each language. No secret, and no name of a person. */
export type Sentence = Readonly<Record<Language, string>>;

/** A text is taken as it is, such as a path or a port; a number is a count, written as the language does. */
type Values = Readonly<Record<string, string | number | Sentence>>;

const DAY_MS = 24 * 3_600_000;
const ARABIC = findLocale('ar', DEFAULT_REGION);

/** Text without characters that turn, hide or move text, which a path or an address may contain. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Keeps text of the other direction together. */
const isolate = (text: string): string => `\u2068${text}\u2069`;

function show(value: Values[string], language: Language): string {
  if (typeof value === 'object') return value[language];
  if (typeof value === 'string') return language === 'en' ? plain(value) : isolate(plain(value));
  return language === 'en' ? String(value) : new Intl.NumberFormat(ARABIC).format(value);
}

/** Each placeholder is filled once, whatever a value contains. */
function fill(text: string, language: Language, values: Values): string {
  return text.replace(/`([^`]+)`|\{(\w+)\}/g, (all, code: string | undefined, name: string | undefined) => {
    if (code !== undefined) return isolate(code);
    const value = values[name ?? ''];
    return value === undefined ? all : show(value, language);
  });
}

export function say(word: Word, values: Values = {}): Sentence {
  const { en, ar } = WORDS[word];
  return { en: fill(en, 'en', values), ar: fill(ar, 'ar', values) };
}

/** One sentence after the other; those that are missing are left out. */
export function sayAll(...sentences: readonly (Sentence | undefined)[]): Sentence {
  const join = (language: Language): string =>
    sentences.flatMap((sentence) => (sentence === undefined ? [] : [sentence[language]])).join(' ');
  return { en: join('en'), ar: join('ar') };
}

const daysInArabic: Readonly<Record<Intl.LDMLPluralRule, (count: string) => string>> = {
  zero: () => 'أقل من يوم',
  one: () => 'يوم واحد',
  two: () => 'يومين',
  few: (count) => `${count} أيام`,
  many: (count) => `${count} يومًا`,
  other: (count) => `${count} يوم`,
};

/** Whole days of a span in milliseconds; in Arabic as after a preposition. */
export function days(ms: number): Sentence {
  const whole = Math.floor(ms / DAY_MS);
  return {
    en: whole === 1 ? '1 day' : `${whole} days`,
    ar: daysInArabic[new Intl.PluralRules('ar').select(whole)](new Intl.NumberFormat(ARABIC).format(whole)),
  };
}

/** The day of a moment in milliseconds since 1970, in UTC. */
export function day(ms: number): Sentence {
  return {
    en: new Date(ms).toISOString().slice(0, 10),
    ar: new Intl.DateTimeFormat(ARABIC, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(ms),
  };
}

/** A size in bytes. */
export function size(bytes: number): Sentence {
  const isSmall = bytes < 1e9;
  const amount = bytes / (isSmall ? 1e6 : 1e9);
  const format = new Intl.NumberFormat(ARABIC, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return {
    en: `${amount.toFixed(1)} ${isSmall ? 'MB' : 'GB'}`,
    ar: `${format.format(amount)} ${isSmall ? 'ميغابايت' : 'غيغابايت'}`,
  };
}

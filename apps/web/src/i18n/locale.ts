/**
 * Locales and formats for `Intl`. Dates and times are shown in the facility's time zone and in the customary form of its
 * region, on whatever device they are read.
 */
import { findLocale } from '@haris/contract/locales';

/** Time zone and region of the facility. */
export interface Place {
  /** IANA time zone: `Africa/Cairo`. */
  readonly timeZone: string;
  /** ISO 3166 country code: `EG`. */
  readonly region: string;
}

/** Used until the server has sent the facility's: the zone of this device, and the customs of Egypt. */
let place: Place = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, region: 'EG' };

/** Formatters by locale, zone and options: they are expensive to create, and two hundred rows need one. */
const formats = new Map<string, Intl.DateTimeFormat>();
const locales = new Map<string, string>();

/** Throws RangeError for an unknown time zone, and then keeps the former place. */
export function setPlace(next: Place): void {
  Intl.DateTimeFormat('en', { timeZone: next.timeZone });
  place = next;
  locales.clear();
}

/** The facility's IANA time zone. */
export function facilityTimeZone(): string {
  return place.timeZone;
}

/** The facility's ISO 3166 country code. */
export function facilityRegion(): string {
  return place.region;
}

/** Locale for every `Intl` formatter, from the language of the page (`i18n.language`). */
export function localeOf(language: string): string {
  const known = locales.get(language);
  if (known !== undefined) return known;
  const locale = findLocale(language, place.region);
  locales.set(language, locale);
  return locale;
}

/** A date with its time as another place would show it. `moment`: milliseconds since 1970. */
export function formatElsewhere(language: string, { timeZone, region }: Place, moment: number): string {
  const locale = findLocale(language, region);
  return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(moment);
}

/** Formats moments in the facility's time zone, unless the options name another zone. Cached. */
export function momentFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = localeOf(language);
  const key = `${locale} ${place.timeZone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { timeZone: place.timeZone, ...options });
    formats.set(key, format);
  }
  return format;
}

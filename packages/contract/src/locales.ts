/** The locale of dates, times and numbers, from a language and the facility's region: one rule for screens and messages. */

function hasTwelveHours(region: string): boolean {
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & {
    getHourCycles?: () => string[];
    hourCycles?: string[];
  };
  return (locale.getHourCycles?.() ?? locale.hourCycles ?? ['h12'])[0] !== 'h23';
}

/** Locale for `Intl`. `language`: `en` or `ar`; `region`: ISO 3166 code. Pure. */
export function findLocale(language: string, region: string): string {
  // Some Arabic regions have other digits or another calendar; the texts of the product have neither.
  if (language === 'ar') return `ar-${region}-u-ca-gregory-nu-arab`;
  const locale = `en-${region}`;
  if (region === 'US' || Intl.DateTimeFormat(locale).resolvedOptions().locale !== 'en') return locale;
  // English of an unknown region would have American dates. These two have the day first.
  return hasTwelveHours(region) ? 'en-AE' : 'en-GB';
}

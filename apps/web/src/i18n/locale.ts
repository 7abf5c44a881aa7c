/** Which locale `Intl` gets: digits, times and lists as people in Egypt write them. */

const locales: Readonly<Record<string, string>> = {
  // Plain `ar` would give Latin digits.
  ar: 'ar-EG',
  en: 'en',
};

/** The locale for every `Intl` formatter, from the language of the page (`i18n.language`). */
export function localeOf(language: string): string {
  return locales[language] ?? 'en';
}

/** Stores the chosen language on this device; public/boot.js reads it before the first paint. */
import type { Language } from '@haris/contract/fields';

const LANGUAGE_STORAGE_KEY = 'haris.language';

/** Stores the language; without storage, the choice lasts as long as the page. */
export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(LANGUAGE_STORAGE_KEY, language);
  } catch {
    // The page itself has switched already.
  }
}

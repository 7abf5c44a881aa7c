/** Texts that load while the language changes, and texts whose first load failed. */
import { describe, expect, test, vi } from 'vitest';
import { chooseLanguage, i18n, loadTexts, startI18n } from './i18n.ts';

const hasTexts = (language: string, namespace: string) => i18n.hasResourceBundle(language, namespace);

describe('loading texts', () => {
  test('a part that begins to load in the middle of a change of language has its texts in the new one', async () => {
    await startI18n();
    let part: Promise<void> | undefined;
    i18n.on('languageChanging', () => {
      // By now i18next has decided which texts the new language needs.
      part ??= loadTexts(['kiosks']);
    });
    const change = chooseLanguage('ar');
    const screen = loadTexts(['kiosk']);
    await Promise.all([change, screen]);
    await part;
    expect(i18n.language).toBe('ar');
    expect(hasTexts('ar', 'kiosk')).toBe(true);
    expect(hasTexts('ar', 'kiosks')).toBe(true);
  });

  test('texts whose load failed once are loaded by the next attempt', async () => {
    await startI18n();
    const language = i18n.language;
    const connector = i18n.services.backendConnector;
    const read = vi.spyOn(connector.backend, 'read').mockRejectedValue(new Error('no connection'));
    await expect(loadTexts(['legal'])).rejects.toThrow('could not be loaded');
    read.mockRestore();
    await loadTexts(['legal']);
    expect(hasTexts(language, 'legal')).toBe(true);
  });
});

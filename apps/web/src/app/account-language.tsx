/** Synchronises the language with the account: a choice on one device applies on all others. */
import type { Language } from '@haris/contract/fields';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followLanguage, i18n, onLanguageChosen } from '../i18n/i18n.ts';
import { keepLanguage } from '../i18n/kept-language.ts';
import { keepAccountLanguage, useSession } from '../session/session.tsx';

/** Choices are saved one after the other, so that the last one wins. */
let keeping: Promise<void> = Promise.resolve();

/** The page has switched anyway; tells the person that other devices keep the old language. */
async function sayNotKept(error: unknown): Promise<void> {
  const { showFailure } = await import('../calls/failure.ts');
  showFailure(error, i18n.t('shell:languageNotKept'));
}

export function AccountLanguage() {
  const client = useQueryClient();
  const { admin, parent } = useSession();
  const chosen: Language | null = (admin.identity ?? parent.identity)?.language ?? null;

  useEffect(() => {
    if (chosen === null) return;
    keepLanguage(chosen);
    // If the texts cannot be loaded, the page keeps its language; the next page starts in the stored one.
    followLanguage(chosen).catch(() => {});
  }, [chosen]);

  useEffect(
    () =>
      onLanguageChosen((language) => {
        keeping = keeping.then(() => keepAccountLanguage(client, language)).catch(sayNotKept);
      }),
    [client],
  );
  return null;
}

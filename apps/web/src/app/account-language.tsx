/** The language follows the account: what was chosen on one device is shown on the next, and kept when it is chosen here. */
import type { Language } from '@haris/contract/fields';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepAccountLanguage, useSession } from '../client/session.tsx';
import { followLanguage, i18n, onLanguageChosen } from '../i18n/i18n.ts';
import { keepLanguage } from '../i18n/kept-language.ts';

/** Choices are kept one after the other: the last one counts. */
let keeping: Promise<void> = Promise.resolve();

/** The page has switched whatever comes of it; the person hears that other devices will not follow. */
async function sayNotKept(error: unknown): Promise<void> {
  const { showFailure } = await import('../client/failure.ts');
  showFailure(error, i18n.t('shell:languageNotKept'));
}

export function AccountLanguage() {
  const client = useQueryClient();
  const { admin, parent } = useSession();
  const chosen: Language | null = (admin.identity ?? parent.identity)?.language ?? null;

  useEffect(() => {
    if (chosen === null) return;
    keepLanguage(chosen);
    // Without its texts the page stays as it is; the next one begins in the language that is kept.
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

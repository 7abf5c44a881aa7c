/** Switches the language of the page, for the header and the account. */
import type { Language } from '@haris/contract/fields';
import { chooseLanguage, i18n } from '../i18n/i18n.ts';

/** If the texts cannot be fetched, the page keeps its language and shows an error. */
export async function switchTo(language: Language): Promise<void> {
  try {
    await chooseLanguage(language);
  } catch {
    const { notifyError } = await import('../ui/toast.ts');
    notifyError(
      i18n.exists('errors:FETCH_ERROR') ? i18n.t('errors:FETCH_ERROR') : i18n.t('common:unexpectedError'),
      'language',
    );
  }
}

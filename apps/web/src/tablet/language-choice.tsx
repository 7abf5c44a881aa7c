/** Both languages side by side, each in its own words. */
import { LANGUAGES } from '@haris/contract/constants';
import { useTranslation } from 'react-i18next';
import { currentLanguage, followLanguage } from '../i18n/i18n.ts';
import styles from './tablet.module.css';

const NAMES = { en: 'English', ar: 'العربية' } as const;

/** Switches for this visit only: nothing is stored, and the start screen returns to the kiosk's own language. */
export function LanguageChoice() {
  const { t } = useTranslation('kiosk');
  const current = currentLanguage();
  return (
    <fieldset className={styles.languages}>
      <legend>{t('language')}</legend>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          className={styles.language}
          aria-pressed={language === current}
          onClick={() => void followLanguage(language).catch(() => {})}
        >
          {NAMES[language]}
        </button>
      ))}
    </fieldset>
  );
}

/** The footer of every page for visitors and parents: privacy, terms, contact, the version. */
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { VERSION } from '../version.ts';
import styles from './footer.module.css';

export function Footer() {
  const { t } = useTranslation('shell');
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p className={styles.line}>
          {t('footer.line')} {t('version', { version: VERSION })}
        </p>
        <nav className={styles.links} aria-label={t('footer.label')}>
          <Link to="/privacy">{t('footer.privacy')}</Link>
          <Link to="/terms">{t('footer.terms')}</Link>
          <Link to="/overview#contact-section">{t('footer.contact')}</Link>
        </nav>
      </div>
    </footer>
  );
}

/** Shown while the session or a screen's code is loading. */
import { useTranslation } from 'react-i18next';
import styles from './loading-screen.module.css';
import { Logo } from './logo.tsx';

export function LoadingScreen() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.loading} role="status" aria-live="polite">
      <Logo size={64} />
      <span className={styles.dots} aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      {t('loading')}
    </div>
  );
}

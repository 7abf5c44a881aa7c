/** Banner for a fetched newer version of the web app; the person decides when the page reloads. */
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../ui/action.tsx';
import { postponeUpdate, takeUpdate, useUpdateReady } from './update.ts';
import styles from './update-banner.module.css';

export function UpdateBanner() {
  const { t } = useTranslation('shell');
  if (!useUpdateReady()) return null;
  return (
    <div className={styles.banner} role="status">
      {t('update.text')}
      <span>
        <ActionButton onClick={takeUpdate}>{t('update.reload')}</ActionButton>
        <ActionButton look="quiet" onClick={postponeUpdate}>
          {t('update.later')}
        </ActionButton>
      </span>
    </div>
  );
}

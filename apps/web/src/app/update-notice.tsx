/** Says that a newer version of the web app has been fetched; the person decides when the page is reloaded. */
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../ui/action.tsx';
import { postponeUpdate, takeUpdate, useUpdateReady } from './update.ts';
import styles from './update-notice.module.css';

export function UpdateNotice() {
  const { t } = useTranslation('shell');
  if (!useUpdateReady()) return null;
  return (
    <div className={styles.notice} role="status">
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

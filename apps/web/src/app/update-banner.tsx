/** Banner for a fetched newer version of the web app; the person decides when the page reloads. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wouldLoseInput } from '../forms/drafts.ts';
import { ActionButton } from '../ui/action.tsx';
import { postponeUpdate, takeUpdate, useUpdateReady } from './update.ts';
import styles from './update-banner.module.css';

export function UpdateBanner() {
  const { t } = useTranslation('shell');
  const [isAsked, setAsked] = useState(false);
  if (!useUpdateReady()) return null;
  function reload() {
    if (!isAsked && wouldLoseInput()) setAsked(true);
    else takeUpdate();
  }
  function postpone() {
    setAsked(false);
    postponeUpdate();
  }
  return (
    <div className={styles.banner} role="status">
      {t(isAsked ? 'update.loses' : 'update.text')}
      <span>
        <ActionButton onClick={reload}>{t(isAsked ? 'update.reloadAnyway' : 'update.reload')}</ActionButton>
        <ActionButton look="quiet" onClick={postpone}>
          {t('update.later')}
        </ActionButton>
      </span>
    </div>
  );
}

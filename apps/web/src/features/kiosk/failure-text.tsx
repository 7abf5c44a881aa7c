/** The message when a kiosk cannot continue. It reveals nothing about families. */
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from '../../tablet/tablet.module.css';
import type { KioskFailure } from './kiosk-calls.ts';

export function FailureText({ failure }: { failure: KioskFailure | null }) {
  const { t } = useTranslation('kiosk');
  return (
    <div role="alert" className={styles.alertPlace}>
      {failure === null || failure === 'offline' || failure === 'unpaired' ? null : (
        <p className={styles.failure}>
          <IconInfoCircle size={26} aria-hidden />
          {t(`failure.${failure}`)}
        </p>
      )}
    </div>
  );
}

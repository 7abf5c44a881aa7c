/** The dangers in red on the tablet without sign-in. Anybody may read them, so they name no person. */
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './desk.module.css';
import type { Desk } from './desk-calls.ts';

export function DeskDangers({ dangers }: { dangers: Desk['dangers'] }) {
  const { t } = useTranslation('desk');
  return (
    // The live region is always there, because screen readers announce only text added to an existing region.
    <div role="alert" aria-label={t('danger.label')} className={styles.alert}>
      {dangers.map(({ kind, area }) => (
        <p key={`${kind} ${area}`} className={styles.red} data-danger>
          <IconAlertTriangle size={28} aria-hidden />
          <span>
            {kind === 'other' || area === null
              ? t(`danger.${kind}`)
              : t(`danger.${kind}In`, { area: `\u2068${area}\u2069` })}
          </span>
        </p>
      ))}
    </div>
  );
}

/** What stands in place of the whole screen when it cannot be shown; part of the first load, so that it can always be. */
import { IconAlertTriangle, IconRefresh, IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from './action.tsx';
import styles from './problem.module.css';

export interface ProblemProps {
  /** What happened, for a person. */
  text: string;
  /** The connection is what is missing. */
  offline?: boolean;
  onRetry: () => void;
}

/** Says what happened and offers the way on. */
export function Problem({ text, offline = false, onRetry }: ProblemProps) {
  const { t } = useTranslation('common');
  const Icon = offline ? IconWifiOff : IconAlertTriangle;
  return (
    <div className={styles.problem} role="alert" data-says-offline={offline || undefined}>
      <Icon size={28} aria-hidden />
      <h1>{text}</h1>
      <ActionButton look="light" icon={<IconRefresh size={18} aria-hidden />} onClick={onRetry}>
        {t('tryAgain')}
      </ActionButton>
    </div>
  );
}

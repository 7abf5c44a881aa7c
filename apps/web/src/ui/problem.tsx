/** Replaces a screen that cannot be shown; part of the first load, so that it is always available. */
import { IconAlertTriangle, IconRefresh, IconWifiOff } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from './action.tsx';
import styles from './problem.module.css';

export interface ProblemProps {
  /** Message for the person. */
  text: string;
  /** True if the device has no connection. */
  offline?: boolean;
  onRetry: () => void;
}

/** Pause between attempts while the server cannot be reached, although the device has a connection. Milliseconds. */
const AGAIN_MS = 15_000;

/**
 * Shows a message and a button to retry. Without a connection it retries automatically, and at once when the connection
 * is back.
 */
export function Problem({ text, offline = false, onRetry }: ProblemProps) {
  const { t } = useTranslation('common');
  const again = useEffectEvent(onRetry);
  useEffect(() => {
    if (!offline) return;
    const retry = () => again();
    addEventListener('online', retry);
    const timer = setInterval(() => {
      if (navigator.onLine) retry();
    }, AGAIN_MS);
    return () => {
      removeEventListener('online', retry);
      clearInterval(timer);
    };
  }, [offline]);
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

/** Replacement of a screen that crashed or failed to load. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { Problem } from '../ui/problem.tsx';
import { useOnline } from '../ui/use-online.ts';
import { mayReload, ScreenLoadError } from './lazy-screen.ts';

/**
 * If a screen failed to load, reloads the page once, at the requested address (spec §4). Without a connection it waits
 * for one, because a reload would lose the page.
 */
export function CrashScreen() {
  const { t } = useTranslation('shell');
  const isLoadError = useRouteError() instanceof ScreenLoadError;
  const isOnline = useOnline();
  const [isFinal, setFinal] = useState(!isLoadError);
  useEffect(() => {
    if (!isLoadError || !isOnline) return;
    if (mayReload()) location.reload();
    else setFinal(true);
  }, [isLoadError, isOnline]);
  const isOffline = isLoadError && !isOnline;
  if (!isFinal && !isOffline) return <LoadingScreen />;
  const text = isOffline ? t('offlineScreen') : isLoadError ? t('screenFailed') : t('screenBroke');
  return <Problem text={text} offline={isOffline} onRetry={() => location.reload()} />;
}

/** What stands in place of a screen that broke or could not be loaded. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { Problem } from '../ui/problem.tsx';
import { useOnline } from '../ui/use-online.ts';
import { mayReload, ScreenLoadError } from './lazy-screen.ts';

/**
 * A screen that could not be loaded reloads the page, once, at the address that was wanted (spec §4). Without a
 * connection it waits for one: reloading would only lose what is here.
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

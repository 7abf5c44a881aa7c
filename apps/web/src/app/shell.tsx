/** The frame of every page: skip link, DEMO banner, header, progress, the screen, footer. */
import { IconWifiOff } from '@tabler/icons-react';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { ApiError } from '../client/api-error.ts';
import { useIsDemo } from '../client/config-answer.ts';
import { useLiveState } from '../client/live-provider.tsx';
import { useSession } from '../client/session.tsx';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { Problem } from '../ui/problem.tsx';
import { useOnline } from '../ui/use-online.ts';
import { AlarmsOfSession } from './alarms-of-session.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import styles from './shell.module.css';
import { UpdateNotice } from './update-notice.tsx';

/** The screen's region gets the focus on navigation, so that keyboard and screen reader start at its top. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // An anchor's section takes the focus itself.
    if (hash === '') main.current?.focus({ preventScroll: true });
  }, [pathname, hash]);
  return main;
}

/** Every first page of a tab has the key `default`: one opened by its address must not begin where another one was left. */
function keyOfPlace({ key, pathname }: { key: string; pathname: string }): string {
  return key === 'default' ? pathname : key;
}

function DemoBanner() {
  const { t } = useTranslation('shell');
  if (!useIsDemo()) return null;
  return (
    <aside className={styles.demo}>
      <strong>{t('demo')}</strong>
      <span>{t('demoText')}</span>
    </aside>
  );
}

/** No connection at all, or the stream of events is being opened again. */
function ConnectionMark() {
  const { t } = useTranslation('shell');
  const isOnline = useOnline();
  const isReconnecting = useLiveState() === 'reconnecting';
  if (isOnline && !isReconnecting) return null;
  return (
    <div
      className={styles.connection}
      data-offline={!isOnline || undefined}
      role="status"
      title={isOnline ? t('reconnectingHint') : undefined}
    >
      {isOnline ? (
        <span className={styles.spinner} aria-hidden="true" />
      ) : (
        <IconWifiOff size={18} aria-hidden />
      )}
      {isOnline ? t('reconnecting') : t('offline')}
    </div>
  );
}

/** The dashboard's rail stands as high as the screen: a footer below would be out of place. */
function hasOwnFrame(pathname: string): boolean {
  return pathname === '/adminDashboard';
}

function Screen() {
  const { t } = useTranslation(['shell', 'errors', 'common']);
  const { problem, retry } = useSession();
  if (problem !== null) {
    const isKnown = problem instanceof ApiError;
    const reason = isKnown ? t(`errors:${problem.code}`) : t('common:unexpectedError');
    const isOffline = isKnown && problem.code === 'FETCH_ERROR';
    return <Problem text={`${t('sessionProblem')} ${reason}`} offline={isOffline} onRetry={retry} />;
  }
  return (
    // A screen's texts come with its code; this is for those that a part of it wants later.
    <Suspense fallback={<LoadingScreen />}>
      <Outlet />
    </Suspense>
  );
}

export function Shell() {
  const { t } = useTranslation('shell');
  const main = useFocusOnNavigation();
  const { isLoading } = useSession();
  const { pathname } = useLocation();
  const isMoving = useNavigation().state !== 'idle';
  if (isLoading) return <LoadingScreen />;
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#screen">
        {t('skipToContent')}
      </a>
      <DemoBanner />
      <AlarmsOfSession />
      <Header />
      {isMoving ? <div className={styles.progress} aria-hidden="true" /> : null}
      <main id="screen" className={styles.main} ref={main} tabIndex={-1}>
        <Screen />
      </main>
      {hasOwnFrame(pathname) ? null : <Footer />}
      <ConnectionMark />
      <UpdateNotice />
      <ScrollRestoration getKey={keyOfPlace} />
    </div>
  );
}

/** The frame of every page: skip link, DEMO banner, header, progress, the screen, footer. */
import { IconWifiOff } from '@tabler/icons-react';
import { Suspense, startTransition, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useNavigation, useOutlet } from 'react-router';
import { ApiError } from '../client/api-error.ts';
import { useIsDemo } from '../client/config-answer.ts';
import { hasFrame } from '../client/frame-paint.ts';
import { useLiveState, useServerStatus } from '../client/live-provider.tsx';
import { useSession } from '../client/session.tsx';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { Problem } from '../ui/problem.tsx';
import { useOnline } from '../ui/use-online.ts';
import { AlarmsOfSession } from './alarms-of-session.tsx';
import { Footer } from './footer.tsx';
import { DashboardFrame } from './frame.ts';
import { Header } from './header.tsx';
import { ProofOfSession } from './proof-of-session.tsx';
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

/** What the server says is wrong with itself, and what that means for whoever reads it. */
function StatusBanner() {
  const { t } = useTranslation('shell');
  const { admin } = useSession();
  const status = useServerStatus();
  if (status === null) return null;
  return (
    <div role="status">
      {status.storage === 'full' ? (
        <p className={styles.status}>{t(admin.isAuthenticated ? 'storageFullStaff' : 'storageFull')}</p>
      ) : null}
      {status.clock === 'ahead' ? <p className={styles.status}>{t('clockAhead')}</p> : null}
    </div>
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

/**
 * True until it is known who is there and the screen's code has come. A screen that has a frame is then drawn in pieces that
 * give way: it is the largest work of a page, and a slow phone answers in between.
 */
function useIsWaiting(isFramed: boolean): boolean {
  const { isLoading } = useSession();
  // The router has none while it loads the first screen.
  const outlet = useOutlet();
  const isReady = !isLoading && outlet !== null;
  const [isDrawn, setDrawn] = useState(false);
  // A deferred value would do it too, but then what is drawn later (ui/later.tsx) would not be.
  useEffect(() => startTransition(() => setDrawn(isReady)), [isReady]);
  return !isReady || (isFramed && !isDrawn);
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

/** Also what the router shows while it loads the first screen: the header stays the same one from then on. */
export function Shell() {
  const { t } = useTranslation('shell');
  const main = useFocusOnNavigation();
  const { pathname } = useLocation();
  const isFramed = hasFrame(pathname);
  const isWaiting = useIsWaiting(isFramed);
  const isMoving = useNavigation().state !== 'idle';
  if (isWaiting && !isFramed) return <LoadingScreen />;
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#screen">
        {t('skipToContent')}
      </a>
      <DemoBanner />
      <StatusBanner />
      <AlarmsOfSession />
      <ProofOfSession />
      <Header />
      {isMoving ? <div className={styles.progress} aria-hidden="true" /> : null}
      <main id="screen" className={styles.main} ref={main} tabIndex={-1}>
        {isWaiting ? (
          <Suspense fallback={<LoadingScreen />}>
            <DashboardFrame />
          </Suspense>
        ) : (
          <Screen />
        )}
      </main>
      {hasOwnFrame(pathname) ? null : <Footer />}
      <ConnectionMark />
      <UpdateNotice />
      <ScrollRestoration getKey={keyOfPlace} />
    </div>
  );
}

/** The frame of every page: skip link, DEMO banner, header, menu of the signed-in, progress, the screen, footer. */
import { IconWifiOff } from '@tabler/icons-react';
import { Suspense, startTransition, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation, useOutlet } from 'react-router';
import { ApiError } from '../calls/api-error.ts';
import { useServerStatus } from '../live/live-provider.tsx';
import { DESK_PATH, isDeskTablet } from '../session/at-desk.ts';
import { useSession } from '../session/session.tsx';
import { isWorkingStaff } from '../session/working-staff.ts';
import { useIsDemo } from '../start/config-answer.ts';
import { hasFrame } from '../start/frame-paint.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { Problem } from '../ui/problem.tsx';
import { Redirect } from '../ui/redirect.tsx';
import { useOnline } from '../ui/use-online.ts';
import { DeskOfSession } from './desk-of-session.tsx';
import { Footer } from './footer.tsx';
import { DashboardFrame } from './frame.ts';
import { Header } from './header.tsx';
import { IncidentsOfSession } from './incidents-of-session.tsx';
import { ProofOfSession } from './proof-of-session.tsx';
import bar from './shell/bar.module.css';
import type { SessionFrame } from './shell/frame-parts.ts';
import rail from './shell/rail.module.css';
import { isRailFolded } from './shell/rail-folded.ts';
import { useSessionFrame } from './shell/session-frame.ts';
import styles from './shell.module.css';
import { ToolsOfSession } from './tools-of-session.tsx';
import { UpdateBanner } from './update-banner.tsx';

/** Moves the focus to the screen's region on navigation, so that keyboard and screen reader start at its top. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // The target section of an anchor takes the focus itself.
    if (hash === '') main.current?.focus({ preventScroll: true });
  }, [pathname, hash]);
  return main;
}

/**
 * Key for the stored scroll position. The first page of every tab has the key `default`, so use the path there: pages
 * opened by address must not share one position.
 */
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

/** Problems reported by the server about itself, and their consequences for the reader. */
function StatusBanner() {
  const { admin } = useSession();
  const status = useServerStatus();
  if (status === null) return null;
  return (
    <div role="status">
      {status.storage === 'full' ? (
        <StatusLine name={admin.isAuthenticated ? 'storageFullStaff' : 'storageFull'} />
      ) : null}
      {status.clock === 'ahead' ? <StatusLine name="clockAhead" /> : null}
      {status.clock === 'behind' ? <StatusLine name="clockBehind" /> : null}
    </div>
  );
}

/** What must be known, on one line; the rest unfolds, because a phone needs its screen for the children. */
function StatusLine({ name }: { name: 'storageFullStaff' | 'storageFull' | 'clockAhead' | 'clockBehind' }) {
  const { t } = useTranslation('shell');
  return (
    <details className={styles.status}>
      <summary>
        {t(`status.${name}.short`)} <span className={styles.more}>{t('status.more')}</span>
      </summary>
      <p>{t(`status.${name}.text`)}</p>
    </details>
  );
}

/** Shown on every screen while there is no connection; the header shows shorter interruptions. */
function OfflineMark() {
  const { t } = useTranslation('shell');
  if (useOnline()) return null;
  return (
    <div className={styles.connection} data-offline role="status">
      <IconWifiOff size={18} aria-hidden />
      {t('offline')}
    </div>
  );
}

/**
 * True until the session and the screen's code have loaded. A screen with a frame is then rendered in a transition,
 * because it is the largest work of a page and a slow phone must stay responsive.
 */
function useIsWaiting(isFramed: boolean): boolean {
  const { isLoading } = useSession();
  // The outlet is null while the router loads the first screen.
  const outlet = useOutlet();
  const isReady = !isLoading && outlet !== null;
  const [isDrawn, setDrawn] = useState(false);
  // A deferred value would also work here, but would prevent deferred rendering inside the screen (ui/later.tsx).
  useEffect(() => startTransition(() => setDrawn(isReady)), [isReady]);
  return !isReady || (isFramed && !isDrawn);
}

/** The `handle` of routes behind a login: their screens stand in the frame of the account. */
export const BEHIND_LOGIN = 'behind-login';

/** Which frame surrounds the screen; the dashboard has its frame before the account is known. */
function useFrameKind(isFramed: boolean): 'staff' | 'parent' | null {
  const { admin, parent, isLoading } = useSession();
  const isBehindLogin = useMatches().some(({ handle }) => handle === BEHIND_LOGIN);
  if (!isBehindLogin) return null;
  // Staff who have to choose their own password can go nowhere else.
  if (admin.identity !== null) return isWorkingStaff(admin.identity) ? 'staff' : null;
  if (parent.isAuthenticated) return 'parent';
  return isLoading && isFramed ? 'staff' : null;
}

/** The staff's sidebar, or its place until it has loaded. */
function RailOf({ frame }: { frame: SessionFrame | null }) {
  if (frame?.Rail) return <frame.Rail />;
  return <div className={rail.rail} data-compact={isRailFolded() || undefined} />;
}

/** The bar of phones, or its place until it has loaded. */
function BarOf({ frame }: { frame: SessionFrame | null }) {
  if (frame !== null) return <frame.Bar />;
  return <div className={bar.bar} data-nav-bar />;
}

function Screen() {
  const { t, i18n } = useTranslation(['shell', 'common']);
  const { problem, retry } = useSession();
  if (problem !== null) {
    const isKnown = problem instanceof ApiError;
    if (isKnown && problem.code === 'FETCH_ERROR')
      return <Problem text={t('sessionOffline')} offline onRetry={retry} />;
    // The texts of failures come with the first screen that calls the server.
    const hasReason = isKnown && i18n.exists(`errors:${problem.code}`);
    const reason = hasReason ? i18n.t(`errors:${problem.code}`) : t('common:unexpectedError');
    return <Problem text={`${t('sessionProblem')} ${reason}`} onRetry={retry} />;
  }
  return (
    // A screen's texts come with its code; this fallback is for texts that a part of the screen loads later.
    <Suspense fallback={<LoadingScreen />}>
      <Outlet />
    </Suspense>
  );
}

/** Also rendered by the router while it loads the first screen, so that the header stays mounted. */
export function Shell() {
  const { t } = useTranslation('shell');
  const main = useFocusOnNavigation();
  const { pathname } = useLocation();
  const isFramed = hasFrame(pathname);
  const hasSession = useSession().admin.isAuthenticated;
  const isWaiting = useIsWaiting(isFramed);
  const isMoving = useNavigation().state !== 'idle';
  const kind = useFrameKind(isFramed);
  // The screen's calls go out before the files around it are asked for: a browser sends six requests at a time.
  const isScreenFirst = isWaiting && isFramed;
  const frame = useSessionFrame(!isScreenFirst);
  // A desk tablet shows nothing else while nobody is signed in, whatever address or Back leads here.
  if (isDeskTablet() && !hasSession) return <Redirect to={DESK_PATH} replace />;
  if (isWaiting && !isFramed) return <LoadingScreen />;
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#screen">
        {t('skipToContent')}
      </a>
      <DeskOfSession />
      <DemoBanner />
      <StatusBanner />
      {isScreenFirst ? null : <IncidentsOfSession />}
      <ProofOfSession />
      {isScreenFirst ? null : <ToolsOfSession />}
      <Header frame={frame} isStaffScreen={kind === 'staff'} />
      {isMoving ? <div className={styles.progress} aria-hidden="true" /> : null}
      <div className={styles.body} data-frame={kind ?? undefined}>
        {kind === 'staff' ? <RailOf frame={frame} /> : null}
        <div className={styles.column}>
          <main id="screen" className={styles.main} ref={main} tabIndex={-1}>
            {isWaiting ? (
              <Suspense fallback={<LoadingScreen />}>
                <DashboardFrame />
              </Suspense>
            ) : (
              <Screen />
            )}
          </main>
          {kind === 'staff' ? null : <Footer />}
        </div>
      </div>
      {kind === null ? null : <BarOf frame={frame} />}
      {kind === 'staff' && frame?.Companions ? <frame.Companions /> : null}
      <OfflineMark />
      <UpdateBanner />
      <ScrollRestoration getKey={keyOfPlace} />
    </div>
  );
}

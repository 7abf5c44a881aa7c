/** The providers around all screens: theme, direction, data, session, live events, toasts, router. */
import { DirectionProvider, useDirection } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router/dom';
import { keys } from '../calls/query-client.ts';
import { watchClock } from '../calls/server-clock.ts';
import { currentLanguage, directionOf, onLanguageChosen } from '../i18n/i18n.ts';
import { keepLanguage } from '../i18n/kept-language.ts';
import { LiveProvider } from '../live/live-provider.tsx';
import { revokeDroppedPhotos } from '../photos/photo-memory.ts';
import { takeKeptToast } from '../session/kept-toast.ts';
import { SessionProvider } from '../session/session.tsx';
import { useNamedTitles } from '../start/facility-name.ts';
import { useFacilityPlace } from '../start/facility-place.ts';
import { ThemeProvider } from '../ui/theme-provider.tsx';
import { useToasterWanted } from '../ui/toast-host.ts';
import { AccountLanguage } from './account-language.tsx';
import { SchemeSync } from './appearance.tsx';
import { OfflinePickupCode } from './offline-pickup-code.tsx';
import { OfflineRollCall } from './offline-roll-call.tsx';
import type { Router } from './router.tsx';
import { endSessionIn } from './session-end.ts';

const Toasts = lazy(() => import('../ui/toaster.tsx'));

/** Updates `<html lang dir>` and Mantine when the language changes, without a reload. */
function LanguageSync() {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const language = i18n.language;
  useEffect(() => {
    document.documentElement.lang = language;
    setDirection(directionOf(currentLanguage()));
  }, [language, setDirection]);
  return null;
}

/** Shows the toast that the page stored before a reload. */
function showKeptToast(): void {
  if (takeKeptToast()) void import('../session/logout.ts').then(({ notifyLoggedOut }) => notifyLoggedOut());
}

/** A separate component, so that the first toast re-renders nothing else. */
function ToastsOnceWanted() {
  if (!useToasterWanted()) return null;
  return (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  );
}

/** A separate component, because its parent provides the query client. */
function FacilitySync() {
  useFacilityPlace();
  useNamedTitles();
  return null;
}

/** The app of one page; the router and the query cache live as long as the page. */
export function App({ router, client }: { router: Router; client: QueryClient }) {
  const onSessionEnd = useMemo(() => endSessionIn(router), [router]);
  useEffect(showKeptToast, []);
  useEffect(() => onLanguageChosen(keepLanguage), []);
  useEffect(() => revokeDroppedPhotos(client), [client]);
  useEffect(() => watchClock(() => void client.invalidateQueries({ queryKey: [keys.config] })), [client]);
  return (
    <DirectionProvider initialDirection={directionOf(currentLanguage())}>
      <ThemeProvider>
        <LanguageSync />
        <SchemeSync />
        <QueryClientProvider client={client}>
          <FacilitySync />
          <SessionProvider onEnd={onSessionEnd}>
            <AccountLanguage />
            <LiveProvider>
              <RouterProvider router={router} />
              <OfflineRollCall />
              <OfflinePickupCode />
            </LiveProvider>
          </SessionProvider>
        </QueryClientProvider>
        <ToastsOnceWanted />
      </ThemeProvider>
    </DirectionProvider>
  );
}

/** Everything that stands around the screens: theme, direction, data, session, live events, notices, router. */
import { DirectionProvider, useDirection } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router/dom';
import { takeNotice } from '../client/kept-notice.ts';
import { LiveProvider } from '../client/live-provider.tsx';
import { revokeDroppedPhotos } from '../client/photo-memory.ts';
import { createQueryClient, keys } from '../client/query-client.ts';
import { watchClock } from '../client/server-clock.ts';
import { SessionProvider } from '../client/session.tsx';
import { currentLanguage, directionOf, onLanguageChosen } from '../i18n/i18n.ts';
import { keepLanguage } from '../i18n/kept-language.ts';
import { ThemeProvider } from '../ui/theme-provider.tsx';
import { useToasterWanted } from '../ui/toast-host.ts';
import { AccountLanguage } from './account-language.tsx';
import { SchemeSync } from './appearance.tsx';
import { router } from './router.tsx';
import { onSessionEnd } from './session-end.ts';

const Notices = lazy(() => import('../ui/toaster.tsx'));

const queryClient = createQueryClient();
revokeDroppedPhotos(queryClient);

/** `<html lang dir>` and Mantine follow the language, without a reload. */
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

/** What the page before a reload left to say. */
function announceKeptNotice(): void {
  if (takeNotice()) void import('../client/logout.ts').then(({ notifyLoggedOut }) => notifyLoggedOut());
}

/** By itself: the first notice draws no more than its own place. */
function NoticesOnceWanted() {
  if (!useToasterWanted()) return null;
  return (
    <Suspense fallback={null}>
      <Notices />
    </Suspense>
  );
}

export function App() {
  useEffect(announceKeptNotice, []);
  useEffect(() => onLanguageChosen(keepLanguage), []);
  useEffect(() => watchClock(() => void queryClient.invalidateQueries({ queryKey: [keys.config] })), []);
  return (
    <DirectionProvider initialDirection={directionOf(currentLanguage())}>
      <ThemeProvider>
        <LanguageSync />
        <SchemeSync />
        <QueryClientProvider client={queryClient}>
          <SessionProvider onEnd={onSessionEnd}>
            <AccountLanguage />
            <LiveProvider>
              <RouterProvider router={router} />
            </LiveProvider>
          </SessionProvider>
        </QueryClientProvider>
        <NoticesOnceWanted />
      </ThemeProvider>
    </DirectionProvider>
  );
}

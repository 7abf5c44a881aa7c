/** Signing out as spec §4 has it: a parent's page reloads to `/`, staff go there; the notice shows on what comes next. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { i18n } from '../i18n/i18n.ts';
import { notifySuccess } from '../ui/toast.ts';
import { keepNotice } from './kept-notice.ts';
import { signOut, useSession } from './session.tsx';

export function notifyLoggedOut(): void {
  notifySuccess(i18n.t('shell:loggedOut'), 'logged-out');
}

/** The function that signs out whoever is signed in. */
export function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isParent = useSession().parent.isAuthenticated;
  return useCallback(async () => {
    // Drawn at once: a guard that is still on screen would answer the end of the session with the way to a login.
    await signOut(client, () => navigate('/', { replace: true, flushSync: true }));
    if (isParent && keepNotice()) location.assign('/');
    else notifyLoggedOut();
  }, [client, navigate, isParent]);
}

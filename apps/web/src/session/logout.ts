/** Signing out (spec §4): a parent's page reloads to `/`, staff navigate there; the toast shows on the next page. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { i18n } from '../i18n/i18n.ts';
import { notifySuccess } from '../ui/toast.ts';
import { isDeskTablet } from './at-desk.ts';
import { keepToast } from './kept-toast.ts';
import { signOut, useSession } from './session.tsx';

export function notifyLoggedOut(): void {
  notifySuccess(i18n.t('shell:loggedOut'), 'logged-out');
}

/** Returns a function that signs out the current account. */
export function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isParent = useSession().parent.isAuthenticated;
  return useCallback(async () => {
    // Render at once: a guard that is still mounted would redirect to a login when the session ends. On a desk tablet the
    // shell leads to the desk's page, which would lead back to the dashboard until the session is over.
    await signOut(client, () =>
      isDeskTablet() ? undefined : navigate('/', { replace: true, flushSync: true }),
    );
    if (isParent && keepToast()) location.assign('/');
    else notifyLoggedOut();
  }, [client, navigate, isParent]);
}

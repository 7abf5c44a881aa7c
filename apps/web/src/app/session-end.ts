/** Redirects to the matching login when a session ends from outside; signing in leads back to the same page. */
import { i18n } from '../i18n/i18n.ts';
import { DESK_PATH, isDeskTablet } from '../session/at-desk.ts';
import { loginPath } from '../session/paths.ts';
import type { SessionEnd } from '../session/session.tsx';
import type { Router } from './router.tsx';

/** A sign-out in another tab shows no toast; a dead token shows one. */
export function endSessionIn(router: Router): SessionEnd {
  return (kind, reason) => {
    if (reason === 'expired') {
      void import('../ui/toast.ts').then(({ notifyError }) =>
        notifyError(i18n.t('shell:sessionEnded'), 'session-ended'),
      );
    }
    const { pathname, search } = router.state.location;
    if (isDeskTablet()) void router.navigate(DESK_PATH, { replace: true });
    else void router.navigate(loginPath(kind), { state: { from: pathname + search }, replace: true });
  };
}

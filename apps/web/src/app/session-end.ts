/** What happens when a session ends from outside: to the login of that kind, and back where the person was afterwards. */

import { loginPath } from '../client/paths.ts';
import type { SessionEnd } from '../client/session.tsx';
import { i18n } from '../i18n/i18n.ts';
import { router } from './router.tsx';

/** A sign-out in another tab is no news to the person; a dead token is, once. */
export const onSessionEnd: SessionEnd = (kind, reason) => {
  if (reason === 'expired') {
    void import('../ui/toast.ts').then(({ notifyError }) =>
      notifyError(i18n.t('shell:sessionEnded'), 'session-ended'),
    );
  }
  const { pathname, search } = router.state.location;
  void router.navigate(loginPath(kind), { state: { from: pathname + search }, replace: true });
};

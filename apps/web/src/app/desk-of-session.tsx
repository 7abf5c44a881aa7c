/** Loads the parts that a desk tablet adds to the ordinary pages: the bar with the name, and the lock. */

import { loadTexts } from '../i18n/i18n.ts';
import { isDeskTablet } from '../session/at-desk.ts';
import { useSession } from '../session/session.tsx';
import { useLoaded } from '../ui/load-again.ts';

async function loadBar() {
  const [{ DeskBar }] = await Promise.all([
    import('../features/desk/desk-bar.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['desk', 'care-card', 'stays', 'entry-slip']),
  ]);
  return DeskBar;
}

export function DeskOfSession() {
  const { identity } = useSession().admin;
  const isHere = identity !== null && isDeskTablet();
  const Bar = useLoaded(loadBar, isHere);
  return isHere && Bar !== null ? <Bar key={identity._id} name={identity.name} /> : null;
}

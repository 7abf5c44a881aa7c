/**
 * Shows the stored roll call of an evacuation after a reload without a connection. Outside the
 * router: screens come and go while the session is asked for again.
 */
import { KEPT_LIST_KEY } from '../calls/token-store.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useSession } from '../session/session.tsx';
import { useKeptPart } from './use-kept-part.ts';

async function load() {
  const [{ KeptRollCall }] = await Promise.all([
    import('../features/incidents/roll-call/kept-roll-call.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['incidents', 'emergency', 'care-card']),
  ]);
  return KeptRollCall;
}

function hasKept(): boolean {
  try {
    return localStorage.getItem(KEPT_LIST_KEY) !== null;
  } catch {
    return false;
  }
}

export function OfflineRollCall() {
  const { admin } = useSession();
  const Kept = useKeptPart({ load, hasKept, isNeeded: admin.isAuthenticated });
  return Kept && <Kept />;
}

/**
 * Shows the account's pick-up code after a reload without a connection. Outside the router: screens come and go while the
 * session is asked for again.
 */
import { PICKUP_KEY } from '../calls/token-store.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useSession } from '../session/session.tsx';
import { useKeptPart } from './use-kept-part.ts';

async function load() {
  const [{ KeptPickupCode }] = await Promise.all([
    import('../features/profile/kept-pickup-code.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['collectors']),
  ]);
  return KeptPickupCode;
}

function hasKept(): boolean {
  try {
    return sessionStorage.getItem(PICKUP_KEY) !== null;
  } catch {
    return false;
  }
}

export function OfflinePickupCode() {
  const { parent } = useSession();
  // A further guardian's children are in no session, but the home keeps the secret of their code.
  const isNeeded =
    parent.identity !== null && (parent.identity.children.some((child) => child.isInside) || hasKept());
  const Kept = useKeptPart({ load, hasKept, isNeeded });
  return Kept && <Kept />;
}

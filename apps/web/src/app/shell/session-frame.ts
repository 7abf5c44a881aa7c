/** The frame around every screen of a signed-in account; loaded after sign-in, because visitors never need it. */
import { loadTexts } from '../../i18n/i18n.ts';
import { useSession } from '../../session/session.tsx';
import { useLoaded } from '../../ui/load-again.ts';
import type { SessionFrame } from './frame-parts.ts';

async function loadStaff(): Promise<SessionFrame> {
  const [{ staffFrame }] = await Promise.all([
    import('./staff-frame.tsx'),
    import('../../ui/library-styles.ts'),
    loadTexts(['frame', 'incidents']),
  ]);
  return staffFrame;
}

async function loadParent(): Promise<SessionFrame> {
  const [{ parentFrame }] = await Promise.all([
    import('./parent-frame.tsx'),
    import('../../ui/library-styles.ts'),
    loadTexts(['frame']),
  ]);
  return parentFrame;
}

/** The frame of the signed-in account, null until it has loaded and for visitors. Loads once it `isWanted`. */
export function useSessionFrame(isWanted: boolean): SessionFrame | null {
  const { admin, parent } = useSession();
  const staff = useLoaded(loadStaff, isWanted && admin.isAuthenticated);
  const family = useLoaded(loadParent, isWanted && parent.isAuthenticated);
  if (admin.isAuthenticated) return staff;
  return parent.isAuthenticated ? family : null;
}

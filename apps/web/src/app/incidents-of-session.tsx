/** Loads the incident centre once somebody is signed in, not with the first load. */
import { loadTexts } from '../i18n/i18n.ts';
import { useSession } from '../session/session.tsx';
import { useLoaded } from '../ui/load-again.ts';

async function loadIncidents() {
  const [incidents] = await Promise.all([
    import('./incidents.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['incidents', 'emergency', 'care-card']),
  ]);
  return incidents.default;
}

export function IncidentsOfSession() {
  const { admin, parent } = useSession();
  const isSignedIn =
    admin.identity?.mustAddFactor !== true && (admin.isAuthenticated || parent.isAuthenticated);
  const Incidents = useLoaded(loadIncidents, isSignedIn);
  return isSignedIn && Incidents !== null ? <Incidents /> : null;
}

/** Loads the tools of staff once a staff member is signed in, not with the first load. */
import { loadTexts } from '../i18n/i18n.ts';
import { useSession } from '../session/session.tsx';
import { isWorkingStaff } from '../session/working-staff.ts';
import { useLoaded } from '../ui/load-again.ts';

async function loadTools() {
  const [tools] = await Promise.all([
    import('./staff-tools.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['keys', 'search', 'frame', 'dashboard', 'incidents']),
  ]);
  return tools.default;
}

export function ToolsOfSession() {
  const { admin } = useSession();
  // Staff with somebody else's password see no screen until they have chosen their own.
  const isStaff = isWorkingStaff(admin.identity);
  const Tools = useLoaded(loadTools, isStaff);
  return isStaff && Tools !== null ? <Tools /> : null;
}

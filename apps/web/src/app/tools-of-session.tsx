/**
 * Loads the tools of staff once a staff member is signed in, not with the first load. The most frequent key, that of Register
 * Entry, works before they have come.
 */
import { useEffect } from 'react';
import { dialogs } from '../features/dashboard/dialogs.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { listenForShortcuts } from '../keys/listen.ts';
import { useShortcut } from '../keys/shortcuts.ts';
import { useMayRegisterEntry } from '../session/may.ts';
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
  const mayEnter = useMayRegisterEntry();
  useEffect(() => (isStaff ? listenForShortcuts() : undefined), [isStaff]);
  // Without a label: the list of keys comes with the tools, which then have this key themselves.
  useShortcut(
    { keys: 'n', group: 'desk', label: '', run: dialogs.registerEntry },
    isStaff && mayEnter && Tools === null,
  );
  return isStaff && Tools !== null ? <Tools /> : null;
}

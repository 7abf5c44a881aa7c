/** Tools on every screen of staff: keyboard shortcuts, their list, and the search. */
import { IconDoorEnter, IconDoorExit, IconKeyboard, IconScan } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { dialogs } from '../features/dashboard/dialogs.ts';
import { PaletteDialog } from '../features/dashboard/search/palette-dialog.tsx';
import { palette, usePaletteState } from '../features/dashboard/search/palette-store.ts';
import type { PaletteEntry } from '../features/dashboard/search/use-palette.ts';
import { useUndoShortcut } from '../features/dashboard/undo/undo-shortcut.ts';
import { KeyListDialog } from '../keys/key-list-dialog.tsx';
import { closeKeyList, openKeyList, useKeyListOpen } from '../keys/key-list-store.ts';
import { useShortcut } from '../keys/shortcuts.ts';
import { useMay, useMayRegisterEntry } from '../session/may.ts';
import { useStaffEntries } from './shell/staff-entries.ts';

/** Keys that lead to screens, by the name of the entry. */
const SCREEN_KEYS: Readonly<Record<string, string>> = {
  dashboard: 'g d',
  alerts: 'g a',
  visitors: 'g v',
  families: 'g f',
  importFamilies: 'g i',
  checkFace: 'g w',
  rooms: 'g h',
  cameras: 'g c',
  sensors: 'g s',
  kiosks: 'g k',
  attendance: 'g t',
  auditLog: 'g l',
  settings: 'g o',
  facilities: 'g b',
  viewEmployees: 'g e',
  roles: 'g p',
  alertSettings: 'g r',
  notifications: 'g n',
  account: 'g m',
};

/** Moves the focus to the button that starts an evacuation. It never presses it. */
function goToEvacuate(): void {
  // After the search has closed and given the focus back.
  // The last in the page: an open sheet covers the others.
  setTimeout(() => [...document.querySelectorAll<HTMLElement>('[data-evacuate] button')].at(-1)?.focus(), 50);
}

/** All screens and actions of the sidebar, and what only the desk has. */
function usePaletteEntries(): readonly PaletteEntry[] {
  const { t } = useTranslation(['keys', 'frame', 'dashboard', 'incidents']);
  const navigate = useNavigate();
  const groups = useStaffEntries();
  const may = useMay();
  const mayEnter = useMayRegisterEntry();
  return useMemo(() => {
    const entry: PaletteEntry = {
      id: 'checkIn',
      label: t('frame:entry.registerEntry'),
      Icon: IconDoorEnter,
      keys: 'n',
      run: dialogs.registerEntry,
    };
    const scan: PaletteEntry = {
      id: 'scan',
      label: t('dashboard:scan.open'),
      Icon: IconScan,
      run: dialogs.openScanner,
    };
    const evacuate: PaletteEntry = {
      id: 'evacuate',
      label: t('incidents:emergency.button'),
      Icon: IconDoorExit,
      run: goToEvacuate,
    };
    const own: PaletteEntry[] = [
      ...(mayEnter ? [entry] : []),
      ...(may('children.check_in') ? [scan] : []),
      ...(may('evacuation.run') ? [evacuate] : []),
      { id: 'keys', label: t('showKeys'), Icon: IconKeyboard, keys: '?', run: openKeyList },
    ];
    const entries = groups.flatMap((group) => group.entries);
    return [
      ...own,
      ...entries.map(
        ({ name, Icon, to, act }): PaletteEntry => ({
          id: name,
          label: t(`frame:entry.${name}`),
          Icon,
          keys: SCREEN_KEYS[name],
          run: () => (to === undefined ? act?.() : void navigate(to)),
        }),
      ),
    ];
  }, [t, navigate, groups, may, mayEnter]);
}

function EntryKey({ entry, keys }: { entry: PaletteEntry; keys: string }) {
  useShortcut({ keys, group: 'screens', label: entry.label, run: entry.run });
  return null;
}

function ToolKeys() {
  const { t } = useTranslation(['keys', 'frame']);
  useUndoShortcut();
  useShortcut({ keys: 'mod+k', group: 'everywhere', label: t('search'), run: palette.open });
  useShortcut({ keys: '/', group: 'everywhere', label: t('search'), run: palette.open });
  useShortcut({ keys: '?', group: 'everywhere', label: t('showKeys'), run: openKeyList });
  return null;
}

function DeskKeys() {
  const { t } = useTranslation('frame');
  useShortcut({ keys: 'n', group: 'desk', label: t('entry.registerEntry'), run: dialogs.registerEntry });
  return null;
}

export default function StaffTools() {
  const mayEnter = useMayRegisterEntry();
  const entries = usePaletteEntries();
  const isListOpen = useKeyListOpen();
  const { isOpen } = usePaletteState();
  // Rendered from the first opening on, so that it can fade out.
  const [wasOpen, setWasOpen] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setWasOpen(true);
  }, [isOpen]);
  return (
    <>
      <ToolKeys />
      {mayEnter ? <DeskKeys /> : null}
      {entries.map((entry) =>
        entry.keys?.startsWith('g ') ? <EntryKey key={entry.id} entry={entry} keys={entry.keys} /> : null,
      )}
      {wasOpen ? <PaletteDialog opened={isOpen} entries={entries} /> : null}
      <KeyListDialog opened={isListOpen} onClose={closeKeyList} />
    </>
  );
}

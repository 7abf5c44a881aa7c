/** The frame of staff: sidebar, bar of phones, emergency, search, and the dialogs of the desk on every screen. */
import { useEffect, useState } from 'react';
import { dialogs, useIsDialogWanted } from '../../features/dashboard/dialogs.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { useLoaded } from '../../ui/load-again.ts';
import { whenIdle } from '../../ui/when-idle.ts';
import { ApprovalOfSession } from '../approval-of-session.tsx';
import { AccountMenu } from './account-menu.tsx';
import { EmergencySlot } from './emergency-slot.tsx';
import type { SessionFrame } from './frame-parts.ts';
import { PaletteSlot } from './palette-slot.tsx';
import { QuietSlot } from './quiet-slot.tsx';
import { StaffBar } from './staff-bar.tsx';
import { StaffRail } from './staff-rail.tsx';

async function loadDeskDialogs() {
  const [loaded] = await Promise.all([
    import('./desk-dialogs.tsx'),
    loadTexts([
      'dashboard',
      'care-card',
      'vouching',
      'stays',
      'employees',
      'roles',
      'entry-slip',
      'hand-over',
    ]),
  ]);
  return loaded.default;
}

/**
 * Closes the dialog that is open when the frame goes, so that it does not come back with the frame. A frame that is
 * mounted again at once, as in development, keeps it.
 */
let closing: ReturnType<typeof setTimeout> | undefined;
function useClosedWithFrame(): void {
  useEffect(() => {
    clearTimeout(closing);
    return () => {
      closing = setTimeout(dialogs.close);
    };
  }, []);
}

/** The dialogs load once the page is idle, so that a press opens them at once even without a connection. */
function DeskDialogsOnceIdle() {
  const [isIdle, setIdle] = useState(false);
  const isWanted = useIsDialogWanted();
  useClosedWithFrame();
  useEffect(() => whenIdle(() => setIdle(true), 3_000), []);
  const DeskDialogs = useLoaded(loadDeskDialogs, isIdle || isWanted);
  return DeskDialogs === null ? null : <DeskDialogs />;
}

function Companions() {
  return (
    <>
      <DeskDialogsOnceIdle />
      <ApprovalOfSession />
    </>
  );
}

function StaffTools({ hasRail }: { hasRail: boolean }) {
  return (
    <>
      <QuietSlot place="header" />
      <PaletteSlot />
      <EmergencySlot place="header" hasRail={hasRail} />
    </>
  );
}

export const staffFrame: SessionFrame = {
  Rail: StaffRail,
  Bar: StaffBar,
  HeaderLinks: null,
  HeaderTools: StaffTools,
  AccountMenu,
  Companions,
};

/** The staff dashboard (spec §2): the figures, the children inside and the families. */
import { Button } from '@mantine/core';
import { IconArrowDown, IconScan } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerStatus } from '../../live/live-provider.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { Later } from '../../ui/later.tsx';
import { notifyError } from '../../ui/toast.ts';
import { useOnline } from '../../ui/use-online.ts';
import { ApprovalsCard } from './approvals/approvals-card.tsx';
import { useKeyboardScanner } from './desk-scan/use-keyboard-scanner.ts';
import { dialogs } from './dialogs.ts';
import { ExpectedSection } from './expected/expected-section.tsx';
import { FamiliesSection } from './families/families-section.tsx';
import { goToFamilies } from './families/go-to-families.ts';
import { DashboardTop } from './frame/dashboard-top.tsx';
import classes from './frame/screen.module.css';
import { Glance, type Shown } from './glance.tsx';
import { InsideSection } from './inside/inside-section.tsx';
import { KioskQueue } from './kiosk-queue/kiosk-queue.tsx';
import { useFamiliesAtStart } from './lists/queries.ts';
import { useLiveChildren } from './lists/use-live-children.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { OnTheWay } from './on-the-way/on-the-way.tsx';

export interface DashboardScreenProps {
  /** The rooms with their cameras and their air, of other features. */
  rooms: ReactNode;
  /** The checklist of the first run, above the lists while there is no family and below them afterwards. */
  setupAbove?: ReactNode;
  setupBelow?: ReactNode;
  /** Delays the lists until the part above them is known, so that they do not move. */
  isHeld?: boolean;
}

export default function DashboardScreen({
  rooms,
  setupAbove,
  setupBelow,
  isHeld = false,
}: DashboardScreenProps) {
  const { t } = useTranslation('dashboard');
  const [shown, setShown] = useState<Shown>('all');
  useDocumentTitle(t('title'));
  useLiveChildren();
  useFamiliesAtStart();
  return (
    <div className={classes.content}>
      <DashboardTop
        line={
          <>
            <OnTheWay />
            <GoToFamilies />
          </>
        }
      >
        <Allowed to="children.check_in">
          <Scan />
        </Allowed>
      </DashboardTop>
      <OfflineBanner />
      <ApprovalsCard />
      <KioskQueue onPrint={dialogs.print} />
      <Glance shown={shown} onPress={setShown} />
      {rooms}
      <Later>{setupAbove}</Later>
      {isHeld ? null : <Columns shown={shown} onShow={setShown} />}
      <Later>{setupBelow}</Later>
    </div>
  );
}

/** Slips are scanned by the button and by a scanner that types. */
function Scan() {
  const { t } = useTranslation('dashboard');
  useKeyboardScanner({ onCodes: dialogs.lookUp, onOther: () => notifyError(t('scan.notACode'), 'scan') });
  return (
    <Button
      className={classes.scan ?? ''}
      variant="light"
      leftSection={<IconScan size={20} aria-hidden />}
      onClick={dialogs.openScanner}
    >
      {t('scan.open')}
    </Button>
  );
}

/**
 * On narrow screens the families are below the children inside, so a long list would hide them. The link is always
 * shown, because a link that appeared once the children are loaded would move everything below it.
 */
function GoToFamilies() {
  const { t } = useTranslation('dashboard');
  return (
    <Button
      className={classes.goTo ?? ''}
      size="compact-sm"
      variant="subtle"
      rightSection={<IconArrowDown size={17} aria-hidden />}
      onClick={() => goToFamilies()}
    >
      <span className={classes.goToText}>{t('families.goTo')}</span>
    </Button>
  );
}

function Columns({ shown, onShow }: { shown: Shown; onShow: (shown: Shown) => void }) {
  const isOnline = useOnline();
  const isFull = useServerStatus()?.storage === 'full';
  return (
    <div className={classes.columns} data-stale={!isOnline || isFull || undefined}>
      <Later>
        {shown === 'expected' ? (
          <ExpectedSection onShowInside={() => onShow('all')} />
        ) : (
          <InsideSection filter={shown} onFilter={onShow} onPrint={dialogs.printOne} onMove={dialogs.move} />
        )}
        <FamiliesSection
          onAddParent={dialogs.addParent}
          onDeleteParent={dialogs.askToDelete}
          onCheckIn={dialogs.checkInOne}
        />
      </Later>
    </div>
  );
}

/** The admin dashboard (spec §2): menu, who is inside, the families, and the dialogs that change them. */
import type { Child, Parent } from '@haris/contract/objects';
import { Button } from '@mantine/core';
import { IconArrowDown, IconDoorEnter, IconScan } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLogout } from '../../client/logout.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { Later } from '../../ui/later.tsx';
import { notifyError } from '../../ui/toast.ts';
import { useOnline } from '../../ui/use-online.ts';
import { AddParentDialog } from './add-parent-dialog.tsx';
import { DashboardTop } from './dashboard-top.tsx';
import { DeleteParentDialog } from './delete-parent-dialog.tsx';
import { FamiliesSection } from './families-section.tsx';
import { Glance } from './glance.tsx';
import { InsideSection } from './inside-section.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { useFamiliesAtStart } from './queries.ts';
import { type EntryStart, RegisterEntryDialog } from './register-entry-dialog.tsx';
import { type Scan, ScannedDialog } from './scanned-dialog.tsx';
import classes from './screen.module.css';
import { Sidebar, type SidebarActions, SidebarInMenu } from './sidebar.tsx';
import { useUndoShortcut } from './undo.ts';
import { useFireDrill } from './use-fire-drill.ts';
import { useKeyboardScanner } from './use-keyboard-scanner.ts';
import { useLiveChildren } from './use-live-children.ts';

interface DialogState {
  opened: boolean;
  onClose: () => void;
}

export interface DashboardScreenProps {
  /** These belong to other features; app/dashboard.tsx joins them. */
  AddEmployeeDialog: ComponentType<DialogState>;
  SlipDialog: ComponentType<DialogState & { items: readonly Child[] }>;
  ScanDialog: ComponentType<DialogState & { onCode: (entryId: string) => void }>;
  /** The air of the areas, of the environment feature. */
  air: ReactNode;
  /** The button that begins an evacuation, and how many incidents nobody has acknowledged: of the incidents feature. */
  emergency: ReactNode;
  openIncidents: number;
}

type OpenDialog = 'none' | 'parent' | 'entry' | 'employee' | 'deletion' | 'slip' | 'scan' | 'scanned';

export default function DashboardScreen({
  AddEmployeeDialog,
  SlipDialog,
  ScanDialog,
  air,
  emergency,
  openIncidents,
}: DashboardScreenProps) {
  const { t } = useTranslation('dashboard');
  const logout = useLogout();
  const startFireDrill = useFireDrill();
  const familiesHeading = useRef<HTMLHeadingElement>(null);
  const [open, setOpen] = useState<OpenDialog>('none');
  // Kept when a dialog closes: it still shows them while it fades out.
  const [entryStart, setEntryStart] = useState<EntryStart | null>(null);
  const [doomed, setDoomed] = useState<Parent | null>(null);
  const [printed, setPrinted] = useState<readonly Child[]>([]);
  const [scan, setScan] = useState<Scan | null>(null);
  const isOnline = useOnline();
  useDocumentTitle(t('title'));
  useLiveChildren();
  useFamiliesAtStart();

  const close = useCallback(() => setOpen('none'), []);
  const registerEntry = useCallback((start: EntryStart | null) => {
    setEntryStart(start);
    setOpen('entry');
  }, []);
  const askToDelete = useCallback((parent: Parent) => {
    setDoomed(parent);
    setOpen('deletion');
  }, []);
  const checkInOne = useCallback(
    (parent: Parent, child: Child) => registerEntry({ parent, childId: child._id }),
    [registerEntry],
  );

  const print = useCallback((children: readonly Child[]) => {
    setPrinted(children);
    setOpen('slip');
  }, []);
  const printOne = useCallback((child: Child) => print([child]), [print]);
  const lookUp = (codes: readonly string[]) => {
    setScan({ codes });
    setOpen('scanned');
  };
  useKeyboardScanner({ onCodes: lookUp, onOther: () => notifyError(t('scan.notACode'), 'scan') });
  useUndoShortcut();

  const actions: SidebarActions = {
    openIncidents,
    onAddEmployee: () => setOpen('employee'),
    onRegisterEntry: () => registerEntry(null),
    onFireDrill: startFireDrill,
    onLogout: () => void logout(),
  };

  return (
    <div className={classes.frame}>
      <Sidebar {...actions} />
      <Later>
        <SidebarInMenu {...actions} />
      </Later>
      <div className={classes.content}>
        <DashboardTop>
          <Button
            visibleFrom="sm"
            variant="light"
            leftSection={<IconScan size={20} aria-hidden />}
            onClick={() => setOpen('scan')}
          >
            {t('scan.open')}
          </Button>
          {emergency}
        </DashboardTop>
        <OfflineBanner />
        <Glance />
        {air}
        {/*
         * Where the sections stand one above the other, many children inside would bury the families. It is there however
         * few they are: what lies below must not move when their number is known.
         */}
        <Button
          className={classes.goTo ?? ''}
          mt="xs"
          size="compact-md"
          fz="sm"
          variant="subtle"
          rightSection={<IconArrowDown size={17} aria-hidden />}
          onClick={() => {
            familiesHeading.current?.focus({ preventScroll: true });
            familiesHeading.current?.scrollIntoView({ block: 'start' });
          }}
        >
          {t('families.goTo')}
        </Button>
        <div className={classes.columns} data-stale={!isOnline || undefined}>
          <Later>
            <InsideSection onPrint={printOne} />
            <FamiliesSection
              heading={familiesHeading}
              onAddParent={() => setOpen('parent')}
              onDeleteParent={askToDelete}
              onCheckIn={checkInOne}
            />
          </Later>
        </div>
        {/* Wide screens have both above, and Register Entry in the sidebar. */}
        <div className={classes.thumb} data-bottom-bar>
          <Button
            className={classes.thumbButton ?? ''}
            leftSection={<IconDoorEnter size={20} aria-hidden />}
            onClick={() => registerEntry(null)}
          >
            {t('sidebar.registerEntry')}
          </Button>
          <Button
            className={classes.thumbButton ?? ''}
            variant="light"
            leftSection={<IconScan size={20} aria-hidden />}
            onClick={() => setOpen('scan')}
          >
            {t('scan.open')}
          </Button>
        </div>
      </div>

      <Later>
        <AddParentDialog opened={open === 'parent'} onClose={close} />
        <RegisterEntryDialog opened={open === 'entry'} onClose={close} start={entryStart} onPrint={print} />
        <SlipDialog opened={open === 'slip'} onClose={close} items={printed} />
        <ScanDialog opened={open === 'scan'} onClose={close} onCode={(code) => lookUp([code])} />
        <ScannedDialog opened={open === 'scanned'} onClose={close} scan={scan} />
        <AddEmployeeDialog opened={open === 'employee'} onClose={close} />
        <DeleteParentDialog
          opened={open === 'deletion'}
          parent={doomed}
          onClose={close}
          onDeleted={() => {
            close();
            // What opened the dialog is gone with its family.
            familiesHeading.current?.focus({ preventScroll: true });
          }}
        />
      </Later>
    </div>
  );
}

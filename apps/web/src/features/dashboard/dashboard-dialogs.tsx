/** The dialogs of the desk; at most one is open. */
import type { Child } from '@haris/contract/objects';
import type { ComponentType } from 'react';
import { ScannedDialog } from './desk-scan/scanned-dialog.tsx';
import { dialogs, useDialogState } from './dialogs.ts';
import type { PhotoDialogComponent } from './entry/photo-dialog.ts';
import { RegisterEntryDialog } from './entry/register-entry-dialog.tsx';
import { AddParentDialog } from './families/add-parent-dialog.tsx';
import { DeleteParentDialog } from './families/delete-parent-dialog.tsx';
import { goToFamilies } from './families/go-to-families.ts';
import { HandOverDialog } from './hand-over/hand-over-dialog.tsx';
import { MoveDialog } from './moves/move-dialog.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Dialogs of other features, passed in by app/shell/desk-dialogs.tsx. */
export interface JoinedDialogs {
  AddEmployeeDialog: ComponentType<DialogProps>;
  SlipDialog: ComponentType<DialogProps & { items: readonly Child[] }>;
  ScanDialog: ComponentType<DialogProps & { onCode: (entryId: string) => void }>;
  /** Null until its code is loaded. */
  PhotoDialog: PhotoDialogComponent | null;
}

function onParentDeleted(): void {
  dialogs.close();
  // The button that opened the dialog disappears with its family.
  goToFamilies({ scroll: false });
}

export function DashboardDialogs({ AddEmployeeDialog, SlipDialog, ScanDialog, PhotoDialog }: JoinedDialogs) {
  const { open, entryStart, doomed, printed, scan, moving, handingOver } = useDialogState();
  const { close, print, lookUp } = dialogs;
  return (
    <>
      <AddParentDialog opened={open === 'parent'} onClose={close} />
      <RegisterEntryDialog
        opened={open === 'entry'}
        onClose={close}
        start={entryStart}
        onPrint={print}
        PhotoDialog={PhotoDialog}
      />
      <SlipDialog opened={open === 'slip'} onClose={close} items={printed} />
      <ScanDialog opened={open === 'scan'} onClose={close} onCode={(code) => lookUp([code])} />
      <ScannedDialog opened={open === 'scanned'} onClose={close} scan={scan} />
      <MoveDialog opened={open === 'move'} onClose={close} childIds={moving} />
      <HandOverDialog opened={open === 'handOver'} onClose={close} subject={handingOver} />
      <AddEmployeeDialog opened={open === 'employee'} onClose={close} />
      <DeleteParentDialog
        opened={open === 'deletion'}
        parent={doomed}
        onClose={close}
        onDeleted={onParentDeleted}
      />
    </>
  );
}

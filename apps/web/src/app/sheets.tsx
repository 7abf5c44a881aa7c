/** Joins the sheets with the parts of other features, because features do not import each other. */
import { useEffect, useState } from 'react';
import { ChildPhotoDialog } from '../features/add-child/child-photo-dialog.tsx';
import { ChildSheet } from '../features/dashboard/sheet/child-sheet.tsx';
import { FamilySheet } from '../features/dashboard/sheet/family-sheet.tsx';
import { SlipDialog } from '../features/entry-slip/slip-dialog.tsx';
import { EmergencySlot } from './shell/emergency-slot.tsx';

export interface SheetsProps {
  /** Null while no child's sheet is open. */
  childId: string | null;
  /** Id of the parent; null while no family's sheet is open. */
  familyId: string | null;
  onClose: () => void;
}

/** The latest id, also after it has gone: a sheet shows it while it fades out. */
function useKept(id: string | null): string | null {
  const [kept, setKept] = useState(id);
  useEffect(() => {
    if (id !== null) setKept(id);
  }, [id]);
  return id ?? kept;
}

export default function Sheets({ childId, familyId, onClose }: SheetsProps) {
  const child = useKept(childId);
  const family = useKept(familyId);
  return (
    <>
      <ChildSheet
        opened={childId !== null}
        id={child}
        onClose={onClose}
        evacuate={<EmergencySlot place="sheet" />}
        SlipDialog={SlipDialog}
        PhotoDialog={ChildPhotoDialog}
      />
      <FamilySheet
        opened={familyId !== null && childId === null}
        id={family}
        onClose={onClose}
        evacuate={<EmergencySlot place="sheet" />}
      />
    </>
  );
}

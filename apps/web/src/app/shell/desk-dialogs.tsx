/** Joins the dialogs of the desk with those of other features, because features do not import each other. */
import { DashboardDialogs } from '../../features/dashboard/dashboard-dialogs.tsx';
import { AddEmployeeDialog } from '../../features/employees/add-employee-dialog.tsx';
import { ScanDialog } from '../../features/entry-slip/scan-dialog.tsx';
import { SlipDialog } from '../../features/entry-slip/slip-dialog.tsx';
import { useLoaded } from '../../ui/load-again.ts';

/** Loaded later, because few check-ins need a camera. */
async function loadPhotoDialog() {
  return (await import('../../features/add-child/child-photo-dialog.tsx')).ChildPhotoDialog;
}

export default function DeskDialogs() {
  const PhotoDialog = useLoaded(loadPhotoDialog);
  return (
    <DashboardDialogs
      AddEmployeeDialog={AddEmployeeDialog}
      ScanDialog={ScanDialog}
      SlipDialog={SlipDialog}
      PhotoDialog={PhotoDialog}
    />
  );
}

/** Joins the dialogs of the desk with those of other features, because features do not import each other. */
import { DashboardDialogs } from '../../features/dashboard/dashboard-dialogs.tsx';
import { AddEmployeeDialog } from '../../features/employees/add-employee-dialog.tsx';
import { ScanDialog } from '../../features/entry-slip/scan-dialog.tsx';
import { SlipDialog } from '../../features/entry-slip/slip-dialog.tsx';

export default function DeskDialogs() {
  return (
    <DashboardDialogs AddEmployeeDialog={AddEmployeeDialog} ScanDialog={ScanDialog} SlipDialog={SlipDialog} />
  );
}

/** Joins the dashboard with the dialogs of other features: features do not know each other. */
import DashboardScreen from '../features/dashboard/dashboard-screen.tsx';
import { AddEmployeeDialog } from '../features/employees/add-employee-dialog.tsx';
import { ScanDialog } from '../features/entry-slip/scan-dialog.tsx';
import { SlipDialog } from '../features/entry-slip/slip-dialog.tsx';
import { AirGlance } from '../features/environment/air-glance.tsx';
import { useUnacknowledgedCount } from '../features/incidents/api.ts';
import { EmergencyButton } from '../features/incidents/emergency-button.tsx';

export default function Dashboard() {
  const openIncidents = useUnacknowledgedCount();
  return (
    <DashboardScreen
      AddEmployeeDialog={AddEmployeeDialog}
      ScanDialog={ScanDialog}
      SlipDialog={SlipDialog}
      air={<AirGlance />}
      emergency={<EmergencyButton />}
      openIncidents={openIncidents}
    />
  );
}

/** Every call of the product, by id. */
import { accountRoutes } from './accounts.ts';
import { approvalRoutes } from './approvals.ts';
import { barredRoutes } from './barred.ts';
import { bookingRoutes } from './bookings.ts';
import { cameraRoutes } from './cameras.ts';
import { careRoutes } from './care.ts';
import { careLogRoutes } from './care-log.ts';
import { childRoutes } from './children.ts';
import { collectorRoutes } from './collectors.ts';
import { deskRoutes } from './desk.ts';
import { deskConflictRoutes } from './desk-conflicts.ts';
import { facilityRoutes } from './facilities.ts';
import { factorRoutes } from './factors.ts';
import { guardianRoutes } from './guardians.ts';
import { handOverRoutes } from './hand-over.ts';
import { headCountRoutes } from './head-counts.ts';
import { healthRoutes } from './health.ts';
import { importRoutes } from './imports.ts';
import { incidentRoutes } from './incidents.ts';
import { kioskRoutes } from './kiosk.ts';
import { notificationRoutes } from './notifications.ts';
import { oidcRoutes } from './oidc.ts';
import { operationRoutes } from './operations.ts';
import { photoRoutes } from './photos.ts';
import { pickupRoutes } from './pickups.ts';
import { recognitionRoutes } from './recognition.ts';
import { registrationRoutes } from './registration.ts';
import { reportRoutes } from './reports.ts';
import { roleRoutes } from './roles.ts';
import { roomRoutes } from './rooms.ts';
import { searchRoutes } from './search.ts';
import { sensorRoutes } from './sensors.ts';
import { sessionRoutes } from './session.ts';
import { setupRoutes } from './setup.ts';
import { sheetRoutes } from './sheets.ts';
import { staffProfileRoutes } from './staff-profile.ts';
import { stayRoutes } from './stays.ts';
import { ticketRoutes } from './tickets.ts';
import { videoRoutes } from './video.ts';
import { visitorRoutes } from './visitors.ts';
import { vouchingRoutes } from './vouching.ts';

export const routes = {
  ...accountRoutes,
  ...registrationRoutes,
  ...vouchingRoutes,
  ...sessionRoutes,
  ...factorRoutes,
  ...staffProfileRoutes,
  ...roleRoutes,
  ...facilityRoutes,
  ...approvalRoutes,
  ...oidcRoutes,
  ...childRoutes,
  ...stayRoutes,
  ...searchRoutes,
  ...sheetRoutes,
  ...roomRoutes,
  ...headCountRoutes,
  ...careRoutes,
  ...careLogRoutes,
  ...pickupRoutes,
  ...collectorRoutes,
  ...handOverRoutes,
  ...guardianRoutes,
  ...barredRoutes,
  ...bookingRoutes,
  ...photoRoutes,
  ...operationRoutes,
  ...notificationRoutes,
  ...incidentRoutes,
  ...visitorRoutes,
  ...reportRoutes,
  ...importRoutes,
  ...sensorRoutes,
  ...ticketRoutes,
  ...cameraRoutes,
  ...videoRoutes,
  ...recognitionRoutes,
  ...kioskRoutes,
  ...deskRoutes,
  ...deskConflictRoutes,
  ...setupRoutes,
  ...healthRoutes,
};

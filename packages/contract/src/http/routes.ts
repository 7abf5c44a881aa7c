/** Every call of the product by its id. */
import { accountRoutes } from './accounts.ts';
import { cameraRoutes } from './cameras.ts';
import { childRoutes } from './children.ts';
import { importRoutes } from './imports.ts';
import { incidentRoutes } from './incidents.ts';
import { noticeRoutes } from './notices.ts';
import { operationRoutes } from './operations.ts';
import { photoRoutes } from './photos.ts';
import { recognitionRoutes } from './recognition.ts';
import { reportRoutes } from './reports.ts';
import { sensorRoutes } from './sensors.ts';
import { sessionRoutes } from './session.ts';
import { stayRoutes } from './stays.ts';
import { ticketRoutes } from './tickets.ts';
import { videoRoutes } from './video.ts';
import { vouchingRoutes } from './vouching.ts';

export const routes = {
  ...accountRoutes,
  ...vouchingRoutes,
  ...sessionRoutes,
  ...childRoutes,
  ...stayRoutes,
  ...photoRoutes,
  ...operationRoutes,
  ...noticeRoutes,
  ...incidentRoutes,
  ...reportRoutes,
  ...importRoutes,
  ...sensorRoutes,
  ...ticketRoutes,
  ...cameraRoutes,
  ...videoRoutes,
  ...recognitionRoutes,
};

/** Handlers of an empty facility: no children, families or sensors. Tests add data with their own handlers. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { approvalRoutes } from '@haris/contract/http/approvals';
import { barredRoutes } from '@haris/contract/http/barred';
import { bookingRoutes } from '@haris/contract/http/bookings';
import { cameraRoutes } from '@haris/contract/http/cameras';
import { careRoutes } from '@haris/contract/http/care';
import { careLogRoutes } from '@haris/contract/http/care-log';
import { childRoutes } from '@haris/contract/http/children';
import { collectorRoutes } from '@haris/contract/http/collectors';
import { deskRoutes } from '@haris/contract/http/desk';
import { deskConflictRoutes } from '@haris/contract/http/desk-conflicts';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { factorRoutes } from '@haris/contract/http/factors';
import { guardianRoutes } from '@haris/contract/http/guardians';
import { handOverRoutes } from '@haris/contract/http/hand-over';
import { headCountRoutes } from '@haris/contract/http/head-counts';
import { incidentRoutes } from '@haris/contract/http/incidents';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { oidcRoutes } from '@haris/contract/http/oidc';
import { operationRoutes } from '@haris/contract/http/operations';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { roleRoutes } from '@haris/contract/http/roles';
import { roomRoutes } from '@haris/contract/http/rooms';
import { searchRoutes } from '@haris/contract/http/search';
import { sensorRoutes } from '@haris/contract/http/sensors';
import { sessionRoutes } from '@haris/contract/http/session';
import { setupRoutes } from '@haris/contract/http/setup';
import { BUILT_IN_ROLE_IDS, BUILT_IN_ROLES } from '@haris/contract/permissions';
import type { RequestHandler } from 'msw';
import { handle } from './contract-server.ts';
import { settings, setup } from './settings.ts';

const nobody = { total: 0, nextCursor: null };

/** Handlers for the calls of every page, and of screens to which others redirect. */
export function emptyHouse(): RequestHandler[] {
  return [
    handle(operationRoutes.getClientConfig, () => ({
      demo: false,
      registerUrl: '',
      sendsMail: true,
      oidc: null,
      facility: { name: null, phone: null, timeZone: 'Africa/Cairo', region: 'EG' },
      now: new Date().toISOString(),
    })),
    handle(facilityRoutes.listFacilities, {
      facilities: [{ _id: 'main', name: null }],
      current: 'main',
    }),
    handle(facilityRoutes.listChildFacilities, { facilities: [{ _id: 'main', name: null }], addable: [] }),
    handle(facilityRoutes.listOpeningHours, { facilities: [] }),
    handle(setupRoutes.getSetup, { setup: setup() }),
    handle(operationRoutes.getSettings, { settings: settings() }),
    handle(incidentRoutes.listIncidents, { incidents: [], ...nobody }),
    handle(incidentRoutes.getEvacuation, { evacuation: null }),
    handle(incidentRoutes.getRollCall, () => ({
      rollCall: { at: new Date().toISOString(), children: [], people: [] },
    })),
    handle(collectorRoutes.listCollectors, { collectors: [] }),
    handle(guardianRoutes.listGuardians, { guardians: [] }),
    handle(guardianRoutes.listGuardianRequests, { requests: [] }),
    handle(barredRoutes.listBarred, { barred: [], adults: [] }),
    handle(handOverRoutes.listReleases, { releases: [] }),
    handle(handOverRoutes.createPickupCode, { secret: null }),
    handle(childRoutes.listChildren, { children: [], ...nobody }),
    handle(accountRoutes.listParents, { parents: [], ...nobody }),
    handle(searchRoutes.search, { children: [], parents: [] }),
    handle(accountRoutes.listAdmins, { admins: [], ...nobody }),
    handle(approvalRoutes.listApprovals, { approvals: [] }),
    handle(roleRoutes.listRoles, {
      roles: BUILT_IN_ROLE_IDS.map((id) => ({
        _id: id,
        name: null,
        permissions: [...BUILT_IN_ROLES[id]],
        members: 0,
      })),
    }),
    handle(sensorRoutes.listAirLimits, { limits: { temperature: 40, mq2: 1000 }, areas: [] }),
    handle(sensorRoutes.listSensors, { sensors: [], ...nobody, broker: null, brokerState: 'off' }),
    handle(recognitionRoutes.getParentRecognition, {
      recognition: { on: false, since: null, problem: null, pending: false },
    }),
    handle(sensorRoutes.listHomeAssistantAccounts, { accounts: [], broker: null }),
    handle(accountRoutes.setLanguage, ({ body }) => body),
    handle(cameraRoutes.listCameras, { cameras: [], ...nobody }),
    handle(bookingRoutes.listOwnBookings, { bookings: [] }),
    handle(bookingRoutes.listBookingsOfChild, { bookings: [] }),
    handle(bookingRoutes.listExpected, {
      date: '2026-11-20',
      timeZone: 'Africa/Cairo',
      hasBookings: false,
      expected: [],
    }),
    handle(roomRoutes.listRooms, { rooms: [] }),
    handle(headCountRoutes.listHeadCounts, { headCounts: [] }),
    handle(deskConflictRoutes.listDeskConflicts, { conflicts: [], ...nobody }),
    handle(careLogRoutes.listCareLog, {
      ...{ entries: [], nextCursor: null, today: '2026-11-20', timeZone: 'Africa/Cairo', asleep: null },
    }),
    handle(careLogRoutes.listCareLogToSign, { waiting: [] }),
    handle(careRoutes.listCareSigns, { signs: [], onSlip: false }),
    handle(careRoutes.listEvacuationCareCards, { cards: [] }),
    handle(kioskRoutes.listKioskRequests, { requests: [], warnings: [] }),
    handle(factorRoutes.listFactors, { factors: [], recoveryCodesLeft: 0, isRequired: false }),
    handle(sessionRoutes.listSessions, { sessions: [] }),
    handle(oidcRoutes.listOwnLinks, { links: [], isOnlyWay: false }),
    handle(deskRoutes.getDeskPin, { setAt: null, hasDesk: false }),
    handle(kioskRoutes.getKioskPin, { setAt: null, digits: '4567', hasKiosk: false }),
  ];
}

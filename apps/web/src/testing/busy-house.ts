/** Handlers of a facility in which everything exists once, for tests that open every screen. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { cameraRoutes } from '@haris/contract/http/cameras';
import { childRoutes } from '@haris/contract/http/children';
import { deskConflictRoutes } from '@haris/contract/http/desk-conflicts';
import { guardianRoutes } from '@haris/contract/http/guardians';
import { headCountRoutes } from '@haris/contract/http/head-counts';
import { incidentRoutes, incidentSchema } from '@haris/contract/http/incidents';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { notificationRoutes } from '@haris/contract/http/notifications';
import { operationRoutes } from '@haris/contract/http/operations';
import { attendanceEntrySchema, attendanceTotalSchema, reportRoutes } from '@haris/contract/http/reports';
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import { searchRoutes } from '@haris/contract/http/search';
import { sensorRoutes, sensorSchema } from '@haris/contract/http/sensors';
import { setupRoutes } from '@haris/contract/http/setup';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { stayRoutes } from '@haris/contract/http/stays';
import { visitorRoutes } from '@haris/contract/http/visitors';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import type { RequestHandler } from 'msw';
import { camera } from './cameras.ts';
import { handle, refuse } from './contract-server.ts';
import { deskConflict, deskWord } from './desk-conflicts.ts';
import { emptyHouse } from './empty-house.ts';
import { askedGuardian, furtherGuardian, guardian } from './guardians.ts';
import { countedChild, headCount } from './head-counts.ts';
import { admin, child, parent } from './people.ts';
import { settings, setup } from './settings.ts';

const NOW = '2026-03-18T08:00:00.000Z';
const salma = { _id: 'admin-salma', name: 'Salma Adel' };
const alone = { total: 1, nextCursor: null };
const nothing = { value: null, truth: 'none', at: null, freshUntil: null } as const;
const proposal = { revision: 'revision-1', at: NOW, name: 'Omar H.' };

const inside = child({ _id: 'child-omar', isInside: true, proposal, pending: ['name'] });
const outside = child({ _id: 'child-nour', name: 'Nour Hassan' });
const family = parent({ emailVerified: false, children: [inside, outside], phone: null });
const counted = headCount({
  children: [
    countedChild({ name: 'Adam', lastSeen: { area: 'Garden', at: NOW } }),
    countedChild({ name: 'Lina', state: 'here', by: salma, at: NOW }),
    countedChild({ name: 'Nour', incidentId: 'incident-1' }),
  ],
});
const visit = attendanceEntrySchema.parse({
  _id: 'stay-1',
  date: '2026-03-18',
  child: { _id: inside._id, name: inside.name },
  parentName: family.name,
  entryTime: NOW,
  exitTime: NOW,
  duration: 60,
  minutesStayed: 60,
  minutesOver: 0,
  bookedUntil: null,
  minutesLate: 0,
  checkedInBy: salma.name,
  checkedOutBy: salma.name,
  uniqueEntryId: 'entry-1',
});
const days = {
  timeZone: 'Africa/Cairo',
  today: '2026-03-18',
  date: '2026-03-18',
  firstDay: '2026-03-18',
  lastDay: '2026-03-18',
};
const sums = { visits: 1, open: 0, minutesBooked: 60, minutesStayed: 60, minutesOver: 0, minutesLate: 0 };
const sensor = sensorSchema.parse({
  _id: 'sensor-1',
  name: 'By the window',
  area: 'Hall',
  kind: 'haris',
  demo: false,
  username: 'sensor-1',
  topic: 'haris/sensor-1',
  state: 'none',
  temperature: nothing,
  humidity: nothing,
  mq2: nothing,
  period: null,
  periodInForce: 60,
  refused: { count: 0, lastAt: null, lastReason: null },
  createdAt: NOW,
});
const incidents = (['camera_down', 'sensor_offline'] as const).map((kind) =>
  incidentSchema.parse({
    _id: `incident-${kind}`,
    kind,
    severity: 'operation',
    area: 'Hall',
    subject: null,
    value: null,
    limit: null,
    raisedAt: NOW,
    clearedAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    timeline: [],
  }),
);

/** Ids for the parameters of addresses and for the sheets. */
export const busyIds = { inside: inside._id, outside: outside._id, family: family._id, camera: 'camera-1' };

function known(): RequestHandler[] {
  return [
    handle(setupRoutes.getSetup, { setup: setup({ open: ['mail', 'camera'], sample: 'present' }) }),
    handle(setupRoutes.getMailServer, {
      mail: {
        source: 'outbox',
        host: null,
        port: null,
        security: null,
        user: null,
        from: null,
        hasPassword: false,
      },
    }),
    handle(operationRoutes.getSettings, {
      settings: settings({ areaAlarms: [{ area: 'Hall', unknownPerson: true }] }),
      revision: 'revision-1',
    }),
    handle(childRoutes.listChildren, ({ query }) => {
      const children = query.inside === 'true' ? [inside] : [inside, outside];
      return { children, total: children.length, nextCursor: null };
    }),
    handle(accountRoutes.listParents, { parents: [family], ...alone }),
    handle(searchRoutes.search, { children: [], parents: [] }),
    handle(sheetRoutes.getChild, ({ params: { id } }) => ({
      child: id === inside._id ? inside : outside,
      parent: family,
      facePhotos: ['photo-1', 'photo-2'].map((_id) => ({ _id, addedAt: NOW })),
      usual: { childIds: [id], minutes: null },
    })),
    handle(sheetRoutes.getParent, { parent: family, pendingEmail: null, emailWaits: null }),
    handle(guardianRoutes.listGuardians, {
      guardians: [guardian(), furtherGuardian({ isBlocked: true }), askedGuardian()],
    }),
    handle(stayRoutes.listStays, { stays: [], total: 0, nextCursor: null }),
    handle(vouchingRoutes.getRegistration, {
      registration: {
        by: 'self',
        at: NOW,
        from: null,
        near: null,
        name: 'Mona Hassan',
        vouchedAt: null,
        disownedAt: null,
        hasProvenPassword: true,
        children: 2,
      },
    }),
    handle(accountRoutes.listAdmins, {
      admins: [admin({ _id: 'nadia', name: 'Nadia Farouk', emailVerified: false, hasSecondFactor: true })],
      ...alone,
    }),
    handle(cameraRoutes.listCameras, { cameras: [camera()], ...alone }),
    handle(cameraRoutes.getCamera, { camera: camera({ kind: 'browser', problem: 'not_paired' }) }),
    handle(headCountRoutes.listHeadCounts, { headCounts: [counted] }),
    handle(headCountRoutes.getHeadCount, { headCount: counted }),
    handle(deskConflictRoutes.listDeskConflicts, {
      conflicts: [
        deskConflict({ child: { _id: inside._id, name: inside.name } }),
        deskConflict({
          _id: 'conflict-unknown',
          reason: 'unknown_child',
          child: { _id: 'child-gone', name: null },
          desk: deskWord({ kind: 'check_in', isUnsure: true, adult: null, proof: null }),
          stay: null,
          canTake: false,
        }),
      ],
      total: 2,
      nextCursor: null,
    }),
    handle(sensorRoutes.listSensors, { sensors: [sensor], ...alone, broker: null, brokerState: 'ok' }),
    handle(incidentRoutes.listIncidents, { incidents, total: 2, nextCursor: null }),
    handle(kioskRoutes.listKioskRequests, {
      requests: [
        {
          _id: 'request-1',
          visit: 'visit-1',
          kind: 'check_in',
          durationInMinutes: 60,
          at: NOW,
          expiresAt: NOW,
          by: 'pin',
          kiosk: { _id: 'kiosk-1', name: 'Entrance' },
          child: outside,
        },
      ],
      warnings: [],
    }),
    handle(kioskRoutes.listKiosks, {
      kiosks: [
        {
          _id: 'kiosk-1',
          kind: 'kiosk',
          name: 'Entrance',
          isPaired: false,
          pairedAt: null,
          lastUsedAt: null,
          failures: 0,
        },
      ],
    }),
    handle(visitorRoutes.listVisitors, {
      visitors: [
        {
          _id: 'visitor-1',
          kind: 'visitor',
          name: 'Hany Fathy',
          phone: null,
          reason: null,
          signedInAt: NOW,
          signedInBy: salma,
          signedOutAt: null,
          isInside: true,
        },
      ],
      ...alone,
    }),
    handle(operationRoutes.listAudit, {
      entries: [
        {
          seq: 1,
          at: NOW,
          actor: { kind: 'admin', id: salma._id, name: salma.name, photo: null },
          action: 'child.checked_in',
          subject: { kind: 'child', id: inside._id, name: inside.name, photo: '/api/photos/photo-1' },
          from: '10.0.0.7',
          requestId: 'request',
          details: { stayId: 'stay-1', minutes: 60 },
        },
      ],
      ...alone,
    }),
    handle(reportRoutes.getAttendanceTotals, {
      ...days,
      all: { children: 1, ...sums },
      totals: [attendanceTotalSchema.parse({ child: visit.child, parentName: visit.parentName, ...sums })],
    }),
    handle(reportRoutes.getAttendanceChart, {
      ...days,
      peak: { at: NOW, children: 1 },
      quarters: [{ at: NOW, children: 1 }],
      days: [{ date: days.date, visits: 1, children: 1, peak: 1 }],
    }),
    handle(reportRoutes.listAttendance, { ...days, entries: [visit], ...alone }),
    handle(notificationRoutes.getWebhook, { webhook: null }),
    handle(notificationRoutes.listFailedNotices, { failures: [], total: 0, nextCursor: null }),
  ];
}

/** Whatever has no answer above is not found. */
export function busyHouse(): RequestHandler[] {
  const others: Route[] = Object.values(routes).filter(
    ({ id }) =>
      id !== 'adminInfo' && id !== 'parentInfo' && id !== 'streamEvents' && id !== 'getClientConfig',
  );
  return [...known(), ...emptyHouse(), ...others.map((route) => handle(route, refuse('not_found')))];
}

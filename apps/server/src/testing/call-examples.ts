/** A successful request for each call of the contract, for tests that ask all calls the same. */
import { randomUUID } from 'node:crypto';
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import type { routes } from '@haris/contract/http/routes';
import type { Ask } from './ask.ts';
import { makeFacility } from './at-facility.ts';
import { bookingExamples } from './bookings.ts';
import { careLogExamples } from './care-log.ts';
import {
  type ExampleWorld,
  newParent,
  newPushDevice,
  newRole,
  newSensor,
  nextNumber,
} from './example-world.ts';
import { fakePhoto } from './fake-vision.ts';
import { makeNationalId } from './people.ts';

export type RouteId = keyof typeof routes;

export interface Prepared {
  readonly url: string;
  readonly ask?: Ask;
}

/** A host that no name server knows: the test mail fails at once. */
const mailServer = {
  ...{ host: 'smtp.invalid', port: 465, security: 'tls', user: null, from: 'desk@haris.test' },
};

/** The body that starts a count of a child in a room of its own. */
async function headCountOf({ app, staff, childInside, makeRoom }: ExampleWorld) {
  const childIds = [await childInside()];
  const [fromRoomId, toRoomId] = [await makeRoom(), await makeRoom()];
  const json = { childIds, roomId: fromRoomId };
  await app.expect(200, 'POST', '/api/children/move', { token: staff, json });
  return { fromRoomId, toRoomId, childIds };
}

async function startCount(world: ExampleWorld): Promise<{ id: string; child: string | undefined }> {
  const json = await headCountOf(world);
  const { headCount } = await world.app.expect(201, 'POST', '/api/head-counts', { token: world.staff, json });
  return { id: headCount._id, child: headCount.children[0]?.childId };
}

/** What a desk tablet tells later, with a ticket that nobody gave. */
const toldLater = (childId: string) => ({
  ...{ kind: 'check_out', id: randomUUID(), ticket: 'x', at: '2026-01-05T08:00:00.000Z', childId },
  ...{ uniqueEntryId: 'x'.repeat(43), collectorId: 'x', proof: { kind: 'known' } },
});

/** The desk tablet that tells conflicts: one for each world, because a facility may have 50. */
const desks = new WeakMap<ExampleWorld, Promise<string>>();

/** A conflict about a child of the facility, with what its settling says. */
async function makeConflict(world: ExampleWorld): Promise<{ id: string; revision: string }> {
  const { app, staff, child } = world;
  const entry = toldLater(await child());
  const desk = desks.get(world) ?? world.pairDesk();
  desks.set(world, desk);
  const token = await desk;
  await app.expect(200, 'POST', '/api/desk/offline', { token, json: { entries: [entry] } });
  const { conflicts } = await app.expect(200, 'GET', '/api/desk-conflicts?limit=200', { token: staff });
  return { id: entry.id, revision: String(conflicts.find(({ _id }) => _id === entry.id)?.revision) };
}

/** Makes what the call needs, and returns the request: about the family `own` of the world, and without a token. */
export const callExamples: Record<RouteId, (world: ExampleWorld) => Promise<Prepared>> = {
  adminLogin: async () => ({
    url: '/api/admin/login',
    ask: { json: { email: 'first@haris.test', password: 'first-password' } },
  }),
  parentLogin: async ({ own }) => ({
    url: '/api/parent/get-parent-by-email-and-password',
    ask: { json: { email: own.email, password: own.password } },
  }),
  logout: async () => ({ url: '/api/logout' }),
  finishSignIn: async () => ({
    url: '/api/session/second-factor',
    ask: { json: { challenge: 'x', code: '123456' } },
  }),
  listOwnLinks: async () => ({ url: '/api/admin/me/links' }),
  removeOwnLink: async () => ({ url: '/api/admin/me/links/x' }),
  listStaffLinks: async ({ app }) => ({ url: `/api/admin/${(await app.makeEmployee()).id}/links` }),
  removeStaffLink: async ({ staffLink }) => ({ url: await staffLink() }),
  updateOwnProfile: async () => ({
    url: '/api/admin/me/profile',
    ask: { json: { name: `Administrator ${nextNumber()}` } },
  }),
  removeOwnPhoto: async () => ({ url: '/api/admin/me/photo' }),
  getStaffPhoto: async ({ staffPhoto }) => ({ url: await staffPhoto() }),
  getDeskPhoto: async ({ staffPhoto }) => ({
    url: (await staffPhoto()).replace('/api/admin/', '/api/desk/'),
  }),
  beginPasskeySignIn: async () => ({
    url: '/api/session/passkey/options',
    ask: { json: { kind: 'parent' } },
  }),
  signInByPasskey: async () => ({ url: '/api/session/passkey', ask: { json: { challenge: 'x' } } }),
  beginOidc: async () => ({ url: '/api/session/oidc', ask: { json: {} } }),
  finishOidc: async () => ({ url: '/api/session/oidc/finish', ask: { json: { state: 'x', code: 'y' } } }),
  beginOidcProof: async () => ({ url: '/api/session/proof/oidc' }),
  finishOidcProof: async () => ({
    url: '/api/session/proof/oidc/finish',
    ask: { json: { state: 'x', code: 'y' } },
  }),
  listFactors: async () => ({ url: '/api/account/factors' }),
  beginApp: async () => ({ url: '/api/account/factors/app', ask: { json: { name: 'My phone' } } }),
  confirmApp: async () => ({ url: '/api/account/factors/app/x/confirm', ask: { json: { code: '123456' } } }),
  beginPasskey: async () => ({ url: '/api/account/factors/passkey/options' }),
  addPasskey: async () => ({ url: '/api/account/factors/passkey' }),
  removeFactor: async () => ({ url: '/api/account/factors/x' }),
  renewRecoveryCodes: async () => ({ url: '/api/account/recovery-codes' }),
  resetStaffFactors: async ({ app }) => ({ url: `/api/admin/${(await app.makeEmployee()).id}/factors` }),
  listApprovals: async () => ({ url: '/api/approvals' }),
  getApproval: async ({ makeApproval }) => ({ url: `/api/approvals/${await makeApproval()}` }),
  decideApproval: async ({ makeApproval }) => ({
    url: `/api/approvals/${await makeApproval()}/decision`,
    ask: { json: { decision: 'approve' } },
  }),
  withdrawApproval: async ({ makeApproval, ownId }) => ({
    url: `/api/approvals/${await makeApproval(await ownId())}`,
  }),
  listFacilities: async () => ({ url: '/api/facilities' }),
  listOpeningHours: async () => ({ url: '/api/facilities/hours' }),
  createFacility: async () => ({ url: '/api/facilities', ask: { json: { name: `House ${randomUUID()}` } } }),
  listChildFacilities: async ({ child }) => ({ url: `/api/children/${await child()}/facilities` }),
  addChildFacility: async ({ facility, child }) => ({
    url: `/api/children/${await child()}/facilities`,
    ask: { json: { facilityId: facility } },
  }),
  removeChildFacility: async ({ app, staff, facility, child }) => {
    const url = `/api/children/${await child()}/facilities`;
    // It is known at another one too, or nobody could remove it.
    const json = { facilityId: await makeFacility(app, `House ${randomUUID()}`) };
    await app.expect(200, 'POST', url, { token: staff, json });
    return { url: `${url}/${facility}` };
  },
  listRoles: async () => ({ url: '/api/roles' }),
  createRole: async () => ({ url: '/api/roles', ask: { json: newRole() } }),
  updateRole: async ({ makeRole }) => ({ url: `/api/roles/${await makeRole()}`, ask: { json: newRole() } }),
  deleteRole: async ({ makeRole }) => ({ url: `/api/roles/${await makeRole()}` }),
  setStaffRoles: async ({ app, facility }) => ({
    url: `/api/admin/${(await app.makeEmployee()).id}/roles`,
    ask: { json: { roles: [{ roleId: 'teacher', facilityId: facility }] } },
  }),
  resetParentFactors: async ({ app, staff }) => {
    const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', {
      token: staff,
      json: newParent(),
    });
    return { url: `/api/parent/${parent._id}/factors` };
  },
  beginProof: async () => ({ url: '/api/session/proof/options' }),
  listSessions: async () => ({ url: '/api/account/sessions' }),
  endSession: async () => ({ url: '/api/account/sessions/x' }),
  endOtherSessions: async () => ({ url: '/api/account/sessions' }),
  blockParent: async ({ own }) => ({
    url: `/api/parent/${own.id}/block`,
    ask: { json: { access: 'allowed' } },
  }),
  proveSession: async () => ({ url: '/api/session/proof', ask: { json: { password: 'first-password' } } }),
  changePassword: async () => ({
    url: '/api/account/password',
    ask: { json: { current: 'first-password', password: 'another-password' } },
  }),
  forgotPassword: async () => ({ url: '/vendor/forgot', ask: { json: { email: 'nobody@family.test' } } }),
  resetPassword: async () => ({ url: '/vendor/reset' }),
  adminInfo: async () => ({ url: '/api/admin/info' }),
  parentInfo: async () => ({ url: '/api/parent/info' }),
  parentByToken: async () => ({ url: '/api/parent/get-parent-by-token' }),
  verifyAdminEmail: async () => ({ url: '/api/admin/verify/email/x' }),
  verifyParentEmail: async () => ({ url: '/api/parent/verify/email/x' }),
  addParent: async () => ({
    url: '/api/parent/add',
    ask: { json: { ...newParent(), phone: '01012345678', password: 'secret-6' } },
  }),
  createParent: async () => ({ url: '/api/parent/create-parent', ask: { json: newParent() } }),
  listParents: async () => ({ url: '/api/parent/get-all-parents' }),
  search: async () => ({ url: '/api/search?q=new' }),
  updateParent: async ({ own }) => ({
    url: `/api/parent/update-parent/${own.id}`,
    ask: { json: { name: 'Own' } },
  }),
  markParentVerified: async ({ own }) => ({ url: `/api/parent/mark-verified/${own.id}` }),
  createDeskCode: async ({ own }) => ({
    url: '/api/parent/desk-code',
    ask: { json: { email: own.email, password: own.password } },
  }),
  getRegistration: async ({ own }) => ({ url: `/api/parent/${own.id}/registration` }),
  answerEmailChange: async () => ({ url: '/api/parent/change-email/x', ask: { json: { agree: true } } }),
  startParent: async () => ({
    url: '/api/parent/verify/email/x/start',
    ask: { json: { browserKey: 'x' } },
  }),
  resendOwnLink: async () => ({ url: '/api/parent/resend-link', ask: { json: { browserKey: 'x' } } }),
  readOwnRegistration: async () => ({
    url: '/api/parent/own-registration',
    ask: { json: { browserKey: 'x' } },
  }),
  disownRegistration: async () => ({ url: '/api/parent/verify/email/x/disown' }),
  deleteParent: async ({ app, staff }) => {
    const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', {
      token: staff,
      json: newParent(),
    });
    return { url: `/api/parent/delete-parent/${parent._id}` };
  },
  createAdmin: async () => ({
    url: '/api/admin/create-admin',
    ask: {
      json: {
        name: 'New',
        email: `new${nextNumber()}@haris.test`,
        password: 'a-staff-password',
        nationalId: makeNationalId(),
      },
    },
  }),
  listAdmins: async () => ({ url: '/api/admin/get-all-admins' }),
  deleteAdmin: async ({ app }) => ({ url: `/api/admin/delete-admin/${(await app.makeEmployee()).id}` }),
  listChildren: async () => ({ url: '/api/children/get-all-children' }),
  createChild: async ({ own }) => ({
    url: `/api/children/create-child/${own.id}`,
    ask: { form: { name: 'New', photo: fakePhoto() } },
  }),
  updateChild: async ({ child }) => ({
    url: `/api/children/update-child/${await child()}`,
    ask: { json: { name: 'Changed' } },
  }),
  addChildPhoto: async ({ app, own }) => {
    const face = `known ${nextNumber()}`;
    const { _id } = await app.makeChild(own, 'Known', fakePhoto({ face }));
    return { url: `/api/children/${_id}/photos`, ask: { form: { photo: fakePhoto({ face, away: 0.3 }) } } };
  },
  confirmChild: async ({ app, own, child }) => {
    const id = await child();
    const form = { name: 'Given by the family' };
    await app.forgetLimits();
    await app.expect(200, 'PUT', `/api/children/update-child/${id}`, { token: own.token, form });
    return { url: `/api/children/${id}/confirm`, ask: { json: { accept: true } } };
  },
  confirmParent: async ({ app, own, child }) => {
    await child();
    const json = { name: `Given ${nextNumber()}` };
    await app.forgetLimits();
    await app.expect(200, 'PUT', `/api/parent/update-parent/${own.id}`, { token: own.token, json });
    return { url: `/api/parent/${own.id}/confirm`, ask: { json: { accept: true } } };
  },
  getChild: async ({ child }) => ({ url: `/api/children/get-child/${await child()}` }),
  removeChildPhoto: async ({ app, staff, own }) => {
    const face = `many ${nextNumber()}`;
    const { _id } = await app.makeChild(own, 'Many', fakePhoto({ face }));
    const form = { photo: fakePhoto({ face, away: 0.3 }) };
    app.clock.advance(1000);
    await app.expect(201, 'POST', `/api/children/${_id}/photos`, { token: staff, form });
    const { facePhotos } = await app.expect(200, 'GET', `/api/children/get-child/${_id}`, { token: staff });
    return { url: `/api/children/${_id}/photos/${facePhotos[1]?._id}` };
  },
  resendParentLink: async ({ app, staff }) => {
    const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', {
      token: staff,
      json: newParent(),
    });
    await app.context.db.deleteFrom('one_time_tokens').execute();
    return { url: `/api/parent/resend-verification/${parent._id}` };
  },
  resendAdminLink: async ({ app, unverifiedEmployee }) => {
    const id = await unverifiedEmployee();
    await app.context.db.deleteFrom('one_time_tokens').execute();
    return { url: `/api/admin/resend-verification/${id}` };
  },
  markAdminVerified: async ({ unverifiedEmployee }) => ({
    url: `/api/admin/mark-verified/${await unverifiedEmployee()}`,
  }),
  changeStaffEmail: async ({ app }) => ({
    url: `/api/admin/${(await app.makeEmployee()).id}/email`,
    ask: { json: { email: `corrected${nextNumber()}@haris.test` } },
  }),
  getParent: async ({ own }) => ({ url: `/api/parent/get-parent/${own.id}` }),
  deleteChild: async ({ child }) => ({ url: `/api/children/delete-child/${await child()}` }),
  checkInChild: async ({ child }) => ({ url: `/api/children/checkin-child/${await child()}` }),
  checkOutChild: async ({ app, staff, child }) => {
    const id = await child();
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    return { url: `/api/children/checkout-child/${id}` };
  },
  undoCheckInChild: async ({ app, staff, child }) => {
    const id = await child();
    const inside = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    const { uniqueEntryId } = inside.child;
    return { url: `/api/children/undo-checkin-child/${id}`, ask: { json: { uniqueEntryId } } };
  },
  undoCheckOutChild: async ({ app, staff, child }) => {
    const id = await child();
    const inside = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
    const { uniqueEntryId } = inside.child;
    return { url: `/api/children/undo-checkout-child/${id}`, ask: { json: { uniqueEntryId } } };
  },
  ...bookingExamples,
  announcePickup: async ({ app, staff, child }) => {
    const id = await child();
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    const arrivesAt = new Date(app.clock.now() + 600_000).toISOString();
    return { url: '/api/children/on-my-way', ask: { json: { children: [id], arrivesAt } } };
  },
  markPickupSeen: async ({ app, child }) => {
    const json = {
      children: [await child()],
      arrivesAt: new Date(app.clock.now()).toISOString(),
      seen: true,
    };
    return { url: '/api/children/on-my-way/seen', ask: { json } };
  },
  cancelPickup: async ({ child }) => ({ url: `/api/children/${await child()}/on-my-way` }),
  extendStay: async ({ child, dueOf }) => {
    const id = await child();
    return { url: `/api/children/extend-stay/${id}`, ask: { json: { due: await dueOf(id), minutes: 30 } } };
  },
  undoExtendStay: async ({ app, staff, child, dueOf }) => {
    const id = await child();
    const json = { due: await dueOf(id), minutes: 30 };
    await app.expect(200, 'POST', `/api/children/extend-stay/${id}`, { token: staff, json });
    const due = new Date(Date.parse(json.due) + 30 * 60_000).toISOString();
    return { url: `/api/children/undo-extend-stay/${id}`, ask: { json: { due } } };
  },
  listStays: async ({ child }) => ({ url: `/api/children/${await child()}/stays` }),
  findEntry: async ({ app, staff, child }) => {
    const id = await child();
    const inside = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    return {
      url: '/api/children/find-entry',
      ask: { json: { uniqueEntryId: inside.child.uniqueEntryId } },
    };
  },
  registerFace: async ({ own }) => ({
    url: '/register-child',
    ask: { form: { image: fakePhoto(), childName: 'New', parentId: own.id } },
  }),
  checkFace: async () => ({ url: '/check-face', ask: { form: { image: fakePhoto() } } }),
  guideFace: async () => ({ url: '/api/face-guide', ask: { form: { image: fakePhoto() } } }),
  getPhoto: async ({ app, staff, child }) => {
    const url = `/api/children/get-child/${await child()}`;
    return { url: String((await app.expect(200, 'GET', url, { token: staff })).child.photo) };
  },
  createTicket: async (world) => ({
    url: '/api/tickets',
    ask: {
      json: { for: 'photo', photoId: (await callExamples.getPhoto(world)).url.replace('/api/photos/', '') },
    },
  }),
  streamEvents: async () => ({ url: '/api/events' }),
  getSettings: async () => ({ url: '/api/settings' }),
  updateSettings: async () => ({ url: '/api/settings', ask: { json: { recognitionMargin: 0.06 } } }),
  listAudit: async () => ({ url: '/api/audit' }),
  exportAudit: async () => ({ url: '/api/audit.csv' }),
  listAttendance: async () => ({ url: '/api/reports/attendance' }),
  getAttendanceTotals: async () => ({ url: '/api/reports/attendance/totals' }),
  getAttendanceChart: async () => ({ url: '/api/reports/attendance/chart' }),
  exportAttendance: async () => ({ url: '/api/reports/attendance.csv' }),
  previewParentImport: async () => ({
    url: '/api/imports/parents/preview',
    ask: { json: { rows: [{ ...newParent(), phone: '' }] } },
  }),
  getImportProgress: async () => ({
    url: '/api/imports/parents/progress',
    ask: { headers: { 'idempotency-key': `import-${nextNumber()}` } },
  }),
  importParents: async () => ({
    url: '/api/imports/parents',
    ask: {
      json: { rows: [{ ...newParent(), phone: '' }] },
      headers: { 'idempotency-key': `import-${nextNumber()}` },
    },
  }),
  setLanguage: async () => ({ url: '/api/language', ask: { json: { language: 'en' } } }),
  getHealth: async () => ({ url: '/api/health' }),
  getSetup: async () => ({ url: '/api/setup' }),
  updateSetup: async () => ({ url: '/api/setup', ask: { json: { skipped: ['sensor'] } } }),
  setOwnAddress: async () => ({ url: '/api/setup/own-address' }),
  getMailServer: async () => ({ url: '/api/mail-server' }),
  updateMailServer: async () => ({ url: '/api/mail-server', ask: { json: mailServer } }),
  deleteMailServer: async () => ({ url: '/api/mail-server' }),
  testMailServer: async () => ({ url: '/api/mail-server/test', ask: { json: mailServer } }),
  createReachCode: async () => ({ url: '/api/reach-codes' }),
  confirmReach: async ({ app, staff }) => {
    const { code } = await app.expect(201, 'POST', '/api/reach-codes', { token: staff });
    return { url: '/api/reach', ask: { json: { code } } };
  },
  addSampleData: async () => ({ url: '/api/sample-data' }),
  removeSampleData: async () => ({ url: '/api/sample-data' }),
  getClientConfig: async () => ({ url: '/api/config' }),
  listCameras: async () => ({ url: '/api/cameras' }),
  createCamera: async () => ({
    url: '/api/cameras',
    ask: { json: { name: 'Door', area: 'Hall', kind: 'browser' } },
  }),
  getCamera: async ({ camera }) => ({ url: `/api/cameras/${await camera()}` }),
  updateCamera: async ({ camera }) => ({
    url: `/api/cameras/${await camera()}`,
    ask: { json: { name: 'Changed' } },
  }),
  deleteCamera: async ({ camera }) => ({ url: `/api/cameras/${await camera()}` }),
  createPairing: async ({ camera }) => ({ url: `/api/cameras/${await camera()}/pairing` }),
  pairDevice: async ({ app, staff, camera }) => {
    const { code } = await app.expect(201, 'POST', `/api/cameras/${await camera()}/pairing`, {
      token: staff,
    });
    return { url: '/api/cameras/pair', ask: { json: { code } } };
  },
  listSightings: async () => ({ url: '/api/sightings' }),
  listAirLimits: async () => ({ url: '/api/air-limits' }),
  listSensors: async () => ({ url: '/api/sensors' }),
  createSensor: async () => ({ url: '/api/sensors', ask: { json: newSensor() } }),
  updateSensor: async ({ makeSensor }) => ({
    url: `/api/sensors/${await makeSensor()}`,
    ask: { json: { name: 'Moved' } },
  }),
  renewSensorSecrets: async ({ makeSensor }) => ({ url: `/api/sensors/${await makeSensor()}/secrets` }),
  deleteSensor: async ({ makeSensor }) => ({ url: `/api/sensors/${await makeSensor()}` }),
  sendReadings: async ({ app, staff }) => {
    const made = await app.expect(201, 'POST', '/api/sensors', { token: staff, json: newSensor() });
    return {
      url: `/api/sensors/${made.sensor._id}/readings`,
      ask: { json: { temperature: 21 }, headers: { 'x-device-key': made.deviceKey } },
    };
  },
  getSensorHistory: async ({ makeSensor }) => ({ url: `/api/sensors/${await makeSensor()}/history` }),
  listHomeAssistantAccounts: async () => ({ url: '/api/home-assistant-accounts' }),
  createHomeAssistantAccount: async () => ({
    url: '/api/home-assistant-accounts',
    ask: { json: { name: 'Home' } },
  }),
  deleteHomeAssistantAccount: async ({ app, staff }) => {
    const made = await app.expect(201, 'POST', '/api/home-assistant-accounts', {
      token: staff,
      json: { name: 'Home' },
    });
    return { url: `/api/home-assistant-accounts/${made.account._id}` };
  },
  listIncidents: async () => ({ url: '/api/incidents?state=all' }),
  acknowledgeIncident: async ({ evacuate }) => ({ url: `/api/incidents/${await evacuate()}/acknowledge` }),
  acknowledgeIncidents: async () => ({
    url: '/api/incidents/acknowledge',
    ask: { json: { ids: [] } },
  }),
  reportMissingChild: async ({ childInside }) => ({ url: `/api/children/${await childInside()}/missing` }),
  markChildFound: async ({ app, staff, childInside }) => {
    const url = `/api/children/${await childInside()}/missing`;
    const { incident } = await app.expect(201, 'POST', url, { token: staff });
    return { url: `/api/incidents/${incident._id}/found` };
  },
  startEvacuation: async () => ({ url: '/api/evacuations' }),
  getEvacuation: async () => ({ url: '/api/evacuations/current' }),
  sendEvacuationTicks: async ({ evacuate }) => ({
    url: `/api/evacuations/${await evacuate()}/ticks`,
    ask: { json: { device: 'desk', ticks: [] } },
  }),
  getRollCall: async () => ({ url: '/api/roll-call' }),
  listVisitors: async () => ({ url: '/api/visitors' }),
  listRooms: async () => ({ url: '/api/rooms' }),
  listHeadCounts: async () => ({ url: '/api/head-counts' }),
  startHeadCount: async (world) => ({ url: '/api/head-counts', ask: { json: await headCountOf(world) } }),
  getHeadCount: async (world) => ({ url: `/api/head-counts/${(await startCount(world)).id}` }),
  tickHeadCount: async (world) => {
    const { id, child } = await startCount(world);
    return { url: `/api/head-counts/${id}/children/${child}`, ask: { json: { state: 'here' } } };
  },
  endHeadCount: async (world) => ({
    url: `/api/head-counts/${(await startCount(world)).id}/end`,
    ask: { json: { outcome: 'moved' } },
  }),
  getCareCard: async ({ child }) => ({ url: `/api/children/${await child()}/care-card` }),
  saveCareCard: async ({ child }) => ({
    url: `/api/children/${await child()}/care-card`,
    ask: { json: { version: 0, card: EMPTY_CARE_CARD } },
  }),
  ...careLogExamples,
  listCareSigns: async () => ({ url: '/api/care-signs' }),
  listEvacuationCareCards: async () => ({ url: '/api/evacuations/current/care-cards' }),
  createRoom: async () => ({ url: '/api/rooms', ask: { json: { name: `Room ${nextNumber()}` } } }),
  updateRoom: async ({ makeRoom }) => ({
    url: `/api/rooms/${await makeRoom()}`,
    ask: { json: { capacity: 12 } },
  }),
  deleteRoom: async ({ makeRoom }) => ({ url: `/api/rooms/${await makeRoom()}` }),
  setPresence: async ({ makeRoom }) => ({
    url: `/api/rooms/${await makeRoom()}/staff`,
    ask: { json: { presence: 'here' } },
  }),
  moveChildren: async ({ app, staff, child, makeRoom }) => {
    const id = await child();
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    return { url: '/api/children/move', ask: { json: { childIds: [id], roomId: await makeRoom() } } };
  },
  listCollectors: async ({ child }) => ({ url: `/api/children/${await child()}/collectors` }),
  addCollector: async ({ child }) => ({
    url: `/api/children/${await child()}/collectors`,
    ask: { json: { name: 'Samia Hassan', relation: 'Grandmother' } },
  }),
  updateCollector: async ({ collector }) => ({
    url: `/api/collectors/${await collector()}`,
    ask: { json: { name: 'Samia Hassan', relation: 'Aunt' } },
  }),
  setCollectorPhoto: async ({ collector }) => ({
    url: `/api/collectors/${await collector()}/photo`,
    ask: { form: { photo: fakePhoto() } },
  }),
  removeCollectorPhoto: async ({ collector }) => ({ url: `/api/collectors/${await collector()}/photo` }),
  removeCollector: async ({ collector }) => ({ url: `/api/collectors/${await collector()}` }),
  createCollectorPass: async ({ collector }) => ({ url: `/api/collectors/${await collector()}/pass` }),
  revokeCollectorPass: async ({ collector }) => ({ url: `/api/collectors/${await collector()}/pass` }),
  showPass: async ({ app, own, collector }) => {
    const url = `/api/collectors/${await collector()}/pass`;
    const { token } = await app.expect(201, 'POST', url, { token: own.token });
    return { url: '/api/pass', ask: { json: { token } } };
  },
  listGuardians: async ({ child }) => ({ url: `/api/children/${await child()}/guardians` }),
  askGuardian: async ({ child }) => ({
    url: `/api/children/${await child()}/guardians`,
    ask: { json: newParent() },
  }),
  setGuardianRights: async ({ askedGuardian }) => ({
    url: await askedGuardian(),
    ask: { json: { mayLive: false, mayEdit: false, mayCollect: false, mayTake: false } },
  }),
  endGuardian: async ({ askedGuardian }) => ({ url: await askedGuardian() }),
  listGuardianRequests: async () => ({ url: '/api/parent/guardian-requests' }),
  answerGuardianRequest: async ({ askedOwn }) => ({
    url: `/api/parent/guardian-requests/${await askedOwn()}`,
    ask: { json: { accept: true } },
  }),
  getHandOver: async ({ child }) => ({ url: `/api/children/${await child()}/hand-over` }),
  listBarred: async ({ child }) => ({ url: `/api/children/${await child()}/barred` }),
  addBarred: async ({ child }) => ({
    url: `/api/children/${await child()}/barred`,
    ask: { json: { name: 'Karim Adel' } },
  }),
  setBarredPhoto: async ({ bar }) => ({
    url: `/api/barred/${(await bar()).id}/photo`,
    ask: { form: { photo: fakePhoto() } },
  }),
  removeBarredPhoto: async ({ bar }) => ({ url: `/api/barred/${(await bar()).id}/photo` }),
  liftBarred: async ({ bar }) => ({ url: `/api/barred/${(await bar()).id}` }),
  markNamesake: async ({ bar }) => {
    const { id, ...json } = await bar();
    return { url: `/api/barred/${id}/namesakes`, ask: { json } };
  },
  createPickupCode: async () => ({ url: '/api/account/pickup-code' }),
  listReleases: async () => ({ url: '/api/account/releases' }),
  reportUnexpectedRelease: async ({ app, staff, child }) => {
    const id = await child();
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
    const row = await app.context.db
      .selectFrom('releases')
      .select('stay_id')
      .where('child_id', '=', id)
      .executeTakeFirstOrThrow();
    return { url: `/api/account/releases/${row.stay_id}/unexpected` };
  },
  signInVisitor: async () => ({ url: '/api/visitors', ask: { json: { name: 'A visitor' } } }),
  signOutVisitor: async ({ visitor }) => ({ url: `/api/visitors/${await visitor()}/sign-out` }),
  endEvacuation: async ({ evacuate }) => ({ url: `/api/evacuations/${await evacuate()}/end` }),
  getPushKey: async () => ({ url: '/api/notices/push-key' }),
  listPushDevices: async () => ({ url: '/api/notices/devices' }),
  addPushDevice: async () => ({ url: '/api/notices/devices', ask: { json: newPushDevice() } }),
  removePushDevice: async ({ app, staff }) => {
    const json = newPushDevice();
    const { device } = await app.expect(201, 'POST', '/api/notices/devices', { token: staff, json });
    return { url: `/api/notices/devices/${device._id}` };
  },
  getNoticePreferences: async () => ({ url: '/api/notices/preferences' }),
  updateNoticePreferences: async () => ({
    url: '/api/notices/preferences',
    ask: { json: { quietHours: null } },
  }),
  sendNoticeTest: async () => ({ url: '/api/notices/tests' }),
  getNoticeTest: async () => ({ url: '/api/notices/tests/none' }),
  confirmNotice: async () => ({ url: '/api/notices/receipts', ask: { json: { receipt: 'none' } } }),
  listFailedNotices: async () => ({ url: '/api/notices/failed' }),
  getWebhook: async () => ({ url: '/api/notices/webhook' }),
  updateWebhook: async () => ({
    url: '/api/notices/webhook',
    ask: { json: { url: 'https://hooks.invalid/haris' } },
  }),
  getVideoFeed: async ({ child }) => ({ url: `/video_feed?target_id=${await child()}` }),
  getParentRecognition: async ({ own }) => ({ url: `/api/parent/${own.id}/recognition` }),
  startParentRecognition: async ({ app, staff, own }) => {
    const form = { photo: fakePhoto() };
    await app.expect(200, 'PUT', `/api/parent/update-parent/${own.id}`, { token: staff, form });
    return { url: `/api/parent/${own.id}/recognition` };
  },
  stopParentRecognition: async ({ own }) => ({ url: `/api/parent/${own.id}/recognition` }),
  getOwnRecognition: async () => ({ url: '/api/admin/me/recognition' }),
  startOwnRecognition: async () => ({
    url: '/api/admin/me/recognition',
    ask: { form: { photo: fakePhoto() } },
  }),
  stopOwnRecognition: async () => ({ url: '/api/admin/me/recognition' }),
  listKiosks: async () => ({ url: '/api/kiosks' }),
  createKiosk: async () => ({ url: '/api/kiosks', ask: { json: { name: 'Door' } } }),
  updateKiosk: async ({ kiosk }) => ({
    url: `/api/kiosks/${await kiosk()}`,
    ask: { json: { name: 'Gate' } },
  }),
  deleteKiosk: async ({ newKiosk }) => ({ url: `/api/kiosks/${await newKiosk()}` }),
  createKioskPairing: async ({ kiosk }) => ({ url: `/api/kiosks/${await kiosk()}/pairing` }),
  pairKiosk: async ({ kioskCode }) => ({
    url: '/api/kiosk/pair',
    ask: { json: { code: await kioskCode() } },
  }),
  getKiosk: async () => ({ url: '/api/kiosk' }),
  identifyAtKiosk: async ({ parentCode }) => ({
    url: '/api/kiosk/identify',
    ask: { json: { code: await parentCode() } },
  }),
  askAtKiosk: async ({ child, grant }) => {
    const childIds = [await child()];
    const json = { grant: await grant(), kind: 'check_in', childIds, durationInMinutes: 30 };
    return { url: '/api/kiosk/requests', ask: { json } };
  },
  getKioskVisit: async ({ child, askedFor }) => ({
    url: `/api/kiosk/requests/${(await askedFor(await child())).visit}`,
  }),
  cancelKioskVisit: async ({ child, askedFor }) => ({
    url: `/api/kiosk/requests/${(await askedFor(await child())).visit}`,
  }),
  leaveKiosk: async () => ({
    url: '/api/kiosk/leave',
    ask: { json: { email: 'first@haris.test', password: 'first-password' } },
  }),
  listKioskRequests: async () => ({ url: '/api/kiosk-requests' }),
  acceptKioskRequest: async ({ child, askedFor }) => ({
    url: `/api/kiosk-requests/${(await askedFor(await child())).id}/accept`,
  }),
  refuseKioskRequest: async ({ child, askedFor }) => ({
    url: `/api/kiosk-requests/${(await askedFor(await child())).id}/refuse`,
  }),
  getKioskPin: async () => ({ url: '/api/account/kiosk-pin' }),
  setKioskPin: async () => ({ url: '/api/account/kiosk-pin', ask: { json: { pin: '8305' } } }),
  removeKioskPin: async () => ({ url: '/api/account/kiosk-pin' }),
  createKioskCode: async () => ({ url: '/api/account/kiosk-code' }),
  getDesk: async () => ({ url: '/api/desk' }),
  beginDeskPasskey: async ({ gone }) => ({ url: '/api/desk/passkey', ask: { json: { staffId: gone.id } } }),
  signInAtDesk: async ({ gone }) => ({
    url: '/api/desk/sign-in',
    ask: { json: { staffId: gone.id, pin: '835162' } },
  }),
  startDeskEvacuation: async () => ({ url: '/api/desk/evacuation' }),
  getDeskList: async () => ({ url: '/api/desk/offline' }),
  sendDeskEntries: async ({ child }) => ({
    url: '/api/desk/offline',
    ask: { json: { entries: [toldLater(await child())] } },
  }),
  listDeskConflicts: async () => ({ url: '/api/desk-conflicts' }),
  settleDeskConflict: async (world) => {
    const { id, revision } = await makeConflict(world);
    return { url: `/api/desk-conflicts/${id}/settle`, ask: { json: { choice: 'keep', revision } } };
  },
  keepDeskConflicts: async (world) => ({
    url: '/api/desk-conflicts/keep',
    ask: { json: { conflicts: [await makeConflict(world)] } },
  }),
  leaveDesk: async () => ({
    url: '/api/desk/leave',
    ask: { json: { email: 'first@haris.test', password: 'first-password' } },
  }),
  pressSession: async () => ({ url: '/api/session/press' }),
  getDeskPin: async () => ({ url: '/api/account/desk-pin' }),
  setDeskPin: async () => ({ url: '/api/account/desk-pin', ask: { json: { pin: '835162' } } }),
  removeDeskPin: async () => ({ url: '/api/account/desk-pin' }),
  resetDeskPin: async ({ app }) => ({ url: `/api/admin/${(await app.makeEmployee()).id}/desk-pin` }),
  resetKioskPin: async ({ own }) => ({ url: `/api/parent/${own.id}/kiosk-pin` }),
};

/**
 * Calls whose examples need state that only other tests have: mailed links, an open stream, a device, a password or a test notification.
 */
export const needsMore: ReadonlySet<RouteId> = new Set([
  'finishSignIn',
  'removeOwnLink',
  'signInByPasskey',
  'beginOidc',
  'finishOidc',
  'beginOidcProof',
  'finishOidcProof',
  'confirmApp',
  'addPasskey',
  'removeFactor',
  'renewRecoveryCodes',
  'endSession',
  'endOtherSessions',
  'proveSession',
  'changePassword',
  'resetPassword',
  'resendOwnLink',
  'streamEvents',
  'getVideoFeed',
  'removePushDevice',
  'getNoticeTest',
  'confirmNotice',
  'leaveKiosk',
  'beginDeskPasskey',
  'signInAtDesk',
  'leaveDesk',
  'setOwnAddress',
  'addSampleData',
]);

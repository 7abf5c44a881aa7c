/** Each call of the contract as each kind of caller, and the order in which calls are refused (contract §2). */
import { createECDH } from 'node:crypto';
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakePhoto } from '../testing/fake-vision.ts';
import {
  type Ask,
  type Employee,
  type Family,
  makeNationalId,
  startTestApp,
  type TestApp,
} from '../testing/harness.ts';

type RouteId = keyof typeof routes;

interface Prepared {
  readonly url: string;
  readonly ask?: Ask;
}

let app: TestApp;
let staff: string;
let own: Family;
let other: Family;
let gone: Employee;
let number = 0;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  [own, other] = [await app.makeFamily(), await app.makeFamily()];
  gone = await app.makeEmployee();
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token: staff });
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

const newSensor = () => ({ name: 'Window', area: 'Playroom', kind: 'haris' });

async function makeSensor(): Promise<string> {
  const { sensor } = await app.expect(201, 'POST', '/api/sensors', { token: staff, json: newSensor() });
  return sensor._id;
}

const newPushDevice = () => {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return {
    endpoint: `https://push.invalid/${++number}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: 'A'.repeat(22) },
    device: 'A phone',
  };
};

const newParent = () => ({ name: 'New', email: `new${++number}@family.test` });

/** A request for each call that succeeds for whoever may make it, about the family `own`. */
const requests: Record<RouteId, (child: () => Promise<string>) => Promise<Prepared>> = {
  adminLogin: async () => ({
    url: '/api/admin/login',
    ask: { json: { email: 'first@haris.test', password: 'first-password' } },
  }),
  parentLogin: async () => ({
    url: '/api/parent/get-parent-by-email-and-password',
    ask: { json: { email: own.email, password: own.password } },
  }),
  logout: async () => ({ url: '/api/logout' }),
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
  updateParent: async () => ({ url: `/api/parent/update-parent/${own.id}`, ask: { json: { name: 'Own' } } }),
  markParentVerified: async () => ({ url: `/api/parent/mark-verified/${own.id}` }),
  createDeskCode: async () => ({
    url: '/api/parent/desk-code',
    ask: { json: { email: own.email, password: own.password } },
  }),
  getRegistration: async () => ({ url: `/api/parent/${own.id}/registration` }),
  disownRegistration: async () => ({ url: '/api/parent/verify/email/x/disown' }),
  deleteParent: async () => {
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
        email: `new${++number}@haris.test`,
        password: 'a-staff-password',
        nationalId: makeNationalId(),
      },
    },
  }),
  listAdmins: async () => ({ url: '/api/admin/get-all-admins' }),
  deleteAdmin: async () => ({ url: `/api/admin/delete-admin/${(await app.makeEmployee()).id}` }),
  listChildren: async () => ({ url: '/api/children/get-all-children' }),
  createChild: async () => ({
    url: `/api/children/create-child/${own.id}`,
    ask: { form: { name: 'New', photo: fakePhoto() } },
  }),
  updateChild: async (child) => ({
    url: `/api/children/update-child/${await child()}`,
    ask: { json: { name: 'Changed' } },
  }),
  addChildPhoto: async () => {
    const face = `known ${++number}`;
    const { _id } = await app.makeChild(own, 'Known', fakePhoto({ face }));
    return { url: `/api/children/${_id}/photos`, ask: { form: { photo: fakePhoto({ face, away: 0.3 }) } } };
  },
  confirmChild: async (child) => {
    const id = await child();
    const form = { name: 'Given by the family' };
    await app.forgetLimits();
    await app.expect(200, 'PUT', `/api/children/update-child/${id}`, { token: own.token, form });
    return { url: `/api/children/${id}/confirm`, ask: { json: { accept: true } } };
  },
  confirmParent: async (child) => {
    const id = await child();
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    const json = { name: `Given ${++number}` };
    await app.forgetLimits();
    await app.expect(200, 'PUT', `/api/parent/update-parent/${own.id}`, { token: own.token, json });
    return { url: `/api/parent/${own.id}/confirm`, ask: { json: { accept: true } } };
  },
  deleteChild: async (child) => ({ url: `/api/children/delete-child/${await child()}` }),
  checkInChild: async (child) => ({ url: `/api/children/checkin-child/${await child()}` }),
  checkOutChild: async (child) => {
    const id = await child();
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    return { url: `/api/children/checkout-child/${id}` };
  },
  undoCheckInChild: async (child) => {
    const id = await child();
    const inside = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    const { uniqueEntryId } = inside.child;
    return { url: `/api/children/undo-checkin-child/${id}`, ask: { json: { uniqueEntryId } } };
  },
  undoCheckOutChild: async (child) => {
    const id = await child();
    const inside = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
    const { uniqueEntryId } = inside.child;
    return { url: `/api/children/undo-checkout-child/${id}`, ask: { json: { uniqueEntryId } } };
  },
  findEntry: async (child) => {
    const id = await child();
    const inside = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    return {
      url: '/api/children/find-entry',
      ask: { json: { uniqueEntryId: inside.child.uniqueEntryId } },
    };
  },
  registerFace: async () => ({
    url: '/register-child',
    ask: { form: { image: fakePhoto(), childName: 'New', parentId: own.id } },
  }),
  checkFace: async () => ({ url: '/check-face', ask: { form: { image: fakePhoto() } } }),
  guideFace: async () => ({ url: '/api/face-guide', ask: { form: { image: fakePhoto() } } }),
  getPhoto: async (child) => {
    const id = await child();
    const { children } = await app.expect(200, 'GET', '/api/children/get-all-children?limit=200', {
      token: staff,
    });
    return { url: String(children.find((one) => one._id === id)?.photo) };
  },
  createTicket: async (child) => ({
    url: '/api/tickets',
    ask: {
      json: { for: 'photo', photoId: (await requests.getPhoto(child)).url.replace('/api/photos/', '') },
    },
  }),
  streamEvents: async () => ({ url: '/api/events' }),
  getSettings: async () => ({ url: '/api/settings' }),
  updateSettings: async () => ({ url: '/api/settings', ask: { json: { recognitionMargin: 0.06 } } }),
  listAudit: async () => ({ url: '/api/audit' }),
  exportAudit: async () => ({ url: '/api/audit.csv' }),
  listAttendance: async () => ({ url: '/api/reports/attendance' }),
  getAttendanceTotals: async () => ({ url: '/api/reports/attendance/totals' }),
  exportAttendance: async () => ({ url: '/api/reports/attendance.csv' }),
  previewParentImport: async () => ({
    url: '/api/imports/parents/preview',
    ask: { json: { rows: [{ ...newParent(), phone: '' }] } },
  }),
  importParents: async () => ({
    url: '/api/imports/parents',
    ask: {
      json: { rows: [{ ...newParent(), phone: '' }] },
      headers: { 'idempotency-key': `import-${++number}` },
    },
  }),
  setLanguage: async () => ({ url: '/api/language', ask: { json: { language: 'en' } } }),
  getClientConfig: async () => ({ url: '/api/config' }),
  listCameras: async () => ({ url: '/api/cameras' }),
  createCamera: async () => ({
    url: '/api/cameras',
    ask: { json: { name: 'Door', area: 'Hall', kind: 'browser' } },
  }),
  getCamera: async () => ({ url: `/api/cameras/${await camera()}` }),
  updateCamera: async () => ({ url: `/api/cameras/${await camera()}`, ask: { json: { name: 'Changed' } } }),
  deleteCamera: async () => ({ url: `/api/cameras/${await camera()}` }),
  createPairing: async () => ({ url: `/api/cameras/${await camera()}/pairing` }),
  pairDevice: async () => {
    const { code } = await app.expect(201, 'POST', `/api/cameras/${await camera()}/pairing`, {
      token: staff,
    });
    return { url: '/api/cameras/pair', ask: { json: { code } } };
  },
  listSightings: async () => ({ url: '/api/sightings' }),
  listSensors: async () => ({ url: '/api/sensors' }),
  createSensor: async () => ({ url: '/api/sensors', ask: { json: newSensor() } }),
  updateSensor: async () => ({ url: `/api/sensors/${await makeSensor()}`, ask: { json: { name: 'Moved' } } }),
  renewSensorSecrets: async () => ({ url: `/api/sensors/${await makeSensor()}/secrets` }),
  deleteSensor: async () => ({ url: `/api/sensors/${await makeSensor()}` }),
  sendReadings: async () => {
    const made = await app.expect(201, 'POST', '/api/sensors', { token: staff, json: newSensor() });
    return {
      url: `/api/sensors/${made.sensor._id}/readings`,
      ask: { json: { temperature: 21 }, headers: { 'x-device-key': made.deviceKey } },
    };
  },
  getSensorHistory: async () => ({ url: `/api/sensors/${await makeSensor()}/history` }),
  listHomeAssistantAccounts: async () => ({ url: '/api/home-assistant-accounts' }),
  createHomeAssistantAccount: async () => ({
    url: '/api/home-assistant-accounts',
    ask: { json: { name: 'Home' } },
  }),
  deleteHomeAssistantAccount: async () => {
    const made = await app.expect(201, 'POST', '/api/home-assistant-accounts', {
      token: staff,
      json: { name: 'Home' },
    });
    return { url: `/api/home-assistant-accounts/${made.account._id}` };
  },
  listIncidents: async () => ({ url: '/api/incidents?state=all' }),
  acknowledgeIncident: async () => ({ url: `/api/incidents/${await evacuate()}/acknowledge` }),
  startEvacuation: async () => ({ url: '/api/evacuations' }),
  getEvacuation: async () => ({ url: '/api/evacuations/current' }),
  sendEvacuationTicks: async () => ({
    url: `/api/evacuations/${await evacuate()}/ticks`,
    ask: { json: { device: 'desk', ticks: [] } },
  }),
  endEvacuation: async () => ({ url: `/api/evacuations/${await evacuate()}/end` }),
  getPushKey: async () => ({ url: '/api/notices/push-key' }),
  listPushDevices: async () => ({ url: '/api/notices/devices' }),
  addPushDevice: async () => ({ url: '/api/notices/devices', ask: { json: newPushDevice() } }),
  removePushDevice: async () => {
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
  getVideoFeed: async (child) => ({ url: `/video_feed?target_id=${await child()}` }),
  getParentRecognition: async () => ({ url: `/api/parent/${own.id}/recognition` }),
  startParentRecognition: async () => {
    const form = { photo: fakePhoto() };
    await app.expect(200, 'PUT', `/api/parent/update-parent/${own.id}`, { token: staff, form });
    return { url: `/api/parent/${own.id}/recognition` };
  },
  stopParentRecognition: async () => ({ url: `/api/parent/${own.id}/recognition` }),
  getOwnRecognition: async () => ({ url: '/api/admin/me/recognition' }),
  startOwnRecognition: async () => ({
    url: '/api/admin/me/recognition',
    ask: { form: { photo: fakePhoto() } },
  }),
  stopOwnRecognition: async () => ({ url: '/api/admin/me/recognition' }),
};

/** Calls that are about one family: for another family's parent they are not there. */
const aboutFamily: ReadonlySet<RouteId> = new Set([
  'updateParent',
  'createChild',
  'updateChild',
  'addChildPhoto',
  'deleteChild',
  'registerFace',
  'getPhoto',
  'createTicket',
  'getVideoFeed',
  'getParentRecognition',
  'startParentRecognition',
  'stopParentRecognition',
]);
/** Succeed only with what other tests have: links of mails, an open stream, a device, a password or a test of one's own. */
const notHere: ReadonlySet<RouteId> = new Set([
  'proveSession',
  'changePassword',
  'resetPassword',
  'streamEvents',
  'getVideoFeed',
  'removePushDevice',
  'getNoticeTest',
  'confirmNotice',
]);

const camera = async (): Promise<string> => {
  const json = { name: 'Door', area: 'Hall', kind: 'browser' };
  return (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
};
const evacuate = async (): Promise<string> =>
  (await app.expect(201, 'POST', '/api/evacuations', { token: staff })).evacuation._id;
const child = async (): Promise<string> => (await app.makeChild(own))._id;

/** Prepares the call and makes it as somebody. */
async function attempt(id: RouteId, token: string | undefined, change: (ask: Ask) => Ask = (ask) => ask) {
  const { url, ask = {} } = await requests[id](child);
  return app.ask(routes[id].method, url, change({ ...ask, token }));
}

/** The token of somebody who may make the call. */
const rightful = ({ access }: Route): string | undefined =>
  access === 'visitor' ? undefined : access === 'parent' ? own.token : staff;

const all = Object.values(routes) as readonly (Route & { id: RouteId })[];

describe.each(all.filter(({ path }) => !path.includes('{token}')).map((route) => [route.id, route] as const))(
  '%s',
  (id, route) => {
    if (route.access !== 'visitor')
      test('without a session, with a garbage token, with a deleted employee’s token: 401', async () => {
        const { url, ask = {} } = await requests[id](child);
        for (const token of [undefined, 'garbage', 'x'.repeat(43), `${staff}x`, gone.token]) {
          const answer = await app.ask(route.method, url, { ...ask, token });
          expect(answer).toMatchObject({
            status: 401,
            body: { code: 'unauthenticated', message: 'Please sign in to continue.' },
          });
          expect(answer.headers['www-authenticate']).toBe('Bearer');
        }
        for (const authorization of ['Bearer', 'Bearer ', 'Basic Zmlyc3Q6', staff])
          expect((await app.ask(route.method, url, { ...ask, headers: { authorization } })).status).toBe(401);
      });

    if (route.access === 'staff')
      test('as a parent: 403', async () => {
        expect(await attempt(id, own.token)).toMatchObject({
          status: 403,
          body: { code: 'forbidden', message: 'You are not allowed to do this.' },
        });
      });

    if (route.access === 'parent')
      test('as staff: 403', async () => {
        expect(await attempt(id, staff)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      });

    if (aboutFamily.has(id))
      test('as the parent of another family: 404, as for an id that does not exist', async () => {
        const answer = await attempt(id, other.token);
        expect(answer).toMatchObject({
          status: 404,
          body: { code: 'not_found', message: 'This was not found.' },
        });
      });

    if (!notHere.has(id)) {
      if (route.access === 'staff' || route.access === 'signed-in')
        test('as staff: done', async () => {
          const token = id === 'logout' ? (await app.makeEmployee()).token : staff;
          expect((await attempt(id, token)).status).toBe(route.status);
        });
      if (route.access === 'parent' || route.access === 'signed-in')
        test('as the own parent: done', async () => {
          const token = id === 'logout' ? await app.signIn('parent', own.email, own.password) : own.token;
          expect((await attempt(id, token)).status).toBe(route.status);
        });
      if (route.access === 'visitor')
        test('as anyone: done', async () => {
          expect((await attempt(id, undefined)).status).toBe(route.status);
        });
    }

    // Who sends readings proves by a key of that sensor's; what is not there has none (features/environment).
    if (/\{(id|parentId)\}/.test(route.path) && id !== 'sendReadings')
      test('an id that does not exist: 404', async () => {
        for (const unknown of [
          'nothing',
          '00000000-0000-4000-8000-000000000000',
          '%00',
          '..%2f..',
          'x'.repeat(300),
        ]) {
          const { ask = {} } = await requests[id](child);
          const url = route.path.replace(/\{\w+\}/, unknown);
          const answer = await app.ask(route.method, url, { ...ask, token: rightful(route) });
          expect(answer, unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
        }
      });

    if (route.method !== 'GET' && !route.files)
      test('malformed JSON: 400, but only for who may make the call', async () => {
        const broken = (ask: Ask): Ask => ({
          token: ask.token,
          payload: '{"email": ',
          headers: { ...ask.headers, 'content-type': 'application/json' },
        });
        const token = rightful(route);
        expect(await attempt(id, token, broken)).toMatchObject({
          status: 400,
          body: { code: 'invalid_body' },
        });
        if (route.access !== 'visitor') expect((await attempt(id, 'garbage', broken)).status).toBe(401);
        if (route.access === 'staff') expect((await attempt(id, own.token, broken)).status).toBe(403);
      });

    if (route.method !== 'GET')
      test('a body of another kind: 415, but only for who may make the call', async () => {
        const odd = (ask: Ask): Ask => ({
          token: ask.token,
          payload: 'name=x',
          headers: { ...ask.headers, 'content-type': 'application/x-www-form-urlencoded' },
        });
        const token = rightful(route);
        expect(await attempt(id, token, odd)).toMatchObject({
          status: 415,
          body: { code: 'unsupported_content_type' },
        });
        if (route.access !== 'visitor') expect((await attempt(id, 'garbage', odd)).status).toBe(401);
      });

    if (
      route.body &&
      route.accepts?.includes('json') !== false &&
      id !== 'createChild' &&
      id !== 'registerFace' &&
      id !== 'sendReadings'
    )
      test('wrong field types: 400 that names the field', async () => {
        const token = rightful(route);
        for (const json of [[], 'text', 7, true])
          expect((await attempt(id, token, (ask) => ({ token: ask.token, json }))).status).toBe(400);
        for (const wrong of [7, {}, [], true]) {
          const fields = Object.fromEntries(bodyFields(route).map((name) => [name, wrong]));
          const answer = await attempt(id, token, (ask) => ({ token: ask.token, json: fields }));
          expect(answer, JSON.stringify(wrong)).toMatchObject({
            status: 400,
            body: { code: 'invalid_request' },
          });
          const named = Object.entries(answer.body.fields);
          expect(named.length).toBeGreaterThan(0);
          expect(answer.body.message).toBe(named[0]?.[1]);
        }
      });
  },
);

/** Names of a route's text fields, from the document that it is told of in. */
function bodyFields(route: Route): string[] {
  const operation = app.document.paths[route.path]?.[route.method.toLowerCase()] as unknown as {
    requestBody: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
  };
  return Object.keys(Object.values(operation.requestBody.content)[0]?.schema.properties ?? {});
}

describe('a body that nobody means', () => {
  const odd = [
    '['.repeat(100_000) + ']'.repeat(100_000),
    `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    '{"__proto__":{"x":1}}',
    '"\\ud800"',
    '{"name":"\\u0000"}',
    '1e999',
    'nul',
    '\ufeff{}',
  ];
  test.each(odd.map((text) => [text.slice(0, 20), text]))('%s: 400', async (_start, payload) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.ask('POST', '/api/parent/create-parent', { token: staff, payload, headers });
    expect(answer.status).toBe(400);
  });
});

describe('the order of refusals', () => {
  const tooMuch = {
    payload: Buffer.alloc(1),
    headers: { 'content-type': 'application/json', 'content-length': '99999999' },
  };

  test('401 comes before 413', async () => {
    const answer = await app.ask('POST', '/api/parent/create-parent', tooMuch);
    expect(answer.status).toBe(401);
  });

  test('403 and 404 come before 413, 415 and 400', async () => {
    expect(
      (await app.ask('POST', '/api/parent/create-parent', { ...tooMuch, token: own.token })).status,
    ).toBe(403);
    const nowhere = `/api/children/update-child/${crypto.randomUUID()}`;
    expect((await app.ask('PUT', nowhere, { ...tooMuch, token: staff })).status).toBe(404);
    expect(
      (await app.ask('PUT', nowhere, { token: staff, payload: '{', headers: { 'content-type': 'text/xml' } }))
        .status,
    ).toBe(404);
    const foreign = `/api/children/create-child/${own.id}`;
    expect((await app.ask('POST', foreign, { token: other.token, form: { name: '' } })).status).toBe(404);
  });

  test('413 where nothing else is wrong', async () => {
    expect((await app.ask('POST', '/api/parent/create-parent', { ...tooMuch, token: staff })).status).toBe(
      413,
    );
    const json = { name: 'x'.repeat(300 * 1024), email: 'a@b.test' };
    expect((await app.ask('POST', '/api/parent/create-parent', { token: staff, json })).status).toBe(413);
  });

  test('400 of a field comes before 415 of the photo, and that before 409 of the e-mail', async () => {
    const url = '/api/parent/create-parent';
    const gif = Buffer.from('GIF89a');
    const email = own.email;
    expect((await app.ask('POST', url, { token: staff, form: { name: '', email, photo: gif } })).status).toBe(
      400,
    );
    expect(
      (await app.ask('POST', url, { token: staff, form: { name: 'X', email, photo: gif } })).status,
    ).toBe(415);
    expect(
      (await app.ask('POST', url, { token: staff, form: { name: 'X', email, photo: fakePhoto() } })).status,
    ).toBe(409);
  });

  test('409 of a face comes before 422 of its encoding', async () => {
    const token = staff;
    await app.makeChild(other, 'Twin', fakePhoto({ face: 'order' }));
    const form = {
      name: 'X',
      photo: fakePhoto({ face: 'order' }),
      encoding: JSON.stringify(Array(128).fill(0.1)),
    };
    expect((await app.ask('POST', `/api/children/create-child/${own.id}`, { token, form })).status).toBe(409);
  });
});

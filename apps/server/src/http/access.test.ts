/** Each call of the contract by each kind of actor, and the order of refusals (contract §2). */
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import { BUILT_IN_ROLE_IDS, BUILT_IN_ROLES, PERMISSIONS, type Permission } from '@haris/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { updateRole } from '../db/memberships.ts';
import { MAIN_FACILITY } from '../facility.ts';
import { callExamples, needsMore, type RouteId } from '../testing/call-examples.ts';
import { type ExampleWorld, makeExampleWorld } from '../testing/example-world.ts';
import { fakePhoto } from '../testing/fake-vision.ts';
import { type Ask, type Employee, type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { changeSessions } from '../testing/sessions.ts';

let app: TestApp;
let world: ExampleWorld;
let staff: string;
let own: Family;
let other: Family;
let gone: Employee;
/** An identity provider that does not answer: its calls are refused before they ask it. */
const NOBODY_AT_HOME = {
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'haris',
  OIDC_CLIENT_SECRET: 'a secret',
  OIDC_NAME: 'Nobody',
};
/** Token of a paired kiosk. */
let device: string;
/** Token of a paired desk tablet. */
let tablet: string;
/** Sessions that may only set up a second factor. */
let limited: { readonly staff: string; readonly parent: string };

beforeAll(async () => {
  app = await startTestApp({ config: NOBODY_AT_HOME });
  staff = await app.staff();
  [own, other] = [await app.makeFamily(), await app.makeFamily()];
  gone = await app.makeEmployee();
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token: staff });
  world = await makeExampleWorld({ app, staff, own, gone });
  ({ device } = world);
  tablet = await world.pairDesk();
  limited = { staff: await makeLimited('admin'), parent: await makeLimited('parent') };
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  // A second one changes who may do what.
  await app.context.db.deleteFrom('facilities').where('id', '!=', MAIN_FACILITY).execute();
});

async function makeLimited(kind: 'admin' | 'parent'): Promise<string> {
  const { token } = kind === 'admin' ? await app.makeEmployee() : await app.makeFamily();
  await changeSessions(app.context, { factor: 'mail' }, token);
  return token;
}

/** Calls about one family: 404 for another family's parent. */
const aboutFamily: ReadonlySet<RouteId> = new Set([
  'updateParent',
  'createChild',
  'updateChild',
  'addChildPhoto',
  'announcePickup',
  'cancelPickup',
  'listBookingsOfChild',
  'listCareLog',
  'reportAbsence',
  'withdrawAbsence',
  'announceArrival',
  'acknowledgeCareLogEntry',
  'answerGuardianRequest',
  'deleteChild',
  'registerFace',
  'getPhoto',
  'createTicket',
  'getVideoFeed',
  'getParentRecognition',
  'startParentRecognition',
  'stopParentRecognition',
]);
type Change = (ask: Ask) => Ask;

/** What the next refused calls of a route are about. */
let prepared: { readonly id: RouteId; readonly request: ReturnType<typeof prepare> } | undefined;

function prepare(id: RouteId) {
  return callExamples[id](world);
}

function prepareRefused(id: RouteId): ReturnType<typeof prepare> {
  if (prepared?.id !== id) prepared = { id, request: prepare(id) };
  return prepared.request;
}

/** Prepares the call and sends it as the given actor. */
async function attempt(id: RouteId, token: string | undefined) {
  prepared = undefined;
  const { url, ask = {} } = await prepare(id);
  return app.ask(routes[id].method, url, { ...ask, token });
}

/** The same for a call that is refused and so changes nothing: the next one of the route is about the same. */
async function tryRefused(id: RouteId, token: string | undefined, change: Change = (ask) => ask) {
  const { url, ask = {} } = await prepareRefused(id);
  return app.ask(routes[id].method, url, change({ ...ask, token }));
}

/** Streams and files look for the session by themselves, and count such a one as none. */
const isOwnReply: ReadonlySet<RouteId> = new Set(['getPhoto', 'streamEvents', 'getVideoFeed']);

/** Sessions of people with each role that comes with Haris. */
const byRole = new Map<string, string>();
beforeAll(async () => {
  for (const role of BUILT_IN_ROLE_IDS) if (role !== 'owner') byRole.set(role, await world.signInWith(role));
});
/** A session of somebody whose one role has just these permissions, until the next call. */
async function sessionWith(permissions: readonly Permission[]): Promise<string> {
  if (!changing) {
    const id = await world.makeRole();
    changing = { id, token: await world.signInWith(id) };
  }
  const { id, token } = changing;
  await app.context.db.transaction().execute((trx) => updateRole(trx, { id, name: 'Changing', permissions }));
  return token;
}
let changing: { readonly id: string; readonly token: string } | undefined;
const onlyWith = (permission: Permission) => sessionWith([permission]);
const butFor = (permission: Permission) => sessionWith(PERMISSIONS.filter((one) => one !== permission));

/** The token of an actor who may make the call. */
const rightful = ({ access }: Route): string | undefined =>
  ({ visitor: undefined, kiosk: device, desk: tablet, parent: own.token, staff, 'signed-in': staff })[access];

const all = Object.values(routes) as readonly (Route & { id: RouteId })[];

describe.each(all.filter(({ path }) => !path.includes('{token}')).map((route) => [route.id, route] as const))(
  '%s',
  (id, route) => {
    if (route.access !== 'visitor')
      test('without a session, with a garbage token, with a deleted employee’s token: 401', async () => {
        const { url, ask = {} } = await prepareRefused(id);
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

    if (!['visitor', 'kiosk', 'desk'].includes(route.access) && route.limited !== true)
      test('with a session that may only set up a second factor: 403', async () => {
        for (const token of route.access === 'parent' ? [limited.parent] : [limited.staff, limited.parent])
          expect(await tryRefused(id, token)).toMatchObject(
            isOwnReply.has(id) ? { status: 401 } : { status: 403, body: { code: 'second_factor_required' } },
          );
      });

    if (route.access === 'staff')
      test('as a parent: 403', async () => {
        expect(await tryRefused(id, own.token)).toMatchObject({
          status: 403,
          body: { code: 'forbidden', message: 'You are not allowed to do this.' },
        });
      });

    const { permission } = route;
    if (permission !== undefined && permission !== 'own' && permission !== 'by-subject') {
      const lacking = BUILT_IN_ROLE_IDS.filter((role) => !BUILT_IN_ROLES[role].includes(permission));
      test(`with every permission but ${permission}: 403, and so with the roles ${lacking.join(', ')}`, async () => {
        const url = route.path.replace(/\{\w+\}/g, own.id);
        for (const token of [await butFor(permission), ...lacking.map((role) => byRole.get(role))]) {
          const answer = await app.ask(route.method, url, { token });
          // A photo is not found by whoever may not see it.
          if (id === 'getPhoto') expect(answer.status).toBe(404);
          else expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
        }
      });
      test(`with nothing but ${permission}: let in`, async () => {
        const { status, body } = await attempt(id, await onlyWith(permission));
        expect({ id, status, code: body?.code }).not.toMatchObject({ status: 401 });
        expect(body?.code).not.toBe('forbidden');
      });
    }

    if (route.access === 'parent')
      test('as staff: 403', async () => {
        expect(await tryRefused(id, staff)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      });

    if (route.access === 'kiosk' || route.access === 'desk')
      test('as staff and as a parent: 403', async () => {
        for (const token of [staff, own.token])
          expect(await tryRefused(id, token)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      });
    if (route.access !== 'visitor')
      test('as a paired device of another kind: 401', async () => {
        for (const token of [device, tablet].filter((one) => one !== rightful(route)))
          expect(await tryRefused(id, token)).toMatchObject({
            status: 401,
            body: { code: 'unauthenticated' },
          });
      });

    if (aboutFamily.has(id))
      test('as the parent of another family: 404, as for an id that does not exist', async () => {
        const answer = await tryRefused(id, other.token);
        expect(answer).toMatchObject({
          status: 404,
          body: { code: 'not_found', message: 'This was not found.' },
        });
      });

    if (!needsMore.has(id)) {
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
      if (route.access === 'kiosk' || route.access === 'desk')
        test('as a device of its kind: done', async () => {
          expect((await attempt(id, rightful(route))).status).toBe(route.status);
        });
      if (route.access === 'visitor')
        test('as anyone: done', async () => {
          expect((await attempt(id, undefined)).status).toBe(route.status);
        });
    }

    // Readings authenticate with the sensor's key, which an unknown sensor does not have (features/environment).
    if (/\{(id|parentId)\}/.test(route.path) && id !== 'sendReadings')
      test('an id that does not exist: 404', async () => {
        for (const unknown of [
          'nothing',
          '00000000-0000-4000-8000-000000000000',
          '%00',
          '..%2f..',
          'x'.repeat(300),
        ]) {
          const { ask = {} } = await prepareRefused(id);
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
        expect(await tryRefused(id, token, broken)).toMatchObject({
          status: 400,
          body: { code: 'invalid_body' },
        });
        if (route.access !== 'visitor') expect((await tryRefused(id, 'garbage', broken)).status).toBe(401);
        if (route.access === 'staff') expect((await tryRefused(id, own.token, broken)).status).toBe(403);
      });

    if (route.method !== 'GET')
      test('a body of another kind: 415, but only for who may make the call', async () => {
        const odd = (ask: Ask): Ask => ({
          token: ask.token,
          payload: 'name=x',
          headers: { ...ask.headers, 'content-type': 'application/x-www-form-urlencoded' },
        });
        const token = rightful(route);
        expect(await tryRefused(id, token, odd)).toMatchObject({
          status: 415,
          body: { code: 'unsupported_content_type' },
        });
        if (route.access !== 'visitor') expect((await tryRefused(id, 'garbage', odd)).status).toBe(401);
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
          expect((await tryRefused(id, token, (ask) => ({ token: ask.token, json }))).status).toBe(400);
        const fields = bodyFields(route);
        // Where all fields are switches, `true` is a body like any other.
        const isOfSwitches = Object.values(fields).every(({ type }) => type === 'boolean');
        for (const wrong of isOfSwitches ? [7, {}, []] : [7, {}, [], true]) {
          const json = Object.fromEntries(Object.keys(fields).map((name) => [name, wrong]));
          const answer = await tryRefused(id, token, (ask) => ({ token: ask.token, json }));
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

/** A route's text fields by name, from its OpenAPI document. */
function bodyFields(route: Route): Record<string, { readonly type?: string }> {
  const operation = app.document.paths[route.path]?.[route.method.toLowerCase()] as unknown as {
    requestBody: { content: Record<string, { schema: { properties: ReturnType<typeof bodyFields> } }> };
  };
  return Object.values(operation.requestBody.content)[0]?.schema.properties ?? {};
}

test('a staff member whose role this version does not know: 401 everywhere', async () => {
  const employee = await app.makeEmployee();
  const { db } = app.context;
  const setRole = (role_id: string) =>
    db.updateTable('memberships').set({ role_id }).where('staff_id', '=', employee.id).execute();
  await setRole('janitor');
  for (const { id, method, path, access } of all.filter((route) => route.access !== 'visitor')) {
    const { status } = await app.ask(method, path.replace(/\{\w+\}/, own.id), { token: employee.token });
    expect(status, `${id} (${access})`).toBe(401);
  }
  await setRole('manager');
  await app.expect(200, 'GET', '/api/admin/info', { token: employee.token });
});

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

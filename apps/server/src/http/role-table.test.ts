/**
 * Each call of staff by each role that comes with Haris, and by people with different roles at two facilities, at both: it
 * is let in exactly if a role there has the permission of the call in the catalogue.
 */
import { randomUUID } from 'node:crypto';
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import {
  BUILT_IN_ROLE_IDS,
  BUILT_IN_ROLES,
  type BuiltInRoleId,
  ORGANISATION_PERMISSIONS,
  type Permission,
} from '@haris/contract/permissions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../facility.ts';
import { atFacility, makeFacility } from '../testing/at-facility.ts';
import { type Answer, startTestApp, type TestApp } from '../testing/harness.ts';

/** Roles at the first and at the second facility; null: none there. */
interface Person {
  readonly roles: readonly [BuiltInRoleId | null, BuiltInRoleId | null];
  readonly token: string;
}

let app: TestApp;
/** The same app at the first and at the second facility. */
let places: readonly [TestApp, TestApp];
let people: readonly Person[];
/** Path of a photo that is known at both facilities. */
let photo: string;

const WITH_ROLES: readonly Person['roles'][] = [
  ...BUILT_IN_ROLE_IDS.map((role) => [role, null] as const),
  ['owner', 'owner'],
  ['inspector', 'manager'],
  ['owner', 'teacher'],
];

beforeAll(async () => {
  app = await startTestApp();
  const token = await app.staff();
  const second = await makeFacility(app, 'Second');
  places = [atFacility(app, MAIN_FACILITY), atFacility(app, second)];
  const family = await app.makeFamily();
  const child = await places[0].makeChild(family);
  const json = { facilityId: second };
  await places[0].expect(200, 'POST', `/api/children/${child._id}/facilities`, { token, json });
  photo = String(child.photo);
  people = [];
  for (const roles of WITH_ROLES) {
    const { id, token: own } = await app.makeEmployee();
    const wanted = roles.flatMap((roleId, index) =>
      roleId === null ? [] : [{ roleId, facilityId: index === 0 ? MAIN_FACILITY : second }],
    );
    await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token, json: { roles: wanted } });
    people = [...people, { roles, token: own }];
  }
});
afterAll(() => app.close());

type NamedRoute = Route & { readonly id: string };
const forStaff = (Object.values(routes) as readonly NamedRoute[]).filter(
  ({ access }) => access === 'staff' || access === 'signed-in',
);

/** What the catalogue says of somebody at a facility. */
function isListed({ roles }: Person, place: 0 | 1, permission: Permission): boolean {
  const has = (role: BuiltInRoleId | null) => role !== null && BUILT_IN_ROLES[role].includes(permission);
  return has(roles[place]) && (!ORGANISATION_PERMISSIONS.has(permission) || roles.every(has));
}

/** Sends a call that changes nothing: about nobody, and with a body that is read only once the sender is let in. */
function attempt(route: NamedRoute, at: TestApp, token: string): Promise<Answer> {
  const url = route.id === 'getPhoto' ? photo : route.path.replace(/\{\w+\}/g, randomUUID());
  if (route.method === 'GET') return at.ask('GET', url, { token });
  const headers = { 'content-type': 'application/json' };
  return at.ask(route.method, url, { token, payload: '{"', headers });
}

/** What became of a call at the door. */
function outcomeOf(route: NamedRoute, { status, body }: Answer): string {
  if (body?.code === 'forbidden' || body?.code === 'unknown_facility') return body.code;
  if (status === 401) return 'unauthenticated';
  // A photo is not found by whoever may not see it.
  return route.id === 'getPhoto' && status === 404 ? 'forbidden' : 'let in';
}

test('each role × each call × two facilities: let in exactly as the catalogue says', async () => {
  const wrong: string[] = [];
  let cells = 0;
  for (const route of forStaff) {
    const { permission } = route;
    if (permission === undefined || permission === 'own' || permission === 'by-subject') continue;
    await app.forgetLimits();
    for (const person of people)
      for (const place of [0, 1] as const) {
        const listed = isListed(person, place, permission) ? 'let in' : 'forbidden';
        const expected = person.roles[place] === null ? 'unknown_facility' : listed;
        const outcome = outcomeOf(route, await attempt(route, places[place], person.token));
        cells++;
        if (outcome !== expected)
          wrong.push(`${route.id} (${permission}) by ${person.roles.join('/')} at ${place}: ${outcome}`);
      }
  }
  process.stdout.write(`role table: ${cells} cells, ${wrong.length} wrong\n`);
  expect(wrong).toEqual([]);
  expect(cells).toBeGreaterThan(2_000);
});

/** Calls for which no permission is asked at the door. A new one is listed here on purpose, with tests of its own. */
const WITHOUT_PERMISSION = {
  own: [
    'addPasskey',
    'addPushDevice',
    'adminInfo',
    'beginApp',
    'beginOidcProof',
    'beginPasskey',
    'beginProof',
    'changePassword',
    'confirmApp',
    'endOtherSessions',
    'endSession',
    'finishOidcProof',
    'getDeskPin',
    'getNoticePreferences',
    'getNoticeTest',
    'getOwnRecognition',
    'getPushKey',
    'listFacilities',
    'listFactors',
    'listOpeningHours',
    'listOwnLinks',
    'listPushDevices',
    'listSessions',
    'logout',
    'pressSession',
    'proveSession',
    'removeDeskPin',
    'removeFactor',
    'removeOwnLink',
    'removeOwnPhoto',
    'removePushDevice',
    'renewRecoveryCodes',
    'sendNoticeTest',
    'setDeskPin',
    'setLanguage',
    'setOwnAddress',
    'startOwnRecognition',
    'stopOwnRecognition',
    'updateNoticePreferences',
    'updateOwnProfile',
  ],
  'by-subject': [
    'createTicket',
    'decideApproval',
    'getApproval',
    'getStaffPhoto',
    'getVideoFeed',
    'listApprovals',
    'streamEvents',
    'withdrawApproval',
  ],
} as const;

test.each(['own', 'by-subject'] as const)('the calls with the access %s are these', (kind) => {
  const found = forStaff.filter(({ permission }) => permission === kind).map(({ id }) => id);
  expect(found.toSorted()).toEqual([...WITHOUT_PERMISSION[kind]].toSorted());
});

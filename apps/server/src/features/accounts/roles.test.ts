/** Roles of staff: what they allow, who may give them, and that a change counts at once (decision 042). */
import type { AddressInfo } from 'node:net';
import { BUILT_IN_ROLES, PERMISSIONS, type Permission } from '@haris/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Employee,
  makeNationalId,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

let number = 0;
const at = (roleId: string, facilityId: string | null = 'main') => ({ roles: [{ roleId, facilityId }] });

async function give(who: Employee, json: ReturnType<typeof at>, token?: string) {
  return app.ask('PUT', `/api/admin/${who.id}/roles`, { token: token ?? (await app.staff()), json });
}

async function makeMember(roleId: string, facilityId: string | null = 'main'): Promise<Employee> {
  const member = await app.makeEmployee();
  expect((await give(member, at(roleId, facilityId))).status).toBe(200);
  return member;
}

async function makeRole(permissions: readonly Permission[], token?: string) {
  const json = { name: `Role ${++number}`, permissions };
  return app.ask('POST', '/api/roles', { token: token ?? (await app.staff()), json });
}

const audit = async (action: string) =>
  (await app.expect(200, 'GET', `/api/audit?action=${action}`, { token: await app.staff() })).entries[0];

describe('a membership', () => {
  test('the first administrator is the owner everywhere; whoever is added without a role is a manager here', async () => {
    const token = await app.staff();
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token });
    expect(admin.roles).toEqual([{ roleId: 'owner', name: null, facilityId: null }]);
    expect(new Set(admin.permissions)).toEqual(new Set(BUILT_IN_ROLES.owner));
    const member = await app.makeEmployee();
    const { admin: own } = await app.expect(200, 'GET', '/api/admin/info', { token: member.token });
    expect(own.roles).toEqual([{ roleId: 'manager', name: null, facilityId: 'main' }]);
    expect(new Set(own.permissions)).toEqual(new Set(BUILT_IN_ROLES.manager));
    const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins', { token });
    expect(admins.find(({ _id }) => _id === member.id)).toMatchObject({
      roles: [{ roleId: 'manager', name: null, facilityId: 'main' }],
    });
    expect(admins.every((one) => one.permissions === undefined)).toBe(true);
  });

  test('a new colleague gets the role that is named; one that does not exist makes nobody', async () => {
    const json = () => ({
      ...{ name: 'New', email: `new${++number}@haris.test`, password: 'a-staff-password' },
      nationalId: makeNationalId(),
    });
    const token = await app.staff();
    const { admin } = await app.expect(201, 'POST', '/api/admin/create-admin', {
      token,
      json: { ...json(), roleId: 'teacher' },
    });
    expect(admin.roles).toEqual([{ roleId: 'teacher', name: null, facilityId: 'main' }]);
    const lost = json();
    const answer = await app.ask('POST', '/api/admin/create-admin', {
      token,
      json: { ...lost, roleId: 'janitor' },
    });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    // Neither the address nor the national ID is taken.
    await app.expect(201, 'POST', '/api/admin/create-admin', { token, json: lost });
  });

  test('a change counts in the same session, for calls and for the open stream', async () => {
    const member = await makeMember('teacher');
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    const stream = await openEvents(port, member.token);
    const received = () => stream.events.map(({ type }) => type);
    const within = { timeout: 240_000, interval: 20 };
    const read = async (path: string) => (await app.ask('GET', path, { token: member.token })).status;
    expect(await read('/api/sensors')).toBe(200);
    const { body } = await makeRole(['visitors.view']);
    expect((await give(member, at(body.role._id))).status).toBe(200);
    expect(await read('/api/sensors')).toBe(403);
    expect(await read('/api/visitors')).toBe(200);
    const family = await app.makeFamily();
    await app.makeChild(family);
    const token = await app.staff();
    const visitor = { name: 'A plumber', kind: 'visitor' };
    await app.expect(201, 'POST', '/api/visitors', { token, json: visitor });
    await expect.poll(received, within).toEqual(['admin.updated', 'admin.updated', 'visitor.changed']);
    stream.close();
  });

  test('of a role that lost a permission, everybody loses it', async () => {
    const { body } = await makeRole(['sensors.view', 'visitors.view']);
    const member = await makeMember(body.role._id);
    const read = async () => (await app.ask('GET', '/api/sensors', { token: member.token })).status;
    expect(await read()).toBe(200);
    await app.expect(200, 'PUT', `/api/roles/${body.role._id}`, {
      token: await app.staff(),
      json: { name: body.role.name, permissions: ['visitors.view'] },
    });
    expect(await read()).toBe(403);
    expect(await audit('role.changed')).toMatchObject({ details: { removed: ['sensors.view'], added: [] } });
  });
});

describe('nobody gives or takes rights beyond their own', () => {
  const beyond = { status: 403, body: { code: 'beyond_own_rights' } };

  test('a manager makes no owner, changes and deletes none, and gives nothing at every facility', async () => {
    const { token } = await makeMember('manager');
    const teacher = await makeMember('teacher');
    const owner = await makeMember('owner', null);
    expect(await give(teacher, at('owner'), token)).toMatchObject(beyond);
    expect(await give(teacher, at('manager', null), token)).toMatchObject(beyond);
    expect(await give(owner, at('teacher'), token)).toMatchObject(beyond);
    expect(await app.ask('DELETE', `/api/admin/delete-admin/${owner.id}`, { token })).toMatchObject(beyond);
    expect(await app.ask('POST', `/api/admin/mark-verified/${owner.id}`, { token })).toMatchObject(beyond);
    const json = {
      ...{ name: 'New', email: `new${++number}@haris.test`, password: 'a-staff-password' },
      ...{ nationalId: makeNationalId(), roleId: 'owner' },
    };
    expect(await app.ask('POST', '/api/admin/create-admin', { token, json })).toMatchObject(beyond);
    expect((await give(teacher, at('desk'), token)).status).toBe(200);
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${teacher.id}`, { token });
  });

  test('an own role may manage roles and staff, but only up to its own permissions', async () => {
    const { body } = await makeRole(['roles.manage', 'staff.manage', 'staff.view', 'visitors.view']);
    const { token } = await makeMember(body.role._id, null);
    expect(await makeRole(['audit.export'], token)).toMatchObject(beyond);
    const made = await makeRole(['visitors.view'], token);
    expect(made.status).toBe(201);
    const rename = (permissions: readonly Permission[]) =>
      app.ask('PUT', `/api/roles/${made.body.role._id}`, { token, json: { name: 'Door', permissions } });
    expect(await rename(['visitors.view', 'reports.export'])).toMatchObject(beyond);
    expect((await rename(['staff.view'])).status).toBe(200);
    const member = await makeMember(made.body.role._id);
    expect(await give(member, at('teacher'), token)).toMatchObject(beyond);
    // A role with more rights cannot be cut down either.
    const { body: higher } = await makeRole(['reports.export']);
    const cut = { name: 'Cut', permissions: ['visitors.view'] };
    expect(await app.ask('PUT', `/api/roles/${higher.role._id}`, { token, json: cut })).toMatchObject(beyond);
  });

  test('nobody changes the own roles', async () => {
    const owner = await makeMember('owner', null);
    expect(await give(owner, at('owner', null), owner.token)).toMatchObject({
      status: 409,
      body: { code: 'own_roles' },
    });
  });
});

describe('the last owner', () => {
  /** Owners at every facility, apart from the first administrator. */
  async function demoteOthers(): Promise<void> {
    const token = await app.staff();
    const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins', { token });
    for (const { _id, roles, email } of admins)
      if (email !== ADMIN_EMAIL && roles.some(({ roleId }) => roleId === 'owner'))
        await app.expect(200, 'PUT', `/api/admin/${_id}/roles`, { token, json: at('teacher') });
  }

  test('cannot be demoted or deleted, also by two who do it to each other at once', async () => {
    await demoteOthers();
    const second = await makeMember('owner', null);
    const first = (await app.expect(200, 'GET', '/api/admin/info', { token: await app.staff() })).admin;
    const firstToken = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    const answers = await Promise.all([
      app.ask('PUT', `/api/admin/${second.id}/roles`, { token: firstToken, json: at('teacher') }),
      app.ask('PUT', `/api/admin/${first._id}/roles`, { token: second.token, json: at('teacher') }),
    ]);
    // The later one is no owner any more, or there is no other.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const isFirstLeft = answers[0].status === 200;
    const [left, token] = isFirstLeft ? [first._id, firstToken] : [second.id, second.token];
    const gone = isFirstLeft ? second.id : first._id;
    await app.expect(200, 'PUT', `/api/admin/${gone}/roles`, { token, json: at('owner') });
    const other = isFirstLeft ? second.token : await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    // An owner of this facility alone may not touch the owner of all.
    expect((await app.ask('DELETE', `/api/admin/delete-admin/${left}`, { token: other })).status).toBe(403);
    await app.expect(200, 'PUT', `/api/admin/${gone}/roles`, { token, json: at('owner', null) });
  });

  test('cannot be demoted or deleted by who has every permission everywhere without being an owner', async () => {
    await demoteOthers();
    const { body } = await makeRole(PERMISSIONS);
    const { token } = await makeMember(body.role._id, null);
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: await app.staff() });
    const refused = { status: 409, body: { code: 'last_owner' } };
    for (const json of [at('teacher'), at('owner')])
      expect(await app.ask('PUT', `/api/admin/${admin._id}/roles`, { token, json })).toMatchObject(refused);
    expect(await app.ask('DELETE', `/api/admin/delete-admin/${admin._id}`, { token })).toMatchObject(refused);
  });
});

describe('a role', () => {
  test('those that come with Haris are listed first, with their permissions and members', async () => {
    const { roles } = await app.expect(200, 'GET', '/api/roles', { token: await app.staff() });
    expect(roles.slice(0, 5).map(({ _id, name }) => [_id, name])).toEqual(
      ['owner', 'manager', 'desk', 'teacher', 'inspector'].map((id) => [id, null]),
    );
    expect(roles[3]?.permissions).toEqual(BUILT_IN_ROLES.teacher);
    expect(roles[0]?.members).toBeGreaterThan(0);
  });

  test('one that comes with Haris can be neither changed nor deleted', async () => {
    const token = await app.staff();
    const json = { name: 'Mine', permissions: ['visitors.view'] };
    const fixed = { status: 409, body: { code: 'built_in_role' } };
    expect(await app.ask('PUT', '/api/roles/owner', { token, json })).toMatchObject(fixed);
    expect(await app.ask('DELETE', '/api/roles/teacher', { token })).toMatchObject(fixed);
  });

  test('a name is taken in any spelling; one that somebody has stays; then it goes', async () => {
    const token = await app.staff();
    const { body } = await makeRole(['visitors.view']);
    const again = { name: body.role.name?.toUpperCase(), permissions: ['visitors.view'] };
    expect(await app.ask('POST', '/api/roles', { token, json: again })).toMatchObject({
      status: 409,
      body: { code: 'role_name_taken' },
    });
    const member = await makeMember(body.role._id);
    const remove = () => app.ask('DELETE', `/api/roles/${body.role._id}`, { token });
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'role_in_use' } });
    await give(member, at('teacher'));
    expect((await remove()).status).toBe(200);
    expect((await give(member, at(body.role._id))).status).toBe(404);
    expect(await audit('role.deleted')).toMatchObject({ details: { name: body.role.name } });
  });

  test.each([
    ['an unknown permission', { name: 'X', permissions: ['children.steal'] }],
    ['no permission', { name: 'X', permissions: [] }],
    ['no name', { permissions: ['visitors.view'] }],
  ])('with %s: 400', async (_what, json) => {
    const answer = await app.ask('POST', '/api/roles', { token: await app.staff(), json });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test.each([
    ['a facility that does not exist', 404, [{ roleId: 'teacher', facilityId: 'elsewhere' }]],
    ['no role', 400, []],
    [
      'two at one facility',
      400,
      [
        { roleId: 'teacher', facilityId: 'main' },
        { roleId: 'desk', facilityId: 'main' },
      ],
    ],
  ])('given at %s: %s', async (_what, status, roles) => {
    const member = await app.makeEmployee();
    const token = await app.staff();
    expect((await app.ask('PUT', `/api/admin/${member.id}/roles`, { token, json: { roles } })).status).toBe(
      status,
    );
  });
});

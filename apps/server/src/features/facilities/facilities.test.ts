/** The own account with several facilities: where its owner works, and what holds everywhere (decision 048). */
import type { AddressInfo } from 'node:net';
import { FACILITY_HEADER } from '@haris/contract/constants';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../../facility.ts';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { loginPath, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';

let app: TestApp;
let owner: string;
beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
});
afterAll(() => app.close());

const ownAccount = async (token: string, facility?: string) =>
  app.ask('GET', '/api/admin/info', {
    token,
    ...(facility === undefined ? {} : { headers: { [FACILITY_HEADER]: facility } }),
  });

test('the own account tells of facilities once there are several', async () => {
  const manager = await app.makeEmployee();
  expect((await ownAccount(owner)).body.admin).not.toHaveProperty('work');
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { facilityName: 'Little Stars' } });
  const json = { name: 'Full Moon', timeZone: 'Asia/Riyadh' };
  const made = await app.expect(201, 'POST', '/api/facilities', { token: owner, json });
  const { facility: moon } = facilityRoutes.createFacility.answer.parse(made);
  const facilities = [{ _id: 'main', name: 'Little Stars' }, moon];

  const first = (await ownAccount(owner)).body.admin.work;
  expect(first).toMatchObject({ facilityId: 'main', facilities });
  expect(first?.everywhere).toContain('security.manage');
  expect((await ownAccount(owner, moon._id)).body.admin.work).toMatchObject({
    facilityId: moon._id,
    facilities,
  });

  // Who has a role at one facility sees no other one, and may change nothing that both share.
  const { admin } = (await ownAccount(manager.token)).body;
  expect(admin.permissions).toContain('settings.manage');
  expect(admin.work).toEqual({ facilityId: 'main', facilities: [facilities[0]], everywhere: [] });
  expect((await ownAccount(manager.token, moon._id)).body.code).toBe('unknown_facility');
  const put = (body: unknown) => app.ask('PUT', '/api/settings', { token: manager.token, json: body });
  expect((await put({ visitorDays: 7 })).status).toBe(403);
  expect((await put({ facilityName: 'Small Stars' })).status).toBe(200);

  // With a role at both, the sign-in tells of both.
  const roles = ['main', moon._id].map((facilityId) => ({ roleId: 'manager', facilityId }));
  await app.expect(200, 'PUT', `/api/admin/${manager.id}/roles`, {
    token: await app.staff(),
    json: { roles },
  });
  const signedIn = await app.expect(200, 'POST', '/api/admin/login', {
    json: { email: manager.email, password: manager.password },
  });
  expect(signedIn.admin.work?.facilities).toEqual([{ _id: 'main', name: 'Small Stars' }, moon]);
  expect(signedIn.admin.work?.everywhere).toContain('settings.manage');

  // Somebody who moves to the other one is no longer known here, the answer still shows the account, and the stream of
  // this one ends.
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const stream = await openEvents(port, signedIn.token);
  const moved = await app.expect(200, 'PUT', `/api/admin/${manager.id}/roles`, {
    token: await app.staff(),
    json: { roles: [{ roleId: 'teacher', facilityId: moon._id }] },
  });
  expect(moved.admin).toMatchObject({ _id: manager.id, roles: [{ facilityId: moon._id }] });
  await stream.ended;
});

test('a parent without children says at which of several facilities a child is to be known', async () => {
  const family = await app.makeFamily();
  const listed = await app.expect(200, 'GET', '/api/facilities', { token: owner });
  const { facilities } = facilityRoutes.listFacilities.answer.parse(listed);
  const moon = facilities.find(({ name }) => name === 'Full Moon');
  if (moon === undefined) throw new Error('The test before makes Full Moon');
  const post = (fields: Record<string, string>) =>
    app.ask('POST', `/api/children/create-child/${family.id}`, {
      token: family.token,
      form: { name: 'Omar', ...fields, photo: fakePhoto() },
    });
  expect((await post({})).body.code).toBe('facility_required');
  expect((await post({ facilityId: 'nowhere' })).status).toBe(404);
  const made = await post({ facilityId: moon._id });
  expect(made.status).toBe(201);
  const url = `/api/children/${made.body.child._id}/facilities`;
  const at = (facility: string) =>
    app.ask('GET', url, { token: owner, headers: { [FACILITY_HEADER]: facility } });
  expect((await at('main')).status).toBe(404);
  expect((await at(moon._id)).body).toMatchObject({ facilities: [moon], addable: [{ _id: 'main' }] });

  // With a child at that one, the parent's requests work there, and the next child may still go to the other.
  const sister = await post({ name: 'Layla', facilityId: 'main' });
  expect(sister.status).toBe(201);
  const known = `/api/children/${sister.body.child._id}/facilities`;
  expect((await app.ask('GET', known, { token: owner })).body).toMatchObject({
    facilities: [{ _id: 'main' }],
  });
  expect((await post({ name: 'Nour' })).body.code).toBe('facility_required');
});

test('staff add a child at the facility where they work, and name no other', async () => {
  const family = await app.makeFamily();
  const post = (facilityId: string) =>
    app.ask('POST', `/api/children/create-child/${family.id}`, {
      token: owner,
      form: { name: 'Omar', facilityId, photo: fakePhoto() },
    });
  const { facilities } = facilityRoutes.listFacilities.answer.parse(
    await app.expect(200, 'GET', '/api/facilities', { token: owner }),
  );
  const other = facilities.find(({ _id }) => _id !== 'main')?._id ?? '';
  expect((await post(other)).status).toBe(404);
  expect((await post('main')).status).toBe(201);
});

test('staff of one facility neither erase nor take over a family that is known at another too', async () => {
  const manager = await app.makeEmployee();
  const family = await app.makeFamily();
  await app.makeChild(family);
  const elsewhere = (await app.makeChild(family))._id;
  const made = await app.expect(201, 'POST', '/api/facilities', {
    token: await app.staff(),
    json: { name: 'Half Moon' },
  });
  await app.context.db
    .updateTable('child_facilities')
    .set({ facility_id: facilityRoutes.createFacility.answer.parse(made).facility._id })
    .where('child_id', '=', elsewhere)
    .execute();
  const { token } = manager;
  const refused = { status: 403, body: { code: 'beyond_own_rights' } };
  const json = { email: 'taken-over@family.test' };
  expect(await app.ask('DELETE', `/api/parent/delete-parent/${family.id}`, { token })).toMatchObject(refused);
  expect(await app.ask('PUT', `/api/parent/update-parent/${family.id}`, { token, json })).toMatchObject(
    refused,
  );
  expect(await app.ask('DELETE', `/api/parent/${family.id}/factors`, { token })).toMatchObject(refused);
  const left = await app.context.db.selectFrom('children').select('id').where('id', '=', elsewhere).execute();
  expect(left).toHaveLength(1);
});

test('a family that one facility blocked is let in again only by somebody who may block it at all of its facilities', async () => {
  const crescent = await makeFacility(app, 'Crescent');
  const there = atFacility(app, crescent);
  const [manager, theirs] = [await app.makeEmployee(), await there.makeEmployee()];
  const family = await app.makeFamily();
  const { _id: child } = await app.makeChild(family);
  const json = { facilityId: crescent };
  await app.expect(200, 'POST', `/api/children/${child}/facilities`, { token: await app.staff(), json });
  const set = async (at: TestApp, token: string, access: 'blocked' | 'allowed') => {
    await app.proveNow(token);
    return at.ask('PUT', `/api/parent/${family.id}/block`, { token, json: { access } });
  };
  const beyond = { status: 403, body: { code: 'beyond_own_rights' } };
  const { email, password } = family;
  const signIn = () => app.ask('POST', loginPath.parent, { json: { email, password } });

  // Whoever sees a danger may block at once.
  expect((await set(there, theirs.token, 'blocked')).status).toBe(200);
  expect(await set(app, manager.token, 'allowed')).toMatchObject(beyond);
  expect(await set(there, theirs.token, 'allowed')).toMatchObject(beyond);
  expect((await set(app, manager.token, 'blocked')).status).toBe(200);
  expect(await signIn()).toMatchObject({ status: 403, body: { code: 'account_blocked' } });
  const stranger = await atFacility(app, await makeFacility(app, 'Eclipse')).makeEmployee();
  expect((await set(app, stranger.token, 'allowed')).status).toBe(404);

  await manageAt(app, manager, MAIN_FACILITY, crescent);
  const { status, body } = await set(app, manager.token, 'allowed');
  expect(status).toBe(200);
  expect(body.parent).not.toHaveProperty('blockedAt');
  expect((await signIn()).status).toBe(200);
});

test('a facility that is malformed is unknown', async () => {
  for (const asked of ['main,main', 'x'.repeat(5_000), '%6dain'])
    expect((await ownAccount(owner, asked)).body.code).toBe('unknown_facility');
});

/** A body that arrives when the sender's roles have changed since its headers (decision 048). */
import { FACILITY_HEADER } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../facility.ts';
import { makeFacility, manageAt } from '../testing/at-facility.ts';
import { type Employee, startTestApp, type TestApp } from '../testing/harness.ts';
import { askSlowly } from '../testing/slow-body.ts';

let app: TestApp;
let second: string;
let manager: Employee;

beforeAll(async () => {
  app = await startTestApp();
  second = await makeFacility(app, 'Second');
});
beforeEach(beManager);
afterAll(() => app.close());

/** Makes a manager of both facilities, who sends what follows. */
async function beManager(): Promise<void> {
  await app.forgetLimits();
  manager = await app.makeEmployee();
  await manageAt(app, manager, MAIN_FACILITY, second);
}
/** Signs a visitor in; `meanwhile` is done before the body arrives. */
function signIn(meanwhile: () => Promise<unknown>, headers: Record<string, string> = {}, name = 'Late') {
  const ask = { token: manager.token, json: { name }, headers };
  return askSlowly(app, 'POST', '/api/visitors', ask, meanwhile);
}
/** Facilities of the visitors with this name. */
async function placesOf(name: string): Promise<string[]> {
  const rows = await app.context.db
    .selectFrom('visitors')
    .select('facility_id')
    .where('name', '=', name)
    .execute();
  return rows.map(({ facility_id }) => facility_id);
}

test('does nothing anywhere once the role at its facility has ended, though another role is left', async () => {
  const end = () => manageAt(app, manager, second);
  for (const headers of [{}, { [FACILITY_HEADER]: MAIN_FACILITY }]) {
    await beManager();
    expect(await signIn(end, headers)).toEqual({ status: 404, code: 'unknown_facility' });
    // Without a header the person now works at the second facility, where nothing was looked up.
    expect(await placesOf('Late')).toEqual([]);
  }
});

test('does nothing once the last role has ended', async () => {
  const kitchen = { name: 'Kitchen', permissions: ['families.view'] };
  const { role } = await app.expect(201, 'POST', '/api/roles', { token: await app.staff(), json: kitchen });
  const end = async () => {
    const json = { roles: [{ roleId: role._id, facilityId: MAIN_FACILITY }] };
    await app.expect(200, 'PUT', `/api/admin/${manager.id}/roles`, { token: await app.staff(), json });
  };
  expect(await signIn(end)).toEqual({ status: 403, code: 'forbidden' });
  await manageAt(app, manager, MAIN_FACILITY);
  const url = `/api/admin/delete-admin/${manager.id}`;
  const dismiss = async () => app.expect(200, 'DELETE', url, { token: await app.staff() });
  expect(await signIn(dismiss)).toEqual({ status: 401, code: 'unauthenticated' });
  expect(await placesOf('Late')).toEqual([]);
});

test('counts at the facility of its header while that role is left', async () => {
  const end = () => manageAt(app, manager, second);
  expect(await signIn(end, { [FACILITY_HEADER]: second }, 'Expected')).toMatchObject({ status: 201 });
  expect(await placesOf('Expected')).toEqual([second]);
});

test('of a facility where the sender has no role is refused before it is read', async () => {
  await manageAt(app, manager, MAIN_FACILITY);
  const give = () => manageAt(app, manager, MAIN_FACILITY, second);
  expect(await signIn(give, { [FACILITY_HEADER]: second })).toEqual({
    status: 404,
    code: 'unknown_facility',
  });
  expect(await placesOf('Late')).toEqual([]);
});

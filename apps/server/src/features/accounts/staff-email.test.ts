/** Staff correct the e-mail of a staff member: who may, what ends, and that nobody gets more rights by it (contract §6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import {
  ADMIN_EMAIL,
  type Employee,
  loginPath,
  makeNationalId,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';

const ELSEWHERE = '198.51.100.7';

let app: TestApp;
let staff: string;
let next: string;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.advance(16 * 60_000);
  await app.forgetLimits();
  staff = await app.staff();
  next = `right${++n}@haris.test`;
});

const change = (id: string, email: string = next, token: string | undefined = staff) =>
  app.ask('PUT', `/api/admin/${id}/email`, { json: { email }, ...(token === '' ? {} : { token }) });
const verify = (token: string, from = ELSEWHERE) =>
  app.ask('GET', `/api/admin/verify/email/${token}`, { from });
const signIn = (email: string, password: string) =>
  app.ask('POST', loginPath.admin, { json: { email, password } });
const listed = async (id: string) =>
  (await app.expect(200, 'GET', '/api/admin/get-all-admins?limit=200', { token: staff })).admins.find(
    ({ _id }) => _id === id,
  );
const audited = async (id: string): Promise<unknown[]> => {
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff });
  return entries.map(({ action, details }) => [action, details]);
};

async function newEmployee() {
  const json = {
    ...{ name: 'Amal', email: `typo${n}@haris.test`, password: 'a-staff-password' },
    nationalId: makeNationalId(),
  };
  const { admin } = await app.expect(201, 'POST', '/api/admin/create-admin', { token: staff, json });
  return { id: admin._id, email: json.email, password: json.password };
}

const giveRole = (id: string, roleId: string, facilityId: string | null = 'main') =>
  app.ask('PUT', `/api/admin/${id}/roles`, { token: staff, json: { roles: [{ roleId, facilityId }] } });

async function withRole(roleId: string, facilityId: string | null = 'main'): Promise<Employee> {
  const member = await app.makeEmployee();
  expect((await giveRole(member.id, roleId, facilityId)).status).toBe(200);
  return member;
}

describe('an address that was never verified', () => {
  test('is replaced at once: its link ends, both addresses get a mail, and the log has a row', async () => {
    const { id, email, password } = await newEmployee();
    const { token } = await app.lastMail(email);
    expect(await change(id)).toMatchObject({
      status: 200,
      body: { admin: { email: next, emailVerified: false } },
    });
    expect((await verify(token)).status).toBe(400);
    const told = await app.lastMail(email);
    expect(told.subject).toMatch(/^This address is no longer that of a staff account/);
    expect(told.text).not.toContain('Amal');
    expect(told.text).not.toContain(next);
    expect(await signIn(next, password)).toMatchObject({ body: { code: 'email_not_verified' } });
    expect((await verify((await app.lastMail(next)).token)).status).toBe(200);
    expect((await signIn(next, password)).status).toBe(200);
    expect((await signIn(email, password)).status).toBe(401);
    expect(await audited(id)).toContainEqual(['admin.email_changed', { outcome: 'corrected' }]);
  });
});

describe('an address that was verified', () => {
  test('stays in force until the new link is opened; then password, sessions and links of before end', async () => {
    const member = await app.makeEmployee();
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: member.email, kind: 'admin' } });
    const reset = (await app.lastMail(member.email)).token;
    expect(await change(member.id)).toMatchObject({
      status: 200,
      body: { admin: { email: member.email, emailVerified: true, pendingEmail: next } },
    });
    expect(await listed(member.id)).toMatchObject({ email: member.email, pendingEmail: next });
    const told = await app.lastMail(member.email);
    expect(told.subject).toMatch(/^The email of your .* is being changed$/);
    expect(told.text).not.toContain(next);
    // A password reset goes to the address that somebody proved.
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: next, kind: 'admin' } });
    expect(await app.outbox(next)).toHaveLength(1);
    const json = { token: reset, password: 'set-at-the-old-one' };
    expect((await app.ask('POST', '/vendor/reset', { json })).status).toBe(400);
    expect((await app.ask('GET', '/api/admin/info', { token: member.token })).status).toBe(200);

    const { token } = await app.lastMail(next);
    expect((await verify(token)).status).toBe(200);
    expect((await verify(token)).status).toBe(400);
    expect((await app.ask('GET', '/api/admin/info', { token: member.token })).status).toBe(401);
    for (const email of [member.email, next]) expect((await signIn(email, member.password)).status).toBe(401);
    expect(await listed(member.id)).toMatchObject({ email: next });
    expect((await listed(member.id))?.pendingEmail).toBeUndefined();
    await app.context.mails.settled();
    const own = { token: (await app.lastMail(next)).token, password: 'chosen-by-its-owner' };
    await app.expect(200, 'POST', '/vendor/reset', { json: own });
    expect((await signIn(next, own.password)).status).toBe(200);
    const log = await audited(member.id);
    expect(log).toContainEqual(['admin.email_changed', { outcome: 'waits' }]);
    expect(log).toContainEqual(['admin.password_ended', { because: 'email_changed' }]);
  });

  test('opened where the account has signed in, the link ends nothing', async () => {
    const member = await app.makeEmployee();
    await change(member.id);
    const { token } = await app.lastMail(next);
    await app.expect(200, 'GET', `/api/admin/verify/email/${token}`);
    expect((await app.ask('GET', '/api/admin/info', { token: member.token })).status).toBe(200);
    expect((await signIn(next, member.password)).status).toBe(200);
  });

  test.each([
    ['the address in force is entered again', (member: Employee) => change(member.id, member.email)],
    [
      'its owner sets a new password by a link',
      async ({ email }: Employee) => {
        await app.expect(200, 'POST', '/vendor/forgot', { json: { email, kind: 'admin' } });
        const json = { token: (await app.lastMail(email)).token, password: 'brand-new-password' };
        return app.ask('POST', '/vendor/reset', { json });
      },
    ],
    [
      'its owner sets a new password in the account',
      ({ token, password }: Employee) =>
        app.ask('PUT', '/api/account/password', {
          token,
          json: { current: password, password: 'quite-another-password' },
        }),
    ],
    ['the account gets other rights', ({ id }: Employee) => giveRole(id, 'owner', null)],
    ['whoever asked has fewer rights', (_: Employee, asker: Employee) => giveRole(asker.id, 'desk')],
    [
      'whoever asked is deleted',
      (_: Employee, asker: Employee) =>
        app.ask('DELETE', `/api/admin/delete-admin/${asker.id}`, { token: staff }),
    ],
  ])('the change is dropped when %s', async (_when, act) => {
    const asker = await withRole('manager');
    const member = await withRole('desk');
    expect((await change(member.id, next, asker.token)).status).toBe(200);
    const { token } = await app.lastMail(next);
    expect((await act(member, asker)).status).toBe(200);
    expect((await listed(member.id))?.pendingEmail).toBeUndefined();
    expect((await verify(token)).status).toBe(400);
    expect(await listed(member.id)).toMatchObject({ email: member.email });
  });

  test('is forgotten after a day', async () => {
    const member = await app.makeEmployee();
    await change(member.id);
    const { token } = await app.lastMail(next);
    app.clock.advance(24 * 3_600_000);
    staff = await app.staff();
    expect((await listed(member.id))?.pendingEmail).toBeUndefined();
    expect((await verify(token)).status).toBe(400);
  });
});

describe('nobody', () => {
  test('changes the address of somebody with more rights, or without managing staff', async () => {
    const manager = await withRole('manager');
    const beyond = { status: 403, body: { code: 'beyond_own_rights' } };
    const owner = await withRole('owner', null);
    expect(await change(owner.id, next, manager.token)).toMatchObject(beyond);
    const first = (await app.expect(200, 'GET', '/api/admin/info', { token: staff })).admin;
    expect(first.email).toBe(ADMIN_EMAIL);
    expect(await change(first._id, next, manager.token)).toMatchObject(beyond);
    const teacher = await withRole('teacher');
    expect((await change(teacher.id, next, manager.token)).status).toBe(200);
    expect(await change(manager.id, next, teacher.token)).toMatchObject({ body: { code: 'forbidden' } });
    expect((await change(manager.id, next, '')).status).toBe(401);
    expect((await change(manager.id, next, (await app.makeFamily()).token)).status).toBe(403);
    expect(await app.outbox(next)).toHaveLength(1);
  });

  test('without a proof, or of another facility', async () => {
    const [manager, member] = [await app.makeEmployee(), await app.makeEmployee()];
    const there = await makeFacility(app, `House ${n}`);
    await manageAt(app, member, there);
    expect((await change(member.id, next, manager.token)).status).toBe(404);
    await manageAt(atFacility(app, there), member, there, 'main');
    expect(await change(member.id, next, manager.token)).toMatchObject({
      body: { code: 'beyond_own_rights' },
    });
    await manageAt(app, member, 'main');
    app.clock.advance(11 * 60_000);
    expect(await change(member.id, next, manager.token)).toMatchObject({ body: { code: 'proof_required' } });
    await app.proveNow(manager.token);
    expect((await change(member.id, next, manager.token)).status).toBe(200);
  });

  test('takes an address that an account has, of whatever facility, or that is none', async () => {
    const [member, other] = [await app.makeEmployee(), await app.makeEmployee()];
    await manageAt(app, other, await makeFacility(app, `House ${n}`));
    const taken = { status: 409, body: { code: 'email_taken' } };
    expect(await change(member.id, other.email.toUpperCase())).toMatchObject(taken);
    expect((await change(member.id, 'no address')).status).toBe(400);
    // Somebody else got it before the link was opened.
    await change(member.id);
    const { token } = await app.lastMail(next);
    const { id } = await newEmployee();
    expect((await change(id)).status).toBe(200);
    expect(await verify(token)).toMatchObject(taken);
    expect(await listed(member.id)).toMatchObject({ email: member.email });
  });
});

test('of two corrections at once one address is left, and only its link counts', async () => {
  const member = await app.makeEmployee();
  const both = [`one${n}@haris.test`, `two${n}@haris.test`];
  const answers = await Promise.all(both.map((email) => change(member.id, email)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const left = (await listed(member.id))?.pendingEmail ?? '';
  expect(both).toContain(left);
  for (const email of both.filter((one) => one !== left))
    expect((await verify((await app.lastMail(email)).token)).status).toBe(400);
  expect((await verify((await app.lastMail(left)).token)).status).toBe(200);
  expect(await listed(member.id)).toMatchObject({ email: left });
});

test('two accounts asked for one address at once: one gets it, the other keeps its own', async () => {
  const first = await newEmployee();
  n++;
  const second = await newEmployee();
  const answers = await Promise.all([first, second].map(({ id }) => change(id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

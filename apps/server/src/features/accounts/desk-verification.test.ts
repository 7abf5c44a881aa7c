/** The desk helps somebody whose e-mail is not verified: a new link, or marking an employee's address. */
import { MAIL_INTERVAL_MS } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loginPath, makeNationalId, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  staff = await app.staff();
});

async function newEmployee() {
  const email = `amal${++n}@haris.test`;
  const json = { name: 'Amal', email, password: 'a-staff-password', nationalId: makeNationalId() };
  const { admin } = await app.expect(201, 'POST', '/api/admin/create-admin', { token: staff, json });
  return { id: admin._id, email, password: json.password };
}
async function newParent() {
  const email = `mona${++n}@family.test`;
  const json = { name: 'Mona', email };
  const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', { token: staff, json });
  return { id: parent._id, email };
}
const resend = (kind: 'admin' | 'parent', id: string) =>
  app.ask('POST', `/api/${kind}/resend-verification/${id}`, { token: staff });
const mark = (id: string) => app.ask('POST', `/api/admin/mark-verified/${id}`, { token: staff });
const signIn = (email: string, password: string) =>
  app.ask('POST', loginPath.admin, { json: { email, password } });

describe('a new link', () => {
  test('is mailed to an employee, five minutes after the last one, and ends the older one', async () => {
    const { id, email } = await newEmployee();
    const first = await app.lastMail(email);
    const soon = await resend('admin', id);
    expect(soon).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(soon.headers['retry-after']).toBe('300');
    app.clock.advance(MAIL_INTERVAL_MS);
    expect(await resend('admin', id)).toMatchObject({
      status: 200,
      body: { admin: { emailVerified: false } },
    });
    const second = await app.lastMail(email);
    expect(second.token).not.toBe(first.token);
    expect((await app.ask('GET', `/api/admin/verify/email/${first.token}`)).status).toBe(400);
    expect((await app.ask('GET', `/api/admin/verify/email/${second.token}`)).status).toBe(200);
    expect(await resend('admin', id)).toMatchObject({ status: 409, body: { code: 'already_verified' } });
  });

  test('is an invitation for a parent without a password, and the new address if one waits', async () => {
    const { id, email } = await newParent();
    app.clock.advance(MAIL_INTERVAL_MS);
    expect((await resend('parent', id)).status).toBe(200);
    const invitation = await app.lastMail(email);
    expect(invitation.link).toContain('/reset-password/');
    await app.expect(200, 'POST', '/vendor/reset', {
      json: { token: invitation.token, password: 'lantern-by-the-door' },
    });
    expect((await resend('parent', id)).status).toBe(409);
    const moved = `moved${n}@family.test`;
    await app.expect(200, 'PUT', `/api/parent/update-parent/${id}`, { token: staff, json: { email: moved } });
    // A new address is not in force before its link is opened, also if staff typed it.
    const before = await app.expect(200, 'GET', `/api/parent/get-parent/${id}`, { token: staff });
    expect(before).toMatchObject({ parent: { email }, pendingEmail: moved });
    app.clock.advance(MAIL_INTERVAL_MS);
    expect((await resend('parent', id)).status).toBe(200);
    expect(await app.outbox(moved)).toHaveLength(2);
    await app.expect(200, 'GET', `/api/parent/verify/email/${(await app.lastMail(moved)).token}`);
    const after = await app.expect(200, 'GET', `/api/parent/get-parent/${id}`, { token: staff });
    expect(after).toMatchObject({ parent: { email: moved }, pendingEmail: null });
  });

  test('asked for at once is mailed once', async () => {
    const { id, email } = await newEmployee();
    app.clock.advance(MAIL_INTERVAL_MS);
    const answers = await Promise.all(Array.from({ length: 6 }, () => resend('admin', id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.outbox(email)).toHaveLength(2);
  });
});

describe('marking the address of an employee as verified', () => {
  test('lets the employee sign in, ends the link, and is on record', async () => {
    const { id, email, password } = await newEmployee();
    expect((await signIn(email, password)).status).toBe(403);
    const { token } = await app.lastMail(email);
    expect(await mark(id)).toMatchObject({ status: 200, body: { admin: { emailVerified: true } } });
    expect((await app.ask('GET', `/api/admin/verify/email/${token}`)).status).toBe(400);
    // The employee still has to choose a password, because somebody else knows this one.
    expect(await signIn(email, password)).toMatchObject({
      status: 200,
      body: { admin: { setUpBy: expect.any(String) } },
    });
    const rows = await app.context.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', '=', id)
      .where('action', '=', 'admin.marked_verified')
      .execute();
    expect(rows).toHaveLength(1);
  });

  test('needs a proof', async () => {
    const { id } = await newEmployee();
    app.clock.advance(11 * 60_000);
    expect(await mark(id)).toMatchObject({ status: 403, body: { code: 'proof_required' } });
  });
});

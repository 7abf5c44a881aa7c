/** Staff change the e-mail of a family: nobody takes over an account of which the parent knows nothing (contract §6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addGuardian } from '../../testing/guardians.ts';
import { type Family, loginPath, PUBLIC_URL, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let app: TestApp;
let staff: string;
let family: Family;
let next: string;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.advance(16 * MINUTE);
  staff = await app.staff();
  family = await app.makeFamily();
  await app.makeChild(family, 'Sara');
  next = `next${++n}@family.test`;
});

const change = (json: unknown = { email: next }, token = staff) =>
  app.ask('PUT', `/api/parent/update-parent/${family.id}`, { token, json });
const resend = (token: string | undefined = staff) =>
  app.ask('POST', `/api/parent/resend-verification/${family.id}`, token === undefined ? {} : { token });
const answer = (token: string, agree: boolean) =>
  app.ask('POST', `/api/parent/change-email/${token}`, { json: { agree } });
const sheet = async () => app.expect(200, 'GET', `/api/parent/get-parent/${family.id}`, { token: staff });
const audited = async (): Promise<unknown[]> => {
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${family.id}`, { token: staff });
  return entries.map(({ action, details }) => [action, details]);
};
const mailsToNext = () => app.outbox(next);
const codeOfParent = async () =>
  (await app.expect(201, 'POST', '/api/parent/desk-code', { token: family.token })).code;

/** The link at the new address takes effect, and its holder chooses the password. */
async function expectMoved() {
  const { token } = await app.lastMail(next);
  const from = '198.51.100.7';
  await app.expect(200, 'GET', `/api/parent/verify/email/${token}`, { from });
  expect(await sheet()).toMatchObject({ parent: { email: next }, pendingEmail: null, emailWaits: null });
  expect((await app.ask('GET', '/api/parent/info', { token: family.token })).status).toBe(401);
  await app.context.mails.settled();
  const json = { token: (await app.lastMail(next)).token, password: 'set-by-mother' };
  await app.expect(200, 'POST', '/vendor/reset', { json, from });
  const signIn = { json: { email: next, password: json.password }, from };
  expect((await app.ask('POST', loginPath.parent, signIn)).status).toBe(200);
}

test.each([
  ['who has accepted', {}],
  ['who was asked and has not answered', { accepted_at: null }],
])('a further guardian %s is asked at the old address, too', async (_who, row) => {
  const child = (await app.makeChild(family, 'Adam'))._id;
  family = await app.makeFamily();
  await addGuardian(app, child, family.id, row);
  await app.proveNow(staff);
  expect((await change()).status).toBe(200);
  expect(await mailsToNext()).toEqual([]);
  expect(await sheet()).toMatchObject({ pendingEmail: next, emailWaits: { askedByMe: true } });
});

describe('an address that staff enter for a verified account with a child', () => {
  test('wants a proof; the address in force and other fields want none', async () => {
    app.clock.advance(11 * MINUTE);
    expect(await change()).toMatchObject({ status: 403, body: { code: 'proof_required' } });
    expect((await change({ name: 'Mona', email: family.email })).status).toBe(200);
    await app.proveNow(staff);
    expect((await change()).status).toBe(200);
  });

  test('gets no link: the old address is asked, and “yes” mails it', async () => {
    expect(await change()).toMatchObject({
      status: 200,
      body: {
        message:
          'Saved. The new email waits for an answer from the old one, which was not asked, because there is no mail server.',
        parent: { email: family.email, emailVerified: true },
      },
    });
    expect(await mailsToNext()).toEqual([]);
    const until = new Date(app.clock.now() + 3 * DAY).toISOString();
    expect(await sheet()).toMatchObject({ pendingEmail: next, emailWaits: { until, askedByMe: true } });
    const mail = await app.lastMail(family.email);
    expect(mail.subject).toBe('Change the email of your Haris account?');
    expect(mail.link).toBe(`${PUBLIC_URL}/change-email/${mail.token}`);
    expect(mail.text).toContain('n•••@family.test');
    expect((await answer(mail.token, true)).status).toBe(200);
    expect(await sheet()).toMatchObject({ pendingEmail: next, emailWaits: null });
    expect(await answer(mail.token, true)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    await expectMoved();
    expect(await audited()).toContainEqual(['parent.email_change_agreed', { by: 'old_address' }]);
  });

  test('is dropped by “no” at the old address', async () => {
    await change();
    expect((await answer((await app.lastMail(family.email)).token, false)).status).toBe(200);
    expect(await sheet()).toMatchObject({ pendingEmail: null, emailWaits: null });
    expect(await mailsToNext()).toEqual([]);
    expect((await app.ask('GET', '/api/parent/info', { token: family.token })).status).toBe(200);
    expect((await audited()).map((entry) => (entry as string[])[0])).toContain('parent.email_change_refused');
    expect((await resend()).status).toBe(409);
  });

  test('gets its link at once with the code on the parent’s phone, once', async () => {
    const code = await codeOfParent();
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await change({ email: next, code: wrong })).toMatchObject({ body: { code: 'wrong_code' } });
    expect(await sheet()).toMatchObject({ pendingEmail: null });
    expect((await change({ email: next, code })).status).toBe(200);
    expect(await sheet()).toMatchObject({ pendingEmail: next, emailWaits: null });
    expect((await app.lastMail(family.email)).subject).toBe(
      'The email of your Haris account is being changed',
    );
    await expectMoved();
    expect(await audited()).toContainEqual(['parent.email_change_agreed', { by: 'code' }]);
    expect((await change({ email: family.email, code })).body.code).toBe('wrong_code');
  });

  test('does not take the code of another parent', async () => {
    const { token } = await app.makeFamily();
    const { code } = await app.expect(201, 'POST', '/api/parent/desk-code', { token });
    expect((await change({ email: next, code })).body.code).toBe('wrong_code');
  });

  test('gets its link from a colleague with a proof, not from who asked before three days', async () => {
    await change();
    expect(await resend()).toMatchObject({ status: 409, body: { code: 'email_change_waits' } });
    const colleague = await app.makeEmployee();
    app.clock.advance(11 * MINUTE);
    expect((await resend(colleague.token)).body.code).toBe('proof_required');
    expect((await resend(family.token)).status).toBe(403);
    expect((await resend('')).status).toBe(401);
    expect(await mailsToNext()).toEqual([]);
    await app.proveNow(colleague.token);
    expect((await resend(colleague.token)).status).toBe(200);
    expect((await app.lastMail(family.email)).subject).toBe(
      'The email of your Haris account is being changed',
    );
    await expectMoved();
    expect(await audited()).toContainEqual(['parent.email_change_agreed', { by: 'colleague' }]);
  });

  test('gets none from a colleague whose password somebody else has set', async () => {
    await change();
    const { id, token } = await app.makeEmployee();
    const [first] = await app.context.db.selectFrom('staff').select('id').execute();
    await app.context.db
      .updateTable('staff')
      .set({ password_set_by: first?.id ?? '' })
      .where('id', '=', id)
      .execute();
    expect((await resend(token)).body.code).toBe('password_not_own');
    expect(await mailsToNext()).toEqual([]);
  });

  test('gets it after three days from who asked, if nobody has answered', async () => {
    await change();
    app.clock.advance(3 * DAY - MINUTE);
    staff = await app.staff();
    expect((await resend()).body.code).toBe('email_change_waits');
    app.clock.advance(MINUTE);
    expect((await resend()).status).toBe(200);
    await expectMoved();
    expect(await audited()).toContainEqual(['parent.email_change_agreed', { by: 'time' }]);
  });

  test('that is replaced waits anew, and the first mail answers nothing', async () => {
    await change();
    const { token } = await app.lastMail(family.email);
    app.clock.advance(MINUTE);
    await change({ email: `other${n}@family.test` });
    expect((await answer(token, true)).status).toBe(400);
    await app.proveNow(family.token);
    await change({ email: next }, family.token);
    // The parent's own change waits for nobody.
    expect(await sheet()).toMatchObject({ pendingEmail: next, emailWaits: null });
    expect((await answer((await app.lastMail(family.email)).token, true)).status).toBe(400);
  });

  test('ends with a new password that its owner sets by a link', async () => {
    await change();
    const { token } = await app.lastMail(family.email);
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: family.email } });
    const json = { token: (await app.lastMail(family.email)).token, password: 'brand-new-one' };
    await app.expect(200, 'POST', '/vendor/reset', { json });
    expect((await answer(token, true)).status).toBe(400);
    expect(await sheet()).toMatchObject({ pendingEmail: null, emailWaits: null });
  });
});

test('an account without children, or never verified, is corrected with the proof alone', async () => {
  family = await app.makeFamily();
  expect((await change()).status).toBe(200);
  expect(await mailsToNext()).toHaveLength(1);
  const json = { name: 'Typo', email: `typo${n}@family.test` };
  const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', { token: staff, json });
  await app.makeChild({ ...family, id: parent._id }, 'Adam');
  const right = `right${n}@family.test`;
  const url = `/api/parent/update-parent/${parent._id}`;
  app.clock.advance(11 * MINUTE);
  const ask = { token: staff, json: { email: right } };
  expect((await app.ask('PUT', url, ask)).body.code).toBe('proof_required');
  await app.proveNow(staff);
  expect((await app.expect(200, 'PUT', url, ask)).parent.email).toBe(right);
  expect((await app.lastMail(right)).link).toContain('/reset-password/');
});

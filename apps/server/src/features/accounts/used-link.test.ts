/** What a verification link can still do after it was used, or after the password ended (contract §6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loginPath, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STRANGER = '203.0.113.66';
const HOME = '198.51.100.7';
const UA = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' };

let app: TestApp;
let staff: string;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.advance(16 * MINUTE);
  staff = await app.staff();
});

async function register() {
  const email = `used${++n}@family.test`;
  const json = { name: 'Mother', email, phone: '01112345678', password: 'chosen-by-whom' };
  const { parent } = await app.expect(201, 'POST', '/api/parent/add', { json, from: STRANGER });
  return { id: parent._id, email, password: json.password, link: (await app.lastMail(email)).token };
}

const open = (token: string, headers: Record<string, string> = UA) =>
  app.ask('GET', `/api/parent/verify/email/${token}?showUsed=true`, { from: HOME, headers });
const disown = (token: string) => app.ask('POST', `/api/parent/verify/email/${token}/disown`);
const vouch = (id: string) =>
  app.expect(200, 'POST', `/api/parent/mark-verified/${id}`, { token: staff, json: {} });
const rowOf = (id: string) =>
  app.context.db.selectFrom('parents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const registrationOf = async (id: string) =>
  (await app.expect(200, 'GET', `/api/parent/${id}/registration`, { token: staff })).registration;
const actionsOf = async (id: string) =>
  (await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff })).entries.map(
    ({ action }) => action,
  );

const ALREADY = {
  message: 'Your email is already verified.',
  alreadyVerified: true,
  account: { name: 'Mother', registeredAt: expect.any(String) },
};
const INVALID = { status: 400, body: { code: 'invalid_token' } };

describe('a link that was used', () => {
  test('says so for 24 hours, with the account, and does nothing', async () => {
    const { id, link } = await register();
    expect((await open(link)).body).not.toHaveProperty('alreadyVerified');
    const [before, actions] = [await rowOf(id), await actionsOf(id)];
    // A client that does not ask is told that it works once.
    expect(await app.ask('GET', `/api/parent/verify/email/${link}`)).toMatchObject(INVALID);
    const again = await open(link, {});
    expect(again).toMatchObject({ status: 200, body: ALREADY });
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(await rowOf(id)).toEqual(before);
    expect(await actionsOf(id)).toEqual(actions);
    app.clock.advance(24 * HOUR);
    expect(await open(link)).toMatchObject(INVALID);
  });

  test('proves no password where it is opened again', async () => {
    const { id, email, password, link } = await register();
    await open(link);
    // A program without cookies, in the network of the sign-in.
    expect((await open(link, {})).status).toBe(200);
    await app.expect(200, 'POST', loginPath.parent, { json: { email, password }, from: HOME });
    expect((await registrationOf(id)).hasProvenPassword).toBe(false);
  });

  test('of two that open it at once, one verifies', async () => {
    const { id, link } = await register();
    const both = await Promise.all([open(link), open(link)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.filter(({ body }) => body.message === ALREADY.message)).toHaveLength(1);
    expect((await actionsOf(id)).filter((action) => action === 'parent.email_verified')).toHaveLength(1);
  });

  test('is invalid on the page of staff, for an account that staff made, and once the desk has vouched', async () => {
    const { id, link } = await register();
    await open(link);
    expect(await app.ask('GET', `/api/admin/verify/email/${link}`)).toMatchObject(INVALID);
    const email = `made${++n}@family.test`;
    const json = { name: 'Made', email, password: 'by-the-staff' };
    await app.expect(201, 'POST', '/api/parent/create-parent', { token: staff, json });
    const made = (await app.lastMail(email)).token;
    expect((await open(made)).status).toBe(200);
    expect(await open(made)).toMatchObject(INVALID);
    await vouch(id);
    expect(await open(link)).toMatchObject(INVALID);
    expect(await disown(link)).toMatchObject(INVALID);
  });

  test('is invalid once the account has another address', async () => {
    const { id, email, password, link } = await register();
    await open(link);
    const { token } = await app.expect(200, 'POST', loginPath.parent, {
      json: { email, password },
      from: HOME,
    });
    const moved = `moved${++n}@family.test`;
    await app.proveNow(token);
    await app.expect(200, 'PUT', `/api/parent/update-parent/${id}`, { token, json: { email: moved } });
    const next = (await app.lastMail(moved)).token;
    expect((await open(next)).status).toBe(200);
    expect(await open(next)).toMatchObject(INVALID);
    expect(await open(link)).toMatchObject(INVALID);
    expect(await disown(link)).toMatchObject(INVALID);
  });
});

describe('after staff have added a child, which ended the password', () => {
  test('the recipient of the first mail still says “I did not register this”, once', async () => {
    const account = await register();
    await open(account.link);
    await app.makeChild(account, 'Sara');
    await app.context.mails.settled();
    const second = await app.lastMail(account.email);
    expect(second.subject).toBe('Choose a new password for Haris');
    expect(await open(account.link)).toMatchObject({ status: 200, body: ALREADY });
    const answers = await Promise.all([disown(account.link), disown(account.link)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await registrationOf(account.id)).disownedAt).toEqual(expect.any(String));
    const reset = { token: second.token, password: 'set-by-a-stranger' };
    expect(await app.ask('POST', '/vendor/reset', { json: reset })).toMatchObject(INVALID);
    expect(await open(account.link)).toMatchObject(INVALID);
    // Nor does the link end the account again once the desk has vouched.
    await vouch(account.id);
    expect(await disown(account.link)).toMatchObject(INVALID);
  });

  test('a link that nobody had opened verifies nothing, but its recipient can still deny', async () => {
    const account = await register();
    await app.makeChild(account, 'Sara');
    expect(await open(account.link)).toMatchObject(INVALID);
    expect(await rowOf(account.id)).toMatchObject({ email_verified: 0, link_opened_by: null });
    expect(await disown(account.link)).toMatchObject({ status: 200, body: { deleted: false } });
    expect((await registrationOf(account.id)).disownedAt).toEqual(expect.any(String));
  });

  test('the right ends a day after the mail, and with a password that is set by the second one', async () => {
    const [late, settled] = [await register(), await register()];
    await app.makeChild(late, 'Sara');
    await app.makeChild(settled, 'Omar');
    await app.context.mails.settled();
    const { token } = await app.lastMail(settled.email);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'set-by-mother' } });
    expect(await disown(settled.link)).toMatchObject(INVALID);
    app.clock.advance(24 * HOUR);
    expect(await disown(late.link)).toMatchObject(INVALID);
  });
});

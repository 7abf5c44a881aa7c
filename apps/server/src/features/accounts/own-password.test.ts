/** Changing the own password, and a password that somebody else set (contract §6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  loginPath,
  makeNationalId,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';

const MINUTE = 60_000;

let app: TestApp;
let number = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.clock.advance(16 * MINUTE));

/** Creates an employee like the first administrator, with a password that both know. */
async function makeColleague() {
  const email = `colleague${++number}@haris.test`;
  const password = 'set-by-the-boss';
  const json = { name: 'Colleague', email, password, nationalId: makeNationalId() };
  const { admin } = await app.expect(201, 'POST', '/api/admin/create-admin', {
    token: await app.staff(),
    json,
  });
  const mail = await app.lastMail(email);
  await app.expect(200, 'GET', `/api/admin/verify/email/${mail.token}`);
  return { id: admin._id, email, password, token: await app.signIn('admin', email, password) };
}
const change = (token: string | undefined, current: string, password: string) =>
  app.ask('PUT', '/api/account/password', { token, json: { current, password } });
const isAlive = async (token: string, kind: 'parent' | 'admin' = 'admin') =>
  (await app.ask('GET', `/api/${kind}/info`, { token })).status === 200;
const bossId = async () =>
  (await app.expect(200, 'GET', '/api/admin/info', { token: await app.staff() })).admin._id;

describe('another password', () => {
  test('ends the other sessions and mailed links, keeps this one, and the account is told', async () => {
    const family = await app.makeFamily();
    const other = await app.signIn('parent', family.email, family.password);
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: family.email } });
    const link = await app.lastMail(family.email);
    expect((await change(family.token, family.password, 'quite another')).status).toBe(200);
    expect(await isAlive(family.token, 'parent')).toBe(true);
    expect(await isAlive(other, 'parent')).toBe(false);
    const json = { token: link.token, password: 'by the old link' };
    expect((await app.ask('POST', '/vendor/reset', { json })).body.code).toBe('invalid_token');
    expect((await app.lastMail(family.email)).subject).toBe('The password of your Haris account was changed');
    await app.signIn('parent', family.email, 'quite another');
    const old = { email: family.email, password: family.password };
    expect((await app.ask('POST', loginPath.parent, { json: old })).status).toBe(401);
  });

  test('wants the current one: a wrong one is 403 and counted, no session is 401', async () => {
    const family = await app.makeFamily();
    expect((await change(undefined, family.password, 'quite another')).status).toBe(401);
    for (let n = 0; n < 5; n++)
      expect(await change(family.token, 'not it', 'quite another')).toMatchObject({
        status: 403,
        body: { code: 'wrong_password' },
      });
    expect((await change(family.token, family.password, 'quite another')).status).toBe(429);
    await app.signIn('parent', family.email, family.password);
  });

  test('wants a proof once the sign-in is ten minutes old', async () => {
    const colleague = await makeColleague();
    app.clock.advance(9 * MINUTE + 59_000);
    expect((await change(colleague.token, colleague.password, 'my own one')).status).toBe(200);
    app.clock.advance(2_000);
    expect((await change(colleague.token, 'my own one', 'and another')).body.code).toBe('proof_required');
    await app.expect(204, 'POST', '/api/session/proof', {
      token: colleague.token,
      json: { password: 'my own one' },
    });
    expect((await change(colleague.token, 'my own one', 'and another')).status).toBe(200);
  });

  test('must be another one, and as long as the rank wants it', async () => {
    const [family, colleague] = [await app.makeFamily({ password: 's1x-ch' }), await makeColleague()];
    expect(await change(family.token, 's1x-ch', 's1x-ch')).toMatchObject({
      status: 400,
      body: { fields: { password: 'Please choose a password other than the current one' } },
    });
    expect((await change(family.token, 's1x-ch', 'short')).status).toBe(400);
    for (const guessed of ['password', 'iloveyou', family.name])
      expect((await change(family.token, 's1x-ch', guessed)).body, guessed).toMatchObject({
        code: 'invalid_request',
        fields: { password: expect.any(String) },
      });
    expect((await change(colleague.token, colleague.password, 'seven77')).status).toBe(400);
    expect((await change(family.token, 's1x-ch', 'six+one')).status).toBe(200);
  });
});

describe('a password that somebody else set', () => {
  test('is named until the person has set an own one', async () => {
    const colleague = await makeColleague();
    const boss = await bossId();
    const own = async () =>
      (await app.expect(200, 'GET', '/api/admin/info', { token: colleague.token })).admin.setUpBy;
    expect(await own()).toBe(boss);
    await change(colleague.token, colleague.password, 'my own one');
    expect(await own()).toBeNull();
    const again = await app.expect(200, 'POST', loginPath.admin, {
      json: { email: colleague.email, password: 'my own one' },
    });
    expect(again.admin.setUpBy).toBeNull();
  });

  test('what is done with it works, and its audit rows say who set it; with an own one they do not', async () => {
    const colleague = await makeColleague();
    const boss = await bossId();
    const act = (language: 'en' | 'ar') =>
      app.expect(200, 'PUT', '/api/language', { token: colleague.token, json: { language } });
    const rows = async () => {
      const { entries } = await app.expect(200, 'GET', `/api/audit?actor=${colleague.id}`, {
        token: await app.staff(),
      });
      return entries.map(({ action, details }) => [action, details.passwordSetBy]);
    };
    await act('ar');
    expect(await rows()).toEqual([
      ['admin.language_chosen', boss],
      ['admin.signed_in', boss],
    ]);
    await change(colleague.token, colleague.password, 'my own one');
    await act('en');
    expect((await rows()).slice(0, 2)).toEqual([
      ['admin.language_chosen', undefined],
      ['admin.password_set', boss],
    ]);
  });

  test('ends with a password from a mailed link as well', async () => {
    const colleague = await makeColleague();
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: colleague.email, kind: 'admin' } });
    const { token } = await app.lastMail(colleague.email);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'from the mail' } });
    const signedIn = await app.expect(200, 'POST', loginPath.admin, {
      json: { email: colleague.email, password: 'from the mail' },
    });
    expect(signedIn.admin.setUpBy).toBeNull();
  });

  test('is not the first administrator’s, who typed or read it', async () => {
    const { admin } = await app.expect(200, 'POST', loginPath.admin, {
      json: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
    });
    expect(admin.setUpBy).toBeNull();
  });
});

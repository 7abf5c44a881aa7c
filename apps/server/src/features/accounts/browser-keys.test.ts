/** The browser that registered: the mailed link signs it in, and no other; it asks for the mail again (contract §6). */
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newParent } from '../../testing/example-world.ts';
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

const newPerson = () => ({
  name: 'Mother',
  email: `start${++n}@family.test`,
  phone: '01112345678',
  password: 'chosen-by-whom',
});

/** Registers in a browser, which gets `key`; `link` is the token of the mail. */
async function register(from = HOME) {
  const json = newPerson();
  const { parent, browserKey } = await app.expect(201, 'POST', '/api/parent/add', {
    json,
    from,
    headers: UA,
  });
  return { ...json, id: parent._id, key: browserKey, link: (await app.lastMail(json.email)).token };
}

const start = (link: string, browserKey: string, from = HOME) =>
  app.ask('POST', `/api/parent/verify/email/${link}/start`, { json: { browserKey }, from, headers: UA });
const open = (link: string, from = HOME) =>
  app.ask('GET', `/api/parent/verify/email/${link}`, { from, headers: UA });
const resend = (browserKey: string) => app.ask('POST', '/api/parent/resend-link', { json: { browserKey } });
const codeFor = (browserKey: string) => app.ask('POST', '/api/parent/desk-code', { json: { browserKey } });
const isWaiting = (browserKey: string, from = HOME) =>
  app.ask('POST', '/api/parent/own-registration', { json: { browserKey }, from });
const infoOf = (token: string) => app.ask('GET', '/api/parent/info', { token });
const registrationOf = async (id: string) =>
  (await app.expect(200, 'GET', `/api/parent/${id}/registration`, { token: staff })).registration;
const sessionsOf = (id: string) =>
  app.context.db.selectFrom('sessions').selectAll().where('account_id', '=', id).execute();
const keysOf = (id: string) =>
  app.context.db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('account_id', '=', id)
    .where('purpose', '=', 'start')
    .execute();

const INVALID = { status: 400, body: { code: 'invalid_token' } };

describe('the mailed link in the browser that registered', () => {
  test('verifies and signs in, once; what wants a proof still asks for the password', async () => {
    const { id, email, key, link } = await register();
    app.clock.advance(11 * MINUTE);
    const { status, body, headers } = await start(link, key);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      message: 'Your email is verified. You can sign in now.',
      account: { name: 'Mother' },
      signedIn: { parent: { _id: id, emailVerified: true } },
    });
    expect(headers['set-cookie']).toMatch(/^haris_device=/);
    const { token } = body.signedIn;
    expect((await infoOf(token)).status).toBe(200);
    expect(
      await app.ask('PUT', `/api/parent/update-parent/${id}`, { token, json: { email: `x-${email}` } }),
    ).toMatchObject({ status: 403, body: { code: 'proof_required' } });
    const again = await start(link, key);
    expect(again).toMatchObject({ status: 200, body: { alreadyVerified: true } });
    expect(again.body).not.toHaveProperty('signedIn');
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('proves the password: it stays when the desk checks the first child in', async () => {
    const account = await register();
    const { token } = (await start(account.link, account.key)).body.signedIn;
    expect((await registrationOf(account.id)).hasProvenPassword).toBe(true);
    await app.makeChild(account, 'Sara');
    expect((await infoOf(token)).body.parent.children).toHaveLength(1);
  });

  test('signs in also after a mail scanner has opened the link', async () => {
    const { id, key, link } = await register();
    expect((await open(link, STRANGER)).status).toBe(200);
    expect((await start(link, key)).body).toMatchObject({
      alreadyVerified: true,
      signedIn: { parent: { _id: id } },
    });
  });

  test('of two at once, one signs in', async () => {
    const { id, key, link } = await register();
    const both = await Promise.all([start(link, key), start(link, key)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.filter(({ body }) => body.signedIn !== undefined)).toHaveLength(1);
    expect(await sessionsOf(id)).toHaveLength(1);
  });
});

describe('nobody is signed in', () => {
  test('in another browser, with a key of nobody or of another registration: the link only verifies', async () => {
    const [mother, other, third] = [await register(), await register(), await register()];
    expect((await open(mother.link)).body).not.toHaveProperty('signedIn');
    for (const [link, key] of [
      [other.link, 'x'.repeat(43)],
      [third.link, other.key],
    ] as const) {
      const { status, body } = await start(link, key);
      expect(status).toBe(200);
      expect(body).toMatchObject({ message: 'Your email is verified. You can sign in now.' });
      expect(body).not.toHaveProperty('signedIn');
    }
    for (const { id } of [mother, other, third]) expect(await sessionsOf(id)).toHaveLength(0);
    // A key that was sent with another link still has its own.
    expect((await start(other.link, other.key)).body).toHaveProperty('signedIn');
  });

  test('by the key without the link, or with the key in place of the link', async () => {
    const { id, key } = await register();
    expect(await start('x'.repeat(43), key)).toMatchObject(INVALID);
    expect(await start(key, key)).toMatchObject(INVALID);
    expect(await open(key)).toMatchObject(INVALID);
    expect(await app.ask('POST', `/api/parent/verify/email/${key}/disown`)).toMatchObject(INVALID);
    const reset = { token: key, password: 'set-by-a-key' };
    expect(await app.ask('POST', '/vendor/reset', { json: reset })).toMatchObject(INVALID);
    expect((await infoOf(key)).status).toBe(401);
    expect(await sessionsOf(id)).toHaveLength(0);
  });

  test('where a stranger registered the mother’s address: her click signs in neither of them', async () => {
    const stranger = await register(STRANGER);
    expect((await open(stranger.link)).body).not.toHaveProperty('signedIn');
    expect(await sessionsOf(stranger.id)).toHaveLength(0);
    expect(await start('x'.repeat(43), stranger.key, STRANGER)).toMatchObject(INVALID);
    expect((await registrationOf(stranger.id)).hasProvenPassword).toBe(false);
    expect(await resend(stranger.key)).toMatchObject({ status: 409, body: { code: 'already_verified' } });
  });

  test('after “I did not register this”, with and without a child', async () => {
    const [alone, withChild] = [await register(), await register()];
    await app.makeChild(withChild, 'Sara');
    for (const { id, key, link } of [alone, withChild]) {
      await app.expect(200, 'POST', `/api/parent/verify/email/${link}/disown`);
      expect(await start(link, key)).toMatchObject(INVALID);
      expect(await resend(key)).toMatchObject(INVALID);
      expect(await codeFor(key)).toMatchObject(INVALID);
      expect(await keysOf(id)).toHaveLength(0);
    }
  });

  test('once the desk has put a child into the account, which ends the password', async () => {
    const account = await register();
    await open(account.link, STRANGER);
    await app.makeChild(account, 'Sara');
    const { status, body } = await start(account.link, account.key);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('signedIn');
    expect(await sessionsOf(account.id)).toHaveLength(0);
  });

  test('once somebody has signed in with the password, or set one by a link', async () => {
    const [signedIn, forgetful] = [await register(), await register()];
    await open(signedIn.link, STRANGER);
    const { email, password } = signedIn;
    await app.expect(200, 'POST', loginPath.parent, { json: { email, password } });
    expect((await start(signedIn.link, signedIn.key)).body).not.toHaveProperty('signedIn');
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: forgetful.email } });
    const { token } = await app.lastMail(forgetful.email);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'set-by-mother' } });
    expect(await start(forgetful.link, forgetful.key)).toMatchObject(INVALID);
    expect(await keysOf(forgetful.id)).toHaveLength(0);
  });

  test('once staff have corrected the address, or vouched, or blocked the family', async () => {
    const [moved, vouched, blocked] = [await register(), await register(), await register()];
    await app.proveNow(staff);
    const email = `right${n}@family.test`;
    await app.expect(200, 'PUT', `/api/parent/update-parent/${moved.id}`, { token: staff, json: { email } });
    const next = (await app.lastMail(email)).token;
    expect((await start(next, moved.key)).body).not.toHaveProperty('signedIn');
    expect(await resend(moved.key)).toMatchObject(INVALID);
    const { code } = (await codeFor(vouched.key)).body;
    const url = `/api/parent/mark-verified/${vouched.id}`;
    await app.expect(200, 'POST', url, { token: staff, json: { code } });
    expect(await start(vouched.link, vouched.key)).toMatchObject(INVALID);
    await app.expect(200, 'PUT', `/api/parent/${blocked.id}/block`, {
      token: staff,
      json: { access: 'blocked' },
    });
    const answer = await start(blocked.link, blocked.key);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('signedIn');
    for (const { id } of [moved, vouched, blocked]) expect(await sessionsOf(id)).toHaveLength(0);
  });

  test('where the account has a second factor: link and key give no token, the password only the second step', async () => {
    const [mother, other] = [await register(), await register()];
    const { id, email, password, key, link } = mother;
    // On another phone she opens the link, signs in and adds the factor.
    await open(link, STRANGER);
    const signIn = { json: { email, password }, from: STRANGER };
    const { token } = await app.expect(200, 'POST', loginPath.parent, signIn);
    const factor = await app.expect(201, 'POST', '/api/account/factors/app', {
      token,
      json: { name: 'Phone' },
    });
    const confirm = `/api/account/factors/app/${factor._id}/confirm`;
    const code = await generate({ secret: factor.secret, epoch: Math.floor(app.clock.now() / 1000) });
    await app.expect(200, 'POST', confirm, { token, json: { code } });
    const sessions = (await sessionsOf(id)).length;
    for (const one of [key, other.key]) {
      const { status, body } = await start(link, one);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(['account', 'alreadyVerified', 'message']);
    }
    const step = await app.expect(200, 'POST', loginPath.parent, { json: { email, password }, from: HOME });
    expect(step).toMatchObject({ step: 'second_factor', methods: ['app', 'recovery'] });
    expect(step).not.toHaveProperty('token');
    expect(await sessionsOf(id)).toHaveLength(sessions);
    // The first sign-in had ended the key. One that lives opens nothing either while there is a factor.
    const factors = app.context.db.updateTable('second_factors').set({ account_id: other.id });
    await factors.where('account_id', '=', id).execute();
    expect((await start(other.link, other.key)).body).not.toHaveProperty('signedIn');
    expect((await start(other.link, other.key)).body).not.toHaveProperty('signedIn');
    expect(await sessionsOf(other.id)).toHaveLength(0);
    expect(await keysOf(other.id)).toHaveLength(1);
  });

  test('after a day, and the key is stored as a hash alone', async () => {
    const { id, key, link } = await register();
    const [row] = await keysOf(id);
    expect(JSON.stringify(row)).not.toContain(key);
    app.clock.advance(24 * HOUR - MINUTE);
    await open(link, STRANGER);
    app.clock.advance(2 * MINUTE);
    const { status, body } = await start(link, key);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('signedIn');
  });

  test('by an account that staff made: it gets no key', async () => {
    const json = { ...newParent(), phone: '01112345678', password: 'by-the-staff' };
    const made = await app.expect(201, 'POST', '/api/parent/add', { token: staff, json });
    expect(made).not.toHaveProperty('browserKey');
    expect(await keysOf(made.parent._id)).toHaveLength(0);
  });
});

describe('the mail again', () => {
  test('every five minutes; the older link ends, key and link work for another day', async () => {
    const { email, key, link } = await register();
    expect(await resend(key)).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
      headers: { 'retry-after': '300' },
    });
    app.clock.advance(20 * HOUR);
    expect(await resend(key)).toMatchObject({ status: 200 });
    expect(await start(link, key)).toMatchObject(INVALID);
    app.clock.advance(20 * HOUR);
    const second = (await app.lastMail(email)).token;
    expect((await start(second, key)).body).toHaveProperty('signedIn');
    expect(await resend(key)).toMatchObject(INVALID);
  });

  test('six times an hour at most, and once of two at the same time', async () => {
    const { email, key } = await register();
    const answers: number[] = [];
    for (let i = 0; i < 7; i++) {
      app.clock.advance(5 * MINUTE);
      answers.push((await resend(key)).status);
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 200, 429]);
    app.clock.advance(HOUR);
    const both = await Promise.all([resend(key), resend(key)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(await app.outbox(email)).toHaveLength(8);
  });

  test('not with a key of nobody, or without one', async () => {
    expect(await resend('x'.repeat(43))).toMatchObject(INVALID);
    expect(await app.ask('POST', '/api/parent/resend-link', { json: {} })).toMatchObject({ status: 400 });
  });
});

describe('a code for the desk', () => {
  test('is given for the key, and keeps the password when the desk types it', async () => {
    const { id, email, password, key } = await register();
    const { status, body } = await codeFor(key);
    expect(status).toBe(201);
    const json = { code: body.code };
    await app.expect(200, 'POST', `/api/parent/mark-verified/${id}`, { token: staff, json });
    await app.expect(200, 'POST', loginPath.parent, { json: { email, password } });
    expect(await codeFor(key)).toMatchObject(INVALID);
  });

  test('renewed while the desk types it: either the old one counts and the key ends, or it is wrong and the new one counts', async () => {
    for (let i = 0; i < 4; i++) {
      const { id, key } = await register();
      const { code } = (await codeFor(key)).body;
      const url = `/api/parent/mark-verified/${id}`;
      const vouch = (json: object) => app.ask('POST', url, { token: staff, json });
      const [renewed, typed] = await Promise.all([codeFor(key), vouch({ code })]);
      if (typed.status === 200) expect(renewed).toMatchObject(INVALID);
      else {
        expect(typed).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
        expect((await vouch({ code: renewed.body.code })).status).toBe(200);
      }
      expect(await codeFor(key)).toMatchObject(INVALID);
      const codes = app.context.db.selectFrom('desk_codes').where('parent_id', '=', id);
      expect(await codes.selectAll().execute()).toEqual([]);
    }
  });

  test('not for a key of nobody, and ten in a quarter of an hour at most', async () => {
    expect(await codeFor('x'.repeat(43))).toMatchObject(INVALID);
    const { key } = await register();
    for (let i = 0; i < 10; i++) expect((await codeFor(key)).status).toBe(201);
    expect((await codeFor(key)).status).toBe(429);
  });
});

describe('the page that waits', () => {
  const WAITS = { status: 200, body: { isWaiting: true } };
  const ENDED = { status: 200, body: { isWaiting: false } };

  test('learns by its key that staff have used the code; a key of nobody gets the answer of one that has ended', async () => {
    const [mother, other] = [await register(), await register()];
    expect(await isWaiting(mother.key)).toMatchObject(WAITS);
    const { code } = (await codeFor(mother.key)).body;
    expect(await isWaiting(mother.key)).toMatchObject(WAITS);
    const url = `/api/parent/mark-verified/${mother.id}`;
    await app.expect(200, 'POST', url, { token: staff, json: { code } });
    const ended = await isWaiting(mother.key);
    expect(ended).toMatchObject(ENDED);
    expect((await isWaiting('x'.repeat(43))).body).toEqual(ended.body);
    // Neither the id nor the link of an account is its key.
    for (const key of [other.id, other.link, other.email]) expect(await isWaiting(key)).toMatchObject(ENDED);
    expect(await isWaiting(other.key)).toMatchObject(WAITS);
    expect(await app.ask('POST', '/api/parent/own-registration', { json: {} })).toMatchObject({
      status: 400,
    });
  });

  test('learns it too once somebody has signed in, or the day is over', async () => {
    const [signedIn, old] = [await register(), await register()];
    await start(signedIn.link, signedIn.key);
    expect(await isWaiting(signedIn.key)).toMatchObject(ENDED);
    app.clock.advance(24 * HOUR);
    expect(await isWaiting(old.key)).toMatchObject(ENDED);
  });

  test('asks 240 times in a quarter of an hour; with keys of nobody a network asks 60 times', async () => {
    const { key } = await register();
    for (let i = 0; i < 240; i++) expect(await isWaiting(key)).toMatchObject(WAITS);
    expect(await isWaiting(key)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    for (let i = 0; i < 60; i++) expect(await isWaiting('x'.repeat(43), STRANGER)).toMatchObject(ENDED);
    expect(await isWaiting('x'.repeat(43), STRANGER)).toMatchObject({ status: 429 });
    // The stranger's guesses stop nobody who has a key.
    app.clock.advance(16 * MINUTE);
    for (let i = 0; i < 60; i++) await isWaiting('x'.repeat(43), STRANGER);
    expect(await isWaiting(key, STRANGER)).toMatchObject(WAITS);
  });
});

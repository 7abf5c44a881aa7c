/** Sessions and throttling (contract §2, §3). */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { ADMIN_EMAIL, ADMIN_PASSWORD, loginPath, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.clock.advance(16 * MINUTE));

let address = 0;
const fresh = () => `10.1.${++address >> 8}.${address & 255}`;
const tryIn = (email: string, password: string, from = fresh(), kind: 'parent' | 'admin' = 'parent') =>
  app.ask('POST', loginPath[kind], { json: { email, password }, from });
const alive = async (token: string, kind: 'parent' | 'admin' = 'parent') =>
  (await app.ask('GET', `/api/${kind}/info`, { token })).status === 200;
/** The test harness's own staff session expires like any other. */
const staff = () => app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);

async function makeFamily() {
  const token = await staff();
  const email = `family${++address}@family.test`;
  const password = 'secret-6';
  const json = { name: 'Family', email, password };
  const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', { token, json });
  await app.expect(200, 'POST', `/api/parent/mark-verified/${parent._id}`, { token });
  return { id: parent._id, email, password, token: await app.signIn('parent', email, password) };
}

describe('what signing in tells a stranger', () => {
  test('the same for an unknown e-mail, a wrong password and one that was never set', async () => {
    const family = await makeFamily();
    const json = { name: 'Invited', email: 'invited@family.test' };
    await app.expect(201, 'POST', '/api/parent/create-parent', { token: await staff(), json });
    const answers = [
      await tryIn(family.email, 'wrong!'),
      await tryIn('nobody@family.test', 'wrong!'),
      await tryIn(json.email, 'wrong!'),
      await tryIn('not even an e-mail', 'wrong!'),
      await tryIn('nul\u0000@family.test', 'wrong!'),
      await tryIn('lone\ud800@family.test', 'wrong!'),
    ];
    for (const { status, bytes } of answers.slice(0, 4)) {
      expect(status).toBe(401);
      expect(bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
    for (const { status } of answers.slice(4)) expect([400, 401]).toContain(status);
    expect(answers[0]?.body).toEqual({ code: 'invalid_credentials', message: 'Invalid email or password' });
  });

  test('missing fields are named', async () => {
    const answer = await app.ask('POST', loginPath.admin, { json: {} });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: 'Email is required',
        fields: { email: 'Email is required', password: 'Password is required' },
      },
    });
  });
});

describe('throttling', () => {
  test('after 5 failures of one account from one network every further try from there is 429 until the window has passed', async () => {
    const { email, password } = await makeFamily();
    const from = fresh();
    for (let i = 0; i < 5; i++) {
      app.clock.advance(MINUTE);
      expect((await tryIn(email, 'wrong!', from)).status).toBe(401);
    }
    const refused = await tryIn(email.toUpperCase(), password, from);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts', message: 'Too many attempts. Please try again later.' },
    });
    // The first failure leaves the window eleven minutes after the fifth.
    expect(Number(refused.headers['retry-after'])).toBe(11 * 60);
    app.clock.advance(11 * MINUTE - 1);
    expect((await tryIn(email, password, from)).status).toBe(429);
    app.clock.advance(1);
    expect((await tryIn(email, password, from)).status).toBe(200);
  });

  test('failures from elsewhere lock nobody out: the right password from another network signs in', async () => {
    const { email, password } = await makeFamily();
    const attacker = fresh();
    for (let i = 0; i < 8; i++) await tryIn(email, 'wrong!', attacker);
    expect((await tryIn(email, password, attacker)).status).toBe(429);
    expect((await tryIn(email, password)).status).toBe(200);
  });

  test('a try that was refused is not counted, and a right password is not either', async () => {
    const { email, password } = await makeFamily();
    const from = fresh();
    for (let i = 0; i < 4; i++) await tryIn(email, 'wrong!', from);
    for (let i = 0; i < 3; i++) expect((await tryIn(email, password, from)).status).toBe(200);
    await tryIn(email, 'wrong!', from);
    for (let i = 0; i < 3; i++) expect((await tryIn(email, password, from)).status).toBe(429);
    app.clock.advance(15 * MINUTE);
    expect((await tryIn(email, password, from)).status).toBe(200);
  });

  test('an unknown account is counted as any other', async () => {
    const from = fresh();
    for (let i = 0; i < 5; i++) await tryIn('ghost@family.test', 'wrong!', from);
    expect((await tryIn('ghost@family.test', 'wrong!', from)).status).toBe(429);
  });

  test('the accounts of the two kinds are counted apart', async () => {
    const from = fresh();
    for (let i = 0; i < 5; i++) await tryIn(ADMIN_EMAIL, 'wrong!', from);
    expect((await tryIn(ADMIN_EMAIL, 'wrong!', from)).status).toBe(429);
    expect((await tryIn(ADMIN_EMAIL, ADMIN_PASSWORD, from, 'admin')).status).toBe(200);
  });

  test('after 20 failures from one network every further try from it is 429', async () => {
    const { email, password } = await makeFamily();
    const from = fresh();
    for (let i = 0; i < 20; i++)
      expect((await tryIn(`many${i}@family.test`, 'wrong!', from)).status).toBe(401);
    expect((await tryIn(email, password, from)).status).toBe(429);
    expect((await tryIn(email, password)).status).toBe(200);
    app.clock.advance(15 * MINUTE);
    expect((await tryIn(email, password, from)).status).toBe(200);
  });

  test('after 50 failures of one account from anywhere, networks that it never signed in from share one try a minute', async () => {
    const { email, password } = await makeFamily();
    const home = fresh();
    expect((await tryIn(email, password, home)).status).toBe(200);
    for (let i = 0; i < 50; i++) expect((await tryIn(email, 'wrong!')).status).toBe(401);
    expect((await tryIn(email, 'wrong!')).status).toBe(401);
    const refused = await tryIn(email, password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBe(60);
    // Known places are not slowed down, and neither are other accounts.
    expect((await tryIn(email, password, home)).status).toBe(200);
    const other = await makeFamily();
    expect((await tryIn(other.email, other.password)).status).toBe(200);
    app.clock.advance(MINUTE);
    expect((await tryIn(email, password)).status).toBe(200);
    // Still slowed down a quarter of an hour later: the failures of a whole day count.
    app.clock.advance(20 * MINUTE);
    expect((await tryIn(email, 'wrong!')).status).toBe(401);
    expect((await tryIn(email, password)).status).toBe(429);
    app.clock.advance(24 * HOUR);
    for (let i = 0; i < 2; i++) expect((await tryIn(email, password)).status).toBe(200);
  });

  test('a new password by the mailed link ends the slowness', async () => {
    const { email } = await makeFamily();
    for (let i = 0; i < 51; i++) await tryIn(email, 'wrong!');
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email } });
    const { token } = await app.lastMail(email);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'brand-new-one' } });
    for (let i = 0; i < 2; i++) expect((await tryIn(email, 'brand-new-one')).status).toBe(200);
  });

  test('sixty tries sent at once are judged one after the other', async () => {
    const { email } = await makeFamily();
    const from = fresh();
    const answers = await Promise.all(Array.from({ length: 60 }, () => tryIn(email, 'wrong!', from)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(55);
  });

  test('sixty sent at once from sixty networks: 50 and one of the slow ones', async () => {
    const { email } = await makeFamily();
    const answers = await Promise.all(Array.from({ length: 60 }, () => tryIn(email, 'wrong!')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(51);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
  });

  test('a forwarded address does not count where no proxy is set', async () => {
    const from = fresh();
    for (let i = 0; i < 20; i++)
      await app.ask('POST', loginPath.parent, {
        json: { email: `fwd${i}@family.test`, password: 'wrong!' },
        headers: { 'x-forwarded-for': `1.2.3.${i}` },
        from,
      });
    expect((await tryIn('fwd@family.test', 'wrong!', from)).status).toBe(429);
  });
});

describe('a device that signed in before', () => {
  const signInOn = (email: string, password: string, from: string, cookie?: string) =>
    app.ask('POST', loginPath.parent, {
      json: { email, password },
      from,
      ...(cookie === undefined ? {} : { headers: { cookie } }),
    });
  /** The cookie of a response, as a browser sends it back. */
  const cookieOf = (answer: { headers: Readonly<Record<string, unknown>> }) =>
    String(answer.headers['set-cookie']).split(';')[0] ?? '';

  test('is known by a cookie that no page can read and that goes to this site alone', async () => {
    const { email, password } = await makeFamily();
    const from = fresh();
    const header = (await signInOn(email, password, from)).headers['set-cookie'];
    expect(header).toMatch(
      /^haris_device=[A-Za-z0-9_-]{43}\.[0-9a-f]{64}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await signInOn(email, 'wrong!', from)).headers['set-cookie']).toBeUndefined();
    const again = await signInOn(email, password, from, String(header).split(';')[0]);
    expect(cookieOf(again)).toBe(cookieOf({ headers: { 'set-cookie': header } }));
    // The cookie alone grants no access, and the database does not contain it.
    const info = await app.ask('GET', '/api/parent/info', { headers: { cookie: cookieOf(again) } });
    expect(info.status).toBe(401);
    const kept = JSON.stringify(await app.context.db.selectFrom('known_devices').selectAll().execute());
    expect(kept).not.toContain(cookieOf(again).slice('haris_device='.length).split('.')[0]);
  });

  test('signs in however many fail elsewhere, and has five failures of its own', async () => {
    const { email, password } = await makeFamily();
    const cookie = cookieOf(await signInOn(email, password, fresh()));
    const cafe = fresh();
    for (let i = 0; i < 20; i++) await tryIn(`cafe${i}@family.test`, 'wrong!', cafe);
    for (let i = 0; i < 60; i++) await tryIn(email, 'wrong!');
    expect((await signInOn(email, password, cafe)).status).toBe(429);
    expect((await signInOn(email, password, cafe, cookie)).status).toBe(200);
    for (let i = 0; i < 5; i++) expect((await signInOn(email, 'wrong!', fresh(), cookie)).status).toBe(401);
    expect((await signInOn(email, password, fresh(), cookie)).status).toBe(429);
    app.clock.advance(15 * MINUTE);
    expect((await signInOn(email, password, fresh(), cookie)).status).toBe(200);
  });

  test('is known for the account alone that signed in on it, and not by a cookie that somebody made up', async () => {
    const [mine, other] = [await makeFamily(), await makeFamily()];
    const cookie = cookieOf(await signInOn(mine.email, mine.password, fresh()));
    const from = fresh();
    for (let i = 0; i < 5; i++) await signInOn(other.email, 'wrong!', from, cookie);
    expect((await signInOn(other.email, other.password, from, cookie)).status).toBe(429);
    const forged = cookie.replace(/.$/, (end) => (end === '0' ? '1' : '0'));
    for (let i = 0; i < 5; i++) await signInOn(mine.email, 'wrong!', from, forged);
    expect((await signInOn(mine.email, mine.password, from, forged)).status).toBe(429);
    expect((await signInOn(mine.email, mine.password, from, cookie)).status).toBe(200);
  });

  test('is a stranger’s again once a new password was set by the mailed link elsewhere', async () => {
    const { email, password } = await makeFamily();
    const thief = cookieOf(await signInOn(email, password, fresh()));
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email } });
    const { token } = await app.lastMail(email);
    const reset = await app.ask('POST', '/vendor/reset', {
      json: { token, password: 'brand-new-one' },
      from: fresh(),
    });
    expect(reset.status).toBe(200);
    const from = fresh();
    for (let i = 0; i < 5; i++) await signInOn(email, 'wrong!', from);
    expect((await signInOn(email, 'brand-new-one', from, thief)).status).toBe(429);
    expect((await signInOn(email, 'brand-new-one', from, cookieOf(reset))).status).toBe(200);
  });
});

describe('the network of a desk, where staff have signed in', () => {
  async function openDesk() {
    const from = fresh();
    const desk = await app.makeEmployee();
    expect((await tryIn(desk.email, desk.password, from, 'admin')).status).toBe(200);
    return { from, desk };
  }

  test('twenty wrong passwords of parents on its Wi-Fi lock neither its staff nor its parents out', async () => {
    const { from, desk } = await openDesk();
    const mona = await makeFamily();
    expect((await tryIn(mona.email, mona.password, from)).status).toBe(200);
    for (let i = 0; i < 25; i++) await tryIn(`wifi${i}@family.test`, 'wrong!', from);
    expect((await tryIn(`wifi-more@family.test`, 'wrong!', from)).status).toBe(429);
    expect((await tryIn(desk.email, desk.password, from, 'admin')).status).toBe(200);
    expect((await tryIn(ADMIN_EMAIL, ADMIN_PASSWORD, from, 'admin')).status).toBe(200);
    expect((await tryIn(mona.email, mona.password, from)).status).toBe(200);
  });

  test('twenty wrong passwords of strangers as staff do not lock out whoever has worked there', async () => {
    const { from, desk } = await openDesk();
    for (let i = 0; i < 25; i++) await tryIn(`nobody${i}@haris.test`, 'wrong!', from, 'admin');
    expect((await tryIn(ADMIN_EMAIL, ADMIN_PASSWORD, from, 'admin')).status).toBe(429);
    expect((await tryIn(desk.email, desk.password, from, 'admin')).status).toBe(200);
  });

  test('is a desk’s for 30 days after the last sign-in of staff', async () => {
    const { from, desk } = await openDesk();
    app.clock.advance(30 * DAY);
    for (let i = 0; i < 20; i++) await tryIn(`late${i}@family.test`, 'wrong!', from);
    expect((await tryIn(desk.email, desk.password, from, 'admin')).status).toBe(429);
  });
});

describe('what a right password may write', () => {
  test('100 sign-ins of one account in a quarter of an hour, then 429', async () => {
    const { email, password } = await makeFamily();
    for (let i = 0; i < 99; i++) expect((await tryIn(email, password)).status).toBe(200);
    const refused = await tryIn(email, password);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBe(15 * 60);
    app.clock.advance(15 * MINUTE);
    expect((await tryIn(email, password)).status).toBe(200);
  });

  test('an account has 50 sessions; one more ends the one that was not used for longest', async () => {
    const { email, password, token } = await makeFamily();
    const tokens = [token];
    for (let i = 0; i < 49; i++) {
      app.clock.advance(1);
      tokens.push((await tryIn(email, password)).body.token);
    }
    app.clock.advance(2 * MINUTE);
    expect(await alive(token)).toBe(true);
    expect((await tryIn(email, password)).status).toBe(200);
    expect(await alive(token)).toBe(true);
    expect(await alive(String(tokens[1]))).toBe(false);
    expect(await alive(String(tokens[2]))).toBe(true);
  });

  test('an account that is not verified: ten answers and ten rows of the audit log, then 429', async () => {
    const json = {
      name: 'Loop',
      email: `loop${++address}@family.test`,
      phone: '01112345678',
      password: 'secret-6',
    };
    const { parent } = await app.expect(201, 'POST', '/api/parent/add', { json });
    const answers = await Promise.all(Array.from({ length: 32 }, () => tryIn(json.email, json.password)));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(22);
    expect(Number(refused[0]?.headers['retry-after'])).toBe(15 * 60);
    const rows = await app.context.db
      .selectFrom('audit_log')
      .select('seq')
      .where('subject_id', '=', parent._id)
      .where('action', '=', 'parent.sign_in_failed')
      .execute();
    expect(rows).toHaveLength(10);
  });

  test('the own photo changes ten times a day, the own profile fifty times; staff are not counted', async () => {
    const { id, token } = await makeFamily();
    const url = `/api/parent/update-parent/${id}`;
    const photo = () => app.ask('PUT', url, { token, form: { photo: fakePhoto() } });
    for (let i = 0; i < 10; i++) expect((await photo()).status).toBe(200);
    const refused = await photo();
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBe(24 * 3600);
    expect((await app.ask('PUT', url, { token: await staff(), form: { photo: fakePhoto() } })).status).toBe(
      200,
    );
    for (let i = 0; i < 39; i++)
      expect((await app.ask('PUT', url, { token, json: { name: `Name ${i}` } })).status).toBe(200);
    expect((await app.ask('PUT', url, { token, json: { name: 'Once more' } })).status).toBe(429);
    expect((await app.ask('PUT', '/api/language', { token, json: { language: 'ar' } })).status).toBe(429);
    app.clock.advance(DAY);
    expect((await photo()).status).toBe(200);
  });
});

describe('a session', () => {
  test('is an opaque token of 256 bits that the database knows only as a hash', async () => {
    const { token } = await makeFamily();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const rows = await app.context.db.selectFrom('sessions').selectAll().execute();
    const hash = createHash('sha256').update(token).digest('hex');
    expect(rows.map((row) => row.token_hash)).toContain(hash);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('of a parent lives for 30 days', async () => {
    const { token } = await makeFamily();
    app.clock.advance(30 * DAY - 1);
    expect(await alive(token)).toBe(true);
    app.clock.advance(1);
    expect(await alive(token)).toBe(false);
  });

  test('of staff dies after 12 hours without a request, and after 30 days with them', async () => {
    const idle = await staff();
    app.clock.advance(12 * HOUR - 1);
    expect(await alive(idle, 'admin')).toBe(true);
    app.clock.advance(12 * HOUR - 1);
    expect(await alive(idle, 'admin')).toBe(true);
    app.clock.advance(12 * HOUR);
    expect(await alive(idle, 'admin')).toBe(false);
    const busy = await staff();
    for (let i = 0; i < 60; i++) {
      app.clock.advance(12 * HOUR - 1);
      expect(await alive(busy, 'admin')).toBe(true);
    }
    app.clock.advance(60);
    expect(await alive(busy, 'admin')).toBe(false);
  });

  test('dies on logout, alone', async () => {
    const family = await makeFamily();
    const second = await app.signIn('parent', family.email, family.password);
    const answer = await app.ask('POST', '/api/logout', { token: family.token });
    expect(answer.status).toBe(204);
    expect(await alive(family.token)).toBe(false);
    expect(await alive(second)).toBe(true);
    expect((await app.ask('POST', '/api/logout', { token: family.token })).status).toBe(401);
  });

  test('dies with the account', async () => {
    const family = await makeFamily();
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: await staff() });
    expect(await alive(family.token)).toBe(false);
    expect((await tryIn(family.email, family.password)).status).toBe(401);
  });

  test('is not opened by its hash, nor by a token with something added', async () => {
    const { token } = await makeFamily();
    for (const wrong of [createHash('sha256').update(token).digest('hex'), `${token}A`, token.slice(0, -1)])
      expect(await alive(wrong)).toBe(false);
    expect(
      (await app.ask('GET', '/api/parent/info', { headers: { authorization: `bearer ${token}` } })).status,
    ).toBe(200);
  });
});

describe('the first administrator', () => {
  test('signs in, and has no national ID', async () => {
    const body = await app.expect(200, 'POST', loginPath.admin, {
      json: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
    });
    expect(body.admin).toMatchObject({
      name: 'Administrator',
      email: ADMIN_EMAIL,
      nationalId: null,
      emailVerified: true,
    });
  });
});

describe('deleting employees', () => {
  test('one’s own account is refused, the other’s sessions die at once', async () => {
    const token = await staff();
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token });
    expect(await app.ask('DELETE', `/api/admin/delete-admin/${admin._id}`, { token })).toMatchObject({
      status: 409,
      body: { code: 'own_account', message: 'You cannot delete your own account.' },
    });
  });

  test('of two who delete each other at once, one is left', async () => {
    const small = await startTestApp();
    const one = await small.makeEmployee();
    const two = await small.makeEmployee();
    const [a, b] = await Promise.all([
      small.ask('DELETE', `/api/admin/delete-admin/${two.id}`, { token: one.token }),
      small.ask('DELETE', `/api/admin/delete-admin/${one.id}`, { token: two.token }),
    ]);
    const statuses = [a.status, b.status].sort();
    expect(statuses[0]).toBe(200);
    expect([401, 404]).toContain(statuses[1]);
    const { admins } = await small.expect(200, 'GET', '/api/admin/get-all-admins', {
      token: await small.staff(),
    });
    expect(admins).toHaveLength(2);
    await small.close();
  });
});

test('national IDs are whole to their owner, masked in lists, and sealed in the database', async () => {
  const small = await startTestApp();
  const employee = await small.makeEmployee();
  const info = await small.expect(200, 'GET', '/api/admin/info', { token: employee.token });
  expect(info.admin.nationalId).toBe(employee.nationalId);
  const { admins } = await small.expect(200, 'GET', '/api/admin/get-all-admins', { token: employee.token });
  expect(admins.find(({ _id }) => _id === employee.id)?.nationalId).toBe(
    `**********${employee.nationalId.slice(-4)}`,
  );
  const rows = await small.context.db.selectFrom('staff').selectAll().execute();
  for (const row of rows)
    for (const value of Object.values(row))
      expect(
        Buffer.from(value instanceof Uint8Array ? value : String(value)).includes(employee.nationalId),
      ).toBe(false);
  await small.close();
});

/** Sessions and throttling (contract §2, §3). */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
/** The harness's own staff session runs out as any other. */
const staff = () => app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);

async function makeFamily() {
  const token = await staff();
  const email = `family${++address}@family.test`;
  const password = 'secret';
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
  test('after 5 failures for one account every further try is 429 until the window has passed', async () => {
    const { email, password } = await makeFamily();
    for (let i = 0; i < 5; i++) {
      app.clock.advance(MINUTE);
      expect((await tryIn(email, 'wrong!')).status).toBe(401);
    }
    const refused = await tryIn(email.toUpperCase(), password);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts', message: 'Too many attempts. Please try again later.' },
    });
    // The first failure leaves the window eleven minutes after the fifth.
    expect(Number(refused.headers['retry-after'])).toBe(11 * 60);
    app.clock.advance(11 * MINUTE - 1);
    expect((await tryIn(email, password)).status).toBe(429);
    app.clock.advance(1);
    expect((await tryIn(email, password)).status).toBe(200);
  });

  test('a try that was refused is not counted, and a right password is not either', async () => {
    const { email, password } = await makeFamily();
    for (let i = 0; i < 4; i++) await tryIn(email, 'wrong!');
    for (let i = 0; i < 3; i++) expect((await tryIn(email, password)).status).toBe(200);
    await tryIn(email, 'wrong!');
    for (let i = 0; i < 3; i++) expect((await tryIn(email, password)).status).toBe(429);
    app.clock.advance(15 * MINUTE);
    expect((await tryIn(email, password)).status).toBe(200);
  });

  test('an unknown account is counted as any other', async () => {
    for (let i = 0; i < 5; i++) await tryIn('ghost@family.test', 'wrong!');
    expect((await tryIn('ghost@family.test', 'wrong!')).status).toBe(429);
  });

  test('the accounts of the two kinds are counted apart', async () => {
    for (let i = 0; i < 5; i++) await tryIn(ADMIN_EMAIL, 'wrong!');
    expect((await tryIn(ADMIN_EMAIL, 'wrong!')).status).toBe(429);
    expect((await tryIn(ADMIN_EMAIL, ADMIN_PASSWORD, fresh(), 'admin')).status).toBe(200);
  });

  test('after 20 failures from one address every further try from it is 429', async () => {
    const { email, password } = await makeFamily();
    const from = fresh();
    for (let i = 0; i < 20; i++)
      expect((await tryIn(`many${i}@family.test`, 'wrong!', from)).status).toBe(401);
    expect((await tryIn(email, password, from)).status).toBe(429);
    expect((await tryIn(email, password)).status).toBe(200);
    app.clock.advance(15 * MINUTE);
    expect((await tryIn(email, password, from)).status).toBe(200);
  });

  test('forty tries sent at once are judged one after the other', async () => {
    const { email } = await makeFamily();
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryIn(email, 'wrong!')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
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
  const rows = await small.context.db.selectFrom('admins').selectAll().execute();
  for (const row of rows)
    for (const value of Object.values(row))
      expect(
        Buffer.from(value instanceof Uint8Array ? value : String(value)).includes(employee.nationalId),
      ).toBe(false);
  await small.close();
});

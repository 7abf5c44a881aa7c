/** Second factors: adding them, signing in and proving with them, and what a stolen password still opens (decision 041). */
import { FACTOR_CHALLENGE_MS, FACTOR_FAILURES_PER_DAY } from '@haris/contract/constants';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Employee,
  type Family,
  loginPath,
  PUBLIC_URL,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import { askFor, makeKiosk } from '../../testing/kiosks.ts';
import { withMailServer } from '../../testing/mail-server.ts';
import { makePasskey } from '../../testing/passkey.ts';

const MINUTE = 60_000;
const HOST = new URL(PUBLIC_URL).hostname;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

interface Person {
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

const claims = (challenge: string) => ({ challenge, origin: PUBLIC_URL, host: HOST });
const codeOf = (secret: string, secondsAgo = 0) =>
  generate({ secret, epoch: Math.floor(app.clock.now() / 1000) - secondsAgo });

async function addApp(token: string): Promise<{ secret: string; recoveryCodes: string[]; id: string }> {
  const begun = await app.expect(201, 'POST', '/api/account/factors/app', {
    token,
    json: { name: 'My phone' },
  });
  const added = await app.expect(200, 'POST', `/api/account/factors/app/${begun._id}/confirm`, {
    token,
    json: { code: await codeOf(begun.secret) },
  });
  // Its time step is used up.
  app.clock.advance(MINUTE);
  return { secret: begun.secret, recoveryCodes: added.recoveryCodes ?? [], id: added.factor._id };
}

async function addPasskey(token: string) {
  const passkey = makePasskey();
  const { challenge } = await app.expect(200, 'POST', '/api/account/factors/passkey/options', { token });
  const json = { challenge, name: 'My laptop', passkey: passkey.create(claims(challenge)) };
  const { factor } = await app.expect(201, 'POST', '/api/account/factors/passkey', { token, json });
  return { passkey, id: factor._id };
}

/** First step; returns the challenge. */
async function begin(kind: 'parent' | 'admin', { email, password }: Pick<Person, 'email' | 'password'>) {
  const answer = await app.expect(200, 'POST', loginPath[kind], { json: { email, password } });
  expect(answer.token).toBeUndefined();
  expect(answer.step).toBe('second_factor');
  return answer;
}

const finish = (challenge: string, answer: Record<string, unknown>) =>
  app.ask('POST', '/api/session/second-factor', { json: { challenge, ...answer } });

describe('an authenticator app', () => {
  let family: Family;
  let secret: string;
  let recoveryCodes: string[];
  beforeAll(async () => {
    await app.forgetLimits();
    family = await app.makeFamily();
    await app.proveNow(family.token);
    ({ secret, recoveryCodes } = await addApp(family.token));
  });

  test('the sign-in gives no token before the code, and what it always gave after it', async () => {
    const { challenge, methods } = await begin('parent', family);
    expect(methods).toEqual(['app', 'recovery']);
    const { status, body } = await finish(challenge, { code: await codeOf(secret) });
    expect(status).toBe(200);
    expect(body.parent._id).toBe(family.id);
    await app.expect(200, 'GET', '/api/parent/info', { token: body.token });
    app.clock.advance(MINUTE);
  });

  test('a code works once, also of two at the same time', async () => {
    const code = await codeOf(secret);
    const challenges = [await begin('parent', family), await begin('parent', family)];
    const answers = await Promise.all(challenges.map(({ challenge }) => finish(challenge, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { challenge } = await begin('parent', family);
    expect(await finish(challenge, { code })).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    app.clock.advance(MINUTE);
  });

  test('a phone whose clock is half a minute late still fits; an older code does not', async () => {
    const first = await begin('parent', family);
    expect((await finish(first.challenge, { code: await codeOf(secret, 90) })).status).toBe(400);
    expect((await finish(first.challenge, { code: await codeOf(secret, 25) })).status).toBe(200);
    app.clock.advance(2 * MINUTE);
  });

  test('Arabic digits and blanks are the same code', async () => {
    const { challenge } = await begin('parent', family);
    const code = [...(await codeOf(secret))].map((digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]).join('');
    expect((await finish(challenge, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200);
    app.clock.advance(MINUTE);
  });

  test('a challenge ends after five tries, after five minutes, and with its use', async () => {
    const tried = await begin('parent', family);
    for (const _ of Array(5)) expect((await finish(tried.challenge, { code: '000000' })).status).toBe(400);
    const right = { code: await codeOf(secret) };
    expect(await finish(tried.challenge, right)).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    await app.forgetLimits();
    const late = await begin('parent', family);
    app.clock.advance(FACTOR_CHALLENGE_MS);
    expect((await finish(late.challenge, { code: await codeOf(secret) })).status).toBe(401);
    const revived = await begin('parent', family);
    app.clock.advance(-MINUTE);
    expect((await finish(revived.challenge, { code: await codeOf(secret) })).status).toBe(401);
    app.clock.advance(MINUTE);
    const used = await begin('parent', family);
    expect((await finish(used.challenge, { code: await codeOf(secret) })).status).toBe(200);
    app.clock.advance(MINUTE);
    expect((await finish(used.challenge, { code: await codeOf(secret) })).status).toBe(401);
  });

  test('a hundred wrong codes at once are counted like wrong passwords, and in the day', async () => {
    const { challenge } = await begin('parent', family);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => finish(challenge, { code: '000000' })),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    const { email, password } = family;
    expect((await app.ask('POST', loginPath.parent, { json: { email, password } })).status).toBe(429);
    await app.context.db.deleteFrom('throttle_hits').where('scope', '!=', 'second factor').execute();
    for (let failures = 5; failures < FACTOR_FAILURES_PER_DAY; failures += 5) {
      const next = await begin('parent', family);
      for (const _ of Array(5)) await finish(next.challenge, { code: '000000' });
      await app.context.db.deleteFrom('throttle_hits').where('scope', '!=', 'second factor').execute();
    }
    const last = await begin('parent', family);
    expect((await finish(last.challenge, { code: await codeOf(secret) })).status).toBe(429);
  });

  test('a password that changed between the steps ends the challenge', async () => {
    const person = await app.makeFamily();
    await app.proveNow(person.token);
    const own = await addApp(person.token);
    const { challenge } = await begin('parent', person);
    await app.proveNow(person.token);
    await app.expect(200, 'PUT', '/api/account/password', {
      token: person.token,
      json: { current: person.password, password: 'another-secret-77' },
    });
    expect((await finish(challenge, { code: await codeOf(own.secret) })).status).toBe(401);
  });

  test('a recovery code signs in once, in any case and spacing', async () => {
    const [first = ''] = recoveryCodes;
    expect(recoveryCodes).toHaveLength(10);
    const { challenge } = await begin('parent', family);
    const typed = ` ${first.toUpperCase().replace('-', ' ')} `;
    expect((await finish(challenge, { recoveryCode: typed })).status).toBe(200);
    const again = await begin('parent', family);
    expect((await finish(again.challenge, { recoveryCode: first })).status).toBe(400);
  });

  test("another account's code and recovery code open nothing", async () => {
    const other = await app.makeFamily();
    await app.proveNow(other.token);
    const theirs = await addApp(other.token);
    const { challenge } = await begin('parent', family);
    expect((await finish(challenge, { code: await codeOf(theirs.secret) })).status).toBe(400);
    expect((await finish(challenge, { recoveryCode: theirs.recoveryCodes[0] })).status).toBe(400);
  });
});

describe('a passkey', () => {
  let employee: Employee;
  let passkey: ReturnType<typeof makePasskey>;
  beforeAll(async () => {
    await app.forgetLimits();
    employee = await app.makeEmployee();
    await app.proveNow(employee.token);
    ({ passkey } = await addPasskey(employee.token));
  });

  test('signs in', async () => {
    const { challenge, methods, passkey: options } = await begin('admin', employee);
    expect(methods).toEqual(['passkey', 'recovery']);
    expect(options).toMatchObject({ challenge, rpId: HOST });
    const { status, body } = await finish(challenge, { passkey: passkey.get(claims(challenge)) });
    expect(status).toBe(200);
    expect(body.admin._id).toBe(employee.id);
  });

  test.each([
    ['for another challenge', (real: string) => ({ ...claims(real), challenge: 'A'.repeat(43) })],
    ['from another site', (real: string) => ({ ...claims(real), origin: 'https://evil.example' })],
    ['for another host', (real: string) => ({ ...claims(real), host: 'evil.example' })],
  ])('%s is refused', async (_what, lie) => {
    const { challenge } = await begin('admin', employee);
    expect(await finish(challenge, { passkey: passkey.get(lie(challenge)) })).toMatchObject({
      status: 400,
      body: { code: 'wrong_code' },
    });
  });

  test('somebody else’s, and a copied one whose counter stands still, are refused', async () => {
    const { challenge } = await begin('admin', employee);
    expect((await finish(challenge, { passkey: makePasskey().get(claims(challenge)) })).status).toBe(400);
    const answer = passkey.get(claims(challenge));
    expect((await finish(challenge, { passkey: answer })).status).toBe(200);
    const next = await begin('admin', employee);
    expect((await finish(next.challenge, { passkey: answer })).status).toBe(400);
  });

  test('what is no passkey at all is 400 with the field', async () => {
    const { challenge } = await begin('admin', employee);
    expect(await finish(challenge, { passkey: { id: 'x' } })).toMatchObject({ status: 400 });
    expect(await finish(challenge, {})).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('of one account cannot be added to another', async () => {
    const other = await app.makeEmployee();
    await app.proveNow(other.token);
    const { challenge } = await app.expect(200, 'POST', '/api/account/factors/passkey/options', {
      token: other.token,
    });
    const json = { challenge, name: 'Mine', passkey: passkey.create(claims(challenge)) };
    const answer = await app.ask('POST', '/api/account/factors/passkey', { token: other.token, json });
    expect(answer).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    // The challenge of another session is refused, too.
    const mine = makePasskey();
    const again = { challenge, name: 'Mine', passkey: mine.create(claims(challenge)) };
    await app.proveNow(employee.token);
    expect(
      (await app.ask('POST', '/api/account/factors/passkey', { token: employee.token, json: again })).status,
    ).toBe(400);
  });
});

describe('a proof', () => {
  test('needs the second factor where there is one; the password alone is not enough', async () => {
    const employee = await app.makeEmployee();
    await app.proveNow(employee.token);
    const own = await addApp(employee.token);
    const { token } = employee;
    app.clock.advance(11 * MINUTE);
    const refused = await app.ask('POST', '/api/account/recovery-codes', { token });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'proof_required', methods: ['app', 'recovery'] },
    });
    const proof = '/api/session/proof';
    const { password } = employee;
    expect(await app.ask('POST', proof, { token, json: { password } })).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    });
    expect((await app.ask('POST', proof, { token, json: { code: '000000' } })).status).toBe(400);
    await app.expect(204, 'POST', proof, { token, json: { code: await codeOf(own.secret) } });
    const renewed = await app.expect(200, 'POST', '/api/account/recovery-codes', { token });
    expect(renewed.recoveryCodes).toHaveLength(10);
    app.clock.advance(11 * MINUTE);
    // The older codes ended.
    const [old] = own.recoveryCodes;
    expect((await app.ask('POST', proof, { token, json: { recoveryCode: old } })).status).toBe(400);
    await app.expect(204, 'POST', proof, { token, json: { recoveryCode: renewed.recoveryCodes[0] } });
  });

  test('by passkey belongs to one challenge of one session', async () => {
    const employee = await app.makeEmployee();
    await app.proveNow(employee.token);
    const { passkey } = await addPasskey(employee.token);
    const { token } = employee;
    app.clock.advance(11 * MINUTE);
    const asked = await app.expect(200, 'POST', '/api/session/proof/options', { token });
    expect(asked.methods).toEqual(['passkey', 'recovery']);
    const challenge = String(asked.challenge);
    const answer = passkey.get(claims(challenge));
    const stranger = await app.makeEmployee();
    const json = { challenge, passkey: answer };
    expect((await app.ask('POST', '/api/session/proof', { token: stranger.token, json })).status).toBe(400);
    const next = String((await app.expect(200, 'POST', '/api/session/proof/options', { token })).challenge);
    const right = { challenge: next, passkey: passkey.get(claims(next)) };
    await app.expect(204, 'POST', '/api/session/proof', { token, json: right });
    expect((await app.ask('POST', '/api/session/proof', { token, json: right })).status).toBe(400);
  });
});

describe('adding and removing', () => {
  test('the first factor ends all other sessions, is mailed, and shows recovery codes once', async () => {
    const family = await app.makeFamily();
    const thief = await app.signIn('parent', family.email, family.password);
    await app.proveNow(family.token);
    const own = await addApp(family.token);
    await app.expect(401, 'GET', '/api/parent/info', { token: thief });
    await app.expect(200, 'GET', '/api/parent/info', { token: family.token });
    expect((await app.lastMail(family.email)).subject).toContain('second factor was added');
    const list = await app.expect(200, 'GET', '/api/account/factors', { token: family.token });
    expect(list).toMatchObject({ recoveryCodesLeft: 10, isRequired: false });
    expect(list.factors.map(({ _id, kind, name }) => ({ _id, kind, name }))).toEqual([
      { _id: own.id, kind: 'app', name: 'My phone' },
    ]);
    await app.proveNow(family.token);
    const { passkey } = await addPasskey(family.token);
    expect(passkey).toBeDefined();
    const url = `/api/account/factors/${own.id}`;
    const stranger = await app.makeFamily();
    await app.proveNow(stranger.token);
    await app.expect(404, 'DELETE', url, { token: stranger.token });
    expect((await app.expect(200, 'DELETE', url, { token: family.token })).factors).toHaveLength(1);
    await app.expect(404, 'DELETE', url, { token: family.token });
    expect((await app.lastMail(family.email)).subject).toContain('was removed');
  });

  test('without a fresh proof nothing is added, confirmed, removed or renewed', async () => {
    const family = await app.makeFamily();
    app.clock.advance(11 * MINUTE);
    for (const [method, url] of [
      ['POST', '/api/account/factors/app'],
      ['POST', '/api/account/factors/app/x/confirm'],
      ['POST', '/api/account/factors/passkey/options'],
      ['POST', '/api/account/factors/passkey'],
      ['DELETE', '/api/account/factors/x'],
      ['POST', '/api/account/recovery-codes'],
    ] as const)
      expect(await app.ask(method, url, { token: family.token }), url).toMatchObject({
        status: 403,
        body: { code: 'proof_required', methods: ['password'] },
      });
  });

  test('an app that was never confirmed asks for nothing', async () => {
    const family = await app.makeFamily();
    await app.proveNow(family.token);
    const json = { name: 'Mine' };
    const { _id } = await app.expect(201, 'POST', '/api/account/factors/app', { token: family.token, json });
    expect(
      (
        await app.ask('POST', `/api/account/factors/app/${_id}/confirm`, {
          token: family.token,
          json: { code: '000000' },
        })
      ).status,
    ).toBe(400);
    await app.signIn('parent', family.email, family.password);
  });

  test('one that somebody added with a password never proven ends with that password', async () => {
    const family = await app.makeFamily();
    await app.proveNow(family.token);
    await addApp(family.token);
    const { db } = app.context;
    await db.updateTable('parents').set({ password_proof: null }).where('id', '=', family.id).execute();
    await app.makeChild(family);
    await app.context.mails.settled();
    const { token } = await app.lastMail(family.email);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'the-owners-own' } });
    const own = await app.signIn('parent', family.email, 'the-owners-own');
    await app.expect(200, 'GET', '/api/parent/info', { token: own });
  });

  test('the account takes everything along when it is erased', async () => {
    const family = await app.makeFamily();
    await app.proveNow(family.token);
    await addApp(family.token);
    await begin('parent', family);
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: await app.staff() });
    for (const table of ['second_factors', 'recovery_codes', 'factor_challenges'] as const)
      expect(
        await app.context.db.selectFrom(table).selectAll().where('account_id', '=', family.id).execute(),
      ).toEqual([]);
  });
});

describe('a lost phone', () => {
  test('an administrator resets an employee; the person is told and signed out', async () => {
    const employee = await app.makeEmployee();
    await app.proveNow(employee.token);
    await addApp(employee.token);
    const colleague = await app.makeEmployee();
    await app.proveNow(colleague.token);
    const url = `/api/admin/${employee.id}/factors`;
    await app.expect(403, 'DELETE', url, { token: colleague.token });
    await app.expect(204, 'DELETE', url, { token: await app.staff() });
    await app.expect(401, 'GET', '/api/admin/info', { token: employee.token });
    expect((await app.lastMail(employee.email)).subject).toContain('were reset');
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${employee.id}`, {
      token: await app.staff(),
    });
    expect(entries.map(({ action }) => action)).toContain('admin.factors_reset');
    await app.signIn('admin', employee.email, employee.password);
  });

  test('the person sets up a new one at once, also after a day of wrong codes', async () => {
    const employee = await app.makeEmployee();
    await app.proveNow(employee.token);
    await addApp(employee.token);
    for (let failures = 0; failures < FACTOR_FAILURES_PER_DAY; failures += 5) {
      const { challenge } = await begin('admin', employee);
      for (const _ of Array(5)) await finish(challenge, { code: '000000' });
      await app.context.db.deleteFrom('throttle_hits').where('scope', '!=', 'second factor').execute();
    }
    await app.expect(204, 'DELETE', `/api/admin/${employee.id}/factors`, { token: await app.staff() });
    await addApp(await app.signIn('admin', employee.email, employee.password));
  });

  test('staff reset a parent at the desk; nobody resets the own ones', async () => {
    const family = await app.makeFamily();
    await app.proveNow(family.token);
    await addApp(family.token);
    await app.expect(204, 'DELETE', `/api/parent/${family.id}/factors`, { token: await app.staff() });
    await app.signIn('parent', family.email, family.password);
    const token = await app.staff();
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token });
    await app.expect(409, 'DELETE', `/api/admin/${admin._id}/factors`, { token });
  });
});

describe('sessions', () => {
  test('are listed to their owner, and one or all others end', async () => {
    const family = await app.makeFamily();
    const headers = {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
    };
    const { email, password } = family;
    const phone = (await app.expect(200, 'POST', loginPath.parent, { headers, json: { email, password } }))
      .token;
    const third = await app.signIn('parent', email, password);
    const url = '/api/account/sessions';
    const { sessions } = await app.expect(200, 'GET', url, { token: family.token });
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ isThis }) => isThis)).toHaveLength(1);
    const listed = sessions.find(({ agent }) => agent === 'Safari, iPhone');
    expect(listed?.address).toBe('127.0.0.1');
    const stranger = await app.makeFamily();
    await app.expect(404, 'DELETE', `${url}/${listed?._id}`, { token: stranger.token });
    await app.expect(204, 'DELETE', `${url}/${listed?._id}`, { token: family.token });
    await app.expect(401, 'GET', '/api/parent/info', { token: phone });
    await app.expect(200, 'GET', '/api/parent/info', { token: third });
    expect((await app.expect(200, 'DELETE', url, { token: family.token })).ended).toBe(1);
    await app.expect(401, 'GET', '/api/parent/info', { token: third });
    await app.expect(200, 'GET', '/api/parent/info', { token: family.token });
    const staff = await app.staff();
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${family.id}`, { token: staff });
    const ends = entries.filter(({ action }) => action === 'parent.sessions_ended');
    expect(ends.map(({ actor, details }) => [actor?.id, details])).toEqual([
      [family.id, { count: 1 }],
      [family.id, { count: 1 }],
    ]);
  });
});

describe('a blocked family', () => {
  test('loses its sessions at once, cannot sign in, and comes back', async () => {
    const family = await app.makeFamily();
    const { _id: child } = await app.makeChild(family);
    const token = await app.staff();
    const url = `/api/parent/${family.id}/block`;
    const blocked = await app.expect(200, 'PUT', url, { token, json: { access: 'blocked' } });
    expect(blocked.parent.blockedAt).toBeDefined();
    await app.expect(401, 'GET', '/api/parent/info', { token: family.token });
    const { email, password } = family;
    const json = { email, password };
    expect(await app.ask('POST', loginPath.parent, { json })).toMatchObject({
      status: 403,
      body: { code: 'account_blocked' },
    });
    // Nothing is told to somebody without the password.
    expect(await app.ask('POST', loginPath.parent, { json: { email, password: 'wrong' } })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token });
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token });
    await app.expect(200, 'PUT', url, { token, json: { access: 'allowed' } });
    const again = await app.signIn('parent', email, password);
    const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: again });
    expect(parent).not.toHaveProperty('blockedAt');
  });
});

test('a session that a block has missed opens nothing', async () => {
  const family = await app.makeFamily();
  const block = (at: number | null) =>
    app.context.db.updateTable('parents').set({ blocked_at: at }).where('id', '=', family.id).execute();
  await block(app.clock.now());
  await app.expect(401, 'GET', '/api/parent/info', { token: family.token });
  await block(null);
  await app.expect(200, 'GET', '/api/parent/info', { token: family.token });
});

test('blocking ends what the family asked at a kiosk, its second step, and its codes for good', async () => {
  const family = await app.makeFamily();
  const { _id: child } = await app.makeChild(family);
  const kiosk = await makeKiosk(app);
  await askFor(app, kiosk, family, [child]);
  await app.proveNow(family.token);
  const { secret } = await addApp(family.token);
  const { challenge } = await begin('parent', family);
  const token = await app.staff();
  const waiting = async () => (await app.expect(200, 'GET', '/api/kiosk-requests', { token })).requests;
  expect(await waiting()).toHaveLength(1);
  await app.expect(200, 'PUT', `/api/parent/${family.id}/block`, { token, json: { access: 'blocked' } });
  expect(await waiting()).toEqual([]);
  const refused = { status: 403, body: { code: 'account_blocked' } };
  expect(await finish(challenge, { code: await codeOf(secret) })).toMatchObject(refused);
  const { email, password } = family;
  expect(await app.ask('POST', '/api/parent/desk-code', { json: { email, password } })).toMatchObject(
    refused,
  );
  // A new password is no way back in.
  await app.expect(200, 'POST', '/vendor/forgot', { json: { email, kind: 'parent' } });
  const mail = await app.lastMail(email);
  await app.expect(200, 'POST', '/vendor/reset', { json: { token: mail.token, password: 'brand-new-77' } });
  const json = { email, password: 'brand-new-77' };
  expect(await app.ask('POST', loginPath.parent, { json })).toMatchObject(refused);
});

// Last, because the administrator's first factor ends the session with which the others make their people.
describe('required of staff', () => {
  let employee: Employee;
  let second: Employee;
  let parent: Family;
  beforeAll(async () => {
    await app.forgetLimits();
    [employee, second, parent] = [await app.makeEmployee(), await app.makeEmployee(), await app.makeFamily()];
  });
  const put = (token: string, staffSecondFactor: boolean) =>
    app.ask('PUT', '/api/settings', { token, json: { staffSecondFactor } });
  // With a mail server, which those without a factor need; their codes are read from the outbox afterwards.
  const require = (token: string, isRequired: boolean) => withMailServer(app, () => put(token, isRequired));

  test('a password alone opens no staff call', async () => {
    await app.proveNow(employee.token);
    expect(await require(employee.token, true)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const owner = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    expect(await require(owner, true)).toMatchObject({ status: 409, body: { code: 'no_factor' } });
    const { secret, id } = await addApp(owner);
    // The checklist of the first run follows the setting.
    const item = async () => {
      const { setup } = await app.expect(200, 'GET', '/api/setup', { token: owner });
      return setup.items.find((one) => one.id === 'secondFactor')?.state;
    };
    expect(await item()).toBe('open');
    expect((await require(owner, true)).status).toBe(200);
    expect(await item()).toBe('done');

    // Sessions of passwords end at once; families are not concerned.
    await app.expect(401, 'GET', '/api/children/get-all-children', { token: employee.token });
    await app.expect(200, 'GET', '/api/parent/info', { token: parent.token });
    await app.expect(200, 'GET', '/api/children/get-all-children', { token: owner });

    const { challenge, methods } = await begin('admin', employee);
    expect(methods).toEqual(['mail']);
    const mail = await app.lastMail(employee.email);
    const code = /\b(\d{6})\b/.exec(mail.text.replace(/[\u2068\u2069]/g, ''))?.[1] ?? '';
    expect((await finish(challenge, { code })).status).toBe(400);
    const limited = await finish(challenge, { mailCode: code });
    expect(limited.status).toBe(200);
    const { token } = limited.body;
    for (const path of [
      '/api/children/get-all-children',
      '/api/parent/get-all-parents',
      '/api/account/sessions',
    ])
      expect(await app.ask('GET', path, { token })).toMatchObject({
        status: 403,
        body: { code: 'second_factor_required' },
      });
    expect((await app.expect(200, 'GET', '/api/account/factors', { token })).isRequired).toBe(true);
    const own = await addApp(token);
    await app.expect(200, 'GET', '/api/children/get-all-children', { token });
    await app.expect(409, 'DELETE', `/api/account/factors/${own.id}`, { token });

    // From now on a mailed code is not enough.
    const next = await begin('admin', employee);
    expect(next.methods).toEqual(['app', 'recovery']);
    expect((await finish(next.challenge, { mailCode: code })).status).toBe(400);

    await app.proveNow(owner);
    expect((await require(owner, false)).status).toBe(200);
    await app.expect(200, 'DELETE', `/api/account/factors/${id}`, { token: owner });
    expect(secret).toBeDefined();
  });

  test('a code that was mailed before a factor was added opens nothing', async () => {
    const owner = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    const { id } = await addApp(owner);
    expect((await require(owner, true)).status).toBe(200);
    const read = async () => {
      const { text } = await app.lastMail(second.email);
      return /\b(\d{6})\b/.exec(text.replace(/[\u2068\u2069]/g, ''))?.[1] ?? '';
    };
    const thief = await begin('admin', second);
    const thiefCode = await read();
    const rightful = await begin('admin', second);
    const { token } = (await finish(rightful.challenge, { mailCode: await read() })).body;
    await addApp(token);
    expect((await finish(thief.challenge, { mailCode: thiefCode })).status).toBe(400);
    await app.proveNow(owner);
    await require(owner, false);
    await app.expect(200, 'DELETE', `/api/account/factors/${id}`, { token: owner });
  });

  test('a session whose account removed its factor before, or at that moment, ends or the factor stays', async () => {
    const owner = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    const { id } = await addApp(owner);
    await app.context.db.deleteFrom('second_factors').where('account_id', '=', second.id).execute();
    const read = async (token: string) =>
      (await app.ask('GET', '/api/children/get-all-children', { token })).status;
    for (const isAtOnce of [false, true, true, true]) {
      const token = await app.signIn('admin', second.email, second.password);
      const own = await addApp(token);
      await Promise.all([app.proveNow(owner), app.proveNow(token)]);
      const remove = () => app.ask('DELETE', `/api/account/factors/${own.id}`, { token });
      const [gone] = await withMailServer(app, async () =>
        isAtOnce
          ? Promise.all([remove(), put(owner, true)])
          : ([await remove(), await put(owner, true)] as const),
      );
      expect([
        [200, 401],
        [401, 401],
        [409, 200],
      ]).toContainEqual([gone.status, await read(token)]);
      expect((await require(owner, false)).status).toBe(200);
      await app.context.db.deleteFrom('second_factors').where('account_id', '=', second.id).execute();
    }
    await app.expect(200, 'DELETE', `/api/account/factors/${id}`, { token: owner });
  });

  test('without a mail server it waits until everybody has a factor, because nobody would get a code', async () => {
    // The tests before ended the session that makes employees; after a while it is made anew.
    app.clock.advance(12 * 60 * MINUTE);
    const late = await app.makeEmployee();
    const owner = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    const { id } = await addApp(owner);
    const read = async (token: string) =>
      (await app.ask('GET', '/api/children/get-all-children', { token })).status;
    expect(await put(owner, true)).toMatchObject({ status: 409, body: { code: 'no_mail_server' } });
    expect(await read(late.token)).toBe(200);
    const { settings } = await app.expect(200, 'GET', '/api/settings', { token: owner });
    expect(settings.staffSecondFactor).toBe(false);
    // The others of this file are deleted.
    const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins?limit=200', { token: owner });
    for (const { _id, hasSecondFactor } of admins)
      if (hasSecondFactor !== true && _id !== late.id) {
        await app.proveNow(owner);
        await app.expect(200, 'DELETE', `/api/admin/delete-admin/${_id}`, { token: owner });
      }
    await app.proveNow(owner);
    expect((await put(owner, true)).status).toBe(409);
    await app.proveNow(late.token);
    await addApp(late.token);
    expect((await put(owner, true)).status).toBe(200);
    expect(await read(late.token)).toBe(200);
    expect((await put(owner, false)).status).toBe(200);
    await app.proveNow(owner);
    await app.expect(200, 'DELETE', `/api/account/factors/${id}`, { token: owner });
  });
});

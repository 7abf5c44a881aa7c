/** Accounts registered by parents: nobody gets access to a child with somebody else's address (contract §6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Answer, loginPath, PUBLIC_URL, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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

const ATTACKER = '203.0.113.66';
const HOME = '198.51.100.7';
const UA = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' };

/** A browser: keeps the cookie and identifies itself as a browser. */
function openBrowser(from: string) {
  let cookie = '';
  return {
    async ask(method: 'GET' | 'POST', url: string, json?: unknown, token?: string): Promise<Answer> {
      const headers = { ...UA, ...(cookie === '' ? {} : { cookie }) };
      const answer = await app.ask(method, url, {
        from,
        headers,
        token,
        ...(json === undefined ? {} : { json }),
      });
      cookie = String(answer.headers['set-cookie'] ?? cookie).split(';')[0] ?? '';
      return answer;
    },
  };
}

async function register(from = ATTACKER, password = 'chosen-by-whom') {
  const email = `mother${++n}@family.test`;
  const json = { name: 'Mother', email, phone: '01112345678', password };
  const { parent } = await app.expect(201, 'POST', '/api/parent/add', { json, from });
  return { id: parent._id, email, password, link: (await app.lastMail(email)).token };
}

const signIn = ({ email, password }: { email: string; password: string }, from = ATTACKER) =>
  app.ask('POST', loginPath.parent, { json: { email, password }, from });
const open = (token: string, from: string) =>
  app.ask('GET', `/api/parent/verify/email/${token}`, { from, headers: UA });
const vouch = (id: string, json: unknown = {}) =>
  app.ask('POST', `/api/parent/mark-verified/${id}`, { token: staff, json });
const childrenOf = async (token: string) =>
  (await app.ask('GET', '/api/children/get-all-children', { token })).body.children?.map(({ name }) => name);
const registrationOf = async (id: string) =>
  (await app.expect(200, 'GET', `/api/parent/${id}/registration`, { token: staff })).registration;

/** The owner of the address opens the newest mail and sets a password, which opens the account. */
async function expectHandedOver({ id, email, password }: { id: string; email: string; password: string }) {
  expect((await signIn({ email, password })).status).toBe(401);
  await app.context.mails.settled();
  const mail = await app.lastMail(email);
  expect(mail.subject).toBe('Choose a new password for Haris');
  expect(mail.link).toMatch(new RegExp(`^${PUBLIC_URL}/reset-password/`));
  expect(mail.text).not.toContain('Mother');
  const reset = { token: mail.token, password: 'set-by-mother' };
  await app.expect(200, 'POST', '/vendor/reset', { json: reset, from: HOME });
  expect((await signIn({ email, password })).status).toBe(401);
  const token = (await signIn({ email, password: reset.password }, HOME)).body.token;
  expect((await registrationOf(id)).hasProvenPassword).toBe(true);
  return token;
}

describe('an account that a stranger made with the mother’s address', () => {
  test('opens nothing to the stranger once the desk has vouched for it: password and sessions end, a link goes to the address', async () => {
    const account = await register();
    const child = await app.makeChild(account, 'Sara');
    expect((await vouch(account.id)).body.parent.emailVerified).toBe(true);
    const token = await expectHandedOver(account);
    expect(await childrenOf(token)).toEqual([child.name]);
  });

  test('nor when the mother opens the mailed link, and the stranger signs in before the desk adds the child', async () => {
    const account = await register();
    expect((await open(account.link, HOME)).status).toBe(200);
    const early = (await signIn(account)).body.token;
    const child = await app.makeChild(account, 'Sara');
    expect((await app.ask('GET', '/api/parent/info', { token: early })).status).toBe(401);
    expect((await app.ask('GET', String(child.photo), { token: early })).status).toBe(401);
    expect(await childrenOf(await expectHandedOver(account))).toEqual(['Sara']);
  });

  test('nor by a child that the stranger added: it ends when the desk checks the child in, or takes its photo', async () => {
    for (const act of [
      (id: string) =>
        app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff, json: {} }),
      (id: string) =>
        app.expect(200, 'PUT', `/api/children/update-child/${id}`, {
          token: staff,
          form: { photo: fakePhoto() },
        }),
    ]) {
      const account = await register();
      await open(account.link, HOME);
      const { token } = (await signIn(account)).body;
      const { child } = await app.expect(201, 'POST', `/api/children/create-child/${account.id}`, {
        token,
        form: { name: 'Sara', photo: fakePhoto() },
      });
      expect(await childrenOf(token)).toEqual(['Sara']);
      await act(child._id);
      expect((await app.ask('GET', '/api/parent/info', { token })).status).toBe(401);
      await expectHandedOver(account);
    }
  });

  test('nor when the desk enters a phone number or a photo of the mother', async () => {
    for (const change of [{ json: { phone: '01098765432' } }, { form: { photo: fakePhoto() } }]) {
      const account = await register();
      await open(account.link, HOME);
      const { token } = (await signIn(account)).body;
      await app.expect(200, 'PUT', `/api/parent/update-parent/${account.id}`, { token: staff, ...change });
      expect((await app.ask('GET', '/api/parent/info', { token })).status).toBe(401);
      await expectHandedOver(account);
    }
  });

  test('a sign-in that is under way when the desk adds the child opens no session', async () => {
    const account = await register();
    await open(account.link, HOME);
    await Promise.all([app.makeChild(account, 'Sara'), ...Array.from({ length: 5 }, () => signIn(account))]);
    const left = await app.context.db
      .selectFrom('sessions')
      .select('token_hash')
      .where('account_id', '=', account.id)
      .execute();
    expect(left).toEqual([]);
  });
});

describe('a stranger who registers with an own mailbox', () => {
  test('and moves the account to the mother’s address has no password there once the desk adds the child', async () => {
    const account = await register();
    const browser = openBrowser(ATTACKER);
    await browser.ask('GET', `/api/parent/verify/email/${account.link}`);
    const { token } = (await browser.ask('POST', loginPath.parent, account)).body;
    expect((await registrationOf(account.id)).hasProvenPassword).toBe(true);
    const email = `moved${++n}@family.test`;
    const url = `/api/parent/update-parent/${account.id}`;
    await app.expect(200, 'PUT', url, { token, json: { email }, from: ATTACKER });
    // The mother believes that the mail is from the nursery.
    expect((await open((await app.lastMail(email)).token, HOME)).status).toBe(200);
    expect((await registrationOf(account.id)).hasProvenPassword).toBe(false);
    await app.makeChild(account, 'Sara');
    expect((await app.ask('GET', '/api/parent/info', { token })).status).toBe(401);
    expect(await childrenOf(await expectHandedOver({ ...account, email }))).toEqual(['Sara']);
  });

  test('nor has a parent whose account staff made, and who moves it to somebody else’s address', async () => {
    const family = await app.makeFamily();
    const email = `moved${++n}@family.test`;
    const url = `/api/parent/update-parent/${family.id}`;
    await app.expect(200, 'PUT', url, { token: family.token, json: { email } });
    expect((await open((await app.lastMail(email)).token, HOME)).status).toBe(200);
    await app.makeChild(family, 'Sara');
    expect((await app.ask('GET', '/api/parent/info', { token: family.token })).status).toBe(401);
  });

  test('but who opens the new address’s link where the account has signed in keeps the password', async () => {
    const account = await register(HOME);
    const phone = openBrowser(HOME);
    await phone.ask('GET', `/api/parent/verify/email/${account.link}`);
    const { token } = (await phone.ask('POST', loginPath.parent, account)).body;
    const email = `moved${++n}@family.test`;
    const url = `/api/parent/update-parent/${account.id}`;
    await app.expect(200, 'PUT', url, { token, json: { email }, from: HOME });
    const link = (await app.lastMail(email)).token;
    expect((await phone.ask('GET', `/api/parent/verify/email/${link}`)).status).toBe(200);
    await app.makeChild(account, 'Sara');
    expect(await childrenOf(token)).toEqual(['Sara']);
  });
});

describe('after the desk has corrected a mistyped address', () => {
  /** An account that the desk made with a stranger's address, whose holder has set a password there. */
  async function mistyped() {
    const email = `typo${++n}@family.test`;
    const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', {
      token: staff,
      json: { name: 'Mother', email, phone: '01112345678' },
    });
    const account = { id: parent._id, email, password: 'by-the-stranger' };
    const json = { token: (await app.lastMail(email)).token, password: account.password };
    await app.expect(200, 'POST', '/vendor/reset', { json, from: ATTACKER });
    const { token } = (await signIn(account)).body;
    return { ...account, token };
  }
  const correct = (id: string, email: string) =>
    app.expect(200, 'PUT', `/api/parent/update-parent/${id}`, { token: staff, json: { email } });

  test('the stranger’s session and password end when the mother opens her link, in one step', async () => {
    const account = await mistyped();
    const email = `right${n}@family.test`;
    await correct(account.id, email);
    const child = await app.makeChild(account, 'Sara');
    expect(await childrenOf(account.token)).toEqual(['Sara']);
    const { token: link } = await app.lastMail(email);
    expect((await open(link, HOME)).status).toBe(200);
    for (const url of ['/api/parent/info', String(child.photo)])
      expect((await app.ask('GET', url, { token: account.token })).status).toBe(401);
    expect((await signIn({ ...account, email })).status).toBe(401);
    expect(await registrationOf(account.id)).toMatchObject({ hasProvenPassword: false, children: 1 });
    expect(await childrenOf(await expectHandedOver({ ...account, email }))).toEqual(['Sara']);
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${account.id}`, { token: staff });
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'parent.password_ended',
        actor: null,
        details: { because: 'email_changed' },
      }),
    );
  });

  test('they end when the desk marks the address as verified, if the account had no child before', async () => {
    const account = await mistyped();
    const email = `right${n}@family.test`;
    await correct(account.id, email);
    expect((await open((await app.lastMail(email)).token, HOME)).status).toBe(200);
    expect((await app.ask('GET', '/api/parent/info', { token: account.token })).status).toBe(200);
    expect((await vouch(account.id)).status).toBe(200);
    expect((await app.ask('GET', '/api/parent/info', { token: account.token })).status).toBe(401);
    await expectHandedOver({ ...account, email });
  });

  test('nothing of a mailbox that was never verified is left, but a password that staff set stays', async () => {
    for (const proof of ['before', 'staff'] as const) {
      const email = `made${++n}@family.test`;
      const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', {
        token: staff,
        json: { name: 'Mother', email, password: 'known-to-whom' },
      });
      const account = { id: parent._id, email: `right${n}@family.test`, password: 'known-to-whom' };
      await app.makeChild(account, 'Sara');
      // An account of before the migration.
      const changed = app.context.db.updateTable('parents').set({ password_proof: proof });
      await changed.where('id', '=', account.id).execute();
      await correct(account.id, account.email);
      if (proof === 'before') await expectHandedOver(account);
      else {
        await open((await app.lastMail(account.email)).token, HOME);
        expect((await signIn(account, HOME)).status).toBe(200);
      }
    }
  });
});

describe('a parent who registers', () => {
  test('and signs in where the mailed link was opened goes on as before when the desk adds a child', async () => {
    const account = await register(HOME);
    const phone = openBrowser(HOME);
    expect((await phone.ask('GET', `/api/parent/verify/email/${account.link}`)).status).toBe(200);
    const { token } = (await phone.ask('POST', loginPath.parent, account)).body;
    await app.makeChild(account, 'Sara');
    expect(await childrenOf(token)).toEqual(['Sara']);
    // Afterwards also on all other devices.
    expect((await signIn(account, ATTACKER)).status).toBe(200);
    expect(await registrationOf(account.id)).toMatchObject({ hasProvenPassword: true, vouchedAt: null });
  });

  test('by a program without cookies, from one network, goes on as before: register, verify, sign in, child, check-in', async () => {
    const account = await register(HOME);
    await app.expect(200, 'GET', `/api/parent/verify/email/${account.link}`, { from: HOME });
    const { token } = (await signIn(account, HOME)).body;
    const child = await app.makeChild(account, 'Sara');
    await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff, json: {} });
    expect(await childrenOf(token)).toEqual(['Sara']);
    expect((await signIn(account, HOME)).status).toBe(200);
  });

  test('is not taken for the owner of the mailbox on the same Wi-Fi, where the link was opened in a browser', async () => {
    const account = await register(HOME);
    await open(account.link, HOME);
    const { token } = (await signIn(account, HOME)).body;
    await app.makeChild(account, 'Sara');
    expect((await app.ask('GET', '/api/parent/info', { token })).status).toBe(401);
  });

  test('adds the own child and sees it, wherever the link was opened', async () => {
    const account = await register(HOME);
    await open(account.link, ATTACKER);
    const { token } = (await signIn(account, HOME)).body;
    const form = { name: 'Own', photo: fakePhoto() };
    await app.expect(201, 'POST', `/api/children/create-child/${account.id}`, { token, form });
    expect(await childrenOf(token)).toEqual(['Own']);
  });
});

describe('the code at the desk', () => {
  const codeOf = (account: { email: string; password: string }, from = HOME) =>
    app.ask('POST', '/api/parent/desk-code', {
      json: { email: account.email, password: account.password },
      from,
    });

  test('keeps password and sessions: from the signed-in page', async () => {
    const account = await register(HOME);
    await open(account.link, ATTACKER);
    const { token } = (await signIn(account, HOME)).body;
    const { code, expiresAt } = await app.expect(201, 'POST', '/api/parent/desk-code', { token });
    expect(code).toMatch(/^[0-9]{6}$/);
    expect(Date.parse(expiresAt)).toBe(app.clock.now() + 10 * MINUTE);
    expect((await vouch(account.id, { code })).status).toBe(200);
    await app.makeChild(account, 'Sara');
    expect(await childrenOf(token)).toEqual(['Sara']);
    expect((await signIn(account, HOME)).status).toBe(200);
    expect(await registrationOf(account.id)).toMatchObject({
      vouchedAt: expect.any(String),
      hasProvenPassword: true,
      children: 1,
    });
  });

  test('and of an account that is not verified, with its credentials; typed in Arabic digits and with a blank', async () => {
    const account = await register(HOME);
    const { code } = (await codeOf(account)).body;
    const arabic = code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    expect((await vouch(account.id, { code: `${arabic.slice(0, 3)} ${arabic.slice(3)}` })).status).toBe(200);
    expect((await signIn(account, HOME)).status).toBe(200);
  });

  test('is used once, for ten minutes, the newest alone, for its own account', async () => {
    const [account, other] = [await register(HOME), await register(HOME)];
    const wrong = { status: 400, body: { code: 'wrong_code' } };
    const first = (await codeOf(account)).body.code;
    expect(await vouch(other.id, { code: first })).toMatchObject(wrong);
    const second = (await codeOf(account)).body.code;
    if (first !== second) expect(await vouch(account.id, { code: first })).toMatchObject(wrong);
    app.clock.advance(10 * MINUTE);
    expect(await vouch(account.id, { code: second })).toMatchObject(wrong);
    const third = (await codeOf(account)).body.code;
    const twice = await Promise.all([vouch(account.id, { code: third }), vouch(account.id, { code: third })]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400]);
    for (const code of ['', '12345', '1234567', 'abcdef', 123456])
      expect(await vouch(account.id, { code }), String(code)).toMatchObject({ status: 400 });
    // A wrong code changes nothing.
    expect(await registrationOf(other.id)).toMatchObject({ vouchedAt: null });
  });

  test('is for nobody whose password the desk ends at the same time', async () => {
    for (let i = 0; i < 4; i++) {
      const account = await register(HOME);
      const [code, vouched] = await Promise.all([codeOf(account), vouch(account.id)]);
      expect(vouched.status).toBe(200);
      expect([201, 401]).toContain(code.status);
      const codes = app.context.db.selectFrom('desk_codes').where('parent_id', '=', account.id);
      expect(await codes.selectAll().execute()).toEqual([]);
    }
  });

  test('is dead after five wrong tries', async () => {
    const account = await register(HOME);
    const { code } = (await codeOf(account)).body;
    const other = code === '000000' ? '000001' : '000000';
    for (let i = 0; i < 5; i++) expect((await vouch(account.id, { code: other })).status).toBe(400);
    expect(await vouch(account.id, { code })).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
  });

  test('is given for the right password alone, and ten times in a quarter of an hour', async () => {
    const account = await register(HOME);
    expect((await codeOf({ ...account, password: 'wrong!' })).status).toBe(401);
    expect((await codeOf({ email: 'nobody@family.test', password: 'wrong!' })).status).toBe(401);
    expect((await app.ask('POST', '/api/parent/desk-code', { json: {} })).status).toBe(400);
    for (let i = 0; i < 10; i++) expect((await codeOf(account)).status).toBe(201);
    const refused = await codeOf(account);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBe(15 * 60);
    // Wrong codes count like failed sign-ins.
    for (let i = 0; i < 4; i++) await codeOf({ ...account, password: 'wrong!' }, HOME);
    expect((await codeOf({ ...account, password: 'wrong!' }, HOME)).status).toBe(429);
  });
});

describe('vouching', () => {
  test('leaves accounts alone that staff made, and one that was vouched for already', async () => {
    const family = await app.makeFamily();
    expect(await registrationOf(family.id)).toMatchObject({ by: 'staff', from: null });
    expect((await vouch(family.id)).status).toBe(200);
    expect((await app.ask('GET', '/api/parent/info', { token: family.token })).status).toBe(200);
    const account = await register();
    await vouch(account.id);
    const token = await expectHandedOver(account);
    const mails = (await app.outbox(account.email)).length;
    expect((await vouch(account.id)).status).toBe(200);
    expect((await app.ask('GET', '/api/parent/info', { token })).status).toBe(200);
    expect(await app.outbox(account.email)).toHaveLength(mails);
  });

  test('ends a change of address that waits: the desk has seen the address in force', async () => {
    const family = await app.makeFamily();
    const email = `moved${++n}@family.test`;
    const url = `/api/parent/update-parent/${family.id}`;
    await app.expect(200, 'PUT', url, { token: family.token, json: { email } });
    const { token: link } = await app.lastMail(email);
    expect((await vouch(family.id)).status).toBe(200);
    expect(await open(link, HOME)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    const row = await app.context.db
      .selectFrom('parents')
      .select(['email', 'pending_email'])
      .where('id', '=', family.id)
      .executeTakeFirst();
    expect(row).toEqual({ email: family.email, pending_email: null });
  });

  test('staff read when and roughly from where an account was made; nobody else does', async () => {
    const at = new Date(app.clock.now()).toISOString();
    const four = await register('203.0.113.66');
    const six = await register('2001:db8:1:2:3::4');
    expect(await registrationOf(four.id)).toEqual({
      by: 'self',
      at,
      from: '203.0.113.0/24',
      near: null,
      name: 'Mother',
      vouchedAt: null,
      disownedAt: null,
      hasProvenPassword: false,
      children: 0,
    });
    expect((await registrationOf(six.id)).from).toBe('2001:db8:1::/48');
    const nearFrom = async (id: string, from: string) =>
      (await app.expect(200, 'GET', `/api/parent/${id}/registration`, { token: staff, from })).registration
        .near;
    expect(await nearFrom(four.id, '203.0.113.9')).toBe('here');
    expect(await nearFrom(four.id, '203.0.114.66')).toBe('elsewhere');
    expect(await nearFrom(six.id, '2001:db8:1:9::1')).toBe('here');
    expect(await nearFrom(six.id, '203.0.113.9')).toBe('elsewhere');
    // Behind a proxy on the machine that names no addresses, everybody would be here.
    expect(await nearFrom((await register('127.0.0.1')).id, '127.0.0.1')).toBeNull();
    const url = `/api/parent/${four.id}/registration`;
    expect((await app.ask('GET', url)).status).toBe(401);
    expect((await app.ask('GET', url, { token: (await app.makeFamily()).token })).status).toBe(403);
    expect((await app.ask('GET', '/api/parent/nobody/registration', { token: staff })).status).toBe(404);
  });

  test('is written down: who ended a password, and why; the mail speaks of a child only if there is one', async () => {
    const account = await register();
    await vouch(account.id);
    await app.context.mails.settled();
    const mail = await app.lastMail(account.email);
    expect(mail.text).toContain('confirmed the account with this email address');
    expect(mail.text).not.toContain('child');
    const withChild = await register();
    await app.makeChild(withChild, 'Sara');
    await app.context.mails.settled();
    expect((await app.lastMail(withChild.email)).text).toContain('to your child');
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${account.id}`, { token: staff });
    expect(entries.map(({ action, details }) => [action, details])).toEqual(
      expect.arrayContaining([
        ['parent.password_ended', { because: 'vouched' }],
        ['parent.marked_verified', { code: false }],
      ]),
    );
  });
});

describe('“I did not register this”', () => {
  const disown = (token: string) => app.ask('POST', `/api/parent/verify/email/${token}/disown`);

  test('deletes the account, before the link has verified it and after', async () => {
    for (const verifies of [false, true]) {
      const account = await register();
      if (verifies)
        expect((await open(account.link, HOME)).body).toEqual({
          message: 'Your email is verified. You can sign in now.',
          account: { name: 'Mother', registeredAt: expect.any(String) },
        });
      expect(await disown(account.link)).toMatchObject({
        status: 200,
        body: { message: 'The account was deleted.' },
      });
      expect((await signIn(account)).status).toBe(401);
      expect((await app.ask('GET', `/api/parent/${account.id}/registration`, { token: staff })).status).toBe(
        404,
      );
      expect(await disown(account.link)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
      const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${account.id}`, { token: staff });
      expect(entries[0]).toMatchObject({
        action: 'parent.disowned',
        actor: null,
        details: { deleted: true },
      });
      // The mother may register herself now.
      const json = { name: 'Mother', email: account.email, phone: '01112345678', password: 'her-own-one' };
      await app.expect(201, 'POST', '/api/parent/add', { json, from: HOME });
    }
  });

  test('of an account with a child ends password and sessions, and the desk sees it on the family', async () => {
    const account = await register();
    const attacker = openBrowser(ATTACKER);
    await attacker.ask('GET', `/api/parent/verify/email/${account.link}`);
    const { token } = (await attacker.ask('POST', loginPath.parent, account)).body;
    await app.makeChild(account, 'Sara');
    expect((await disown(account.link)).body.message).toBe(
      'Nobody can sign in to the account any more. We have told the staff.',
    );
    expect((await app.ask('GET', '/api/parent/info', { token })).status).toBe(401);
    expect((await signIn(account)).status).toBe(401);
    const url = `/api/parent/get-all-parents?search=${account.email}`;
    const { parents } = await app.expect(200, 'GET', url, { token: staff });
    expect(parents[0]).toMatchObject({
      emailVerified: false,
      disownedAt: expect.any(String),
      children: [{ name: 'Sara' }],
    });
    await vouch(account.id);
    const after = await app.expect(200, 'GET', url, { token: staff });
    expect(after.parents[0]?.disownedAt).toBeUndefined();
    await expectHandedOver(account);
  });

  test('takes back that the desk had vouched: staff see it, and vouch anew, which mails the link again', async () => {
    const account = await register();
    await app.makeChild(account, 'Sara');
    // As vouching left an account before it ended the link of the registration.
    await app.context.db
      .updateTable('parents')
      .set({ vouched_at: app.clock.now(), email_verified: 1 })
      .where('id', '=', account.id)
      .execute();
    expect((await registrationOf(account.id)).vouchedAt).toEqual(expect.any(String));
    expect(await disown(account.link)).toMatchObject({ status: 200, body: { deleted: false } });
    expect(await registrationOf(account.id)).toMatchObject({
      vouchedAt: null,
      disownedAt: expect.any(String),
    });
    await vouch(account.id);
    await expectHandedOver(account);
  });

  test('of a child: nobody checks it in, nor confirms it with the check-in, until the desk vouches; others come in', async () => {
    const account = await register();
    const attacker = openBrowser(ATTACKER);
    await attacker.ask('GET', `/api/parent/verify/email/${account.link}`);
    const [inside, outside] = [await app.makeChild(account, 'Sara'), await app.makeChild(account, 'Omar')];
    const ask = (what: string, { _id }: { _id: string }, json = {}) =>
      app.ask('POST', `/api/children/${what}-child/${_id}`, { token: staff, json });
    expect((await ask('checkin', inside)).status).toBe(200);
    expect((await disown(account.link)).status).toBe(200);
    const refused = { status: 409, body: { code: 'registration_disowned' } };
    expect(await ask('checkin', outside)).toMatchObject(refused);
    expect(await ask('checkin', outside, { confirm: true })).toMatchObject(refused);
    // Who is inside is told first, and goes home.
    expect(await ask('checkin', inside)).toMatchObject({ status: 409, body: { code: 'already_inside' } });
    expect((await ask('checkout', inside)).status).toBe(200);
    expect(await ask('checkin', inside)).toMatchObject(refused);
    const other = await app.makeChild(await register(HOME), 'Layla');
    expect((await ask('checkin', other)).status).toBe(200);
    await vouch(account.id);
    expect((await ask('checkin', outside)).status).toBe(200);
  });

  test('stays shut: neither “Forgot password” nor a child that staff add opens it, until the desk vouches', async () => {
    const account = await register();
    const attacker = openBrowser(ATTACKER);
    await attacker.ask('GET', `/api/parent/verify/email/${account.link}`);
    await attacker.ask('POST', loginPath.parent, account);
    await app.makeChild(account, 'Sara');
    expect((await disown(account.link)).status).toBe(200);
    await app.context.mails.settled();
    const mails = (await app.outbox(account.email)).length;
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: account.email } });
    await app.makeChild(account, 'Omar');
    await app.context.mails.settled();
    expect(await app.outbox(account.email)).toHaveLength(mails);
    await vouch(account.id);
    await expectHandedOver(account);
  });

  test('does nothing from the link to a new address: its recipient did not register the account', async () => {
    const account = await register(HOME);
    await open(account.link, HOME);
    const { token } = (await signIn(account, HOME)).body;
    const email = `moved${++n}@family.test`;
    const url = `/api/parent/update-parent/${account.id}`;
    await app.expect(200, 'PUT', url, { token, json: { email }, from: HOME });
    const { token: link } = await app.lastMail(email);
    expect(await disown(link)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    await app.expect(200, 'GET', '/api/parent/info', { token });
    expect((await registrationOf(account.id)).disownedAt).toBeNull();
  });

  test('is not for accounts that staff made, nor a day after the link, nor once the desk has vouched', async () => {
    const email = `made${++n}@family.test`;
    const json = { name: 'Made', email, password: 'by-the-staff' };
    await app.expect(201, 'POST', '/api/parent/create-parent', { token: staff, json });
    const made = (await app.lastMail(email)).token;
    expect((await disown(made)).status).toBe(400);
    const opened = await app.expect(200, 'GET', `/api/parent/verify/email/${made}`);
    expect(Object.keys(opened)).toEqual(['message']);
    const [late, vouched] = [await register(), await register()];
    await open(vouched.link, HOME);
    await vouch(vouched.id);
    expect((await disown(vouched.link)).status).toBe(400);
    await open(late.link, HOME);
    app.clock.advance(24 * HOUR);
    expect((await disown(late.link)).status).toBe(400);
    for (const token of ['x', 'x'.repeat(43)]) expect((await disown(token)).status).toBe(400);
  });
});

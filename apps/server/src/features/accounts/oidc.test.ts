/** Sign-in and proof of staff at the organisation's identity provider, a real one (decision 046). */
import { OIDC_ATTEMPT_MS, OIDC_DESK_MS, OIDC_SESSION_MS, PROOF_MS } from '@haris/contract/constants';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findMemberships, insertRole, writeMemberships } from '../../db/memberships.ts';
import { writeSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { makeClock } from '../../testing/clock.ts';
import { makeColleague, makeDesk, takeDesk, tryStaffPin } from '../../testing/desks.ts';
import {
  ADMIN_EMAIL,
  type Answer,
  loginPath,
  PUBLIC_URL,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import {
  type IdentityProvider,
  openIdentityProvider,
  PROVIDER_NAME,
  type Visitor,
} from '../../testing/identity-provider.ts';
import { makePasskey } from '../../testing/passkey.ts';

const MINUTE = 60_000;

let idp: IdentityProvider;
let app: TestApp;
let people = 0;

const GROUPS = {
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLES: 'cn=leads=manager, teachers=teacher',
  OIDC_MFA_ACR: 'urn:two-factors',
};

/** Starts an app that knows the provider; the clock begins at the provider's time. */
const startWith = (config: Record<string, string>) =>
  startTestApp({ clock: makeClock(Date.now()), config: { ...idp.config, ...config } });

beforeAll(async () => {
  idp = await openIdentityProvider(PUBLIC_URL);
});
afterAll(() => idp.close());
beforeEach(() => {
  idp.refusal = null;
  idp.rewrite = null;
  idp.tamper = null;
  idp.isDown = false;
});

/** A person at the provider, with a verified address of the organisation. */
function person(over: Partial<Visitor> = {}, claims: Record<string, unknown> = {}): Visitor {
  people++;
  const email = `person${people}@sunrise.test`;
  return {
    sub: `subject-${people}`,
    ...over,
    claims: { email, email_verified: true, name: `Person ${people}`, groups: ['teachers'], ...claims },
  };
}

const emailOf = (visitor: Visitor) => String(visitor.claims?.email);

/** The cookie that an answer sets, as a request sends it. */
function cookieOf({ headers }: Answer): string {
  const lines = [headers['set-cookie']].flat().map(String);
  return lines.find((line) => line.includes('haris_oidc'))?.split(';')[0] ?? '';
}

async function begin(json: Record<string, unknown> = {}) {
  const answer = await app.ask('POST', '/api/session/oidc', { json });
  expect(answer.status, answer.bytes.toString()).toBe(200);
  return { url: String(answer.body.url), cookie: cookieOf(answer), answer };
}

/** The fields of the page's query that Haris reads. */
const fieldsOf = ({ state, code, error, iss }: Record<string, string>) => ({ state, code, error, iss });

const finish = (query: Record<string, string>, cookie: string) =>
  app.ask('POST', '/api/session/oidc/finish', { json: fieldsOf(query), headers: { cookie } });

/** The whole sign-in of a person, in a new browser by default. */
async function signIn(visitor: Visitor, walk = idp.browser()): Promise<Answer> {
  idp.visitor = visitor;
  const { url, cookie } = await begin();
  return finish(await walk(url), cookie);
}

const roleAnswer = (answer: Answer) => ({ status: answer.status, code: answer.body.code });

async function auditOf(id: string): Promise<string[]> {
  const rows = await app.context.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject_id', '=', id)
    .orderBy('seq')
    .execute();
  return rows.map(({ action }) => action);
}

const codeOf = (secret: string) => generate({ secret, epoch: Math.floor(app.clock.now() / 1000) });

/** Adds an authenticator app to the account of a session; returns its secret. */
async function addApp(token: string): Promise<string> {
  const json = { name: 'My phone' };
  const begun = await app.expect(201, 'POST', '/api/account/factors/app', { token, json });
  const code = await codeOf(begun.secret);
  const url = `/api/account/factors/app/${begun._id}/confirm`;
  await app.expect(200, 'POST', url, { token, json: { code } });
  // Its time step is used up.
  app.clock.advance(MINUTE);
  return begun.secret;
}

/** Adds a passkey to the account of a session; returns how it answers a challenge. */
async function addPasskey(token: string) {
  const passkey = makePasskey();
  const claims = (challenge: string) => ({
    challenge,
    origin: PUBLIC_URL,
    host: new URL(PUBLIC_URL).hostname,
  });
  const { challenge } = await app.expect(200, 'POST', '/api/account/factors/passkey/options', { token });
  const json = { challenge, name: 'Key', passkey: passkey.create(claims(challenge)) };
  await app.expect(201, 'POST', '/api/account/factors/passkey', { token, json });
  return (question: string) => passkey.get(claims(question));
}

/** The provider's clock is moved with that of Haris. */
function moveOn(ms: number): void {
  app.clock.advance(ms);
  const moved = (app.clock.now() - Date.now()) / 1000;
  const later = (value: unknown) => (typeof value === 'number' ? Math.floor(value + moved) : value);
  idp.rewrite = ({ iat, exp, auth_time, ...claims }) => ({
    ...claims,
    iat: later(iat),
    exp: later(exp),
    auth_time: later(auth_time),
  });
}

describe('without roles from the provider', () => {
  beforeAll(async () => {
    app = await startWith({});
  });
  afterAll(() => app.close());
  beforeEach(() => app.forgetLimits());

  test('the page knows the name of the provider, and nothing else of it', async () => {
    const { oidc } = await app.expect(200, 'GET', '/api/config');
    expect(oidc).toEqual({ name: PROVIDER_NAME });
  });

  test('an employee is linked by the verified address, and from then on by the subject alone', async () => {
    const employee = await app.makeEmployee();
    const visitor = person({}, { email: employee.email.toUpperCase() });
    const first = await signIn(visitor);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ admin: { _id: employee.id }, returnTo: null });
    // The browser is known from now on, and the cookie of the attempt is gone.
    const cookies = [first.headers['set-cookie']].flat().map(String);
    expect(cookies.some((line) => line.startsWith('haris_device='))).toBe(true);
    expect(cookies.some((line) => /^__Host-haris_oidc=;.*Max-Age=0/.test(line))).toBe(true);
    await app.expect(200, 'GET', '/api/admin/info', { token: first.body.token });
    expect((await app.lastMail(employee.email)).text).toContain(PROVIDER_NAME);
    expect((await auditOf(employee.id)).slice(-2)).toEqual(['admin.oidc_linked', 'admin.signed_in']);
    const renamed = await signIn({ sub: visitor.sub, claims: { email: 'new-name@sunrise.test' } });
    expect(renamed.body.admin._id).toBe(employee.id);
    // The password keeps working.
    await app.signIn('admin', employee.email, employee.password);
  });

  test('an address that the provider has not verified links nobody', async () => {
    const { email } = await app.makeEmployee();
    for (const verified of [false, 'true', 1, undefined])
      expect(roleAnswer(await signIn(person({}, { email, email_verified: verified })))).toEqual({
        status: 403,
        code: 'oidc_email_unverified',
      });
    expect(roleAnswer(await signIn({ sub: 'no-address', claims: {} }))).toMatchObject({
      code: 'oidc_email_unverified',
    });
  });

  test('the address of an owner links nobody', async () => {
    const answer = await signIn(person({}, { email: ADMIN_EMAIL }));
    expect(roleAnswer(answer)).toEqual({ status: 409, code: 'oidc_not_linked' });
  });

  test('nor does that of an own role that may do more than any claim gives', async () => {
    const { email, id } = await app.makeEmployee();
    await inTransaction(app.context.db, ({ trx }) =>
      insertRole(trx, { id: 'keys', name: 'Keys', permissions: ['security.manage'] }, 0),
    );
    await giveRole(id, 'keys');
    expect(roleAnswer(await signIn(person({}, { email })))).toEqual({ status: 409, code: 'oidc_not_linked' });
  });

  test('an address that passed to another person links nobody', async () => {
    const { email } = await app.makeEmployee();
    expect((await signIn(person({}, { email }))).status).toBe(200);
    expect(roleAnswer(await signIn(person({}, { email })))).toEqual({ status: 409, code: 'oidc_not_linked' });
  });

  test('nobody gets an account, and parents have no part in it', async () => {
    expect(roleAnswer(await signIn(person()))).toEqual({ status: 403, code: 'oidc_no_access' });
    const family = await app.makeFamily();
    expect(roleAnswer(await signIn(person({}, { email: family.email })))).toEqual({
      status: 403,
      code: 'oidc_no_access',
    });
  });

  test('a password that somebody else had set ends with the link, and its sessions', async () => {
    const employee = await app.makeEmployee();
    await app.context.db
      .updateTable('staff')
      .set({ password_set_by: 'somebody' })
      .where('id', '=', employee.id)
      .execute();
    expect((await signIn(person({}, { email: employee.email }))).status).toBe(200);
    await app.expect(401, 'GET', '/api/admin/info', { token: employee.token });
    await app.expect(401, 'POST', loginPath.admin, { json: employee });
  });

  test('an own second factor is asked for, and before the first link whatever the provider says', async () => {
    const employee = await app.makeEmployee();
    const secret = await addApp(employee.token);
    const visitor = person({ amr: ['pwd', 'mfa'] }, { email: employee.email });
    const links = () =>
      app.context.db
        .selectFrom('oidc_links')
        .select('confirmed_at')
        .where('staff_id', '=', employee.id)
        .execute();

    const step = await signIn(visitor);
    expect(step.body).toMatchObject({ step: 'second_factor', methods: ['app', 'recovery'] });
    expect(step.body.token).toBeUndefined();
    // Again only the first step: nothing has been linked by it.
    expect((await signIn(visitor)).body.step).toBe('second_factor');
    expect(await links()).toEqual([{ confirmed_at: null }]);
    const { challenge } = (await signIn(visitor)).body;
    const json = { challenge, code: await codeOf(secret) };
    const finished = await app.expect(200, 'POST', '/api/session/second-factor', { json });
    expect(finished.admin._id).toBe(employee.id);
    expect(await links()).toEqual([{ confirmed_at: expect.any(Number) }]);

    app.clock.advance(MINUTE);
    // Linked: the provider's second factor is one; without it, the own one is due.
    expect((await signIn(visitor)).body.token).toEqual(expect.any(String));
    expect((await signIn({ ...visitor, amr: ['pwd'] })).body.step).toBe('second_factor');
  });

  test('where staff must have a second factor, the provider’s counts; without one a code is mailed', async () => {
    const employee = await app.makeEmployee();
    const visitor = person({ amr: ['pwd', 'otp'] }, { email: employee.email });
    await signIn(visitor);
    const require = (staffSecondFactor: boolean) =>
      inTransaction(app.context.db, ({ trx }) => writeSettings(trx, { staffSecondFactor }));
    await require(true);
    try {
      expect((await signIn(visitor)).body.token).toEqual(expect.any(String));
      for (const amr of [['pwd'], ['otp']])
        expect((await signIn({ ...visitor, amr })).body, amr.join()).toMatchObject({
          step: 'second_factor',
          methods: ['mail'],
        });
    } finally {
      await require(false);
    }
  });

  test('a code or a key is a second factor only beside a password, PIN, finger or face', async () => {
    const employee = await app.makeEmployee();
    const visitor = person({}, { email: employee.email });
    expect((await signIn(visitor)).status).toBe(200);
    await addApp(employee.token);
    const alone = [
      ['otp'],
      ['hwk'],
      ['hwk', 'otp'],
      ['sms', 'otp'],
      ['pwd', 'pin', 'fpt', 'face'],
      ['pwd', 'OTP'],
    ];
    for (const amr of alone) {
      await app.forgetLimits();
      const { body } = await signIn({ ...visitor, amr });
      expect(body, amr.join()).toMatchObject({ step: 'second_factor', methods: ['app', 'recovery'] });
      expect(body.token, amr.join()).toBeUndefined();
    }
    const together = [['mfa'], ['pwd', 'otp'], ['otp', 'pin'], ['fpt', 'hwk'], ['hwk', 'kba', 'face']];
    for (const amr of together) {
      await app.forgetLimits();
      expect((await signIn({ ...visitor, amr })).body.token, amr.join()).toEqual(expect.any(String));
    }
  });

  test('the path to return to comes back, and leads nowhere else', async () => {
    const employee = await app.makeEmployee();
    idp.visitor = person({}, { email: employee.email });
    const { url, cookie } = await begin({ returnTo: '/reports?from=2026-11-01' });
    const { body } = await finish(await idp.browser()(url), cookie);
    expect(body.returnTo).toBe('/reports?from=2026-11-01');
    for (const returnTo of [
      '//evil.test',
      '/\\evil.test',
      'https://evil.test',
      'javascript:alert(1)',
      '/a\\b',
      '/a\nb',
      '',
      'reports',
    ])
      await app.expect(400, 'POST', '/api/session/oidc', { json: { returnTo } });
  });

  test('the session lasts a shift, and is in the list of the own sessions', async () => {
    const employee = await app.makeEmployee();
    const { token } = (await signIn(person({}, { email: employee.email }))).body;
    const { sessions } = await app.expect(200, 'GET', '/api/account/sessions', { token });
    expect(sessions).toHaveLength(2);
    for (let waited = 0; waited < OIDC_SESSION_MS; waited += 60 * MINUTE) {
      await app.expect(200, 'GET', '/api/admin/info', { token });
      app.clock.advance(60 * MINUTE);
    }
    await app.expect(401, 'GET', '/api/admin/info', { token });
  });

  test('an account that is erased takes its link with it', async () => {
    const employee = await app.makeEmployee();
    await signIn(person({}, { email: employee.email }));
    const token = await app.staff();
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}`, { token });
    const left = await app.context.db
      .selectFrom('oidc_links')
      .select('id')
      .where('staff_id', '=', employee.id)
      .execute();
    expect(left).toEqual([]);
  });
});

describe('an answer that is not the right one', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    app = await startWith({});
    const { email } = await app.makeEmployee();
    visitor = person({}, { email });
    expect((await signIn(visitor)).status).toBe(200);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.forgetLimits();
    idp.visitor = visitor;
  });

  const failed = { status: 401, code: 'oidc_failed' };
  /** Begins and signs in at the provider, without bringing the answer to Haris. */
  async function answered() {
    const { url, cookie } = await begin();
    return { query: await idp.browser()(url), cookie };
  }

  test('the cookie is bound to this host and cannot be read by scripts', async () => {
    const { answer } = await begin();
    const line = [answer.headers['set-cookie']].flat().map(String)[0] ?? '';
    expect(line).toMatch(/^__Host-haris_oidc=[\w-]{43}; /);
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', `Max-Age=${OIDC_ATTEMPT_MS / 1000}`])
      expect(line.split('; ')).toContain(part);
  });

  test('somebody else’s answer in my browser opens nothing: without a cookie, and with mine', async () => {
    const theirs = await answered();
    const mine = await answered();
    for (const cookie of ['', mine.cookie, '__Host-haris_oidc=', `${theirs.cookie}x`])
      expect(roleAnswer(await finish(theirs.query, cookie))).toEqual(failed);
    // A wrong browser does not use the attempt up.
    expect((await finish(theirs.query, theirs.cookie)).status).toBe(200);
  });

  test('the same answer works once, also of two at the same time', async () => {
    const { query, cookie } = await answered();
    const answers = await Promise.all([finish(query, cookie), finish(query, cookie)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(roleAnswer(await finish(query, cookie))).toEqual(failed);
  });

  test('a code works for its own attempt alone: another verifier and nonce refuse it', async () => {
    const [one, two] = [await answered(), await answered()];
    const mixed = { ...one.query, code: String(two.query.code) };
    expect(roleAnswer(await finish(mixed, one.cookie))).toEqual(failed);
    expect(roleAnswer(await finish({ ...two.query, code: 'made-up' }, two.cookie))).toEqual(failed);
  });

  test('an answer is too late after ten minutes, and after the clock was set back', async () => {
    const late = await answered();
    app.clock.advance(OIDC_ATTEMPT_MS);
    expect(roleAnswer(await finish(late.query, late.cookie))).toEqual(failed);
    const early = await answered();
    app.clock.advance(-OIDC_ATTEMPT_MS);
    expect(roleAnswer(await finish(early.query, early.cookie))).toEqual(failed);
  });

  test('an answer of another provider is refused, also where the state is right', async () => {
    const { query, cookie } = await answered();
    expect(query.iss).toBe(idp.issuer);
    expect(roleAnswer(await finish({ ...query, iss: 'https://evil.test' }, cookie))).toEqual(failed);
    const { iss: _, ...silent } = (await answered()).query;
    expect(roleAnswer(await finish(silent, cookie))).toEqual(failed);
  });

  const wrongTokens: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
    ['another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another client', (claims) => ({ ...claims, aud: 'another' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.test' })],
    ['expired 90 seconds ago', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 90 })],
    ['another person than the userinfo', (claims) => ({ ...claims, sub: 'another' })],
  ];
  test.each(wrongTokens)('a token with a wrong claim is refused: %s', async (_name, rewrite) => {
    const { query, cookie } = await answered();
    idp.rewrite = rewrite;
    expect(roleAnswer(await finish(query, cookie))).toEqual(failed);
  });

  test('a token whose signature does not fit is refused', async () => {
    const { query, cookie } = await answered();
    idp.tamper = (token) => {
      const [head, body, signature = ''] = token.split('.');
      return `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    };
    expect(roleAnswer(await finish(query, cookie))).toEqual(failed);
    const unsigned = await answered();
    idp.tamper = (token) => {
      const none = Buffer.from('{"alg":"none"}').toString('base64url');
      return `${none}.${token.split('.')[1]}.`;
    };
    expect(roleAnswer(await finish(unsigned.query, unsigned.cookie))).toEqual(failed);
  });

  test('clocks may differ by a minute', async () => {
    for (const seconds of [-50, 50]) {
      const { query, cookie } = await answered();
      idp.rewrite = (claims) => ({ ...claims, iat: Number(claims.iat) + seconds });
      expect((await finish(query, cookie)).status).toBe(200);
    }
    const { query, cookie } = await answered();
    idp.rewrite = (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 50 });
    expect((await finish(query, cookie)).status).toBe(200);
  });

  test('a person whom the provider refuses is told so', async () => {
    idp.refusal = 'access_denied';
    const { query, cookie } = await answered();
    expect(roleAnswer(await finish(query, cookie))).toEqual({ status: 403, code: 'oidc_denied' });
  });

  test('while the provider is down, the sign-in says so, and passwords work', async () => {
    const { query, cookie } = await answered();
    idp.isDown = true;
    expect(roleAnswer(await finish(query, cookie))).toEqual({ status: 503, code: 'oidc_unavailable' });
    const employee = await app.makeEmployee();
    await app.signIn('admin', employee.email, employee.password);
    // The addresses that were read before are enough to begin.
    await begin();
    app.clock.advance(2 * 60 * MINUTE);
    const answer = await app.ask('POST', '/api/session/oidc', { json: {} });
    expect(roleAnswer(answer)).toEqual({ status: 503, code: 'oidc_unavailable' });
    idp.isDown = false;
    await begin();
  });

  test('neither code nor token is in the log', async () => {
    const { query, cookie } = await answered();
    const { body } = await finish(query, cookie);
    const log = app.logLines.join('\n');
    for (const secret of [query.code, query.state, body.token, visitor.sub])
      expect(log).not.toContain(secret);
  });

  test('attempts are limited per network', async () => {
    let last = 200;
    for (let tries = 0; tries < 400 && last === 200; tries++)
      last = (await app.ask('POST', '/api/session/oidc', { json: {}, from: '192.0.2.7' })).status;
    expect(last).toBe(429);
    await begin();
  });
});

describe('with roles from the provider', () => {
  beforeAll(async () => {
    app = await startWith(GROUPS);
  });
  afterAll(() => app.close());
  beforeEach(() => app.forgetLimits());

  test('a person with a mapped value gets an account without a password', async () => {
    const visitor = person();
    const { status, body } = await signIn(visitor);
    expect(status).toBe(200);
    expect(body.admin).toMatchObject({
      name: visitor.claims?.name,
      email: emailOf(visitor),
      emailVerified: true,
      setUpBy: null,
      nationalId: null,
    });
    expect((await auditOf(body.admin._id)).sort()).toEqual(['admin.created', 'admin.signed_in']);
    expect(body.admin.roles).toEqual([{ roleId: 'teacher', name: null, facilityId: 'main' }]);
    // The role holds: a teacher exports nothing.
    await app.expect(403, 'GET', '/api/audit.csv', { token: body.token });
    expect((await signIn(visitor)).body.admin._id).toBe(body.admin._id);
    for (const password of ['', 'a-guess-of-it'])
      expect(
        (await app.ask('POST', loginPath.admin, { json: { email: emailOf(visitor), password } })).status,
      ).toBeGreaterThanOrEqual(400);
    const mails = (await app.outbox(emailOf(visitor))).length;
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: emailOf(visitor), kind: 'admin' } });
    expect(await app.outbox(emailOf(visitor))).toHaveLength(mails);
  });

  test.each([
    ['en', 'entering this address again'],
    ['ar', 'إدخال هذا البريد من جديد'],
  ] as const)(
    'a person without a password reads how a change of the email is cancelled: %s',
    async (language, how) => {
      const staff = await app.staff();
      const visitor = person();
      const { token, admin } = (await signIn(visitor)).body;
      await app.expect(200, 'PUT', '/api/language', { token, json: { language } });
      const to = (email: string) =>
        app.expect(200, 'PUT', `/api/admin/${admin._id}/email`, { token: staff, json: { email } });
      const next = `next-${emailOf(visitor)}`;
      await to(next);
      const told = await app.lastMail(emailOf(visitor));
      expect(told.text).toContain(how);
      expect(told.text).not.toContain('/forgot-password');
      expect(told.text).not.toContain(next);
      // What the mail says is so.
      expect((await to(emailOf(visitor))).admin.pendingEmail).toBeUndefined();
      const { token: link } = await app.lastMail(next);
      expect((await app.ask('GET', `/api/admin/verify/email/${link}`)).status).toBe(400);
      // With a password, a new one cancels it.
      const colleague = await app.makeEmployee();
      const json = { email: `other-${next}` };
      await app.expect(200, 'PUT', `/api/admin/${colleague.id}/email`, { token: staff, json });
      expect((await app.lastMail(colleague.email)).text).toContain('/forgot-password');
    },
  );

  test('the role follows the claim at each sign-in, also in a session that is open', async () => {
    const employee = await app.makeEmployee();
    const visitor = person({}, { email: employee.email });
    const as = (...groups: string[]) => ({ ...visitor, claims: { ...visitor.claims, groups } });
    const { token } = (await signIn(as('others', 'cn=leads'))).body;
    expect(await rolesOf(employee.id)).toEqual([['manager', 'main']]);
    await app.expect(200, 'GET', '/api/audit', { token });
    // The first pair that fits decides, not the order of the person's groups.
    await signIn(as('teachers', 'cn=leads'));
    expect(await rolesOf(employee.id)).toEqual([['manager', 'main']]);
    await signIn(as('teachers'));
    expect(await rolesOf(employee.id)).toEqual([['teacher', 'main']]);
    await app.expect(403, 'GET', '/api/audit', { token });
    expect((await auditOf(employee.id)).filter((action) => action === 'admin.roles_changed')).toHaveLength(1);
  });

  test('two first sign-ins at once make one account', async () => {
    const visitor = person();
    idp.visitor = visitor;
    const attempts = [await begin(), await begin()];
    const queries = await Promise.all(attempts.map(({ url }) => idp.browser()(url)));
    const answers = await Promise.all(
      queries.map((query, index) => finish(query, attempts[index]?.cookie ?? '')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.admin._id).toBe(answers[1]?.body.admin._id);
  });

  test('no mapped value: no account, and no link', async () => {
    const employee = await app.makeEmployee();
    for (const groups of [[], ['parents'], 'parents', undefined, { teachers: true }, ['Teachers']]) {
      const refused = { status: 403, code: 'oidc_no_access' };
      expect(roleAnswer(await signIn(person({}, { groups })))).toEqual(refused);
      expect(roleAnswer(await signIn(person({}, { groups, email: employee.email })))).toEqual(refused);
    }
  });

  test('a value that is no longer mapped ends the sessions, and the right to sign in by password or PIN', async () => {
    const desk = await makeDesk(app);
    const employee = await makeColleague(app, 'Nadia Farouk', '830561');
    const visitor = person({}, { email: employee.email });
    const { token } = (await signIn(visitor)).body;
    const atDesk = await takeDesk(app, desk, employee.id, '830561');
    const left = { ...visitor, claims: { ...visitor.claims, groups: ['alumni'] } };
    expect(roleAnswer(await signIn(left))).toEqual({ status: 403, code: 'oidc_no_access' });
    for (const ended of [token, employee.token, atDesk])
      await app.expect(401, 'GET', '/api/admin/info', { token: ended });
    const byPassword = await app.ask('POST', loginPath.admin, { json: employee });
    expect(roleAnswer(byPassword)).toEqual({ status: 403, code: 'oidc_no_access' });
    expect((await tryStaffPin(app, desk, employee.id, '830561')).body.code).toBe('wrong_pin');
    const { email, password } = employee;
    await app.expect(403, 'POST', '/api/desk/leave', { token: desk.token, json: { email, password } });
    expect(await auditOf(employee.id)).toContain('admin.oidc_ended');
    // Mapped again.
    expect((await signIn(visitor)).status).toBe(200);
    await app.signIn('admin', employee.email, employee.password);
  });

  test('a linked employee who becomes an owner keeps role and password whatever the claim says', async () => {
    const employee = await app.makeEmployee();
    const visitor = person({}, { email: employee.email });
    await signIn(visitor);
    await giveRole(employee.id, 'owner', '');
    expect((await signIn(visitor)).status).toBe(200);
    expect(await rolesOf(employee.id)).toEqual([['owner', '']]);
    const left = { ...visitor, claims: { ...visitor.claims, groups: [] } };
    expect(roleAnswer(await signIn(left))).toEqual({ status: 403, code: 'oidc_no_access' });
    await app.signIn('admin', employee.email, employee.password);
  });

  test('acr stands for a second factor if the setting says so', async () => {
    const employee = await app.makeEmployee();
    const visitor = person({ acr: 'urn:two-factors' }, { email: employee.email });
    await signIn(visitor);
    await addApp(employee.token);
    expect((await signIn(visitor)).body.token).toEqual(expect.any(String));
    expect((await signIn({ ...visitor, acr: 'urn:one' })).body.step).toBe('second_factor');
  });
});

describe('at a desk tablet', () => {
  beforeAll(async () => {
    app = await startWith(GROUPS);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.forgetLimits();
    moveOn(0);
  });

  test('without a password, PIN and passkey at a desk last two weeks after each sign-in at the provider', async () => {
    const desk = await makeDesk(app);
    const visitor = person({ amr: ['mfa'] });
    const { token, admin } = (await signIn(visitor)).body;
    await app.proveNow(token);
    await app.expect(200, 'PUT', '/api/account/desk-pin', { token, json: { pin: '830561' } });
    const answer = await addPasskey(token);
    const byPin = (pin = '830561') => tryStaffPin(app, desk, admin._id, pin);
    const byPasskey = async () => {
      const staffId = admin._id;
      const asked = { token: desk.token, json: { staffId } };
      const { challenge } = await app.expect(200, 'POST', '/api/desk/passkey', asked);
      const json = { staffId, challenge, passkey: answer(challenge) };
      return app.ask('POST', '/api/desk/sign-in', { token: desk.token, json });
    };
    const due = { status: 403, code: 'oidc_sign_in_due' };
    moveOn(OIDC_DESK_MS);
    expect((await byPin()).status).toBe(200);
    expect((await byPasskey()).status).toBe(200);
    moveOn(1);
    // The right ones do not count as guesses, and wrong ones learn nothing.
    for (let round = 0; round < 4; round++) expect(roleAnswer(await byPin())).toEqual(due);
    expect(roleAnswer(await byPasskey())).toEqual(due);
    expect(roleAnswer(await byPin('830562'))).toEqual({ status: 403, code: 'wrong_pin' });
    expect(await auditOf(admin._id)).toContain('admin.sign_in_failed');
    // Nor before that sign-in, after the clock was set back.
    moveOn(-OIDC_DESK_MS - 2 * MINUTE);
    expect(roleAnswer(await byPin())).toEqual(due);
    moveOn(OIDC_DESK_MS + 2 * MINUTE);
    await app.forgetLimits();
    // Another link, from before the clock was set back, does not hide the sign-in of now.
    const former = { id: 'former', issuer: 'former', subject: 'former', staff_id: admin._id };
    const times = { created_at: 0, confirmed_at: 0, ended_at: null, used_at: app.clock.now() + OIDC_DESK_MS };
    await app.context.db
      .insertInto('oidc_links')
      .values({ ...former, ...times })
      .execute();
    expect(roleAnswer(await byPin())).toEqual(due);
    expect((await signIn(visitor)).status).toBe(200);
    expect((await byPin()).status).toBe(200);
    expect((await byPasskey()).status).toBe(200);
  });

  test('a second step that is not done does not prolong them', async () => {
    const desk = await makeDesk(app);
    const visitor = person({ amr: ['mfa'] });
    const { token, admin } = (await signIn(visitor)).body;
    await app.proveNow(token);
    await app.expect(200, 'PUT', '/api/account/desk-pin', { token, json: { pin: '830561' } });
    const secret = await addApp(token);
    moveOn(OIDC_DESK_MS);
    const step = (await signIn({ ...visitor, amr: ['pwd'] })).body;
    expect(step).toMatchObject({ step: 'second_factor' });
    const byPin = async () => roleAnswer(await tryStaffPin(app, desk, admin._id, '830561'));
    expect(await byPin()).toEqual({ status: 403, code: 'oidc_sign_in_due' });
    const json = { challenge: step.challenge, code: await codeOf(secret) };
    await app.expect(200, 'POST', '/api/session/second-factor', { json });
    expect(await byPin()).toMatchObject({ status: 200 });
  });

  test('who has a password too goes on at the desk', async () => {
    const desk = await makeDesk(app);
    const employee = await makeColleague(app, 'Nadia Farouk', '830561');
    expect((await signIn(person({}, { email: employee.email }))).status).toBe(200);
    moveOn(2 * OIDC_DESK_MS);
    expect((await tryStaffPin(app, desk, employee.id, '830561')).status).toBe(200);
  });
});

describe('a proof at the provider', () => {
  let visitor: Visitor;
  let token: string;
  let walk: ReturnType<IdentityProvider['browser']>;
  beforeAll(async () => {
    app = await startWith(GROUPS);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.forgetLimits();
    visitor = person();
    walk = idp.browser();
    token = (await signIn(visitor, walk)).body.token;
  });

  const needsProof = () => app.ask('POST', '/api/account/factors/app', { token, json: { name: 'Phone' } });
  async function beginProof() {
    const answer = await app.ask('POST', '/api/session/proof/oidc', { token });
    expect(answer.status, answer.bytes.toString()).toBe(200);
    return { url: String(answer.body.url), cookie: cookieOf(answer) };
  }
  const prove = (query: Record<string, string>, cookie: string, as = token) =>
    app.ask('POST', '/api/session/proof/oidc/finish', {
      token: as,
      json: fieldsOf(query),
      headers: { cookie },
    });
  const failed = { status: 401, code: 'oidc_failed' };

  test('the account signs in again at the provider, which asks although it knows the person', async () => {
    app.clock.advance(PROOF_MS);
    expect((await needsProof()).body).toMatchObject({ code: 'proof_required', methods: ['oidc'] });
    const json = { password: 'a guess' };
    const guessed = await app.ask('POST', '/api/session/proof', { token, json });
    expect(guessed.body).toMatchObject({ code: 'proof_required', methods: ['oidc'] });
    const asked = idp.asked;
    app.clock.advance(-PROOF_MS);
    const { url, cookie } = await beginProof();
    const query = await walk(url);
    expect(idp.asked).toBe(asked + 1);
    expect((await prove(query, cookie)).status).toBe(204);
    expect((await needsProof()).status).toBe(201);
  });

  test('a proof there counts as a sign-in there: PIN and passkey at a desk last two weeks from then on', async () => {
    const desk = await makeDesk(app);
    await app.expect(200, 'PUT', '/api/account/desk-pin', { token, json: { pin: '830561' } });
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token });
    moveOn(OIDC_SESSION_MS - 2 * MINUTE);
    const { url, cookie } = await beginProof();
    expect((await prove(await walk(url), cookie)).status).toBe(204);
    moveOn(OIDC_DESK_MS - MINUTE);
    expect((await tryStaffPin(app, desk, admin._id, '830561')).status).toBe(200);
    moveOn(2 * MINUTE);
    expect((await tryStaffPin(app, desk, admin._id, '830561')).body.code).toBe('oidc_sign_in_due');
    moveOn(-(OIDC_SESSION_MS + OIDC_DESK_MS - MINUTE));
  });

  test('a sign-in that the provider answered without asking is as old as its own session', async () => {
    idp.visitor = visitor;
    const { url, cookie } = await begin();
    const asked = idp.asked;
    const query = await walk(url);
    expect(idp.asked).toBe(asked);
    idp.rewrite = (claims) => ({ ...claims, auth_time: Number(claims.auth_time) - 3600 });
    token = (await finish(query, cookie)).body.token;
    expect((await needsProof()).body.code).toBe('proof_required');
  });

  test('a sign-in without auth_time is no proof', async () => {
    idp.visitor = visitor;
    const { url, cookie } = await begin();
    const query = await walk(url);
    idp.rewrite = ({ auth_time: _, ...claims }) => claims;
    token = (await finish(query, cookie)).body.token;
    expect((await needsProof()).body.code).toBe('proof_required');
  });

  test('an old auth_time, or none, proves nothing', async () => {
    for (const rewrite of [
      (claims: Record<string, unknown>) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 90 }),
      ({ auth_time: _, ...claims }: Record<string, unknown>) => claims,
    ]) {
      const { url, cookie } = await beginProof();
      const query = await walk(url);
      idp.rewrite = rewrite;
      expect(roleAnswer(await prove(query, cookie))).toEqual(failed);
      idp.rewrite = null;
    }
  });

  test('another person, another session, another browser and a sign-in’s answer prove nothing', async () => {
    const another = person();
    const other = (await signIn(another)).body.token;
    const asAnother = await beginProof();
    expect(roleAnswer(await prove(await idp.browser()(asAnother.url), asAnother.cookie))).toEqual(failed);
    idp.visitor = visitor;
    const asOther = await beginProof();
    expect(roleAnswer(await prove(await walk(asOther.url), asOther.cookie, other))).toEqual(failed);
    // Also not another session of the same person.
    const second = (await signIn(visitor)).body.token;
    const asSecond = await beginProof();
    expect(roleAnswer(await prove(await walk(asSecond.url), asSecond.cookie, second))).toEqual(failed);
    const elsewhere = await beginProof();
    expect(roleAnswer(await prove(await walk(elsewhere.url), ''))).toEqual(failed);
    const signingIn = await begin();
    expect(roleAnswer(await prove(await walk(signingIn.url), signingIn.cookie))).toEqual(failed);
    const proving = await beginProof();
    expect(roleAnswer(await finish(await walk(proving.url), proving.cookie))).toEqual(failed);
  });

  test('an account with a password or a second factor proves by that', async () => {
    const employee = await app.makeEmployee();
    expect((await app.ask('POST', '/api/session/proof/oidc', { token: employee.token })).body).toMatchObject({
      code: 'proof_required',
      methods: ['password'],
    });
    await addApp(token);
    expect((await app.ask('POST', '/api/session/proof/oidc', { token })).body).toMatchObject({
      methods: ['app', 'recovery'],
    });
    // Back to the provider's time.
    app.clock.advance(-MINUTE);
  });

  test('who has lost the role meanwhile gets no proof, and loses the session', async () => {
    const { url, cookie } = await beginProof();
    const query = await walk(url);
    idp.visitor = { ...visitor, claims: { ...visitor.claims, groups: [] } };
    expect(roleAnswer(await prove(query, cookie))).toEqual({ status: 403, code: 'oidc_no_access' });
    await app.expect(401, 'GET', '/api/admin/info', { token });
  });
});

describe('requiring a second factor without a mail server', () => {
  let owner: string;
  beforeAll(async () => {
    app = await startWith(GROUPS);
    // The session that makes employees too: the first factor ends all others of the account.
    owner = await app.staff();
    await addApp(owner);
  });
  afterAll(() => app.close());

  const mfa = ['mfa'];
  const claimed = async (visitor: Visitor): Promise<string> => (await signIn(visitor)).body.admin._id;
  async function linked(amr: string[]): Promise<string> {
    const employee = await app.makeEmployee();
    return claimed(person({ amr }, { email: employee.email }));
  }
  async function withFactor(add: (token: string) => Promise<unknown>): Promise<string> {
    const employee = await app.makeEmployee();
    await app.proveNow(employee.token);
    await add(employee.token);
    return employee.id;
  }
  const changeLink = (id: string, columns: { issuer: string }) =>
    app.context.db.updateTable('oidc_links').set(columns).where('staff_id', '=', id).execute();

  test.each<[string, boolean, () => Promise<string>]>([
    ['a password alone', true, async () => (await app.makeEmployee()).id],
    ['a password and an app', false, () => withFactor(addApp)],
    ['a passkey', false, () => withFactor(addPasskey)],
    ['the provider with a second factor there', false, () => claimed(person({ amr: mfa }))],
    ['the provider without one', true, () => claimed(person({ amr: ['pwd'] }))],
    ['a code of the provider alone', true, () => claimed(person({ amr: ['otp'] }))],
    ['a password, and the provider with a second factor', false, () => linked(mfa)],
    ['a password, and the provider without', true, () => linked(['pwd'])],
    [
      'the provider, where the second factor was left out last time',
      true,
      async () => {
        const visitor = person({ amr: mfa });
        await claimed(visitor);
        return claimed({ ...visitor, amr: ['pwd'] });
      },
    ],
    [
      'another provider, with a second factor',
      true,
      async () => {
        const id = await claimed(person({ amr: mfa }));
        await changeLink(id, { issuer: 'https://former.test' });
        return id;
      },
    ],
    [
      'the provider, which has ended the access',
      false,
      async () => {
        const visitor = person({ amr: ['pwd'] });
        const id = await claimed(visitor);
        const left = { ...visitor, claims: { ...visitor.claims, groups: ['alumni'] } };
        expect((await signIn(left)).body.code).toBe('oidc_no_access');
        return id;
      },
    ],
  ])('somebody with %s would be locked out: %s', async (_, isLockedOut, make) => {
    await app.forgetLimits();
    const id = await make();
    const put = async (staffSecondFactor: boolean) => {
      await app.proveNow(owner);
      return app.ask('PUT', '/api/settings', { token: owner, json: { staffSecondFactor } });
    };
    const answer = await put(true);
    if (answer.status === 200) expect((await put(false)).status).toBe(200);
    await app.proveNow(owner);
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${id}`, { token: owner });
    const refused = { status: 409, code: 'no_mail_server' };
    expect(roleAnswer(answer)).toEqual(isLockedOut ? refused : { status: 200 });
  });
});

test('without a provider there is nothing to call', async () => {
  app = await startTestApp();
  try {
    expect((await app.expect(200, 'GET', '/api/config')).oidc).toBeNull();
    const json = { state: 'x', code: 'y' };
    await app.expect(404, 'POST', '/api/session/oidc', { json: {} });
    await app.expect(404, 'POST', '/api/session/oidc/finish', { json });
    await app.expect(404, 'POST', '/api/session/proof/oidc', { token: await app.staff() });
  } finally {
    await app.close();
  }
});

const rolesOf = async (id: string) =>
  (await findMemberships(app.context.db, [id])).map(({ role_id, facility_id }) => [role_id, facility_id]);

const giveRole = (id: string, role_id: string, facility_id = 'main') =>
  inTransaction(app.context.db, ({ trx }) => writeMemberships(trx, id, [{ role_id, facility_id }]));

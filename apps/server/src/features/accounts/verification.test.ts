/** Links in mails: verification, invitation, reset, a new e-mail (contract §3). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loginPath, makeNationalId, PUBLIC_URL, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestApp;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
// Every test starts with fresh counts of failures and mails.
beforeEach(() => app.clock.advance(16 * MINUTE));

const staff = async () => app.signIn('admin', 'first@haris.test', 'first-password');

async function register(over: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  n++;
  const person = {
    name: 'Mona',
    email: `mona${n}@family.test`,
    phone: '01112345678',
    password: 'secret-6',
    ...over,
  };
  const body = await app.expect(201, 'POST', '/api/parent/add', { json: person, headers });
  return { ...person, id: body.parent._id, body };
}

const signIn = (kind: 'parent' | 'admin', email: string, password: string) =>
  app.ask('POST', loginPath[kind], { json: { email, password } });
const verify = (token: string, kind: 'parent' | 'admin' = 'parent') =>
  app.ask('GET', `/api/${kind}/verify/email/${token}`);
const reset = (token: string, password: string) =>
  app.ask('POST', '/vendor/reset', { json: { token, password } });

async function linksTo(email: string): Promise<string[]> {
  return (await app.outbox(email)).map((mail) => mail.token);
}

describe('registering', () => {
  test('answers the new parent, unverified, and mails a link', async () => {
    const { body, email } = await register();
    expect(body).toMatchObject({
      message: 'Registration successful. Please ask the staff at the desk to confirm your account.',
      parent: { name: 'Mona', email, phone: '01112345678', photo: null, emailVerified: false, children: [] },
    });
    expect(JSON.stringify(body)).not.toMatch(/secret|argon|password/i);
    const mail = await app.lastMail(email);
    expect(mail.link).toMatch(new RegExp(`^${PUBLIC_URL}/verify-parent/[A-Za-z0-9_-]{43}$`));
  });

  test('signing in is refused until the link was opened, in this order', async () => {
    const { email } = await register();
    expect(await signIn('parent', email, 'wrong!')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect(await signIn('parent', email, 'secret-6')).toMatchObject({
      status: 403,
      body: {
        code: 'email_not_verified',
        message: 'Please verify your email first. Ask the staff at the desk to confirm your account.',
      },
    });
    expect(await verify((await app.lastMail(email)).token)).toMatchObject({
      status: 200,
      body: { message: 'Your email is verified. You can sign in now.' },
    });
    expect((await signIn('parent', email, 'secret-6')).status).toBe(200);
  });

  test('a link works once', async () => {
    const { email } = await register();
    const { token } = await app.lastMail(email);
    expect((await verify(token)).status).toBe(200);
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    const made = { name: 'Made', email: 'made-once@family.test', password: 'by-the-staff' };
    await app.expect(201, 'POST', '/api/parent/create-parent', { token: await staff(), json: made });
    const link = (await app.lastMail(made.email)).token;
    expect((await verify(link)).status).toBe(200);
    expect(await verify(link)).toMatchObject({
      status: 400,
      body: { code: 'invalid_token', message: 'This link is no longer valid. Please ask for a new one.' },
    });
  });

  test('a link works for 24 hours', async () => {
    const [early, late] = [await register(), await register()];
    const [earlyToken, lateToken] = [
      (await app.lastMail(early.email)).token,
      (await app.lastMail(late.email)).token,
    ];
    app.clock.advance(24 * HOUR - 1);
    expect((await verify(earlyToken)).status).toBe(200);
    app.clock.advance(1);
    expect((await verify(lateToken)).status).toBe(400);
  });

  test('a parent’s link does nothing on the page of staff, and is not used up there', async () => {
    const { email } = await register();
    const { token } = await app.lastMail(email);
    expect((await verify(token, 'admin')).status).toBe(400);
    expect((await reset(token, 'another')).status).toBe(400);
    expect((await verify(token)).status).toBe(200);
  });

  test('unverified with the right password: a fresh link, at most one in 5 minutes, the first one counted', async () => {
    const { email } = await register();
    app.clock.advance(5 * MINUTE - 1);
    await signIn('parent', email, 'secret-6');
    expect(await linksTo(email)).toHaveLength(1);
    app.clock.advance(1);
    await signIn('parent', email, 'wrong!');
    expect(await linksTo(email)).toHaveLength(1);
    await signIn('parent', email, 'secret-6');
    await signIn('parent', email, 'secret-6');
    const [first, second, ...more] = await linksTo(email);
    expect(more).toEqual([]);
    expect((await verify(String(first))).status).toBe(400);
    expect((await verify(String(second))).status).toBe(200);
  });

  test('the same e-mail, however it is written, is taken', async () => {
    const { email } = await register();
    for (const same of [email, email.toUpperCase(), `  ${email} `]) {
      const person = { name: 'X', email: same, phone: '01112345678', password: 'secret-6' };
      expect(await app.ask('POST', '/api/parent/add', { json: person })).toMatchObject({
        status: 409,
        body: { code: 'email_taken', message: 'An account with this email already exists.' },
      });
    }
    await verify((await app.lastMail(email)).token);
    expect((await signIn('parent', ` ${email.toUpperCase()}\t`, 'secret-6')).status).toBe(200);
  });

  test('of twenty that register one e-mail at once, one is taken', async () => {
    const json = { name: 'X', email: 'rush@family.test', phone: '01112345678', password: 'secret-6' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.ask('POST', '/api/parent/add', { json })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await linksTo('rush@family.test')).toHaveLength(1);
  });

  test('each rule has its own words, and the first failing field speaks', async () => {
    const good = { name: 'X', email: 'x@family.test', phone: '01112345678', password: 'secret-6' };
    const refusals: [Record<string, unknown>, string][] = [
      [{ email: 'x+y@family.test' }, 'Invalid email format'],
      [{ email: 'x@family' }, 'Invalid email format'],
      [{ phone: '01312345678' }, 'Invalid phone number format'],
      [{ phone: '0101234567' }, 'Invalid phone number format'],
      [{ password: '12345' }, 'Password must have at least 6 characters'],
      [{ password: 'x'.repeat(129) }, 'Password may have up to 128 characters'],
      [{ name: '  ' }, 'Name is required'],
      [{ name: 'x'.repeat(101) }, 'Name may have up to 100 characters'],
      [{ name: 'a\u0007b' }, 'Name has characters that are not allowed'],
      [{ name: undefined }, 'Name is required'],
      [{ email: undefined }, 'Email is required'],
      [{ phone: undefined }, 'Phone number is required'],
      [{ password: undefined }, 'Password is required'],
      [{ language: 'fr' }, 'Language must be en or ar'],
      [{ photo: 'data:image/png;base64,AAAA' }, 'Send the photo as a multipart file'],
      [{ email: 'nonsense', phone: '1', password: '1' }, 'Invalid email format'],
    ];
    for (const [change, message] of refusals) {
      const answer = await app.ask('POST', '/api/parent/add', { json: { ...good, ...change } });
      expect(answer, message).toMatchObject({ status: 400, body: { code: 'invalid_request', message } });
      expect(Object.keys(answer.body.fields).sort()).toEqual(Object.keys(change).sort());
    }
  });

  test('Arabic digits are taken and kept as 0–9', async () => {
    const { body } = await register({ phone: '٠١٢١٢٣٤٥٦٧٨' });
    expect(body.parent.phone).toBe('01212345678');
  });

  test('60 registrations from one network are enough for a quarter of an hour, 300 from a desk’s', async () => {
    const json = { name: 'X', email: 'rush@family.test', phone: '01112345678', password: 'secret-6' };
    const credentials = { email: 'first@haris.test', password: 'first-password' };
    await app.expect(200, 'POST', loginPath.admin, { json: credentials, from: '10.9.9.7' });
    for (let i = 0; i < 300; i++) await app.ask('POST', '/api/parent/add', { json, from: '10.9.9.7' });
    expect((await app.ask('POST', '/api/parent/add', { json, from: '10.9.9.7' })).status).toBe(429);
    for (let i = 0; i < 60; i++) await app.ask('POST', '/api/parent/add', { json, from: '10.9.9.9' });
    const refused = await app.ask('POST', '/api/parent/add', { json, from: '10.9.9.9' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect((await app.ask('POST', '/api/parent/add', { json, from: '10.9.9.8' })).status).toBe(409);
  });
});

describe('mails', () => {
  test('have a text and an HTML part in the language of the browser', async () => {
    const { email } = await register({}, { 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.5' });
    const mail = await app.lastMail(email);
    expect(mail.subject).toBe('تأكيد بريدك الإلكتروني في حارس');
    expect(mail.text).toMatch(/^مرحبًا،$/m);
    expect(mail.html).toContain('dir="rtl"');
    expect(mail.html).toContain(mail.link);
    expect(mail.file).toMatch(/^2026-11-2\dT[0-9-]+Z-mona\d+@family\.test\.eml$/);
    expect(mail.parsed.from?.address).toBe('haris@localhost');
  });

  test('are in English otherwise, and in the language that the form chose', async () => {
    const english = await register({}, { 'accept-language': 'fr, ar;q=0.1' });
    expect((await app.lastMail(english.email)).subject).toBe('Verify your email for Haris');
    const arabic = await register({ language: 'ar' }, { 'accept-language': 'en' });
    expect((await app.lastMail(arabic.email)).html).toContain('lang="ar"');
  });

  test('show a name as text, whatever it is', async () => {
    const json = { name: '<img src=x onerror=alert(1)> & "co"', email: `img${++n}@family.test` };
    await app.expect(201, 'POST', '/api/parent/create-parent', { token: await staff(), json });
    const { html, text } = await app.lastMail(json.email);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;co&quot;');
    expect(text).toContain('<img src=x');
  });

  test('to an address that nobody has verified carry nothing that whoever registered has typed', async () => {
    const name = 'Open http://evil.example/prize now';
    const { email } = await register({ name });
    app.clock.advance(5 * MINUTE);
    await signIn('parent', email, 'secret-6');
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email } });
    const family = await app.makeFamily();
    const next = `next${++n}@family.test`;
    const url = `/api/parent/update-parent/${family.id}`;
    await app.expect(200, 'PUT', url, { token: family.token, json: { name, email: next } });
    const mails = [...(await app.outbox(email)), ...(await app.outbox(next))];
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Verify your email for Haris',
      'Verify your email for Haris',
      'Set a new password for Haris',
      'Verify your email for Haris',
    ]);
    for (const { subject, text, html } of mails)
      expect(`${subject}${text}${html}`).not.toMatch(/evil|prize|Open/);
  });
});

describe('staff', () => {
  test('a new employee verifies the e-mail by a link of their own kind', async () => {
    const json = {
      name: 'E',
      email: 'e@haris.test',
      password: 'a-staff-password',
      nationalId: makeNationalId(),
    };
    await app.expect(201, 'POST', '/api/admin/create-admin', { token: await staff(), json });
    const mail = await app.lastMail('e@haris.test');
    expect(mail.link).toMatch(new RegExp(`^${PUBLIC_URL}/verify/`));
    expect((await signIn('admin', 'e@haris.test', 'a-staff-password')).body.code).toBe('email_not_verified');
    expect((await verify(mail.token, 'parent')).status).toBe(400);
    expect((await verify(mail.token, 'admin')).status).toBe(200);
    expect((await signIn('admin', 'E@haris.test ', 'a-staff-password')).status).toBe(200);
  });

  test('a plus sign is fine in a staff e-mail', async () => {
    const json = {
      name: 'E',
      email: 'e+desk@haris.test',
      password: 'a-staff-password',
      nationalId: makeNationalId(),
    };
    await app.expect(201, 'POST', '/api/admin/create-admin', { token: await staff(), json });
  });

  test('each rule has its own words', async () => {
    const good = {
      name: 'E',
      email: 'rules@haris.test',
      password: 'a-staff-password',
      nationalId: makeNationalId(),
    };
    const refusals: [Record<string, unknown>, string][] = [
      [{ email: 'nonsense' }, 'Invalid email format'],
      [{ nationalId: '19901011234567' }, 'Invalid national ID format'],
      [{ nationalId: '29913011234567' }, 'Invalid national ID format'],
      [{ nationalId: '29901321234567' }, 'Invalid national ID format'],
      [{ nationalId: undefined }, 'National ID is required'],
      [{ password: '1234567' }, 'Password must have at least 8 characters'],
    ];
    const token = await staff();
    for (const [change, message] of refusals)
      expect(
        await app.ask('POST', '/api/admin/create-admin', { token, json: { ...good, ...change } }),
      ).toMatchObject({ status: 400, body: { message } });
  });

  test('two employees of one e-mail or one national ID are refused, also at once', async () => {
    const token = await staff();
    const make = (email: string, nationalId: string) =>
      app.ask('POST', '/api/admin/create-admin', {
        token,
        json: { name: 'E', email, password: 'a-staff-password', nationalId },
      });
    const id = makeNationalId();
    const same = await Promise.all(Array.from({ length: 8 }, () => make('two@haris.test', id)));
    expect(same.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await make('two@haris.test', makeNationalId())).body.code).toBe('email_taken');
    expect((await make('three@haris.test', id)).body).toMatchObject({
      code: 'national_id_taken',
      message: 'An employee with this national ID already exists.',
    });
    const arabic = id.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    expect((await make('four@haris.test', arabic)).body.code).toBe('national_id_taken');
    const rush = makeNationalId();
    const others = await Promise.all(Array.from({ length: 8 }, (_, i) => make(`rush${i}@haris.test`, rush)));
    expect(others.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });
});

describe('an invitation', () => {
  async function invite() {
    n++;
    const email = `invited${n}@family.test`;
    const body = await app.expect(201, 'POST', '/api/parent/add', {
      token: await staff(),
      form: { name: 'Invited', email, phone: '', photo: { bytes: new Uint8Array(), filename: '' } },
    });
    expect(body).toMatchObject({
      message: 'Parent added successfully',
      parent: { phone: null, emailVerified: false },
    });
    return { email, mail: await app.lastMail(email), id: body.parent._id };
  }

  test('leads to a password of one’s own, which verifies the e-mail', async () => {
    const { email, mail } = await invite();
    expect(mail.subject).toBe('Your invitation to Haris');
    expect(mail.link).toMatch(new RegExp(`^${PUBLIC_URL}/reset-password/`));
    expect((await signIn('parent', email, 'anything')).status).toBe(401);
    expect(await reset(mail.token, '12345')).toMatchObject({
      status: 400,
      body: { message: 'Password must have at least 6 characters' },
    });
    const { status, body } = await reset(mail.token, 'chosen-one');
    expect(status).toBe(200);
    // The address for the sign-in, which stays a call of its own.
    expect(body).toEqual({ message: 'Your password is set. You can sign in now.', email });
    expect((await signIn('parent', email, 'chosen-one')).status).toBe(200);
    expect((await reset(mail.token, 'again!')).body).toMatchObject({ code: 'invalid_token' });
    expect((await reset(mail.token, 'again!')).body).not.toHaveProperty('email');
  });

  test('works for 7 days', async () => {
    const [early, late] = [await invite(), await invite()];
    app.clock.advance(7 * 24 * HOUR - 1);
    expect((await reset(early.mail.token, 'chosen-one')).status).toBe(200);
    app.clock.advance(1);
    expect((await reset(late.mail.token, 'chosen-one')).status).toBe(400);
  });

  test('dies with the account', async () => {
    const { id, mail } = await invite();
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${id}`, { token: await staff() });
    expect((await reset(mail.token, 'chosen-one')).status).toBe(400);
  });

  test('goes to the corrected address when the first was mistyped, and the first link dies', async () => {
    const { id, mail } = await invite();
    const email = `corrected${n}@family.test`;
    const { parent } = await app.expect(200, 'PUT', `/api/parent/update-parent/${id}`, {
      token: await staff(),
      json: { email },
    });
    expect(parent.email).toBe(email);
    expect((await reset(mail.token, 'chosen-one')).status).toBe(400);
    expect((await reset((await app.lastMail(email)).token, 'chosen-one')).status).toBe(200);
    expect((await signIn('parent', email, 'chosen-one')).status).toBe(200);
  });
});

describe('a reset', () => {
  const forgot = (email: string, kind?: string) =>
    app.ask('POST', '/vendor/forgot', { json: { email, ...(kind ? { kind } : {}) } });

  test('answers the same for whoever has an account and whoever has not, and mails only to the first', async () => {
    const family = await app.makeFamily();
    const known = await forgot(` ${family.email.toUpperCase()}`);
    const unknown = await forgot('nobody@family.test');
    expect(known.status).toBe(200);
    expect(known.bytes.equals(unknown.bytes)).toBe(true);
    expect(Object.keys(known.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
    expect((await app.lastMail(family.email)).subject).toBe('Set a new password for Haris');
    expect(await app.outbox('nobody@family.test')).toEqual([]);
  });

  test('sets the password once; every session of the account dies', async () => {
    const family = await app.makeFamily();
    const second = await app.signIn('parent', family.email, family.password);
    await forgot(family.email);
    const { token } = await app.lastMail(family.email);
    expect((await reset(token, 'brand-new')).status).toBe(200);
    for (const dead of [family.token, second])
      expect((await app.ask('GET', '/api/parent/info', { token: dead })).status).toBe(401);
    expect((await signIn('parent', family.email, family.password)).status).toBe(401);
    expect((await signIn('parent', family.email, 'brand-new')).status).toBe(200);
    expect((await reset(token, 'once-more')).status).toBe(400);
  });

  test('works for one hour, and the newest link only', async () => {
    const family = await app.makeFamily();
    await forgot(family.email);
    await forgot(family.email);
    const [older, newer] = (await app.outbox(family.email)).slice(-2).map((mail) => mail.token);
    expect((await reset(String(older), 'brand-new')).status).toBe(400);
    app.clock.advance(HOUR - 1);
    expect((await reset(String(newer), 'brand-new')).status).toBe(200);
    app.clock.advance(16 * MINUTE);
    await forgot(family.email);
    app.clock.advance(HOUR);
    expect((await reset((await app.lastMail(family.email)).token, 'brand-new')).status).toBe(400);
  });

  test('of two that use one link at once, one does', async () => {
    const family = await app.makeFamily();
    await forgot(family.email);
    const { token } = await app.lastMail(family.email);
    const answers = await Promise.all(
      ['brand-new-1', 'brand-new-2', 'brand-new-3'].map((text) => reset(token, text)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('ends a change of e-mail that waits, and every link that was mailed before', async () => {
    const family = await app.makeFamily();
    const next = `thief${++n}@family.test`;
    const json = { email: next };
    const url = `/api/parent/update-parent/${family.id}`;
    await app.expect(200, 'PUT', url, { token: family.token, json });
    const verifyNew = (await app.lastMail(next)).token;
    await forgot(family.email);
    expect((await reset((await app.lastMail(family.email)).token, 'brand-new')).status).toBe(200);
    expect(await verify(verifyNew)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    const row = await app.context.db
      .selectFrom('parents')
      .select(['email', 'pending_email'])
      .where('id', '=', family.id)
      .executeTakeFirst();
    expect(row).toEqual({ email: family.email, pending_email: null });
    expect((await signIn('parent', next, 'brand-new')).status).toBe(401);
    expect((await signIn('parent', family.email, 'brand-new')).status).toBe(200);
    // An account that was never verified: its first link is dead too, because the reset has verified the address.
    const { email } = await register();
    const first = (await app.lastMail(email)).token;
    await forgot(email);
    expect((await reset((await app.lastMail(email)).token, 'brand-new')).status).toBe(200);
    expect((await verify(first)).status).toBe(400);
  });

  test('wants 8 characters of staff, and leaves the link whole when they are missing', async () => {
    const employee = await app.makeEmployee();
    await forgot(employee.email, 'admin');
    const mail = await app.lastMail(employee.email);
    expect(mail.subject).toBe('Set a new staff password for Haris');
    expect(await reset(mail.token, '1234567')).toMatchObject({
      status: 400,
      body: { message: 'Password must have at least 8 characters' },
    });
    expect((await reset(mail.token, 'eight-ch')).status).toBe(200);
    expect((await app.ask('GET', '/api/admin/info', { token: employee.token })).status).toBe(401);
    expect((await signIn('admin', employee.email, 'eight-ch')).status).toBe(200);
  });

  test('of one kind leaves the account of the other kind with the same e-mail alone', async () => {
    const employee = await app.makeEmployee();
    const parent = await app.makeFamily({ email: employee.email, password: 'parents-own' });
    await forgot(employee.email);
    expect((await reset((await app.lastMail(employee.email)).token, 'brand-new')).status).toBe(200);
    expect((await app.ask('GET', '/api/parent/info', { token: parent.token })).status).toBe(401);
    expect((await app.ask('GET', '/api/admin/info', { token: employee.token })).status).toBe(200);
    expect((await signIn('admin', employee.email, employee.password)).status).toBe(200);
    expect((await signIn('admin', employee.email, 'brand-new')).status).toBe(401);
    expect((await signIn('parent', employee.email, 'brand-new')).status).toBe(200);
  });

  test('is mailed three times in a quarter of an hour at most, without a word', async () => {
    const family = await app.makeFamily();
    const before = (await app.outbox(family.email)).length;
    for (let i = 0; i < 5; i++) expect((await forgot(family.email)).status).toBe(200);
    expect((await app.outbox(family.email)).length - before).toBe(3);
  });

  test('asked for 30 times from one address: 429', async () => {
    const ask = () => app.ask('POST', '/vendor/forgot', { json: { email: 'n@n.test' }, from: '10.3.3.3' });
    await Promise.all(Array.from({ length: 30 }, ask));
    const refused = await ask();
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a new e-mail', () => {
  const change = (family: { id: string; token: string }, email: string) =>
    app.ask('PUT', `/api/parent/update-parent/${family.id}`, { token: family.token, json: { email } });

  test('counts from its verification on; until then the old one signs in', async () => {
    const family = await app.makeFamily();
    const next = `next${++n}@family.test`;
    expect(await change(family, next.toUpperCase())).toMatchObject({
      status: 200,
      body: {
        message:
          'Saved. The new email counts once its link is opened. It was not mailed, because there is no mail server.',
        parent: { email: family.email, emailVerified: true },
      },
    });
    expect((await signIn('parent', family.email, family.password)).status).toBe(200);
    expect((await signIn('parent', next, family.password)).status).toBe(401);
    expect((await verify((await app.lastMail(next)).token)).status).toBe(200);
    expect((await signIn('parent', family.email, family.password)).status).toBe(401);
    expect((await signIn('parent', next, family.password)).status).toBe(200);
    const found = await app.expect(200, 'GET', `/api/parent/get-all-parents?search=${next}`, {
      token: await staff(),
    });
    expect(found.parents.map(({ email }) => email)).toEqual([next]);
  });

  test('is told to the old address, which shows a part of it only', async () => {
    const family = await app.makeFamily();
    await change(family, `moving${++n}@family.test`);
    const notice = await app.lastMail(family.email);
    expect(notice.subject).toBe('The email of your Haris account is being changed');
    expect(notice.text).toContain('m•••@family.test');
    expect(notice.html).toContain('m•••@family.test');
    expect(`${notice.text}${notice.html}`).not.toContain('moving');
    expect(notice.link).toBe(`${PUBLIC_URL}/forgot-password`);
    // Setting a new password cancels the change, as the mail says.
    await app.ask('POST', '/vendor/forgot', { json: { email: family.email } });
    await reset((await app.lastMail(family.email)).token, 'brand-new');
    expect((await verify((await app.lastMail(`moving${n}@family.test`)).token)).status).toBe(400);
  });

  test('of an account that was never verified is not told to the old one, which may be a stranger’s', async () => {
    const { id, email } = await register();
    const before = (await app.outbox(email)).length;
    await app.expect(200, 'PUT', `/api/parent/update-parent/${id}`, {
      token: await staff(),
      json: { email: `right${++n}@family.test` },
    });
    expect(await app.outbox(email)).toHaveLength(before);
  });

  test('that another account has is refused', async () => {
    const [one, two] = [await app.makeFamily(), await app.makeFamily()];
    expect((await change(one, two.email)).body.code).toBe('email_taken');
  });

  test('taken by another meanwhile: the link says so, and the old one goes on', async () => {
    const family = await app.makeFamily();
    const next = `wanted${++n}@family.test`;
    await change(family, next);
    const { token } = await app.lastMail(next);
    await app.makeFamily({ email: next });
    expect(await verify(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    expect((await signIn('parent', family.email, family.password)).status).toBe(200);
  });

  test('thought better of: the link to the stranger’s address is dead', async () => {
    const family = await app.makeFamily();
    const mistyped = `stranger${++n}@family.test`;
    await change(family, mistyped);
    expect((await change(family, family.email)).status).toBe(200);
    expect((await verify((await app.lastMail(mistyped)).token)).status).toBe(400);
    expect((await signIn('parent', family.email, family.password)).status).toBe(200);
  });

  test('may be asked for 3 times in a quarter of an hour by a parent; staff are not counted', async () => {
    const family = await app.makeFamily();
    for (let i = 0; i < 3; i++) expect((await change(family, `often${++n}@family.test`)).status).toBe(200);
    const refused = await change(family, `often${++n}@family.test`);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBe(15 * 60);
    expect(await app.outbox(`often${n}@family.test`)).toEqual([]);
    // All other fields may still be changed.
    const url = `/api/parent/update-parent/${family.id}`;
    await app.expect(200, 'PUT', url, { token: family.token, json: { name: 'Renamed' } });
    const token = await staff();
    await app.expect(200, 'PUT', url, { token, json: { email: `desk${n}@family.test` } });
    app.clock.advance(15 * MINUTE - 1);
    await app.proveNow(family.token);
    expect((await change(family, `often${++n}@family.test`)).status).toBe(429);
    app.clock.advance(1);
    expect((await change(family, `often${++n}@family.test`)).status).toBe(200);
  });

  test('changed again: only the last link works', async () => {
    const family = await app.makeFamily();
    const [first, second] = [`one${++n}@family.test`, `two${n}@family.test`];
    await change(family, first);
    await change(family, second);
    expect((await verify((await app.lastMail(first)).token)).status).toBe(400);
    expect((await verify((await app.lastMail(second)).token)).status).toBe(200);
  });
});

test('staff who have seen the parent at the desk mark the e-mail as verified; the mailed link dies', async () => {
  const { id, email, password } = await register();
  const { code } = await app.expect(201, 'POST', '/api/parent/desk-code', { json: { email, password } });
  const url = `/api/parent/mark-verified/${id}`;
  const body = await app.expect(200, 'POST', url, { token: await staff(), json: { code } });
  expect(body.parent.emailVerified).toBe(true);
  expect((await signIn('parent', email, password)).status).toBe(200);
  expect((await verify((await app.lastMail(email)).token)).status).toBe(400);
});

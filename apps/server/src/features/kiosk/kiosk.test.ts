/** A kiosk as a device: its code and token, who may use its calls, and how a family proves itself there. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { firstNameOf } from '../../first-name.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { comeTo, makeKiosk, pairAgain, setPin, type TestKiosk, tryPin } from '../../testing/kiosks.ts';
import { changeSessions } from '../../testing/sessions.ts';

let app: TestApp;
let staff: string;
let kiosk: TestKiosk;
let number = 4000;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  kiosk = await makeKiosk(app);
});
afterEach(async () => {
  await app.forgetLimits();
  await app.proveNow(staff);
});
afterAll(() => app.close());

/** A family whose phone ends with these four digits. */
async function familyWith(digits: string, pin?: string): Promise<Family> {
  const family = await app.makeFamily({ phone: `0101${String(number++).slice(-3)}${digits}` });
  if (pin !== undefined) await setPin(app, family, pin);
  return family;
}
const auditOf = async (action: string) =>
  (await app.context.db.selectFrom('audit_log').selectAll().where('action', '=', action).execute()).map(
    ({ actor_kind, subject_kind, details }) => ({ actor_kind, subject_kind, details: JSON.parse(details) }),
  );

describe('pairing', () => {
  const pair = (code: string) => app.ask('POST', '/api/kiosk/pair', { json: { code } });
  const codeFor = async (id: string) =>
    (await app.expect(201, 'POST', `/api/kiosks/${id}/pairing`, { token: staff })).code as string;

  test('a code works once, however it is typed; the list says when the device was used', async () => {
    const { kiosk: made } = await app.expect(201, 'POST', '/api/kiosks', {
      token: staff,
      json: { name: 'Gate' },
    });
    expect(made).toMatchObject({
      name: 'Gate',
      isPaired: false,
      pairedAt: null,
      lastUsedAt: null,
      failures: 0,
    });
    const code = await codeFor(made._id);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    const { token } = (await pair(` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `)).body;
    expect(await pair(code)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    expect(await app.expect(200, 'GET', '/api/kiosk', { token })).toEqual({ name: 'Gate' });
    const { kiosks } = await app.expect(200, 'GET', '/api/kiosks', { token: staff });
    const now = new Date(app.clock.now()).toISOString();
    expect(kiosks.find(({ _id }) => _id === made._id)).toMatchObject({ isPaired: true, lastUsedAt: now });
    const rows = JSON.stringify([
      await app.context.db.selectFrom('kiosk_pairings').selectAll().execute(),
      await app.context.db.selectFrom('kiosk_devices').selectAll().execute(),
      app.logLines,
    ]);
    for (const secret of [code, token]) expect(rows).not.toContain(secret);
  });

  test('a code ends after ten minutes, by a newer one, and with its kiosk; guessing is limited', async () => {
    const other = await makeKiosk(app, 'Old');
    const late = await codeFor(other.id);
    app.clock.advance(10 * 60_000);
    expect((await pair(late)).status).toBe(400);
    await app.proveNow(staff);
    const [older, newer] = [await codeFor(other.id), await codeFor(other.id)];
    expect((await pair(older)).status).toBe(400);
    await app.expect(200, 'DELETE', `/api/kiosks/${other.id}`, { token: staff });
    expect((await pair(newer)).status).toBe(400);
    for (let tries = 0; tries < 17; tries++) expect((await pair('WRONG')).status).toBe(400);
    expect((await pair('WRONG')).status).toBe(429);
  });

  test('removing a kiosk and pairing another device cut the older device off at once', async () => {
    const other = await makeKiosk(app, 'Second');
    const newer = await pairAgain(app, other.id);
    expect((await app.ask('GET', '/api/kiosk', { token: other.token })).status).toBe(401);
    await app.expect(200, 'GET', '/api/kiosk', { token: newer });
    await app.expect(200, 'DELETE', `/api/kiosks/${other.id}`, { token: staff });
    expect((await app.ask('GET', '/api/kiosk', { token: newer })).status).toBe(401);
  });

  test('leaving needs the password of verified staff, makes no session, and ends the pairing', async () => {
    const other = await makeKiosk(app, 'Third');
    const leave = (email: string, password: string) =>
      app.ask('POST', '/api/kiosk/leave', { token: other.token, json: { email, password } });
    expect(await leave('first@haris.test', 'wrong')).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    });
    const family = await app.makeFamily();
    expect((await leave(family.email, family.password)).status).toBe(403);
    const employee = await app.makeEmployee();
    const verify = (email_verified: 0 | 1) =>
      app.context.db.updateTable('staff').set({ email_verified }).where('id', '=', employee.id).execute();
    await verify(0);
    expect(await leave(employee.email, employee.password)).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    });
    await verify(1);
    await app.expect(200, 'GET', '/api/kiosk', { token: other.token });
    const sessions = () => app.context.db.selectFrom('sessions').select('token_hash').execute();
    const before = (await sessions()).length;
    expect((await leave('first@haris.test', 'first-password')).status).toBe(204);
    expect((await sessions()).length).toBe(before);
    expect((await app.ask('GET', '/api/kiosk', { token: other.token })).status).toBe(401);
    expect((await auditOf('kiosk.left')).at(-1)?.subject_kind).toBe('kiosk');
  });
});

describe('a PIN', () => {
  const put = (family: Family, pin: string) =>
    app.ask('PUT', '/api/account/kiosk-pin', { token: family.token, json: { pin } });

  test('is set with a fresh proof, stored as a hash, and mailed', async () => {
    const family = await familyWith('7310');
    app.clock.advance(11 * 60_000);
    expect(await put(family, '8305')).toMatchObject({ status: 403, body: { code: 'proof_required' } });
    await app.proveNow(family.token);
    expect((await put(family, '٨٣٠٥')).status).toBe(200);
    expect((await app.lastMail(family.email)).subject).toContain('PIN');
    const state = await app.expect(200, 'GET', '/api/account/kiosk-pin', { token: family.token });
    expect(state).toMatchObject({ digits: '7310', hasKiosk: true });
    const rows = JSON.stringify(await app.context.db.selectFrom('kiosk_pins').select('pin_hash').execute());
    expect(rows).not.toContain('8305');
    for (const typed of ['8305', ' ٨٣٠٥', '۸۳۰۵'])
      expect((await tryPin(app, kiosk, '7310', typed)).status, typed).toBe(200);
  });

  test('that is easy, part of the phone, or no PIN at all is refused', async () => {
    const family = await familyWith('6482');
    await app.proveNow(family.token);
    const easy = [
      '8383',
      '1234',
      '0000',
      '4321',
      '121212',
      '123123',
      '7890',
      '2580',
      '6482',
      '777777',
      '98765',
    ];
    for (const pin of [...easy, '82', '1234567', 'abcd', '12 34'])
      expect((await put(family, pin)).status, pin).toBe(400);
    expect((await put(family, '83056')).status).toBe(200);
  });

  test('needs a phone, and may change five times a day', async () => {
    const token = staff;
    const json = { name: 'No Phone', email: 'no-phone@family.test', password: 'a-secret-6' };
    const { parent } = await app.expect(201, 'POST', '/api/parent/create-parent', { token, json });
    await app.expect(200, 'POST', `/api/parent/mark-verified/${parent._id}`, { token });
    const session = await app.signIn('parent', json.email, json.password);
    expect(
      await app.ask('PUT', '/api/account/kiosk-pin', { token: session, json: { pin: '8305' } }),
    ).toMatchObject({ status: 409, body: { code: 'no_phone' } });
    const family = await familyWith('5501');
    await app.proveNow(family.token);
    for (const pin of ['8305', '8306', '8307', '8308', '8309'])
      expect((await put(family, pin)).status).toBe(200);
    expect((await put(family, '8311')).status).toBe(429);
  });

  test('staff remove it, never set it; the family is told, and it ends with a password set by a link', async () => {
    const family = await familyWith('5502', '8305');
    await app.expect(200, 'DELETE', `/api/parent/${family.id}/kiosk-pin`, { token: staff });
    expect((await app.lastMail(family.email)).subject).toContain('removed');
    expect((await tryPin(app, kiosk, '5502', '8305')).status).toBe(403);
    expect((await auditOf('parent.kiosk_pin_removed')).at(-1)?.actor_kind).toBe('admin');
    await setPin(app, family, '8305');
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: family.email } });
    const { token } = await app.lastMail(family.email);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'another-secret' } });
    expect((await tryPin(app, kiosk, '5502', '8305')).status).toBe(403);
  });
});

describe('digits and PIN', () => {
  test('open one family of several with the same digits, and only by the whole pair', async () => {
    const [one, two] = [await familyWith('1799', '8305'), await familyWith('1799', '9416')];
    const [lina] = [await app.makeChild(one, 'Lina Saleh'), await app.makeChild(two, 'Omar Nabil')];
    const { status, body } = await tryPin(app, kiosk, '١٧٩٩', '8305');
    expect(status).toBe(200);
    expect(body.children).toEqual([
      { _id: lina._id, firstName: 'Lina', name: 'Lina Saleh', isInside: false, isTicked: true },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/Omar|Parent|family\.test|010\d{8}/);
  });

  test('an unknown family, a wrong PIN, no PIN, an unverified account and two matches answer alike', async () => {
    await familyWith('1801', '8305');
    await familyWith('1802');
    const unverified = await familyWith('1803', '8305');
    const { db } = app.context;
    await db.updateTable('parents').set({ email_verified: 0 }).where('id', '=', unverified.id).execute();
    await familyWith('1804', '8305');
    await familyWith('1804', '8305');
    const changed = await familyWith('1805', '8306');
    await db.updateTable('parents').set({ phone: '01012348306' }).where('id', '=', changed.id).execute();
    const rowsBefore = (await auditOf('kiosk.proof_failed')).length;
    const answers = [];
    for (const [digits, pin] of [
      ['1800', '8305'],
      ['1801', '8307'],
      ['1802', '8305'],
      ['1803', '8305'],
      ['1804', '8305'],
      ['8306', '8306'],
    ] as const) {
      const { status, body } = await tryPin(app, kiosk, digits, pin);
      answers.push(JSON.stringify({ status, body }));
      await app.forgetLimits();
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('kiosk_no_match');
    const rows = (await auditOf('kiosk.proof_failed')).slice(rowsBefore);
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set([
        JSON.stringify({ actor_kind: null, subject_kind: 'kiosk', details: { by: 'pin', failures: 1 } }),
      ]),
    );
    expect(JSON.stringify(app.logLines)).not.toMatch(/"18\d\d"/);
  });

  test('more families with these digits than hashes per try: nobody is let in', async () => {
    for (const pin of ['8301', '8302', '8303', '8304', '8305', '8307', '8306']) await familyWith('1900', pin);
    expect((await tryPin(app, kiosk, '1900', '8301')).status).toBe(403);
  });

  test('lock out the digits at this kiosk, then the kiosk, also for the right PIN; others go on', async () => {
    const here = await makeKiosk(app, 'Busy');
    await familyWith('2001', '8305');
    await familyWith('2002', '8305');
    for (let tries = 0; tries < 3; tries++)
      expect((await tryPin(app, here, '2001', '9999')).status).toBe(403);
    const locked = await tryPin(app, here, '2001', '8305');
    expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(locked.headers['retry-after'])).toBe(60);
    expect((await tryPin(app, kiosk, '2001', '8305')).status).toBe(200);
    expect((await tryPin(app, here, '2002', '8305')).status).toBe(200);
    app.clock.advance(60_000);
    for (let tries = 0; tries < 2; tries++)
      expect((await tryPin(app, here, '2001', '9999')).status).toBe(403);
    app.clock.advance(60_000);
    // Five failures in 15 minutes: the wait has grown.
    expect(Number((await tryPin(app, here, '2001', '8305')).headers['retry-after'])).toBe(13 * 60);
    for (let tries = 0; tries < 6; tries++)
      expect((await tryPin(app, here, `300${tries}`, '9999')).status).toBe(403);
    expect((await tryPin(app, here, '2002', '8305')).status).toBe(429);
    expect((await tryPin(app, kiosk, '2002', '8305')).status).toBe(200);
  });

  test('a hundred tries at once count as a hundred', async () => {
    const here = await makeKiosk(app, 'Attacked');
    await familyWith('2101', '8305');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => tryPin(app, here, '2101', String(9000 + index))),
    );
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(27);
  });

  test('success does not reset the failures of the kiosk, and tries of one family are limited over all kiosks', async () => {
    const here = await makeKiosk(app, 'Reset');
    await familyWith('2201', '8305');
    for (let tries = 0; tries < 5; tries++) {
      await tryPin(app, here, `310${tries}`, '9999');
      await tryPin(app, here, '2201', '8305');
    }
    const { kiosks } = await app.expect(200, 'GET', '/api/kiosks', { token: staff });
    expect(kiosks.find(({ _id }) => _id === here.id)?.failures).toBe(5);
    for (let tries = 5; tries < 40; tries++)
      expect((await tryPin(app, kiosk, '2201', '8305')).status).toBe(200);
    expect((await tryPin(app, kiosk, '2201', '8305')).status).toBe(429);
  });

  test('success leaves no failure of its own, however old the failures before it are', async () => {
    const here = await makeKiosk(app, 'Morning');
    await familyWith('2301', '8305');
    const failures = async () =>
      (await app.expect(200, 'GET', '/api/kiosks', { token: staff })).kiosks.find(
        ({ _id }) => _id === here.id,
      )?.failures;
    for (let tries = 0; tries < 3; tries++) await tryPin(app, here, '2301', '9999');
    app.clock.advance(16 * 60_000);
    for (let tries = 0; tries < 8; tries++)
      expect((await tryPin(app, here, '2301', '8305')).status).toBe(200);
    expect(await failures()).toBe(0);
  });

  test('the desk is warned from the fifth failure on, and pairing anew clears it', async () => {
    const here = await makeKiosk(app, 'Warned');
    const warnings = async () =>
      (await app.expect(200, 'GET', '/api/kiosk-requests', { token: staff })).warnings;
    for (let tries = 0; tries < 4; tries++) await tryPin(app, here, `320${tries}`, '9999');
    expect(await warnings()).toEqual([]);
    await tryPin(app, here, '3204', '9999');
    expect(await warnings()).toEqual([{ name: 'Warned', failures: 5 }]);
    await pairAgain(app, here.id);
    expect(await warnings()).toEqual([]);
  });
});

describe("the code of the parent's page", () => {
  const codeOf = async (family: Family) =>
    (await app.expect(201, 'POST', '/api/account/kiosk-code', { token: family.token })).code as string;
  const scan = (code: string) =>
    app.ask('POST', '/api/kiosk/identify', { token: kiosk.token, json: { code } });
  const refused = { status: 400, body: { code: 'wrong_code' } };

  test('works once, for 60 seconds, and only the newest', async () => {
    const family = await app.makeFamily();
    const code = await codeOf(family);
    expect((await scan(code)).status).toBe(200);
    expect(await scan(code)).toMatchObject(refused);
    const older = await codeOf(family);
    const newer = await codeOf(family);
    expect(await scan(older)).toMatchObject(refused);
    app.clock.advance(60_000);
    expect(await scan(newer)).toMatchObject(refused);
    expect(await scan('x'.repeat(43))).toMatchObject(refused);
  });

  test('ends with the session that made it', async () => {
    const family = await app.makeFamily();
    const code = await codeOf(family);
    await app.expect(204, 'POST', '/api/logout', { token: family.token });
    expect(await scan(code)).toMatchObject(refused);
  });

  test('is no longer one once the session that made it has run out', async () => {
    const family = await app.makeFamily();
    const code = await codeOf(family);
    await changeSessions(app.context, { expires_at: app.clock.now() }, family.token);
    expect(await scan(code)).toMatchObject(refused);
  });

  test('is taken once, also by two kiosks at once', async () => {
    const other = await makeKiosk(app, 'Beside');
    const json = { code: await codeOf(await app.makeFamily()) };
    const answers = await Promise.all(
      [kiosk, other].map(({ token }) => app.ask('POST', '/api/kiosk/identify', { token, json })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

test('the children who came last are ticked, and the last period is offered', async () => {
  const family = await app.makeFamily();
  const [one, two, three] = [
    await app.makeChild(family, 'Adam'),
    await app.makeChild(family, 'Basma'),
    await app.makeChild(family, 'Celine'),
  ];
  const ticked = async () =>
    (await comeTo(app, kiosk, family)).children.filter((child) => child.isTicked).map((child) => child._id);
  expect(await ticked()).toEqual([one._id, two._id, three._id]);
  const visit = async (ids: readonly string[], durationInMinutes: number) => {
    for (const id of ids)
      await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
        token: staff,
        json: { durationInMinutes },
      });
    app.clock.advance(60_000);
    for (const id of ids)
      await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
    app.clock.advance(3_600_000);
  };
  await visit([one._id, two._id, three._id], 60);
  await visit([one._id, three._id], 120);
  expect(await ticked()).toEqual([one._id, three._id]);
  expect((await comeTo(app, kiosk, family)).durationInMinutes).toBe(120);
});

test('first names keep what belongs to them', () => {
  const names = [
    'Adam Samir',
    'Abd Allah Nour',
    'عبد الرحمن محمود',
    'Nour El Din Hany',
    'Mona',
    'أبو بكر علي',
  ];
  expect(names.map(firstNameOf)).toEqual([
    'Adam',
    'Abd Allah',
    'عبد الرحمن',
    'Nour El Din',
    'Mona',
    'أبو بكر',
  ]);
});

/** The shared desk: PINs, who may use a tablet, its limits, and what ends a session there (decision 045). */
import { createECDH } from 'node:crypto';
import { FACTOR_FAILURES_PER_DAY } from '@haris/contract/constants';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findSignedInStaffIds } from '../../db/incident-people.ts';
import { findStaffOnDuty } from '../../db/notification-people.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import {
  makeColleague,
  makeDesk,
  pairDeskAgain,
  type TestDesk,
  takeDesk,
  tryStaffPin,
} from '../../testing/desks.ts';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Employee,
  loginPath,
  PUBLIC_URL,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import { makeKiosk } from '../../testing/kiosks.ts';
import { withMailServer } from '../../testing/mail-server.ts';
import { makePasskey } from '../../testing/passkey.ts';
import { changeSessions } from '../../testing/sessions.ts';

const MINUTE = 60_000;
const wrong = { status: 403, body: { code: 'wrong_pin' } };

let app: TestApp;
let desk: TestDesk;
let nadia: Employee;
let omar: Employee;

beforeAll(async () => {
  app = await startTestApp();
  desk = await makeDesk(app);
  nadia = await makeColleague(app, 'Nadia Farouk', '830561');
  omar = await makeColleague(app, 'Omar Sayed', '941627');
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

const isAlive = async (token: string) => (await app.ask('GET', '/api/admin/info', { token })).status === 200;
const rowsOf = (action: string) =>
  app.context.db.selectFrom('audit_log').selectAll().where('action', '=', action).orderBy('seq').execute();

describe('the tablet alone', () => {
  const calls = [
    ['GET', '/api/desk'],
    ['POST', '/api/desk/sign-in'],
    ['POST', '/api/desk/passkey'],
    ['POST', '/api/desk/evacuation'],
    ['GET', '/api/desk/offline'],
    ['POST', '/api/desk/offline'],
    ['POST', '/api/desk/leave'],
  ] as const;

  test('lists staff by name with what they can sign in with, and nothing else of them', async () => {
    const newcomer = await app.makeEmployee({ name: 'Sara Without' });
    const { status, body } = await app.ask('GET', '/api/desk', { token: desk.token });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['dangers', 'evacuatingSince', 'facility', 'name', 'staff']);
    const { staff } = body as unknown as { staff: { _id: string }[] };
    expect(staff.find(({ _id }) => _id === nadia.id)).toEqual({
      _id: nadia.id,
      name: 'Nadia Farouk',
      hasPin: true,
      hasPasskey: false,
      photoId: null,
    });
    expect(staff.find(({ _id }) => _id === newcomer.id)).toMatchObject({ hasPin: false });
    expect(JSON.stringify(body)).not.toContain('@');
  });

  test('is refused without a token, with a kiosk’s, another kind of session, and one that was replaced', async () => {
    const other = await makeDesk(app, 'Replaced');
    await pairDeskAgain(app, other.id);
    const kiosk = await makeKiosk(app);
    const session = await takeDesk(app, desk, nadia.id, '830561');
    for (const [method, url] of calls) {
      for (const token of [undefined, kiosk.token, other.token])
        expect(
          (await app.ask(method, url, { token, json: method === 'GET' ? undefined : {} })).status,
          url,
        ).toBe(401);
      for (const token of [session, await app.staff(), (await app.makeFamily()).token])
        expect((await app.ask(method, url, { token })).status, url).toBe(403);
    }
    for (const url of [
      '/api/kiosk',
      '/api/children/get-all-children',
      '/api/evacuations/current',
      '/api/settings',
    ])
      expect((await app.ask('GET', url, { token: desk.token })).status, url).toBe(401);
  });

  test('a code pairs only its own kind of device, and stays usable after a mistake', async () => {
    const token = await app.staff();
    const { kiosk } = await app.expect(201, 'POST', '/api/kiosks', {
      token,
      json: { name: 'New', kind: 'desk' },
    });
    expect(kiosk.kind).toBe('desk');
    const { code } = await app.expect(201, 'POST', `/api/kiosks/${kiosk._id}/pairing`, { token });
    const pair = (kind?: string) => app.ask('POST', '/api/kiosk/pair', { json: { code, kind } });
    expect((await pair()).status).toBe(400);
    expect((await pair('desk')).status).toBe(200);
  });

  test('starts an evacuation that names it, once, and cannot read or end it', async () => {
    const json = {};
    const { startedAt } = (await app.expect(201, 'POST', '/api/desk/evacuation', {
      token: desk.token,
      json,
    })) as unknown as { startedAt: string };
    app.clock.advance(1000);
    const again = await app.ask('POST', '/api/desk/evacuation', { token: desk.token });
    expect(again.body).toEqual({ startedAt });
    const [row] = (await rowsOf('incident.raised')).slice(-1);
    expect(row).toMatchObject({ actor_kind: 'desk', actor_id: desk.id, actor_name: 'Front desk' });
    const token = await app.staff();
    const { evacuation } = await app.expect(200, 'GET', '/api/evacuations/current', { token });
    expect(evacuation.startedBy).toEqual({ _id: desk.id, name: 'Front desk' });
    const own = await app.ask('GET', '/api/desk', { token: desk.token });
    expect(own.body).toMatchObject({ evacuatingSince: startedAt });
    const url = `/api/evacuations/${evacuation._id}/end`;
    expect((await app.ask('POST', url, { token: desk.token, json: { note: 'x' } })).status).toBe(401);
    await app.expect(200, 'POST', url, { token, json: { note: 'All out' } });
  });

  test('shows dangers until they are over, and of a barred person neither who nor that it is one', async () => {
    const staff = await app.staff();
    const dangers = async () => {
      await app.app.incidents.sweep();
      const { body } = await app.ask('GET', '/api/desk', { token: desk.token });
      expect(JSON.stringify(body)).not.toMatch(/Zanzibar|Wilhelmina|barred/);
      return (body as unknown as { dangers: unknown[] }).dangers;
    };
    expect(await dangers()).toEqual([]);
    const made = await app.expect(201, 'POST', '/api/sensors', {
      token: staff,
      json: { name: 'Stove', area: 'Kitchen', kind: 'haris', period: 60 },
    });
    await app.expect(202, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
      json: { temperature: 50 },
      headers: { 'x-device-key': made.deviceKey },
    });
    const fire = { kind: 'temperature', area: 'Kitchen' };
    expect(await dangers()).toEqual([{ ...fire, since: expect.any(String) }]);

    const family = await app.makeFamily({ name: 'Zanzibar Adel' });
    const child = (await app.makeChild(family, 'Wilhelmina Adel'))._id;
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
    const json = { name: family.name };
    await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: staff, json });
    const checkOut = { collectorId: family.id, proof: { kind: 'known' } };
    const url = `/api/children/checkout-child/${child}`;
    expect((await app.ask('POST', url, { token: staff, json: checkOut })).body.code).toBe('barred_person');
    const both = await dangers();
    expect(both).toHaveLength(2);
    for (const one of [fire, { kind: 'other', area: null }])
      expect(both).toContainEqual({ ...one, since: expect.any(String) });

    // The fire burns on after somebody has acknowledged it; the attempt is over.
    const { incidents } = await app.expect(200, 'GET', '/api/incidents?severity=safety', { token: staff });
    for (const { _id } of incidents)
      await app.expect(200, 'POST', `/api/incidents/${_id}/acknowledge`, { token: staff });
    expect(await dangers()).toEqual([{ ...fire, since: expect.any(String) }]);
    await app.expect(200, 'DELETE', `/api/sensors/${made.sensor._id}`, { token: staff });
    expect(await dangers()).toEqual([]);
  });

  test('leaving needs the password of staff, and ends the session there too', async () => {
    const other = await makeDesk(app, 'Leaving');
    const session = await takeDesk(app, other, nadia.id, '830561');
    const leave = (password: string) =>
      app.ask('POST', '/api/desk/leave', { token: other.token, json: { email: ADMIN_EMAIL, password } });
    expect(await leave('wrong-password')).toMatchObject({ status: 403, body: { code: 'wrong_password' } });
    expect(await isAlive(session)).toBe(true);
    expect((await leave(ADMIN_PASSWORD)).status).toBe(204);
    expect(await isAlive(session)).toBe(false);
    expect((await app.ask('GET', '/api/desk', { token: other.token })).status).toBe(401);
  });
});

describe('a PIN', () => {
  const put = (person: Employee, pin: string) =>
    app.ask('PUT', '/api/account/desk-pin', { token: person.token, json: { pin } });

  test('is six digits that are not easy, no year, and not of the own national ID; stored as a hash, and mailed', async () => {
    const person = await app.makeEmployee();
    // The ID begins with 2990101: born on 1 January 1999.
    const easy = ['123456', '111111', '654321', '121212', '198512', '121985', '200417', '990101', '010199'];
    for (const pin of [...easy, '83056', '8305612', 'abcdef', person.nationalId.slice(-6)])
      expect((await put(person, pin)).status, pin).toBe(400);
    expect((await put(person, '٨٣٠٥٦٧')).status).toBe(200);
    expect((await app.lastMail(person.email)).subject).toContain('PIN');
    expect((await tryStaffPin(app, desk, person.id, '830567')).status).toBe(200);
    const stored = JSON.stringify([
      await app.context.db.selectFrom('staff_pins').selectAll().execute(),
      await rowsOf('admin.desk_pin_set'),
      app.logLines,
    ]);
    expect(stored).not.toContain('830567');
    const state = await app.ask('GET', '/api/account/desk-pin', { token: person.token });
    expect(state.body).toMatchObject({ hasDesk: true, setAt: new Date(app.clock.now()).toISOString() });
  });

  test('the same digits of two people have different hashes', async () => {
    const one = await makeColleague(app, 'Twin One', '775331');
    const two = await makeColleague(app, 'Twin Two', '775331');
    await takeDesk(app, desk, one.id, '775331');
    const token = await takeDesk(app, desk, two.id, '775331');
    expect((await app.expect(200, 'GET', '/api/admin/info', { token })).admin.name).toBe('Twin Two');
    await app.context.db
      .updateTable('staff_pins')
      .set((eb) => ({
        pin_hash: eb
          .selectFrom('staff_pins as other')
          .select('other.pin_hash')
          .where('other.staff_id', '=', one.id),
      }))
      .where('staff_id', '=', two.id)
      .execute();
    expect(await tryStaffPin(app, desk, two.id, '775331')).toMatchObject(wrong);
  });

  test('wrong, not set, of a deleted person and of nobody answer alike, with one row each', async () => {
    const newcomer = await app.makeEmployee();
    const gone = await makeColleague(app, 'Gone Soon', '830562');
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token: await app.staff() });
    const answers = new Set<string>();
    const before = (await rowsOf('desk.sign_in_failed')).length;
    for (const [id, pin] of [
      [nadia.id, '830569'],
      [newcomer.id, '830561'],
      [gone.id, '830562'],
      ['nobody@haris.test', '830561'],
    ] as const) {
      const { status, body } = await tryStaffPin(app, desk, id, pin);
      answers.add(JSON.stringify({ status, body }));
      await app.forgetLimits();
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain('wrong_pin');
    const rows = (await rowsOf('desk.sign_in_failed')).slice(before);
    expect(
      rows.map(({ actor_kind, actor_name, subject_id }) => [actor_kind, actor_name, subject_id]),
    ).toEqual([
      ['desk', 'Front desk', nadia.id],
      ['desk', 'Front desk', newcomer.id],
      ['desk', 'Front desk', null],
      ['desk', 'Front desk', null],
    ]);
    const { id } = gone;
    const left = await app.context.db
      .selectFrom('staff_pins')
      .selectAll()
      .where('staff_id', '=', id)
      .execute();
    expect(left).toEqual([]);
  });

  test('ends with a password set by a link, with removed second factors, and by an administrator; sessions with it', async () => {
    const person = await makeColleague(app, 'Forgetful', '830563');
    const admin = await app.staff();
    const ends: [string, () => Promise<unknown>][] = [
      [
        'link',
        async () => {
          // After the mail about the PIN.
          app.clock.advance(1000);
          await app.expect(200, 'POST', '/vendor/forgot', {
            json: { kind: 'admin', email: person.email },
          });
          const { token } = await app.lastMail(person.email);
          await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'another-password' } });
        },
      ],
      ['factors', () => app.expect(204, 'DELETE', `/api/admin/${person.id}/factors`, { token: admin })],
      [
        'administrator',
        () => app.expect(200, 'DELETE', `/api/admin/${person.id}/desk-pin`, { token: admin }),
      ],
      ['own', async () => app.expect(200, 'DELETE', '/api/account/desk-pin', { token: await again() })],
    ];
    let password = person.password;
    const again = () => app.signIn('admin', person.email, password);
    for (const [name, end] of ends) {
      const token = await again();
      await app.expect(200, 'PUT', '/api/account/desk-pin', { token, json: { pin: '830563' } });
      const session = await takeDesk(app, desk, person.id, '830563');
      await end();
      if (name === 'link') password = 'another-password';
      expect(await isAlive(session), name).toBe(false);
      expect(await tryStaffPin(app, desk, person.id, '830563'), name).toMatchObject(wrong);
      await app.forgetLimits();
    }
    expect((await rowsOf('admin.desk_pin_removed')).length).toBe(2);
  });

  test('set anew ends what was opened with the older one, and nothing else of its owner', async () => {
    const person = await makeColleague(app, 'Renewed', '830564');
    const token = await app.signIn('admin', person.email, person.password);
    const session = await takeDesk(app, desk, person.id, '830564');
    expect((await put({ ...person, token }, '941628')).status).toBe(200);
    expect(await isAlive(session)).toBe(false);
    expect(await tryStaffPin(app, desk, person.id, '830564')).toMatchObject(wrong);
    expect((await tryStaffPin(app, desk, person.id, '941628')).status).toBe(200);
    expect(await isAlive(token)).toBe(true);
  });

  test('is removed only by somebody who manages staff and may do all that its owner may', async () => {
    const token = await app.staff();
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token });
    const remove = () => app.ask('DELETE', `/api/admin/${admin._id}/desk-pin`, { token: nadia.token });
    await app.proveNow(nadia.token);
    expect(await remove()).toMatchObject({ status: 403, body: { code: 'beyond_own_rights' } });
    const roles = [{ roleId: 'desk', facilityId: null }];
    await app.expect(200, 'PUT', `/api/admin/${omar.id}/roles`, { token, json: { roles } });
    await app.proveNow(omar.token);
    const url = `/api/admin/${nadia.id}/desk-pin`;
    expect(await app.ask('DELETE', url, { token: omar.token })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await tryStaffPin(app, desk, nadia.id, '830561')).status).toBe(200);
  });
});

describe('tries', () => {
  test('a hundred at once: three are judged', async () => {
    const here = await makeDesk(app, 'Attacked');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => tryStaffPin(app, here, nadia.id, String(500_000 + index))),
    );
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(97);
    const locked = await tryStaffPin(app, here, nadia.id, '830561');
    expect(locked.status).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBe(60);
  });

  test('lock out one person at one tablet; colleagues there, and the person elsewhere, go on', async () => {
    const here = await makeDesk(app, 'Aimed');
    for (let tries = 0; tries < 3; tries++) await tryStaffPin(app, here, nadia.id, '500000');
    expect((await tryStaffPin(app, here, nadia.id, '830561')).status).toBe(429);
    expect((await tryStaffPin(app, here, omar.id, '941627')).status).toBe(200);
    expect((await tryStaffPin(app, desk, nadia.id, '830561')).status).toBe(200);
    app.clock.advance(MINUTE);
    for (let tries = 0; tries < 2; tries++) await tryStaffPin(app, here, nadia.id, '500000');
    app.clock.advance(MINUTE);
    expect(Number((await tryStaffPin(app, here, nadia.id, '830561')).headers['retry-after'])).toBe(13 * 60);
    // A new PIN, with a proof, is a way out.
    await app.proveNow(nadia.token);
    await app.expect(200, 'PUT', '/api/account/desk-pin', { token: nadia.token, json: { pin: '830561' } });
    expect((await tryStaffPin(app, here, nadia.id, '830561')).status).toBe(200);
  });

  test('over many people lock the tablet; staff see it in the list, and pairing anew opens it', async () => {
    const here = await makeDesk(app, 'Swept');
    for (let tries = 0; tries < 10; tries++) await tryStaffPin(app, here, `nobody-${tries}`, '500000');
    expect((await tryStaffPin(app, here, omar.id, '941627')).status).toBe(429);
    const { kiosks } = await app.expect(200, 'GET', '/api/kiosks', { token: await app.staff() });
    expect(kiosks.find(({ _id }) => _id === here.id)).toMatchObject({ kind: 'desk', failures: 10 });
    const again = { id: here.id, token: await pairDeskAgain(app, here.id) };
    expect((await tryStaffPin(app, again, omar.id, '941627')).status).toBe(200);
  });

  test('a right PIN leaves no failure of its own and does not clear older ones', async () => {
    const here = await makeDesk(app, 'Honest');
    for (let tries = 0; tries < 12; tries++) {
      app.clock.advance(1000);
      expect((await tryStaffPin(app, here, omar.id, '941627')).status).toBe(200);
    }
    await tryStaffPin(app, here, omar.id, '500000');
    await tryStaffPin(app, here, omar.id, '500000');
    expect((await tryStaffPin(app, here, omar.id, '941627')).status).toBe(200);
    await tryStaffPin(app, here, omar.id, '500000');
    expect((await tryStaffPin(app, here, omar.id, '941627')).status).toBe(429);
  });
});

describe('a session', () => {
  test('is the person’s own: what is done there carries the name, and the sign-in names the tablet', async () => {
    const child = await app.makeChild(await app.makeFamily(), 'Lina Saleh');
    const url = (what: string) => `/api/children/${what}-child/${child._id}`;
    await app.expect(200, 'POST', url('checkin'), { token: await takeDesk(app, desk, nadia.id, '830561') });
    await app.expect(200, 'POST', url('checkout'), { token: await takeDesk(app, desk, omar.id, '941627') });
    const [checkIn] = (await rowsOf('child.checked_in')).slice(-1);
    const [checkOut] = (await rowsOf('child.checked_out')).slice(-1);
    expect([checkIn?.actor_name, checkOut?.actor_name]).toEqual(['Nadia Farouk', 'Omar Sayed']);
    const [signedIn] = (await rowsOf('admin.signed_in')).slice(-1);
    expect(signedIn).toMatchObject({ actor_name: 'Omar Sayed', subject_id: omar.id });
    expect(JSON.parse(signedIn?.details ?? '')).toEqual({ factor: 'desk', by: 'pin', desk: desk.id });
  });

  test('ends with the next person’s PIN, with “Hand over”, and when the tablet is paired anew or removed', async () => {
    const here = await makeDesk(app, 'Changing');
    const first = await takeDesk(app, here, nadia.id, '830561');
    const elsewhere = await takeDesk(app, desk, nadia.id, '830561');
    const second = await takeDesk(app, here, omar.id, '941627');
    expect([await isAlive(first), await isAlive(elsewhere), await isAlive(second)]).toEqual([
      false,
      true,
      true,
    ]);
    await app.expect(204, 'POST', '/api/logout', { token: second });
    expect(await isAlive(second)).toBe(false);
    const third = await takeDesk(app, here, omar.id, '941627');
    const again = { id: here.id, token: await pairDeskAgain(app, here.id) };
    expect(await isAlive(third)).toBe(false);
    const fourth = await takeDesk(app, again, omar.id, '941627');
    await app.expect(200, 'DELETE', `/api/kiosks/${here.id}`, { token: await app.staff() });
    expect(await isAlive(fourth)).toBe(false);
    expect((await tryStaffPin(app, again, omar.id, '941627')).status).toBe(401);
    expect(await isAlive(nadia.token)).toBe(true);
  });

  test('of two who sign in at once, one has the tablet', async () => {
    const here = await makeDesk(app, 'Both');
    const tokens = await Promise.all([
      takeDesk(app, here, nadia.id, '830561'),
      takeDesk(app, here, omar.id, '941627'),
    ]);
    const alive = await Promise.all(tokens.map(isAlive));
    expect(alive.filter(Boolean)).toHaveLength(1);
  });

  test('ends with the account', async () => {
    const gone = await makeColleague(app, 'Leaving Today', '830564');
    const session = await takeDesk(app, desk, gone.id, '830564');
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token: await app.staff() });
    expect(await isAlive(session)).toBe(false);
  });

  test('ends after two minutes without a press, however much the page reads', async () => {
    const session = await takeDesk(app, desk, nadia.id, '830561');
    const press = () => app.ask('POST', '/api/session/press', { token: session });
    app.clock.advance(MINUTE + 59_000);
    expect((await press()).status).toBe(204);
    for (let half = 0; half < 3; half++) {
      app.clock.advance(30_000);
      expect(await isAlive(session)).toBe(true);
    }
    app.clock.advance(30_000);
    expect(await isAlive(session)).toBe(false);
    expect((await press()).status).toBe(401);
  });

  test('waits as long as the settings say, within 1 to 15 minutes', async () => {
    const token = await app.staff();
    for (const odd of [0, 16, 1.5, '2'])
      expect((await app.ask('PUT', '/api/settings', { token, json: { deskIdleMinutes: odd } })).status).toBe(
        400,
      );
    await app.expect(200, 'PUT', '/api/settings', { token, json: { deskIdleMinutes: 5 } });
    const { body } = await tryStaffPin(app, desk, omar.id, '941627');
    expect(body).toMatchObject({ idleMinutes: 5, admin: { name: 'Omar Sayed' } });
    app.clock.advance(4 * MINUTE + 59_000);
    expect(await isAlive(body.token)).toBe(true);
    app.clock.advance(1000);
    expect(await isAlive(body.token)).toBe(false);
    await app.expect(200, 'PUT', '/api/settings', { token, json: { deskIdleMinutes: 2 } });
  });

  test('once idle, neither gets pushes nor counts as somebody who is signed in', async () => {
    const token = await takeDesk(app, desk, omar.id, '941627');
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    const json = {
      endpoint: 'https://push.invalid/tablet',
      keys: { p256dh: ecdh.getPublicKey('base64url'), auth: 'A'.repeat(22) },
      device: 'Tablet',
    };
    await app.expect(201, 'POST', '/api/notices/devices', { token, json });
    const { db } = app.context;
    const read = async () => ({
      devices: (await findPushSubscriptions(db, [{ kind: 'admin', id: omar.id }], app.clock.now())).length,
      atDesk: (await findSignedInStaffIds(db, app.clock.now())).includes(omar.id),
      onDuty: (await findStaffOnDuty(db, [omar.id], app.clock.now())).size,
    });
    await db.deleteFrom('sessions').where('account_id', '=', omar.id).where('desk_id', 'is', null).execute();
    expect(await read()).toEqual({ devices: 1, atDesk: true, onDuty: 1 });
    app.clock.advance(2 * MINUTE);
    expect(await read()).toEqual({ devices: 0, atDesk: false, onDuty: 0 });
    omar = { ...omar, token: await app.signIn('admin', omar.email, omar.password) };
  });

  test('ends after a working day, and when the clock is set back', async () => {
    const long = await takeDesk(app, desk, omar.id, '941627');
    const press = () =>
      app.context.db
        .updateTable('sessions')
        .set({ last_seen_at: app.clock.now() })
        .where('desk_id', '=', desk.id)
        .execute();
    app.clock.advance(12 * 60 * MINUTE - MINUTE);
    await press();
    expect(await isAlive(long)).toBe(true);
    app.clock.advance(MINUTE);
    expect(await isAlive(long)).toBe(false);
    const session = await takeDesk(app, desk, omar.id, '941627');
    app.clock.advance(-10 * MINUTE);
    expect(await isAlive(session)).toBe(false);
    app.clock.advance(10 * MINUTE);
  });

  test('may do what both the person and the role of the desk may: no export, no deletion, whoever it is', async () => {
    const token = await takeDesk(app, desk, nadia.id, '830561');
    const refused = { status: 403, body: { code: 'forbidden' } };
    for (const [method, url] of [
      ['GET', '/api/reports/attendance.csv'],
      ['DELETE', `/api/admin/delete-admin/${omar.id}`],
      ['PUT', '/api/settings'],
      ['GET', '/api/audit'],
    ] as const)
      expect(
        await app.ask(method, url, { token, ...(method === 'PUT' ? { json: {} } : {}) }),
        url,
      ).toMatchObject(refused);
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token });
    expect(new Set(admin.permissions)).toEqual(new Set(BUILT_IN_ROLES.desk));
    const inspector = await makeColleague(app, 'Only Looks', '830568');
    const roles = [{ roleId: 'inspector', facilityId: null }];
    await app.expect(200, 'PUT', `/api/admin/${inspector.id}/roles`, {
      token: await app.staff(),
      json: { roles },
    });
    const looks = await takeDesk(app, desk, inspector.id, '830568');
    const child = await app.makeChild(await app.makeFamily());
    expect((await app.ask('GET', `/api/children/get-child/${child._id}`, { token: looks })).status).toBe(200);
    expect(await app.ask('POST', `/api/children/checkin-child/${child._id}`, { token: looks })).toMatchObject(
      refused,
    );
  });

  test('is no proof: changes of the own account ask for one', async () => {
    const token = await takeDesk(app, desk, nadia.id, '830561');
    const asked = { status: 403, body: { code: 'proof_required', methods: ['password'] } };
    const json = { pin: '830565' };
    expect(await app.ask('PUT', '/api/account/desk-pin', { token, json })).toMatchObject(asked);
    expect(
      await app.ask('POST', '/api/account/factors/app', { token, json: { name: 'Mine' } }),
    ).toMatchObject(asked);
    await app.expect(204, 'POST', '/api/session/proof', { token, json: { password: nadia.password } });
    await app.expect(200, 'PUT', '/api/account/desk-pin', { token, json: { pin: '830561' } });
    expect(await isAlive(token)).toBe(true);
  });

  test('is enough where a second factor is required, and does not count as one for requiring it', async () => {
    const own = await startTestApp();
    try {
      const tablet = await makeDesk(own);
      const colleague = await makeColleague(own, 'Has A PIN', '830566');
      const admin = await own.staff();
      const passkey = await addPasskey(own, admin);
      await own.expect(200, 'PUT', '/api/account/desk-pin', { token: admin, json: { pin: '941628' } });
      const { admin: first } = await own.expect(200, 'GET', '/api/admin/info', { token: admin });
      const atDesk = await takeDesk(own, tablet, first._id, '941628');
      await own.proveNow(atDesk);
      const required = { json: { staffSecondFactor: true } };
      expect(await own.ask('PUT', '/api/settings', { token: atDesk, ...required })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
      await changeSessions(own.context, { factor: 'second' }, admin);
      await own.proveNow(admin);
      await withMailServer(own, () => own.expect(200, 'PUT', '/api/settings', { token: admin, ...required }));
      expect((await own.ask('GET', '/api/admin/info', { token: colleague.token })).status).toBe(401);
      const token = await takeDesk(own, tablet, colleague.id, '830566');
      await own.expect(200, 'GET', '/api/children/get-all-children', { token });
      expect(passkey).toBeDefined();
    } finally {
      await own.close();
    }
  });
});

async function addPasskey(on: TestApp, token: string) {
  const passkey = makePasskey();
  const { challenge } = await on.expect(200, 'POST', '/api/account/factors/passkey/options', { token });
  const json = { challenge, name: 'Key', passkey: passkey.create(claims(challenge)) };
  await on.expect(201, 'POST', '/api/account/factors/passkey', { token, json });
  return passkey;
}
const claims = (challenge: string) => ({ challenge, origin: PUBLIC_URL, host: new URL(PUBLIC_URL).hostname });

describe('a passkey', () => {
  const begin = (here: TestDesk, staffId: string) =>
    app.ask('POST', '/api/desk/passkey', { token: here.token, json: { staffId } });
  const finish = (here: TestDesk, staffId: string, challenge: string, passkey: object) =>
    app.ask('POST', '/api/desk/sign-in', { token: here.token, json: { staffId, challenge, passkey } });

  test('signs its owner in at this tablet, once per challenge, and is no proof either', async () => {
    const owner = await app.makeEmployee({ name: 'Has A Key' });
    const key = await addPasskey(app, owner.token);
    const { body } = await begin(desk, owner.id);
    const { challenge } = body;
    const other = await makeDesk(app, 'Other');
    const answer = key.get(claims(challenge));
    expect(await finish(other, owner.id, challenge, answer)).toMatchObject(wrong);
    expect(await finish(desk, nadia.id, challenge, answer)).toMatchObject(wrong);
    const signedIn = await finish(desk, owner.id, challenge, answer);
    expect(signedIn).toMatchObject({ status: 200, body: { admin: { name: 'Has A Key' } } });
    expect(await finish(desk, owner.id, challenge, answer)).toMatchObject(wrong);
    expect(
      await app.ask('PUT', '/api/account/desk-pin', { token: signedIn.body.token, json: { pin: '830561' } }),
    ).toMatchObject({ status: 403, body: { code: 'proof_required', methods: ['passkey', 'recovery'] } });
  });

  test('of somebody else is refused; who has none is told so', async () => {
    const owner = await app.makeEmployee();
    await addPasskey(app, owner.token);
    const { body } = await begin(desk, owner.id);
    expect(
      await finish(desk, owner.id, body.challenge, makePasskey().get(claims(body.challenge))),
    ).toMatchObject(wrong);
    for (const id of [omar.id, 'nobody'])
      expect(await begin(desk, id)).toMatchObject({ status: 409, body: { code: 'no_passkey' } });
  });

  test('that is wrong, a day long at three tablets, locks its owner out at these alone', async () => {
    const owner = await app.makeEmployee();
    const key = await addPasskey(app, owner.token);
    const tablets = [await makeDesk(app, 'One'), await makeDesk(app, 'Two'), await makeDesk(app, 'Three')];
    const tryAt = async (here: TestDesk, passkey: ReturnType<typeof makePasskey>) => {
      const { challenge } = (await begin(here, owner.id)).body;
      return finish(here, owner.id, challenge, passkey.get(claims(challenge)));
    };
    for (const tablet of tablets)
      for (let failures = 0; failures < FACTOR_FAILURES_PER_DAY / tablets.length; ) {
        const answer = await tryAt(tablet, makePasskey());
        if (answer.status === 429) app.clock.advance(Number(answer.headers['retry-after']) * 1000);
        else {
          expect(answer).toMatchObject(wrong);
          failures++;
        }
      }
    for (const tablet of tablets) expect((await tryAt(tablet, key)).status).toBe(429);
    expect((await tryAt(desk, key)).status).toBe(200);
    const { email, password } = owner;
    const step = await app.expect(200, 'POST', loginPath.admin, { json: { email, password } });
    const answerTo = (challenge: string) => ({ challenge, passkey: key.get(claims(challenge)) });
    const { token } = await app.expect(200, 'POST', '/api/session/second-factor', {
      json: answerTo(step.challenge),
    });
    const asked = await app.expect(200, 'POST', '/api/session/proof/options', { token });
    const json = answerTo(String(asked.challenge));
    await app.expect(204, 'POST', '/api/session/proof', { token, json });
  });
});

/** What has ended opens nothing at a kiosk: a session, a pairing, a PIN, an account, a request, also when something began before. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { hashSlowly } from '../../testing/cheap-argon2.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import {
  askFor,
  comeTo,
  makeKiosk,
  pairAgain,
  setPin,
  stateOf,
  type TestKiosk,
  tryPin,
} from '../../testing/kiosks.ts';
import { askSlowly } from '../../testing/slow-body.ts';

let app: TestApp;
let staff: string;
let kiosk: TestKiosk;
let number = 5000;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  kiosk = await makeKiosk(app);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.forgetLimits();
  await app.proveNow(staff);
});
afterAll(() => app.close());

/** A family with a phone of these digits, a PIN, and a child. */
async function familyOf(pin?: string): Promise<{ family: Family; digits: string; id: string }> {
  const digits = String(number++);
  const family = await app.makeFamily({ phone: `0101777${digits}` });
  const { _id: id } = await app.makeChild(family, 'Adam');
  if (pin !== undefined) await setPin(app, family, pin);
  return { family, digits, id };
}

const checkIn = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
const onMyWay = async (id: string) =>
  (await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff })).child.onMyWay ?? null;
const waiting = async (visit: string) =>
  (await app.expect(200, 'GET', '/api/kiosk-requests', { token: staff })).requests.filter(
    (one) => one.visit === visit,
  );
const eventsOf = async (parentId: string) =>
  (
    await app.context.db
      .selectFrom('events')
      .select('type')
      .where('parent_id', '=', parentId)
      .orderBy('id')
      .execute()
  ).map(({ type }) => type);

describe('a request whose body is held back', () => {
  test('sets no PIN after the parent has signed out', async () => {
    const { family, digits } = await familyOf();
    await app.proveNow(family.token);
    const { status } = await askSlowly(
      app,
      'PUT',
      '/api/account/kiosk-pin',
      { token: family.token, json: { pin: '8305' } },
      () => app.expect(204, 'POST', '/api/logout', { token: family.token }),
    );
    expect(status).toBe(401);
    expect((await tryPin(app, kiosk, digits, '8305')).status).toBe(403);
  });

  test('shows no family to a tablet that another one has replaced', async () => {
    const { digits } = await familyOf('8305');
    const here = await makeKiosk(app, 'Replaced');
    const json = { digits, pin: '8305' };
    const replace = () => pairAgain(app, here.id);
    expect(
      await askSlowly(app, 'POST', '/api/kiosk/identify', { token: here.token, json }, replace),
    ).toMatchObject({ status: 401 });
  });

  test('checks nobody in after the employee was deleted', async () => {
    const { id } = await familyOf();
    const employee = await app.makeEmployee();
    const dismiss = () =>
      app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}`, { token: staff });
    const url = `/api/children/checkin-child/${id}`;
    expect(
      await askSlowly(app, 'POST', url, { token: employee.token, json: { durationInMinutes: 60 } }, dismiss),
    ).toMatchObject({ status: 401 });
    const { child } = await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff });
    expect(child.isInside).toBe(false);
  });
});

describe('a PIN', () => {
  const ask = (grant: string, id: string) =>
    app.ask('POST', '/api/kiosk/requests', {
      token: kiosk.token,
      json: { grant, kind: 'check_in', childIds: [id] },
    });

  test('that is removed while its hash is computed opens nothing, or a grant that is dead', async () => {
    const { family, digits, id } = await familyOf('8305');
    // As slow as a busy server: the removal comes first.
    const pinHash = await hashSlowly(app.context.vault.mac('kiosk pin', '8305'));
    await app.context.db
      .updateTable('kiosk_pins')
      .set({ pin_hash: pinHash })
      .where('parent_id', '=', family.id)
      .execute();
    const mac = vi.spyOn(app.context.vault, 'mac');
    const trying = tryPin(app, kiosk, digits, '8305');
    await expect.poll(() => mac.mock.calls.some(([scope]) => scope === 'kiosk pin')).toBe(true);
    await app.expect(200, 'DELETE', `/api/parent/${family.id}/kiosk-pin`, { token: staff });
    const { status, body } = await trying;
    expect(status === 403 || (await ask(body.grant, id)).status === 400).toBe(true);
    const grants = app.context.db.selectFrom('kiosk_grants').selectAll().where('parent_id', '=', family.id);
    expect(await grants.execute()).toEqual([]);
  });

  test('is not set by a session that a mailed link ends at the same time', async () => {
    const { family, digits } = await familyOf();
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: family.email } });
    const { token } = await app.lastMail(family.email);
    await app.proveNow(family.token);
    const reset = () =>
      app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'another-secret' } });
    const put = () =>
      app.ask('PUT', '/api/account/kiosk-pin', { token: family.token, json: { pin: '8305' } });
    await Promise.all([put(), reset(), put(), put()]);
    expect((await tryPin(app, kiosk, digits, '8305')).status).toBe(403);
  });

  test('that is removed takes its grants and codes along', async () => {
    const { family, digits, id } = await familyOf('8305');
    const { grant } = (await tryPin(app, kiosk, digits, '8305')).body;
    const { code } = await app.expect(201, 'POST', '/api/account/kiosk-code', { token: family.token });
    await app.expect(200, 'DELETE', `/api/parent/${family.id}/kiosk-pin`, { token: staff });
    expect((await ask(grant, id)).status).toBe(400);
    const scan = { token: kiosk.token, json: { code } };
    expect((await app.ask('POST', '/api/kiosk/identify', scan)).status).toBe(400);
  });

  test('ends when the account moves to an address whose owner may not know the password', async () => {
    const { family, digits } = await familyOf('8305');
    const email = `moved-${digits}@family.test`;
    await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, { token: staff, json: { email } });
    expect((await tryPin(app, kiosk, digits, '8305')).status).toBe(200);
    const { token: asked } = await app.lastMail(family.email);
    await app.expect(200, 'POST', `/api/parent/change-email/${asked}`, { json: { agree: true } });
    const { token } = await app.lastMail(email);
    const from = '203.0.113.77';
    await app.expect(200, 'GET', `/api/parent/verify/email/${token}`, { from });
    expect((await tryPin(app, kiosk, digits, '8305')).status).toBe(403);
    await app.context.mails.settled();
    const subjects = (await app.outbox(email)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringContaining('removed'));
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${family.id}`, { token: staff });
    expect(entries.map(({ action }) => action)).toContain('parent.kiosk_pin_removed');
  });
});

describe('what a family has asked ends, with its announcement,', () => {
  async function askedPickUp(made?: { family: Family; id: string }) {
    const { family, id } = made ?? (await familyOf('8305'));
    await checkIn(id);
    const { visit } = await askFor(app, kiosk, family, [id], { kind: 'pick_up' });
    expect(await onMyWay(id)).toMatchObject({ source: 'kiosk' });
    return { family, id, visit };
  }
  async function expectEnded({ family, id, visit }: { family: Family; id: string; visit: string }) {
    expect(await waiting(visit)).toEqual([]);
    expect(await stateOf(app, kiosk, visit)).toEqual([{ firstName: 'Adam', state: 'ended' }]);
    expect(await onMyWay(id)).toBeNull();
    expect((await eventsOf(family.id)).slice(-2)).toEqual(['child.on_my_way_ended', 'kiosk.updated']);
  }

  test('with the PIN, which staff remove because somebody else knows it', async () => {
    const asked = await askedPickUp();
    const [request] = await waiting(asked.visit);
    await app.expect(200, 'DELETE', `/api/parent/${asked.family.id}/kiosk-pin`, { token: staff });
    await expectEnded(asked);
    expect(
      await app.ask('POST', `/api/kiosk-requests/${request?._id}/accept`, { token: staff }),
    ).toMatchObject({ status: 409, body: { code: 'kiosk_request_ended' } });
  });

  test('with the password, for which a mailed link sets another', async () => {
    const asked = await askedPickUp();
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: asked.family.email } });
    const { token } = await app.lastMail(asked.family.email);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'another-secret' } });
    const events = await eventsOf(asked.family.id);
    expect(events).toContain('child.on_my_way_ended');
    expect(await waiting(asked.visit)).toEqual([]);
    expect(await onMyWay(asked.id)).toBeNull();
  });

  test('with an account that the owner of its address disowns', async () => {
    const email = `stranger-${number}@family.test`;
    const json = { name: 'Stranger', email, phone: `0101777${number++}`, password: 'a-strangers-password' };
    const { parent } = await app.expect(201, 'POST', '/api/parent/add', { json });
    const { token: link } = await app.lastMail(email);
    await app.expect(200, 'GET', `/api/parent/verify/email/${link}`);
    const token = await app.signIn('parent', email, json.password);
    const family = { ...json, id: parent._id, token };
    const { _id: id } = await app.makeChild(family, 'Adam');
    const asked = await askedPickUp({ family, id });
    await app.expect(200, 'POST', `/api/parent/verify/email/${link}/disown`);
    await expectEnded(asked);
  });

  test('with the kiosk', async () => {
    const { family, id } = await familyOf();
    await checkIn(id);
    const gone = await makeKiosk(app, 'Gone');
    const { visit } = await askFor(app, gone, family, [id], { kind: 'pick_up' });
    await app.expect(200, 'DELETE', `/api/kiosks/${gone.id}`, { token: staff });
    expect(await waiting(visit)).toEqual([]);
    expect(await onMyWay(id)).toBeNull();
  });

  test('when staff refuse it; what the family says on its phone afterwards stays', async () => {
    const { family, id, visit } = await askedPickUp();
    const [request] = await waiting(visit);
    await app.expect(200, 'POST', `/api/kiosk-requests/${request?._id}/refuse`, { token: staff });
    expect(await onMyWay(id)).toBeNull();
    expect((await eventsOf(family.id)).slice(-2)).toEqual(['child.on_my_way_ended', 'kiosk.updated']);
    const again = await askFor(app, kiosk, family, [id], { kind: 'pick_up' });
    const arrivesAt = new Date(app.clock.now() + 600_000).toISOString();
    await app.expect(200, 'POST', '/api/children/on-my-way', {
      token: family.token,
      json: { children: [id], arrivesAt },
    });
    await app.expect(200, 'DELETE', `/api/kiosk/requests/${again.visit}`, { token: kiosk.token });
    expect(await onMyWay(id)).toMatchObject({ source: 'phone', arrivesAt });
  });
});

test('a grant of the tablet before is none of the one that was paired after it', async () => {
  const { family, id } = await familyOf();
  const here = await makeKiosk(app, 'Twice');
  const { grant } = await comeTo(app, here, family);
  const token = await pairAgain(app, here.id);
  const json = { grant, kind: 'check_in', childIds: [id] };
  expect(await app.ask('POST', '/api/kiosk/requests', { token, json })).toMatchObject({
    status: 400,
    body: { code: 'wrong_code' },
  });
});

test('after the clock was set back, nothing lives longer than it may: codes, grants, requests', async () => {
  const { family, id } = await familyOf();
  const made = await makeKiosk(app, 'Clock');
  const pairing = await app.expect(201, 'POST', `/api/kiosks/${made.id}/pairing`, { token: staff });
  const { visit } = await askFor(app, kiosk, family, [id]);
  const [request] = await waiting(visit);
  const { grant } = await comeTo(app, kiosk, family);
  const { code } = await app.expect(201, 'POST', '/api/account/kiosk-code', { token: family.token });
  app.clock.advance(-3_600_000);
  expect(await waiting(visit)).toEqual([]);
  expect((await stateOf(app, kiosk, visit))[0]?.state).toBe('expired');
  const url = `/api/kiosk-requests/${request?._id}`;
  for (const what of ['accept', 'refuse'])
    expect((await app.ask('POST', `${url}/${what}`, { token: staff })).status).toBe(409);
  const wish = { token: kiosk.token, json: { grant, kind: 'check_in', childIds: [id] } };
  expect((await app.ask('POST', '/api/kiosk/requests', wish)).status).toBe(400);
  const scan = { token: kiosk.token, json: { code } };
  expect((await app.ask('POST', '/api/kiosk/identify', scan)).status).toBe(400);
  expect((await app.ask('POST', '/api/kiosk/pair', { json: { code: pairing.code } })).status).toBe(400);
  app.clock.advance(3_600_000);
});

test('an audit row of an announcement at a kiosk names the address of the device', async () => {
  const { family, id } = await familyOf();
  await checkIn(id);
  const { grant } = await comeTo(app, kiosk, family);
  const json = { grant, kind: 'pick_up', childIds: [id] };
  await app.expect(201, 'POST', '/api/kiosk/requests', { token: kiosk.token, json, from: '198.51.100.7' });
  const row = await app.context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'child.on_my_way')
    .where('subject_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).toContain('198.51.100.7');
});

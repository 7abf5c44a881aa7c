/** Guardians of a child: asked by staff, accepted by the person, limited, extended and ended (decision 049). */
import type { AddressInfo } from 'node:net';
import { GUARDIANS_MAX, type GuardianRequest } from '@haris/contract/http/guardians';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acrossFacilities, MAIN_FACILITY } from '../../facility.ts';
import { atFacility, makeFacility, makeInsideAt, manageAt } from '../../testing/at-facility.ts';
import { makeExampleWorld } from '../../testing/example-world.ts';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { changeGuardian } from '../../testing/guardians.ts';
import { type Family, loginPath, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type LiveClient, openLive } from '../../testing/live-socket.ts';
import { type EventClient, openEvents } from '../../testing/sse.ts';

const MINUTE = 60_000;
const within = { timeout: 240_000, interval: 20 };
const ALL = { mayLive: true, mayEdit: true, mayCollect: true, mayTake: true };
const NONE = { mayLive: false, mayEdit: false, mayCollect: false, mayTake: false };

let app: TestApp;
let live: FakeLive;
let port: number;
let owner: string;
/** The child's family, another account, and a family that has nothing to do with the child. */
let first: Family;
let second: Family;
let stranger: Family;
let child: string;
/** Numbers what must be unique. */
let number = 0;
const open: { close(): void }[] = [];

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  stranger = await app.makeFamily();
});
beforeEach(async () => {
  await app.forgetLimits();
  owner = await app.staff();
  number++;
  first = await app.makeFamily({ name: 'Mona Firsthouse', email: `mona-${number}@firsthouse.test` });
  second = await app.makeFamily({ name: 'Karim Otherhouse', email: `karim-${number}@otherhouse.test` });
  child = (await app.makeChild(first, 'Lina Hassan', fakePhoto({ face: `asked ${number}` })))._id;
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

const path = () => `/api/children/${child}/guardians`;
const ask = (over: object = {}, token = owner) =>
  app.ask('POST', path(), { token, json: { name: 'Karim', email: second.email, ...over } });
/** Staff ask; returns what they read. */
const asked = async (over: object = {}) =>
  (
    await app.expect(201, 'POST', path(), {
      token: owner,
      json: { name: 'Karim', email: second.email, ...over },
    })
  ).guardian;
const requestsOf = async ({ token }: Pick<Family, 'token'>) => {
  const { body } = await app.ask('GET', '/api/parent/guardian-requests', { token });
  return (body as unknown as { requests: GuardianRequest[] }).requests;
};
const answer = ({ token }: Pick<Family, 'token'>, accept = true) =>
  app.ask('POST', `/api/parent/guardian-requests/${child}`, { token, json: { accept } });
/** Makes the other account a guardian with these rights, by the calls. */
async function accepted(rights: object = ALL): Promise<void> {
  await asked(rights);
  expect((await answer(second)).status).toBe(200);
}
const guardians = async () =>
  (await app.expect(200, 'GET', path(), { token: owner })).guardians.map(({ parentId }) => parentId);
const put = (rights: object, token = owner, parentId = second.id) =>
  app.ask('PUT', `${path()}/${parentId}`, { token, json: rights });
const end = (parentId: string, token = owner) => app.ask('DELETE', `${path()}/${parentId}`, { token });
const childrenOf = async (token: string) =>
  (await app.expect(200, 'GET', '/api/children/get-all-children?limit=50', { token })).children.map(
    ({ _id }) => _id,
  );
const watch = async (token: string) =>
  (await app.ask('POST', '/api/tickets', { token, json: { for: 'video', childId: child } })).status;
const step = (name: string) => app.expect(200, 'POST', `/api/children/${name}/${child}`, { token: owner });
const rows = () =>
  app.context.db
    .selectFrom('guardians')
    .selectAll()
    .where('child_id', '=', child)
    .orderBy('added_at')
    .execute();
const rowOf = async (parentId: string) => (await rows()).find((row) => row.parent_id === parentId);
const actions = async () => {
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
  return entries.map(({ action }) => action).filter((action) => action.startsWith('guardian.'));
};
const sheet = async () =>
  (await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner })).child;
/** Sets the password by the link of the newest mail, and signs in. */
async function openByLink(email: string, password: string): Promise<string> {
  const { link, token } = await app.lastMail(email);
  expect(link).toContain('/reset-password/');
  await app.expect(200, 'POST', '/vendor/reset', { json: { token, password } });
  return app.signIn('parent', email, password);
}
async function listen(token: string): Promise<EventClient> {
  const client = await openEvents(port, token);
  open.push(client);
  return client;
}
const told = ({ events }: EventClient) => events.filter(({ type }) => type === 'guardian.changed');

describe('somebody becomes a guardian', () => {
  test('by invitation: asked, mailed, accepted, and then sees the child', async () => {
    const email = `new-${number}@otherhouse.test`;
    const guardian = await asked({ email, name: 'Karim Otherhouse' });
    expect(guardian).toMatchObject({
      ...{ email, name: null, phone: null, isFirst: false, isBlocked: false, acceptedAt: null },
      ...{ mayLive: true, mayEdit: false, mayCollect: false, mayTake: false },
    });
    const mail = await app.lastMail(email);
    expect(mail.subject).toMatch(/guardian of a child/);
    expect(`${mail.text} ${mail.html}`).not.toMatch(/Lina|Hassan|Firsthouse/);
    const token = await openByLink(email, 'set-by-karim');
    expect([await childrenOf(token), await watch(token)]).toEqual([[], 404]);
    expect((await guardians()).length).toBe(2);
    const desk = await listen(owner);
    const { body, status } = await answer({ token });
    expect({ status, message: body.message, id: body.child._id }).toEqual({
      ...{ status: 200, message: 'Accepted', id: child },
    });
    expect(body.child.parent).toMatchObject({ _id: guardian.parentId, name: 'Karim Otherhouse' });
    expect([await childrenOf(token), await watch(token)]).toEqual([[child], 201]);
    expect(await requestsOf({ token })).toEqual([]);
    await expect.poll(() => told(desk).length, within).toBe(1);
    const { guardians: listed } = await app.expect(200, 'GET', path(), { token: owner });
    expect(listed).toMatchObject([
      { parentId: first.id, name: 'Mona Firsthouse', isFirst: true, ...ALL },
      { email, name: 'Karim Otherhouse', isFirst: false, acceptedAt: expect.any(String) },
    ]);
    expect((await rowOf(guardian.parentId))?.accepted_at).toBe(app.clock.now());
    expect(await actions()).toEqual(expect.arrayContaining(['guardian.asked', 'guardian.accepted']));
  });

  test('reads the first name and the facility, and nothing else before the answer', async () => {
    await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { facilityName: 'Sunrise' } });
    await asked({ mayEdit: true });
    expect(await requestsOf(second)).toEqual([
      {
        ...{ childId: child, childName: 'Lina', facility: 'Sunrise', askedAt: expect.any(String) },
        ...{ mayLive: true, mayEdit: true, mayCollect: false, mayTake: false },
      },
    ]);
    expect(await requestsOf(stranger)).toEqual([]);
    const mail = await app.lastMail(second.email);
    expect(mail.link).toMatch(/\/login$/);
    expect(mail.text).toContain('Sunrise');
    expect(`${mail.text} ${mail.html}`).not.toMatch(/Lina|Hassan|Firsthouse/);
    expect([await childrenOf(second.token), await watch(second.token)]).toEqual([[], 404]);
  });

  test('at another facility than that of the own children', async () => {
    const moon = await makeFacility(app, `Moon ${number}`);
    const theirs = await makeInsideAt(app, moon, second, 'Nour');
    await asked();
    expect((await requestsOf(second)).map(({ childId }) => childId)).toEqual([child]);
    expect((await answer(second)).status).toBe(200);
    expect((await childrenOf(second.token)).toSorted()).toEqual([child, theirs].toSorted());
  });

  test('the answer does not tell whether the address had an account', async () => {
    const shut = await app.makeFamily();
    await app.expect(200, 'PUT', `/api/parent/${shut.id}/block`, {
      ...{ token: owner, json: { access: 'blocked' } },
    });
    const moon = await makeFacility(app, `Far moon ${number}`);
    const elsewhere = await app.makeFamily();
    await makeInsideAt(app, moon, elsewhere, 'Nour');
    const answers: unknown[] = [];
    for (const email of [second.email, `nobody-${number}@family.test`, shut.email, elsewhere.email]) {
      const began = performance.now();
      const { status, body } = await ask({ email });
      // A timer may be a moment early.
      expect(performance.now() - began, email).toBeGreaterThan(240);
      const { parentId, askedAt, ...guardian } = body.guardian;
      expect([parentId, askedAt]).toEqual([expect.any(String), expect.any(String)]);
      answers.push({ status, message: body.message, ...guardian, email: guardian.email === email });
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    // Nor does the list, or a change of the rights.
    const { guardians: listed } = await app.expect(200, 'GET', path(), { token: owner });
    const waiting = listed.filter(({ isFirst }) => !isFirst);
    expect(waiting).toHaveLength(answers.length);
    for (const one of waiting) {
      const unknown = { name: null, phone: null, isBlocked: false, acceptedAt: null };
      expect(one).toMatchObject(unknown);
      expect((await put(NONE, owner, one.parentId)).body.guardian).toMatchObject(unknown);
    }
    expect(answers[0]).toMatchObject({ status: 201, name: null, phone: null, isBlocked: false, email: true });
    // Whoever is shut out gets no link that opens the account.
    expect((await app.lastMail(shut.email)).link).toMatch(/\/login$/);
  });

  test('an unproven password ends with the question, and its link accepts', async () => {
    const email = `registered-${number}@family.test`;
    const password = 'chosen-by-whom';
    const json = { name: 'Stranger', email, phone: '01112345678', password };
    await app.expect(201, 'POST', '/api/parent/add', { json, from: '203.0.113.66' });
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone)' };
    const link = (await app.lastMail(email)).token;
    await app.expect(200, 'GET', `/api/parent/verify/email/${link}`, { from: '198.51.100.7', headers });
    const signIn = () =>
      app.ask('POST', loginPath.parent, { json: { email, password }, from: '203.0.113.66' });
    const early = (await signIn()).body.token;
    await asked({ email });
    expect((await answer({ token: early })).status).toBe(401);
    expect((await signIn()).status).toBe(401);
    expect((await app.lastMail(email)).text).not.toMatch(/Stranger|Lina/);
    const token = await openByLink(email, 'set-by-the-owner');
    expect((await answer({ token })).status).toBe(200);
    expect(await childrenOf(token)).toEqual([child]);
  });

  const barOf = (parentId: string) => ({
    ...{ id: `bar ${number}`, child_id: child, sealed: Buffer.from('x'), adult_id: parentId },
    ...{ others: '[]', document_date: null, created_by: 'desk', created_at: 1 },
    ...{ lifted_by: null, lifted_at: null },
  });
  const account = (columns: object) =>
    app.context.db.updateTable('parents').set(columns).where('id', '=', second.id).execute();
  test.each([
    ['blocked', () => account({ blocked_at: 1 }), () => account({ blocked_at: null })],
    ['disowned', () => account({ disowned_at: 1 }), () => account({ disowned_at: null })],
    [
      'the password is unproven',
      () => account({ password_proof: null }),
      () => account({ password_proof: 'staff' }),
    ],
    [
      'barred',
      () => app.context.db.insertInto('barred_adults').values(barOf(second.id)).execute(),
      () => app.context.db.deleteFrom('barred_adults').where('child_id', '=', child).execute(),
    ],
  ])('cannot accept while %s', async (_what, shut, letIn) => {
    await asked();
    await shut();
    expect([401, 403, 404]).toContain((await answer(second)).status);
    expect(await rowOf(second.id)).toMatchObject({ accepted_at: null, ended_at: null });
    await letIn();
    expect((await answer(second)).status).toBe(200);
  });

  test('or says no; and answers once', async () => {
    await asked();
    const no = await answer(second, false);
    expect({ status: no.status, ...no.body }).toEqual({ status: 200, message: 'Declined', child: null });
    expect(await guardians()).toEqual([first.id]);
    for (const accept of [true, false]) expect((await answer(second, accept)).status).toBe(404);
    expect(await childrenOf(second.token)).toEqual([]);
    // Staff may ask once more.
    await asked();
    expect((await answer(second)).status).toBe(200);
    for (const accept of [true, false]) expect((await answer(second, accept)).status).toBe(404);
    expect(await childrenOf(second.token)).toEqual([child]);
    expect(await actions()).toEqual(expect.arrayContaining(['guardian.declined', 'guardian.accepted']));
  });

  test('only who was asked answers', async () => {
    await asked();
    for (const who of [stranger, first]) expect((await answer(who)).status).toBe(404);
    expect((await answer({ token: owner })).status).toBe(403);
    expect((await app.ask('GET', '/api/parent/guardian-requests')).status).toBe(401);
    expect((await rowOf(second.id))?.accepted_at).toBeNull();
  });
});

describe('staff', () => {
  test('ask nobody twice, and not more than there is room for', async () => {
    expect((await ask({ email: first.email })).body.code).toBe('guardian_exists');
    await asked();
    expect((await ask()).body.code).toBe('guardian_exists');
    for (let count = 2; count < GUARDIANS_MAX; count++)
      await asked({ email: `many-${number}-${count}@family.test` });
    const another = { email: `one-more-${number}@family.test` };
    expect((await ask(another)).body.code).toBe('too_many_guardians');
    expect(await app.outbox(another.email)).toEqual([]);
    expect((await end(second.id)).status).toBe(200);
    expect((await ask(another)).status).toBe(201);
  });

  test('ask nobody who is barred by account', async () => {
    await accepted();
    const json = { name: 'Somebody', adultId: second.id };
    await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: owner, json });
    expect(await guardians()).toEqual([first.id]);
    expect(await childrenOf(second.token)).toEqual([]);
    expect((await ask()).body.code).toBe('barred_person');
  });

  test('see the guardians of a child of theirs alone', async () => {
    const moon = await makeFacility(app, `New moon ${number}`);
    const there = await app.makeEmployee();
    await manageAt(app, there, moon);
    await app.proveNow(there.token);
    const at = atFacility(app, moon);
    const json = { name: 'Karim', email: second.email };
    expect((await at.ask('GET', path(), there)).status).toBe(404);
    expect((await at.ask('POST', path(), { ...there, json })).status).toBe(404);
    await accepted();
    const url = `${path()}/${second.id}`;
    expect((await at.ask('PUT', url, { ...there, json: NONE })).status).toBe(404);
    expect((await at.ask('DELETE', url, there)).status).toBe(404);
    expect((await put(NONE, owner, stranger.id)).status).toBe(404);
    expect((await end(stranger.id)).status).toBe(404);
    for (const [method, token] of [
      ['GET', undefined],
      ['POST', undefined],
      ['GET', first.token],
      ['POST', first.token],
    ] as const)
      expect((await app.ask(method, path(), { token, ...(method === 'POST' ? { json } : {}) })).status).toBe(
        token === undefined ? 401 : 403,
      );
    expect(await guardians()).toEqual([first.id, second.id]);
  });

  test('is not asked by staff of one facility of two, without the permission, or without a proof', async () => {
    const { token, id } = await app.makeEmployee();
    const role = { name: `Reader ${number}`, permissions: ['families.view'] };
    const made = await app.expect(201, 'POST', '/api/roles', { token: owner, json: role });
    const roles = [{ roleId: made.role._id, facilityId: MAIN_FACILITY }];
    await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: owner, json: { roles } });
    await app.proveNow(token);
    expect((await ask({}, token)).body.code).toBe('forbidden');
    await app.expect(200, 'GET', path(), { token });
    await manageAt(app, { id }, MAIN_FACILITY);
    app.clock.advance(11 * MINUTE);
    expect((await ask({}, token)).body.code).toBe('proof_required');
    await app.proveNow(token);
    const moon = await makeFacility(app, `Half moon ${number}`);
    const place = { token: await app.staff(), json: { facilityId: moon } };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, place);
    expect((await ask({}, token)).body.code).toBe('beyond_own_rights');
    expect(await rowOf(second.id)).toBeUndefined();
    await manageAt(app, { id }, MAIN_FACILITY, moon);
    await app.proveNow(token);
    const json = { name: 'Karim', email: second.email };
    await atFacility(app, MAIN_FACILITY).expect(201, 'POST', path(), { token, json });
  });

  test('and the account concerned are told, and nobody else', async () => {
    const [desk, mine] = [await listen(owner), await listen(first.token)];
    const [theirs, none] = [await listen(second.token), await listen(stranger.token)];
    await asked();
    await put(NONE);
    await end(second.id);
    await expect.poll(() => told(desk).length, within).toBe(3);
    await expect.poll(() => told(theirs).length, within).toBe(3);
    for (const { data } of told(desk)) expect(data).toMatchObject({ childId: child, parentId: null });
    for (const { data } of told(theirs))
      expect(data).toMatchObject({ childId: child, parentId: second.id, child: null });
    expect([...told(mine), ...told(none)]).toEqual([]);
  });
});

describe('the rights of a guardian', () => {
  test('rights are taken away without a proof, and given only with one', async () => {
    await accepted();
    const { token, id } = await app.makeEmployee();
    await manageAt(app, { id }, MAIN_FACILITY);
    app.clock.advance(11 * MINUTE);
    await step('checkin-child');
    expect(await watch(second.token)).toBe(201);
    const limited = await put({ ...ALL, mayLive: false }, token);
    expect(limited).toMatchObject({ status: 200, body: { guardian: { ...ALL, mayLive: false } } });
    expect([await watch(second.token), await childrenOf(second.token)]).toEqual([404, [child]]);
    const before = await actions();
    expect((await put({ ...ALL, mayLive: false }, token)).status).toBe(200);
    expect(await actions()).toEqual(before);
    // One right less does not pay for another one.
    const other = { mayLive: true, mayEdit: false, mayCollect: false, mayTake: false };
    for (const more of [ALL, other]) expect((await put(more, token)).body.code).toBe('proof_required');
    expect(await watch(second.token)).toBe(404);
    await app.proveNow(token);
    expect((await put(ALL, token)).status).toBe(200);
    expect(await watch(second.token)).toBe(201);
    const moon = await makeFacility(app, `Full moon ${number}`);
    const place = { token: await app.staff(), json: { facilityId: moon } };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, place);
    expect((await put(NONE, token)).status).toBe(200);
    expect((await put(ALL, token)).body.code).toBe('beyond_own_rights');
    expect(await rowOf(second.id)).toMatchObject({ may_live: 0, may_edit: 0, may_collect: 0 });
    owner = await app.staff();
    expect(await actions()).toEqual(expect.arrayContaining(['guardian.limited', 'guardian.extended']));
  });

  test('of one who was asked count once that one has accepted', async () => {
    await asked({ mayLive: false });
    expect((await put({ ...NONE, mayLive: true })).status).toBe(200);
    expect(await watch(second.token)).toBe(404);
    expect((await answer(second)).status).toBe(200);
    expect(await watch(second.token)).toBe(201);
  });

  test('without that to name collectors the unconfirmed ones end, and every pass', async () => {
    const url = `/api/children/${child}/collectors`;
    const name = async (called: string) => {
      const json = { name: called, relation: 'Aunt' };
      return (await app.expect(201, 'POST', url, { token: first.token, json })).collector._id;
    };
    const [seen] = [await name('Samia Seen'), await name('Nadia New')];
    await app.context.db.updateTable('collectors').set({ confirmed_at: 1 }).where('id', '=', seen).execute();
    await app.expect(201, 'POST', `/api/collectors/${seen}/pass`, { token: first.token });
    expect((await put({ ...ALL, mayCollect: false }, owner, first.id)).status).toBe(200);
    const { collectors } = await app.expect(200, 'GET', url, { token: owner });
    expect(collectors).toMatchObject([{ _id: seen, passDay: null }]);
  });
});

describe('a guardian who is ended', () => {
  async function watching(): Promise<LiveClient> {
    const client = await openLive(port, `/api/live?target_id=${child}`, { token: second.token });
    open.push(client);
    await expect.poll(() => live.subscriptions.size, within).toBeGreaterThan(0);
    return client;
  }

  test('closes live pictures and tickets at once', async () => {
    const json = { name: 'Room', area: `Floor ${number}`, kind: 'browser' };
    const { camera } = await app.expect(201, 'POST', '/api/cameras', { token: owner, json });
    await step('checkin-child');
    await expect.poll(() => live.cameras.some(({ id }) => id === camera._id), within).toBe(true);
    live.report(camera._id, { state: 'live' });
    await expect.poll(() => app.context.live.report(camera._id)?.state, within).toBe('live');
    await accepted();
    for (const shut of [() => put({ ...ALL, mayLive: false }), () => end(second.id)]) {
      const client = await watching();
      const ticketed = { token: second.token, json: { for: 'video', childId: child } };
      const { ticket } = await app.expect(201, 'POST', '/api/tickets', ticketed);
      expect((await shut()).status).toBe(200);
      await expect.poll(() => client.isOpen(), within).toBe(false);
      expect(client.notes.at(-1)).toEqual({ type: 'end', reason: 'no_right' });
      expect((await app.ask('GET', `/video_feed?ticket=${ticket}`)).status).toBe(404);
      await put(ALL);
    }
  });

  /** What the first guardian enters for the child, which is inside. */
  async function enter(): Promise<string | undefined> {
    const { token } = first;
    await step('checkin-child');
    const slip = (await sheet()).slipCode;
    const json = { name: 'Samia', relation: 'Aunt' };
    const collectors = `/api/children/${child}/collectors`;
    const { collector } = await app.expect(201, 'POST', collectors, { token, json });
    const own = app.context.db.updateTable('collectors').where('id', '=', collector._id);
    await own.set({ confirmed_at: 1 }).execute();
    await app.expect(201, 'POST', `/api/collectors/${collector._id}/pass`, { token });
    await app.expect(200, 'POST', '/api/account/pickup-code', { token });
    const renamed = { token, json: { name: 'Zeinab' } };
    await app.expect(200, 'PUT', `/api/children/update-child/${child}`, renamed);
    const arrivesAt = new Date(app.clock.now() + 10 * MINUTE).toISOString();
    const onMyWay = { token, json: { children: [child], arrivesAt } };
    await app.expect(200, 'POST', '/api/children/on-my-way', onMyWay);
    expect(await sheet()).toMatchObject({ onMyWay: {}, pending: ['name'] });
    return slip;
  }

  async function expectWithdrawn(slip: string | undefined): Promise<void> {
    const now = await sheet();
    expect(now.slipCode).toEqual(expect.any(String));
    expect(now.slipCode).not.toBe(slip);
    expect(now).not.toHaveProperty('onMyWay');
    expect(now).toMatchObject({ name: 'Lina Hassan', pending: [], parent: { _id: second.id } });
    const { collectors } = await app.expect(200, 'GET', `/api/children/${child}/collectors`, {
      token: owner,
    });
    expect(collectors).toEqual([]);
    const { db } = app.context;
    const passes = db.selectFrom('collector_passes').select('revoked_at').where('created_by', '=', first.id);
    expect(await passes.execute()).toEqual([{ revoked_at: expect.any(Number) }]);
    const codes = db.selectFrom('pickup_codes').selectAll().where('parent_id', '=', first.id);
    expect(await codes.execute()).toEqual([]);
  }

  test('withdraws what the first guardian has entered, and passes the child on', async () => {
    await accepted();
    const slip = await enter();
    const world = await makeExampleWorld({ app, staff: owner, own: first, gone: await app.makeEmployee() });
    const json = { grant: await world.grant(), kind: 'pick_up', childIds: [child] };
    await app.expect(201, 'POST', '/api/kiosk/requests', { token: world.device, json });
    const desk = await listen(owner);
    expect((await end(first.id)).status).toBe(200);
    await expectWithdrawn(slip);
    const requests = app.context.db
      .selectFrom('kiosk_requests')
      .select('state')
      .where('child_id', '=', child);
    expect(await requests.execute()).toEqual([{ state: 'ended' }]);
    expect(await guardians()).toEqual([second.id]);
    expect([await childrenOf(first.token), await watch(first.token)]).toEqual([[], 404]);
    const types = () => new Set(desk.events.map(({ type }) => type));
    await expect
      .poll(() => [...types()], within)
      .toEqual(
        expect.arrayContaining([
          'guardian.changed',
          'child.on_my_way_ended',
          'kiosk.updated',
          'child.updated',
        ]),
      );
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
    expect(entries.find(({ action }) => action === 'guardian.ended')).toMatchObject({
      details: { parentId: first.id, passedOn: second.id },
    });
    expect((await end(first.id)).status).toBe(404);
  });

  const others = {
    deleted: () => app.expect(200, 'DELETE', `/api/parent/delete-parent/${first.id}`, { token: owner }),
    barred: () =>
      app.expect(201, 'POST', `/api/children/${child}/barred`, {
        ...{ token: owner, json: { name: 'Somebody', adultId: first.id } },
      }),
  };
  test.each(['deleted', 'barred'] as const)(
    'also if the account is deleted, or barred from the child: %s',
    async (how) => {
      await accepted();
      await enter();
      await others[how]();
      expect(await guardians()).toEqual([second.id]);
      const now = await sheet();
      expect(now).not.toHaveProperty('onMyWay');
      expect(now).toMatchObject({ name: 'Lina Hassan', pending: [], parent: { _id: second.id } });
      const url = `/api/children/${child}/collectors`;
      expect((await app.expect(200, 'GET', url, { token: owner })).collectors).toEqual([]);
    },
  );

  test('keeps what another one has entered', async () => {
    await accepted();
    const slip = await enter();
    await end(second.id);
    const now = await sheet();
    expect(now).toMatchObject({ onMyWay: {}, pending: ['name'], parent: { _id: first.id } });
    // Its copy of the slip may be anywhere.
    expect(now.slipCode).not.toBe(slip);
    const url = `/api/children/${child}/collectors`;
    expect((await app.expect(200, 'GET', url, { token: owner })).collectors.length).toBe(1);
  });

  test('needs no proof, and one who was only asked takes nothing along', async () => {
    await asked();
    const slip = await enter();
    const { token, id } = await app.makeEmployee();
    await manageAt(app, { id }, MAIN_FACILITY);
    app.clock.advance(11 * MINUTE);
    expect((await app.ask('DELETE', `${path()}/${second.id}`)).status).toBe(401);
    expect((await end(second.id, second.token)).status).toBe(403);
    expect((await end(second.id, token)).status).toBe(200);
    expect(await requestsOf(second)).toEqual([]);
    expect((await answer(second)).status).toBe(404);
    owner = await app.staff();
    expect((await sheet()).slipCode).toBe(slip);
  });

  test('the only one stays: 409, and nothing changes', async () => {
    const slip = await enter();
    const refused = async () => {
      expect((await end(first.id)).body.code).toBe('last_guardian');
      expect(await sheet()).toMatchObject({ onMyWay: {}, slipCode: slip, parent: { _id: first.id } });
    };
    await refused();
    await asked(ALL);
    await refused();
    await answer(second);
    await put({ ...ALL, mayEdit: false });
    await refused();
    expect(await actions()).not.toContain('guardian.ended');
    await put(ALL);
    expect((await end(first.id)).status).toBe(200);
  });

  test('an account whose child has a guardian who cannot take over is not deleted', async () => {
    const remove = () => app.ask('DELETE', `/api/parent/delete-parent/${first.id}`, { token: owner });
    await asked();
    expect((await remove()).body.code).toBe('last_guardian');
    await answer(second);
    expect((await remove()).body.code).toBe('last_guardian');
    expect(await guardians()).toEqual([first.id, second.id]);
    await changeGuardian(app, child, second.id, { may_edit: 1, may_collect: 1 });
    await app.context.db.updateTable('parents').set({ blocked_at: 1 }).where('id', '=', second.id).execute();
    expect((await remove()).body.code).toBe('last_guardian');
    expect((await end(second.id)).status).toBe(200);
    expect((await remove()).status).toBe(200);
    const gone = () => app.context.db.selectFrom('children').select('id').where('id', '=', child).execute();
    expect(await acrossFacilities(gone)).toEqual([]);
  });
});

/** Requests at a kiosk: nothing happens until staff accept, which counts once and has the safeguards of the desk. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { askFor, comeTo, makeKiosk, stateOf, type TestKiosk } from '../../testing/kiosks.ts';

let app: TestApp;
let staff: string;
let kiosk: TestKiosk;

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

async function familyOf(...names: string[]): Promise<{ family: Family; ids: string[] }> {
  const family = await app.makeFamily();
  const ids: string[] = [];
  for (const name of names) ids.push((await app.makeChild(family, name))._id);
  return { family, ids };
}
const waiting = async (visit: string) =>
  (await app.expect(200, 'GET', '/api/kiosk-requests', { token: staff })).requests.filter(
    (one) => one.visit === visit,
  );
const accept = (id: string, token = staff, json: object = {}) =>
  app.ask('POST', `/api/kiosk-requests/${id}/accept`, { token, json });
const refuse = (id: string) => app.ask('POST', `/api/kiosk-requests/${id}/refuse`, { token: staff });
const isInside = async (family: Family) =>
  (await app.expect(200, 'GET', '/api/parent/info', { token: family.token })).parent.children.map(
    (child) => child.isInside,
  );
const ended = { status: 409, body: { code: 'kiosk_request_ended' } };

test('a check-in waits for staff, who accept it as their own check-in; the log names family, kiosk and staff', async () => {
  const { family, ids } = await familyOf('Adam Samir', 'Basma Samir');
  const { visit, children } = await askFor(app, kiosk, family, ids, { durationInMinutes: 120 });
  expect(children).toHaveLength(2);
  for (const firstName of ['Adam', 'Basma']) expect(children).toContainEqual({ firstName, state: 'waiting' });
  expect(await isInside(family)).toEqual([false, false]);
  const requests = await waiting(visit);
  expect(requests).toHaveLength(2);
  const adam = requests.find(({ child }) => child._id === ids[0]);
  expect(adam).toMatchObject({
    kind: 'check_in',
    durationInMinutes: 120,
    by: 'code',
    kiosk: { name: 'Entrance' },
  });
  expect(await accept(String(adam?._id))).toMatchObject({
    status: 200,
    body: { message: 'Child checked in successfully', child: { isInside: true, duration: 120 } },
  });
  expect(await isInside(family)).toEqual([true, false]);
  const log = await app.context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'child.checked_in')
    .where('subject_id', '=', String(ids[0]))
    .executeTakeFirstOrThrow();
  expect(log.actor_kind).toBe('admin');
  expect(JSON.parse(log.details)).toMatchObject({
    announcedBy: family.id,
    kiosk: kiosk.id,
    provedBy: 'code',
    minutes: 120,
  });
  const basma = requests.find(({ child }) => child._id === ids[1]);
  expect((await refuse(String(basma?._id))).status).toBe(200);
  expect((await stateOf(app, kiosk, visit)).map((one) => one.state).sort()).toEqual(['done', 'refused']);
  expect(await isInside(family)).toEqual([true, false]);
});

test('staff accept until an end that the facility offers, in place of the period; a refused one leaves the request', async () => {
  const { family, ids } = await familyOf('Until');
  const { visit } = await askFor(app, kiosk, family, ids, { durationInMinutes: 120 });
  const id = String((await waiting(visit))[0]?._id);
  const until = (minutes: number) => ({
    end: { kind: 'until', at: new Date(app.clock.now() + minutes * 60_000).toISOString() },
  });
  const offer = (stayEnds: readonly string[]) =>
    app.expect(200, 'PUT', '/api/settings', { token: staff, json: { stayEnds } });
  const refused = (code: string) => ({ status: 409, body: { code } });
  expect(await accept(id, staff, until(45))).toMatchObject(refused('stay_end_unavailable'));
  await offer(['until']);
  expect(await accept(id, staff, until(-1))).toMatchObject(refused('unsuitable_end'));
  expect(await isInside(family)).toEqual([false]);
  expect(await accept(id, staff, until(45))).toMatchObject({
    status: 200,
    body: { child: { isInside: true, duration: 45 } },
  });
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${ids[0]}`, { token: staff });
  const details = { minutes: 45, until: 'until', announcedBy: family.id };
  expect(entries.find(({ action }) => action === 'child.checked_in')).toMatchObject({ details });
  await offer([]);
});

test('two desks at once: one accepts, and only once; after it nothing can be refused', async () => {
  const { family, ids } = await familyOf('Twice');
  const { visit } = await askFor(app, kiosk, family, ids);
  const [request] = await waiting(visit);
  const other = (await app.makeEmployee()).token;
  const id = String(request?._id);
  const answers = await Promise.all([accept(id), accept(id, other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await refuse(id)).toMatchObject(ended);
  const stays = await app.context.db
    .selectFrom('stays')
    .select('id')
    .where('child_id', '=', String(ids[0]))
    .execute();
  expect(stays).toHaveLength(1);
});

test('accepting and refusing at once: one of the two', async () => {
  for (let round = 0; round < 5; round++) {
    const { family, ids } = await familyOf('Either');
    const { visit } = await askFor(app, kiosk, family, ids);
    const id = String((await waiting(visit))[0]?._id);
    const [yes, no] = await Promise.all([accept(id), refuse(id)]);
    expect([yes.status, no.status].sort()).toEqual([200, 409]);
    expect(await isInside(family)).toEqual([yes.status === 200]);
  }
});

test('another family’s child, an unknown one, and a used or foreign grant: refused, and nothing is stored', async () => {
  const [{ family, ids }, other] = [await familyOf('Mine'), await familyOf('Theirs')];
  const send = (grant: string, childIds: string[], at: TestKiosk = kiosk) =>
    app.ask('POST', '/api/kiosk/requests', { token: at.token, json: { grant, kind: 'check_in', childIds } });
  const { grant } = await comeTo(app, kiosk, family);
  for (const foreign of [other.ids, ['nothing'], [...ids, ...other.ids]])
    expect(await send(grant, foreign)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const beside = await makeKiosk(app, 'Beside');
  expect(await send(grant, ids, beside)).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
  expect(
    await app.context.db
      .selectFrom('kiosk_requests')
      .select('id')
      .where('child_id', 'in', [...ids, ...other.ids])
      .execute(),
  ).toEqual([]);
  expect((await send(grant, ids)).status).toBe(201);
  expect(await send(grant, ids)).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
  const late = await comeTo(app, kiosk, family);
  app.clock.advance(2 * 60_000);
  expect((await send(late.grant, ids)).status).toBe(400);
});

test('another kiosk reads and cancels nothing', async () => {
  const { family, ids } = await familyOf('Private');
  const { visit } = await askFor(app, kiosk, family, ids);
  const beside = await makeKiosk(app, 'Beside');
  for (const method of ['GET', 'DELETE'] as const)
    expect((await app.ask(method, `/api/kiosk/requests/${visit}`, { token: beside.token })).status).toBe(404);
  expect(await waiting(visit)).toHaveLength(1);
});

test('a request ends after 15 minutes by the server’s clock, and the kiosk forgets it', async () => {
  const { family, ids } = await familyOf('Late');
  const { visit } = await askFor(app, kiosk, family, ids);
  const [request] = await waiting(visit);
  app.clock.advance(15 * 60_000 - 1);
  expect(await waiting(visit)).toHaveLength(1);
  app.clock.advance(1);
  expect(await waiting(visit)).toEqual([]);
  expect(await stateOf(app, kiosk, visit)).toEqual([{ firstName: 'Late', state: 'expired' }]);
  for (const answer of [await accept(String(request?._id)), await refuse(String(request?._id))])
    expect(answer).toMatchObject(ended);
  expect(await isInside(family)).toEqual([false]);
  app.clock.advance(2 * 60_000);
  expect((await app.ask('GET', `/api/kiosk/requests/${visit}`, { token: kiosk.token })).status).toBe(404);
});

test('the desk that checks the child in by itself fulfils the request; a newer request replaces an older one', async () => {
  const { family, ids } = await familyOf('Overtaken');
  const first = await askFor(app, kiosk, family, ids);
  const second = await askFor(app, kiosk, family, ids, { durationInMinutes: 60 });
  expect((await stateOf(app, kiosk, first.visit))[0]?.state).toBe('ended');
  const [request] = await waiting(second.visit);
  await app.expect(200, 'POST', `/api/children/checkin-child/${ids[0]}`, { token: staff });
  expect((await stateOf(app, kiosk, second.visit))[0]?.state).toBe('done');
  expect(await accept(String(request?._id))).toMatchObject(ended);
});

test('what the family asked before the desk undid something is overtaken by the next check-in or checkout', async () => {
  const { family, ids } = await familyOf('Undone');
  const move = async (what: string, json = {}) =>
    (await app.expect(200, 'POST', `/api/children/${what}/${ids[0]}`, { token: staff, json })).child;
  const { uniqueEntryId } = await move('checkin-child');
  const pickUp = await askFor(app, kiosk, family, ids, { kind: 'pick_up' });
  await move('undo-checkin-child', { uniqueEntryId });
  const entered = await move('checkin-child');
  expect(await stateOf(app, kiosk, pickUp.visit)).toEqual([{ firstName: 'Undone', state: 'ended' }]);
  await move('checkout-child');
  const checkIn = await askFor(app, kiosk, family, ids);
  await move('undo-checkout-child', { uniqueEntryId: entered.uniqueEntryId });
  await move('checkout-child');
  expect(await stateOf(app, kiosk, checkIn.visit)).toEqual([{ firstName: 'Undone', state: 'ended' }]);
  expect([...(await waiting(pickUp.visit)), ...(await waiting(checkIn.visit))]).toEqual([]);
});

test('a pick-up is asked for children inside only, and accepting checks out', async () => {
  const { family, ids } = await familyOf('Fetched');
  const ask = async (kind: string) => {
    const { grant } = await comeTo(app, kiosk, family);
    return app.ask('POST', '/api/kiosk/requests', {
      token: kiosk.token,
      json: { grant, kind, childIds: ids },
    });
  };
  expect(await ask('pick_up')).toMatchObject({ status: 409, body: { code: 'not_inside' } });
  await app.expect(200, 'POST', `/api/children/checkin-child/${ids[0]}`, { token: staff });
  expect(await ask('check_in')).toMatchObject({ status: 409, body: { code: 'already_inside' } });
  const { visit } = (await ask('pick_up')).body;
  const [request] = await waiting(visit);
  expect(request).toMatchObject({ kind: 'pick_up', durationInMinutes: null });
  expect(await isInside(family)).toEqual([true]);
  // The child's row shows it too, until the family takes it back.
  expect(request?.child.onMyWay).toMatchObject({ source: 'kiosk' });
  const taken = (await ask('pick_up')).body.visit;
  await app.expect(200, 'DELETE', `/api/kiosk/requests/${taken}`, { token: kiosk.token });
  const again = (await ask('pick_up')).body.visit;
  expect((await waiting(again))[0]?.child.onMyWay).toMatchObject({ source: 'kiosk' });
  await app.expect(200, 'DELETE', `/api/kiosk/requests/${again}`, { token: kiosk.token });
  const { children } = await app.expect(200, 'GET', '/api/children/get-all-children?inside=true', {
    token: staff,
  });
  expect(children.find(({ _id }) => _id === ids[0])?.onMyWay ?? null).toBeNull();
  expect(await stateOf(app, kiosk, visit)).toEqual([{ firstName: 'Fetched', state: 'ended' }]);
  const last = (await ask('pick_up')).body.visit;
  const [fresh] = await waiting(last);
  expect(await accept(String(fresh?._id))).toMatchObject({
    status: 200,
    body: { message: 'Child checked out successfully' },
  });
  expect((await stateOf(app, kiosk, last))[0]?.state).toBe('done');
});

test('the family takes back what waits; a removed kiosk ends it too', async () => {
  const { family, ids } = await familyOf('Sorry');
  const { visit } = await askFor(app, kiosk, family, ids);
  await app.expect(200, 'DELETE', `/api/kiosk/requests/${visit}`, { token: kiosk.token });
  expect(await waiting(visit)).toEqual([]);
  const gone = await makeKiosk(app, 'Gone');
  const again = await askFor(app, gone, family, ids);
  await app.expect(200, 'DELETE', `/api/kiosks/${gone.id}`, { token: staff });
  expect(await waiting(again.visit)).toEqual([]);
});

test('an unconfirmed photo is confirmed with the revision that staff saw, as at the desk', async () => {
  const { family, ids } = await familyOf('Changed');
  const change = (face: string) =>
    app.expect(200, 'PUT', `/api/children/update-child/${ids[0]}`, {
      token: family.token,
      form: { photo: fakePhoto({ face }) },
    });
  await change('first photo');
  const { visit } = await askFor(app, kiosk, family, ids);
  const [seen] = await waiting(visit);
  const revision = seen?.child.proposal?.revision;
  expect(revision).toBeTypeOf('string');
  await change('second photo');
  const id = String(seen?._id);
  expect(await accept(id, staff, { confirm: true, revision })).toMatchObject({
    status: 409,
    body: { code: 'proposal_changed' },
  });
  expect(await isInside(family)).toEqual([false]);
  const [now] = await waiting(visit);
  const answer = await accept(id, staff, { confirm: true, revision: now?.child.proposal?.revision });
  expect(answer).toMatchObject({ status: 200, body: { child: { isInside: true, pending: [] } } });
});

test('a repeated acceptance with the same key gets the same answer', async () => {
  const { family, ids } = await familyOf('Again');
  const { visit } = await askFor(app, kiosk, family, ids);
  const [request] = await waiting(visit);
  const headers = { 'idempotency-key': `kiosk-${visit}` };
  const send = () => app.ask('POST', `/api/kiosk-requests/${request?._id}/accept`, { token: staff, headers });
  const [first, second] = [await send(), await send()];
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
});

test('deleting the family deletes PIN, codes, grants and requests', async () => {
  const { family, ids } = await familyOf('Erased');
  await askFor(app, kiosk, family, ids);
  await comeTo(app, kiosk, family);
  await app.expect(201, 'POST', '/api/account/kiosk-code', { token: family.token });
  await app.proveNow(family.token);
  await app.expect(200, 'PUT', '/api/account/kiosk-pin', { token: family.token, json: { pin: '8305' } });
  const { db } = app.context;
  const left = async () => {
    const found: string[] = [];
    for (const table of ['kiosk_pins', 'kiosk_codes', 'kiosk_grants', 'kiosk_requests'] as const)
      if (
        await db.selectFrom(table).select('parent_id').where('parent_id', '=', family.id).executeTakeFirst()
      )
        found.push(table);
    return found;
  };
  expect(await left()).toHaveLength(4);
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: staff });
  expect(await left()).toEqual([]);
});

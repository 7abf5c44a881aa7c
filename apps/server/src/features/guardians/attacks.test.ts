/** What an attacker tried with the calls about guardians (decision 049). */
import type { AddressInfo } from 'node:net';
import type { BarredAdult } from '@haris/contract/http/barred';
import type { GuardianRequest } from '@haris/contract/http/guardians';
import type { HandOver } from '@haris/contract/http/hand-over';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { replayErasures } from '../../erasure/replay.ts';
import { acrossFacilities, MAIN_FACILITY } from '../../facility.ts';
import { barsBy } from '../../hand-over/adults.ts';
import { readKeptBars } from '../../hand-over/bar-record.ts';
import { replayBars } from '../../hand-over/bar-replay.ts';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import { beforeTransaction } from '../../testing/before-transaction.ts';
import { makeExampleWorld } from '../../testing/example-world.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { addGuardian, changeGuardian } from '../../testing/guardians.ts';
import { codeOf } from '../../testing/hand-over-model.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type EventClient, openEvents } from '../../testing/sse.ts';

const MINUTE = 60_000;
const within = { timeout: 240_000, interval: 20 };
const ALL = { mayLive: true, mayEdit: true, mayCollect: true, mayTake: true };

let app: TestApp;
let port: number;
let owner: string;
let first: Family;
let second: Family;
let third: Family;
let child: string;
let number = 0;
const open: EventClient[] = [];

beforeAll(async () => {
  app = await startTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
beforeEach(async () => {
  await app.forgetLimits();
  owner = await app.staff();
  number++;
  first = await app.makeFamily({ name: 'Mona Firsthouse', email: `mona-${number}@firsthouse.test` });
  second = await app.makeFamily({ name: 'Karim Otherhouse', email: `karim-${number}@otherhouse.test` });
  third = await app.makeFamily({ name: 'Salwa Thirdhouse', email: `salwa-${number}@thirdhouse.test` });
  child = await addChild(first, 'Lina Hassan');
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const client of open.splice(0)) client.close();
});
afterAll(() => app.close());

async function addChild(family: Family, name: string): Promise<string> {
  return (await app.makeChild(family, name, fakePhoto({ face: `${family.id} ${name}` })))._id;
}
const path = (id = child) => `/api/children/${id}/guardians`;
const ask = (email: string, rights: object = {}, token = owner, id = child) =>
  app.ask('POST', path(id), { token, json: { name: 'Somebody New', email, ...rights } });
async function asked(email: string, rights: object = {}, id = child) {
  const { status, body } = await ask(email, rights, owner, id);
  expect(status).toBe(201);
  return body.guardian;
}
const requestsOf = async (token: string) => {
  const { body } = await app.ask('GET', '/api/parent/guardian-requests', { token });
  return (body as unknown as { requests: GuardianRequest[] }).requests;
};
const answer = ({ token }: Pick<Family, 'token'>, accept = true, id = child) =>
  app.ask('POST', `/api/parent/guardian-requests/${id}`, { token, json: { accept } });
async function accepted(family: Family, rights: object = ALL, id = child): Promise<void> {
  await asked(family.email, rights, id);
  expect((await answer(family, true, id)).status).toBe(200);
  // Who accepts next is the later one.
  app.clock.advance(1000);
}
const guardians = async (id = child) =>
  (await app.expect(200, 'GET', path(id), { token: owner })).guardians.map(({ parentId }) => parentId);
const end = (parentId: string, token = owner, id = child) =>
  app.ask('DELETE', `${path(id)}/${parentId}`, { token });
const put = (parentId: string, rights: object, token = owner) =>
  app.ask('PUT', `${path()}/${parentId}`, { token, json: rights });
const bar = async (id: string, json: object) =>
  (await app.expect(201, 'POST', `/api/children/${id}/barred`, { token: owner, json })).barred;
const barsOf = async (id: string) => {
  const { body } = await app.ask('GET', `/api/children/${id}/barred`, { token: owner });
  return (body as unknown as { barred: BarredAdult[] }).barred;
};
const auditOf = async (id: string, at = app) =>
  (await at.expect(200, 'GET', `/api/audit?subject=${id}`, { token: owner })).entries;
const actionsOf = async (id: string, at = app) => (await auditOf(id, at)).map(({ action }) => action);
const ownChildren = async ({ token }: Pick<Family, 'token'>) =>
  (await app.expect(200, 'GET', '/api/parent/info', { token })).parent.children.map(({ _id }) => _id);
const seenBy = async ({ token }: Pick<Family, 'token'>) =>
  (await app.expect(200, 'GET', '/api/children/get-all-children?limit=50', { token })).children.map(
    ({ _id }) => _id,
  );
const firstOf = async (id = child) =>
  (await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: owner })).child.parent._id;
const step = (name: string, json: object = {}, id = child) =>
  app.expect(200, 'POST', `/api/children/${name}/${id}`, { token: owner, json });
const accountOf = (id: string) =>
  app.context.db.selectFrom('parents').selectAll().where('id', '=', id).executeTakeFirst();
const rowOf = (parentId: string, id = child) =>
  app.context.db
    .selectFrom('guardians')
    .selectAll()
    .where('child_id', '=', id)
    .where('parent_id', '=', parentId)
    .executeTakeFirst();
async function openByLink(email: string): Promise<string> {
  const password = 'set-by-the-owner';
  const { token } = await app.lastMail(email);
  await app.expect(200, 'POST', '/vendor/reset', { json: { token, password } });
  return app.signIn('parent', email, password);
}
/** A manager of these facilities with a fresh proof, and what that one asks at the last of them. */
async function managerOf(...places: string[]) {
  const { token, id } = await app.makeEmployee();
  await manageAt(app, { id }, ...places);
  await app.proveNow(token);
  return { id, token, at: atFacility(app, places.at(-1) ?? MAIN_FACILITY) };
}
async function listen(token: string, lastEventId?: string): Promise<EventClient> {
  const client = await openEvents(port, token, lastEventId);
  open.push(client);
  return client;
}
const typesOf = ({ events }: EventClient) => events.map(({ type }) => type);

describe('an account that was asked', () => {
  test('is not taken over by staff of another facility, who see it without a child', async () => {
    const email = `asked-${number}@otherhouse.test`;
    const { parentId } = await asked(email);
    const moon = await makeFacility(app, `Moon ${number}`);
    const { token, at } = await managerOf(moon);
    const own = { token, json: { email: `own-${number}@attacker.test` } };
    const change = await at.ask('PUT', `/api/parent/update-parent/${parentId}`, own);
    expect([change.status, change.body.code]).toEqual([403, 'beyond_own_rights']);
    const deletion = await at.ask('DELETE', `/api/parent/delete-parent/${parentId}`, { token });
    expect(deletion.body.code).toBe('beyond_own_rights');
    expect(await accountOf(parentId)).toMatchObject({ email });
    expect(await app.outbox(own.json.email)).toEqual([]);
    // Nor by staff of one of the two facilities of the child.
    const place = { token: owner, json: { facilityId: moon } };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, place);
    const again = await at.ask('PUT', `/api/parent/update-parent/${parentId}`, own);
    expect(again.body.code).toBe('beyond_own_rights');
    expect((await answer({ token: await openByLink(email) })).status).toBe(200);
  });

  test('is not asked any more at another address', async () => {
    const email = `asked-${number}@otherhouse.test`;
    const next = `next-${number}@otherhouse.test`;
    const { parentId } = await asked(email, ALL);
    const json = { email: next };
    const url = `/api/parent/update-parent/${parentId}`;
    await app.expect(200, 'PUT', url, { token: owner, json });
    expect(await guardians()).toEqual([first.id]);
    const token = await openByLink(next);
    expect(await requestsOf(token)).toEqual([]);
    expect((await answer({ token })).status).toBe(404);
    expect(await actionsOf(child)).toContain('guardian.ended');
  });

  test('is not asked any more once its owner has another address', async () => {
    await asked(second.email);
    const email = `moved-${number}@otherhouse.test`;
    const { token } = second;
    await app.proveNow(token);
    await app.expect(200, 'PUT', `/api/parent/update-parent/${second.id}`, { token, json: { email } });
    expect(await requestsOf(token)).toHaveLength(1);
    const link = (await app.lastMail(email)).token;
    await app.expect(200, 'GET', `/api/parent/verify/email/${link}`);
    expect(await accountOf(second.id)).toMatchObject({ email });
    expect(await rowOf(second.id)).toMatchObject({ accepted_at: null, ended_at: expect.any(Number) });
    expect(await guardians()).toEqual([first.id]);
  });

  test('loses a new address that staff elsewhere had entered before', async () => {
    const moon = await makeFacility(app, `Moon ${number}`);
    const { token, at } = await managerOf(moon);
    const email = `own-${number}@attacker.test`;
    await at.expect(200, 'PUT', `/api/parent/update-parent/${second.id}`, { token, json: { email } });
    const link = (await app.lastMail(email)).token;
    await accepted(second);
    expect((await app.ask('GET', `/api/parent/verify/email/${link}`)).status).toBe(400);
    expect(await accountOf(second.id)).toMatchObject({ email: second.email, pending_email: null });
  });

  test('that asking has made goes with the question, unless somebody has opened it', async () => {
    const email = `left-${number}@otherhouse.test`;
    const { parentId } = await asked(email);
    const link = (await app.lastMail(email)).token;
    expect((await end(parentId)).status).toBe(200);
    expect(await accountOf(parentId)).toBeUndefined();
    expect(await actionsOf(parentId)).toContain('parent.deleted');
    const reset = { json: { token: link, password: 'set-by-the-owner' } };
    expect((await app.ask('POST', '/vendor/reset', reset)).status).toBe(400);
    const again = await asked(email);
    await openByLink(email);
    expect((await end(again.parentId)).status).toBe(200);
    expect(await accountOf(again.parentId)).toMatchObject({ email });
    // One that staff have made by hand stays.
    const byHand = `by-hand-${number}@otherhouse.test`;
    const json = { name: 'Karim', email: byHand };
    const made = await app.expect(201, 'POST', '/api/parent/create-parent', { token: owner, json });
    app.clock.advance(1000);
    await asked(byHand);
    expect((await end(made.parent._id)).status).toBe(200);
    expect(await accountOf(made.parent._id)).toMatchObject({ email: byHand });
  });

  test('and any other address gets no mails without limit', async () => {
    const email = `many-${number}@otherhouse.test`;
    const codes: unknown[] = [];
    for (let count = 0; count < 7; count++) {
      const { status, body } = await ask(email);
      codes.push(status === 201 ? status : body.code);
      if (status === 201) expect((await end(body.guardian.parentId)).status).toBe(200);
    }
    expect(codes).toEqual([201, 201, 201, 201, 201, 201, 'too_many_attempts']);
    expect(await app.outbox(email)).toHaveLength(6);
  });

  test('is asked once by two staff at once', async () => {
    const email = `twice-${number}@otherhouse.test`;
    const answers = await Promise.all([ask(email), ask(email)]);
    expect(answers.map(({ status, body }) => (status === 201 ? status : body.code)).sort()).toEqual([
      201,
      'guardian_exists',
    ]);
    expect(await guardians()).toHaveLength(2);
    expect(await app.outbox(email)).toHaveLength(1);
  });

  test('says nothing any more if the question ends, or a bar comes, in the same moment', async () => {
    for (const change of [
      () => changeGuardian(app, child, second.id, { ended_at: 1, ended_by: 'desk' }),
      async () => {
        await app.context.db
          .insertInto('barred_adults')
          .values({
            ...{ id: `bar ${number}`, child_id: child, sealed: Buffer.from('x'), adult_id: second.id },
            ...{ others: '[]', document_date: null, created_by: 'desk', created_at: 1 },
            ...{ lifted_by: null, lifted_at: null },
          })
          .execute();
      },
    ]) {
      await asked(second.email);
      const writes = beforeTransaction(app.context.db, change);
      expect((await answer(second)).status).toBe(404);
      expect(writes.hasBegun()).toBe(true);
      vi.restoreAllMocks();
      expect(await rowOf(second.id)).toMatchObject({ accepted_at: null });
    }
    await app.context.db.deleteFrom('barred_adults').where('child_id', '=', child).execute();
  });

  test('cannot accept while it is shut in the moment of the answer', async () => {
    await asked(second.email);
    const columns = (set: object) =>
      app.context.db.updateTable('parents').set(set).where('id', '=', second.id).execute();
    for (const [shut, status] of [
      ['blocked_at', 401],
      ['disowned_at', 404],
    ] as const) {
      beforeTransaction(app.context.db, async () => void (await columns({ [shut]: 1 })));
      expect((await answer(second)).status, shut).toBe(status);
      vi.restoreAllMocks();
      await columns({ [shut]: null });
    }
    expect((await answer(second)).status).toBe(200);
  });

  test('reads the given name and every facility of the child, and each keeps the answer', async () => {
    await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { facilityName: 'Sun' } });
    const moon = await makeFacility(app, `Moon ${number}`);
    child = await addChild(first, 'Youssef El Masry');
    const place = { token: owner, json: { facilityId: moon } };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, place);
    const json = { name: 'Karim', email: second.email };
    await atFacility(app, moon).expect(201, 'POST', path(), { token: owner, json });
    const [request] = await requestsOf(second.token);
    expect(request).toMatchObject({ childName: 'Youssef' });
    expect(request?.facility.split(', ').sort()).toEqual([`Moon ${number}`, 'Sun']);
    expect((await answer(second)).status).toBe(200);
    for (const facility of [MAIN_FACILITY, moon])
      expect(await actionsOf(child, atFacility(app, facility))).toContain('guardian.accepted');
    const abd = await addChild(first, 'Abd El Rahman Hassan');
    await asked(second.email, {}, abd);
    expect((await requestsOf(second.token)).map(({ childName }) => childName)).toEqual(['Abd El Rahman']);
  });
});

describe('a bar', () => {
  test('with siblings is for a further guardian in all of them, also a later one', async () => {
    const brother = await addChild(first, 'Omar Hassan');
    await accepted(second);
    await accepted(second, ALL, brother);
    const sister = await addChild(first, 'Salma Hassan');
    await asked(second.email, ALL, sister);
    await bar(child, { name: 'The uncle', adultId: second.id, siblings: true });
    for (const one of [child, brother, sister]) {
      expect(await guardians(one)).toEqual([first.id]);
      expect(await barsOf(one)).toMatchObject([{ adultId: second.id }]);
      expect((await ask(second.email, ALL, owner, one)).body.code).toBe('barred_person');
    }
    expect((await answer(second, true, sister)).status).toBe(404);
    expect(await seenBy(second)).toEqual([]);
    const later = await addChild(first, 'Nour Hassan');
    expect((await ask(second.email, ALL, owner, later)).body.code).toBe('barred_person');
  });

  test('is not found out by asking without a trace', async () => {
    await bar(child, { name: 'Mona', adultId: first.id });
    await addGuardian(app, child, second.id);
    await bar(child, { name: 'The uncle', adultId: second.id });
    const { body } = await ask(second.email);
    expect(body.code).toBe('barred_person');
    expect(String(body.message)).not.toMatch(/barred|Karim|guardian/i);
    const refused = (await auditOf(child)).filter(({ action }) => action === 'guardian.refused');
    expect(refused).toMatchObject([{ details: { parentId: second.id } }]);
    // Staff who may not see the bars do not read of it.
    const role = { name: `Reader ${number}`, permissions: ['families.view', 'audit.view'] };
    const made = await app.expect(201, 'POST', '/api/roles', { token: owner, json: role });
    const { token, id } = await app.makeEmployee();
    const roles = [{ roleId: made.role._id, facilityId: MAIN_FACILITY }];
    await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: owner, json: { roles } });
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token });
    expect(entries.map(({ action }) => action)).not.toContain('guardian.refused');
  });

  test('ends the first guardian once somebody else can take over: accepted, or with a further right', async () => {
    await asked(second.email, ALL);
    await bar(child, { name: 'Mona', adultId: first.id });
    expect(await firstOf()).toBe(first.id);
    expect((await answer(second)).status).toBe(200);
    expect([await firstOf(), await guardians()]).toEqual([second.id, [second.id]]);
    expect([await seenBy(first), await ownChildren(second)]).toEqual([[], [child]]);
    const ended = (await auditOf(child)).find(({ action }) => action === 'guardian.ended');
    expect(ended).toMatchObject({ actor: null, details: { parentId: first.id, passedOn: second.id } });

    child = await addChild(first, 'Omar Hassan');
    await accepted(second, { ...ALL, mayEdit: false });
    await bar(child, { name: 'Mona', adultId: first.id });
    expect(await firstOf()).toBe(first.id);
    expect((await put(second.id, ALL)).body.guardian).toMatchObject({ ...ALL, isFirst: true });
    expect([await firstOf(), await guardians()]).toEqual([second.id, [second.id]]);
  });

  test('by name or phone keeps somebody from taking over; who sounds like a barred person, too', async () => {
    for (const [name, phone] of [
      ['Karim Otherhouse', null],
      ['Somebody Else', '01012345678'],
      ['Kareem Otherhouse', null],
    ]) {
      child = await addChild(first, `Lina ${name} ${phone}`);
      await app.context.db
        .updateTable('parents')
        .set({ phone: '+201012345678' })
        .where('id', '=', second.id)
        .execute();
      await accepted(second);
      const { _id } = await bar(child, { name, phone });
      expect((await end(first.id)).body.code, String(name)).toBe('last_guardian');
      expect(await firstOf()).toBe(first.id);
      await app.expect(200, 'DELETE', `/api/barred/${_id}`, { token: owner });
      expect((await end(first.id)).status).toBe(200);
      expect(await firstOf()).toBe(second.id);
    }
  });

  test('comes with the other children of who takes over, and ends guardians whom it names', async () => {
    const theirs = await addChild(second, 'Nour Otherhouse');
    await accepted(third, ALL, theirs);
    await bar(theirs, { name: 'Salwa Thirdhouse', adultId: third.id });
    await bar(theirs, { name: 'Hany Zaki', phone: '01098765432' });
    await accepted(second);
    await accepted(third);
    expect((await end(first.id)).status).toBe(200);
    expect(await guardians()).toEqual([second.id]);
    expect(await seenBy(third)).toEqual([]);
    expect(Object.fromEntries((await barsOf(child)).map(({ name, adultId }) => [name, adultId]))).toEqual({
      'Salwa Thirdhouse': third.id,
      'Hany Zaki': null,
    });
    const actions = await actionsOf(child);
    expect(actions.filter((action) => action === 'barred.copied')).toHaveLength(2);
    expect(actions.filter((action) => action === 'guardian.ended')).toHaveLength(2);
    const kept = readKeptBars(app.dataDir, app.context.vault);
    expect([...kept.entered.values()].filter(({ childId }) => childId === child)).toHaveLength(2);
  });
});

describe('the end of the first guardian', () => {
  test('needs a proof, and the permission at every facility, unlike that of another', async () => {
    await accepted(second);
    await accepted(third);
    const { id, token } = await managerOf(MAIN_FACILITY);
    app.clock.advance(11 * MINUTE);
    expect((await end(first.id, token)).body.code).toBe('proof_required');
    expect((await end(third.id, token)).status).toBe(200);
    owner = await app.staff();
    const moon = await makeFacility(app, `Moon ${number}`);
    const place = { token: owner, json: { facilityId: moon } };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, place);
    await app.proveNow(token);
    expect((await end(first.id, token)).body.code).toBe('beyond_own_rights');
    expect(await firstOf()).toBe(first.id);
    await manageAt(app, { id }, MAIN_FACILITY, moon);
    await app.proveNow(token);
    const url = `${path()}/${first.id}`;
    await atFacility(app, MAIN_FACILITY).expect(200, 'DELETE', url, { token });
    expect(await firstOf()).toBe(second.id);
  });

  test('tells the next one nothing of what was before, and names nobody of another household', async () => {
    await step('checkin-child');
    await step('checkout-child');
    app.clock.advance(1000);
    await accepted(second);
    expect((await end(first.id)).status).toBe(200);
    const releases = async () =>
      (await app.expect(200, 'GET', '/api/account/releases', { token: second.token })).releases;
    expect(await releases()).toEqual([]);
    const { stay_id: stay } = await app.context.db
      .selectFrom('releases')
      .select('stay_id')
      .where('child_id', '=', child)
      .executeTakeFirstOrThrow();
    const report = (id: string) =>
      app.ask('POST', `/api/account/releases/${id}/unexpected`, { token: second.token });
    expect((await report(stay)).status).toBe(404);

    const json = { name: 'Samia Firsthouse', relation: 'Aunt' };
    const collectors = `/api/children/${child}/collectors`;
    const { collector } = await app.expect(201, 'POST', collectors, { token: owner, json });
    await step('checkin-child');
    const document = { kind: 'passport', last: '12AB' };
    await step('checkout-child', { collectorId: collector._id, document });
    expect(await releases()).toMatchObject([{ adult: { kind: 'collector', name: 'Samia Firsthouse' } }]);
    const named = app.context.db.updateTable('collectors').where('id', '=', collector._id);
    await named.set({ named_by: first.id }).execute();
    expect(await releases()).toMatchObject([{ adult: { kind: 'collector', name: '', relation: null } }]);
  });

  test('by the deletion of its account tells the screens what was withdrawn', async () => {
    await accepted(second);
    await step('checkin-child');
    const arrivesAt = new Date(app.clock.now() + 10 * MINUTE).toISOString();
    const json = { children: [child], arrivesAt };
    await app.expect(200, 'POST', '/api/children/on-my-way', { token: first.token, json });
    const world = await makeExampleWorld({ app, staff: owner, own: first, gone: await app.makeEmployee() });
    const asks = { grant: await world.grant(), kind: 'pick_up', childIds: [child] };
    await app.expect(201, 'POST', '/api/kiosk/requests', { token: world.device, json: asks });
    const other = await addChild(third, 'Nour');
    await addGuardian(app, other, first.id);
    const [desk, theirs] = [await listen(owner), await listen(second.token)];
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${first.id}`, { token: owner });
    const happened = ['kiosk.updated', 'child.on_my_way_ended', 'child.updated', 'guardian.changed'];
    await expect.poll(() => typesOf(desk), within).toEqual(expect.arrayContaining(happened));
    const concerned = desk.events.filter(({ type }) => type === 'guardian.changed');
    expect(concerned.map(({ data }) => data.childId).sort()).toEqual([child, other].sort());
    await expect
      .poll(() => typesOf(theirs), within)
      .toEqual(expect.arrayContaining(['child.updated', 'guardian.changed']));
  });
});

describe('after a restore', () => {
  const erase = (...people: { readonly kind: 'parent' | 'child'; readonly id: string }[]) => {
    const { db, audit, vault } = app.context;
    const at = app.clock.now();
    return replayErasures(
      { db, audit, isBarred: barsBy(vault) },
      people.map((one) => ({ ...one, at })),
    );
  };

  test('a child who was passed on is not erased with its former family', async () => {
    const sister = await addChild(first, 'Salma Hassan');
    const alone = await addChild(first, 'Omar Hassan');
    const unanswered = await addChild(first, 'Nour Hassan');
    for (const one of [child, sister]) await addGuardian(app, one, second.id, { may_edit: 0 });
    await addGuardian(app, unanswered, third.id, { accepted_at: null });
    // The sister was erased with the account, the others were passed on.
    await erase({ kind: 'parent', id: first.id }, { kind: 'child', id: sister });
    expect(await acrossFacilities(() => accountOf(first.id))).toBeUndefined();
    const left = await app.context.db.selectFrom('children').select('id').execute();
    const ids = left.map(({ id }) => id);
    expect([child, sister, alone, unanswered].filter((id) => ids.includes(id))).toEqual([child, unanswered]);
    expect(await firstOf()).toBe(second.id);
    expect(await ownChildren(second)).toEqual([child]);
    // Who has not accepted has nothing of the child but the question.
    expect([await ownChildren(third), await seenBy(third)]).toEqual([[], []]);
    await step('checkin-child', {}, unanswered);
    const options = await app.expect(200, 'GET', `/api/children/${unanswered}/hand-over`, { token: owner });
    expect(options.adults).toEqual([]);
    expect((await answer(third, true, unanswered)).status).toBe(200);
    expect(await ownChildren(third)).toEqual([unanswered]);
  });

  test('what a deleted account had entered ends again with it', async () => {
    await accepted(second);
    const collectors = `/api/children/${child}/collectors`;
    const enter = async (token: string, name: string) =>
      (await app.expect(201, 'POST', collectors, { token, json: { name, relation: 'Aunt' } })).collector._id;
    const own = await enter(first.token, 'Samia Firsthouse');
    const confirmed = await enter(first.token, 'Huda Firsthouse');
    const ofStaff = await enter(owner, 'Nadia Fathy');
    const proof = { kind: 'slip', value: String((await step('checkin-child')).child.slipCode) };
    const document = { kind: 'passport', last: '12AB' };
    await step('checkout-child', { collectorId: confirmed, proof, document });
    const slip = { kind: 'slip', value: String((await step('checkin-child')).child.slipCode) };
    const arrivesAt = new Date(app.clock.now() + 10 * MINUTE).toISOString();
    await app.expect(200, 'POST', '/api/children/on-my-way', {
      ...{ token: first.token, json: { children: [child], arrivesAt } },
    });
    await erase({ kind: 'parent', id: first.id });
    const listed = async () => {
      const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: owner });
      return (body as unknown as HandOver).adults.map(({ _id }) => _id);
    };
    expect(await firstOf()).toBe(second.id);
    expect(await listed()).toEqual([second.id, ofStaff]);
    const sheet = await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner });
    expect(sheet.child).not.toHaveProperty('onMyWay');
    const out = async (json: object) =>
      (await app.ask('POST', `/api/children/checkout-child/${child}`, { token: owner, json })).body.code;
    expect(await out({ collectorId: second.id, proof: slip })).toBe('wrong_pickup_proof');
    // Whom that household named is never the facility's, even if the entry were there again.
    const rows = app.context.db.updateTable('collectors').where('child_id', '=', child);
    await rows.set({ ended_at: null }).execute();
    expect((await listed()).toSorted()).toEqual([second.id, ofStaff, confirmed].toSorted());
    const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: second.token });
    const code = { kind: 'code', value: await codeOf(secret, app.clock.now()) };
    expect(await out({ collectorId: own, proof: code, document })).toBe('collector_not_listed');
    expect(await out({ collectorId: confirmed, proof: code })).toBe('wrong_pickup_proof');
    expect(await out({ collectorId: ofStaff, proof: code, document })).toBeUndefined();
  });

  test('one who declined leaves the child to the next one who accepts', async () => {
    await addGuardian(app, child, third.id, { accepted_at: null });
    await erase({ kind: 'parent', id: first.id });
    expect((await answer(third, false)).status).toBe(200);
    expect(await guardians()).toEqual([]);
    await accepted(second);
    expect(await firstOf()).toBe(second.id);
  });

  test('rather to whoever neither is barred nor has the name of somebody who is', async () => {
    await addGuardian(app, child, second.id, { accepted_at: 1 });
    await addGuardian(app, child, third.id, { accepted_at: 2 });
    await bar(child, { name: 'Karim Otherhouse' });
    await erase({ kind: 'parent', id: first.id });
    expect(await firstOf()).toBe(third.id);
  });

  test('a bar that it lacked ends the guardian again', async () => {
    const { db, vault, clock, audit } = app.context;
    await accepted(second);
    const { slipCode } = (await step('checkin-child')).child;
    const forget = async (parentId: string) => {
      await db.deleteFrom('barred_adults').where('child_id', '=', child).execute();
      await changeGuardian(app, child, parentId, { ended_at: null, ended_by: null });
    };
    await bar(child, { name: 'The uncle', adultId: second.id });
    await forget(second.id);
    await replayBars({ db, vault, clock, audit }, readKeptBars(app.dataDir, vault));
    expect(await guardians()).toEqual([first.id]);
    expect(await seenBy(second)).toEqual([]);
    const now = await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner });
    expect(now.child.slipCode).not.toBe(slipCode);
    const ended = (await auditOf(child)).filter(({ action }) => action === 'guardian.ended');
    expect(ended).toMatchObject([
      { actor: null, details: { parentId: second.id, replayed: true } },
      { details: { parentId: second.id } },
    ]);
    // The only one who answers for the child stays, and is barred.
    await bar(child, { name: 'Mona', adultId: first.id });
    await db.deleteFrom('barred_adults').where('adult_id', '=', first.id).execute();
    await replayBars({ db, vault, clock, audit }, readKeptBars(app.dataDir, vault));
    expect([await guardians(), (await barsOf(child)).length]).toEqual([[first.id], 2]);
  });
});

test('a guardian who ended and was asked anew is told of nothing from before', async () => {
  await addGuardian(app, child, second.id, { accepted_at: 1 });
  const before = await listen(second.token);
  await step('checkin-child');
  await expect.poll(() => typesOf(before), within).toContain('child.checked_in');
  const from = before.events[0]?.id;
  before.close();
  expect((await end(second.id)).status).toBe(200);
  app.clock.advance(1000);
  const renamed = { token: owner, json: { name: 'Leen Hassan' } };
  await app.expect(200, 'PUT', `/api/children/update-child/${child}`, renamed);
  app.clock.advance(1000);
  await accepted(second);
  app.clock.advance(1000);
  await step('checkout-child');
  const client = await listen(second.token, from);
  await expect.poll(() => typesOf(client), within).toContain('child.checked_out');
  expect(typesOf(client).filter((type) => type.startsWith('child.'))).toEqual(['child.checked_out']);
});

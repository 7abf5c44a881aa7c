/** A child with two guardians at the hand-over: who may take it, whose code counts for whom, and what each household reads (decision 049). */
import type { HandOver } from '@haris/contract/http/hand-over';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import { beforeTransaction } from '../../testing/before-transaction.ts';
import { makeExampleWorld } from '../../testing/example-world.ts';
import { addGuardian, changeGuardian } from '../../testing/guardians.ts';
import { codeOf } from '../../testing/hand-over-model.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const DOCUMENT = { kind: 'passport', last: '12AB' };
const SEES_ONLY = { mayLive: false, mayEdit: false, mayCollect: false, mayTake: false };

let app: TestApp;
let owner: string;
/** At the desk, with the role of the desk alone. */
let desk: { readonly id: string; readonly token: string };
/** The child's family, another guardian who may take it, and a family that has nothing to do with the child. */
let first: Family;
let second: Family;
let stranger: Family;
let child: string;
let phones = 10_000_000;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  desk = await app.makeEmployee();
  const json = { roles: [{ roleId: 'desk', facilityId: 'main' }] };
  await app.expect(200, 'PUT', `/api/admin/${desk.id}/roles`, { token: owner, json });
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { handover: 'require' } });
  stranger = await app.makeFamily();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  owner = await app.staff();
  first = await app.makeFamily({ name: 'Mona Firsthouse', phone: `010${phones++}` });
  second = await app.makeFamily({ name: 'Tarek Otherhouse', phone: `011${phones++}` });
  child = (await app.makeChild(first, 'Lina'))._id;
  await addGuardian(app, child, second.id, { may_live: 0, may_edit: 0, may_collect: 0 });
});
afterEach(() => void vi.restoreAllMocks());

const handOver = async (token = desk.token) => {
  const { body, status } = await app.ask('GET', `/api/children/${child}/hand-over`, { token });
  const { adults, notTaking } = body as unknown as HandOver;
  return { status, adults, notTaking };
};
const listed = async () => (await handOver()).adults.map(({ _id }) => _id);
/** The slip that is printed from the answer to the check-in. */
async function checkIn(id = child): Promise<{ kind: 'slip'; value: string }> {
  const url = `/api/children/checkin-child/${id}`;
  const { child: inside } = await app.expect(200, 'POST', url, { token: desk.token });
  return { kind: 'slip', value: String(inside.slipCode) };
}
/** Status 200, or the code of the refusal. */
async function checkOut(json: object, id = child): Promise<unknown> {
  const { status, body } = await app.ask('POST', `/api/children/checkout-child/${id}`, {
    ...{ token: desk.token, json },
  });
  return status === 200 ? 200 : body.code;
}
const secretOf = async ({ token }: Family) =>
  (await app.expect(200, 'POST', '/api/account/pickup-code', { token })).secret;
/** The proof by what the phone of a guardian shows now. */
async function codeFrom(guardian: Family): Promise<{ kind: 'code'; value: string }> {
  return { kind: 'code', value: await codeOf(String(await secretOf(guardian)), app.clock.now()) };
}
const name = async (by: string, called = 'Samir Adel') =>
  (
    await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      ...{ token: by, json: { name: called, relation: 'Uncle' } },
    })
  ).collector._id;
const bar = async (json: object) =>
  (await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: owner, json })).barred;
const put = (rights: object, token = owner, at = app) =>
  at.ask('PUT', `/api/children/${child}/guardians/${second.id}`, { token, json: rights });
const releasesOf = async ({ token }: Family) =>
  (await app.expect(200, 'GET', '/api/account/releases', { token })).releases;
const isInside = async () =>
  (await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner })).child.isInside;
const setColumns = (columns: object, { id }: Family = second) =>
  app.context.db.updateTable('parents').set(columns).where('id', '=', id).execute();

describe('another guardian', () => {
  test('is a listed adult with the right to take the child, and none without it', async () => {
    expect((await handOver('')).status).toBe(401);
    for (const { token } of [first, second, stranger]) expect((await handOver(token)).status).toBe(403);
    const proof = await checkIn();
    await changeGuardian(app, child, second.id, { may_take: 0, may_live: 1, may_edit: 1, may_collect: 1 });
    expect(await listed()).toEqual([first.id]);
    expect(await checkOut({ collectorId: second.id, proof })).toBe('collector_not_listed');
    expect(await checkOut({ collectorId: stranger.id, proof })).toBe('collector_not_listed');
    expect(await isInside()).toBe(true);
    await changeGuardian(app, child, second.id, { may_take: 1 });
    expect((await handOver()).adults).toMatchObject([
      { _id: first.id, kind: 'guardian', name: first.name, isToday: true, isConfirmed: true },
      { _id: second.id, kind: 'guardian', name: second.name, isToday: true, isConfirmed: true },
    ]);
    expect(await checkOut({ collectorId: second.id })).toBe('proof_of_pickup_required');
    expect(await checkOut({ collectorId: second.id, proof })).toBe(200);
  });

  test('without the right is named to the desk as one to whom the child is not handed', async () => {
    expect((await handOver()).notTaking).toEqual([]);
    await changeGuardian(app, child, second.id, { may_take: 0 });
    expect((await handOver()).notTaking).toEqual([{ _id: second.id, name: second.name, photo: null }]);
    // Who was asked, or has ended, is nobody whom staff know as a guardian.
    await changeGuardian(app, child, second.id, { accepted_at: null });
    expect((await handOver()).notTaking).toEqual([]);
    await changeGuardian(app, child, second.id, { accepted_at: 1, ended_at: 1 });
    expect((await handOver()).notTaking).toEqual([]);
  });

  test('without the right makes the desk name who takes the child, also where no name is required', async () => {
    const mode = (handover: string) =>
      app.expect(200, 'PUT', '/api/settings', { token: owner, json: { handover } });
    const demands = async () => {
      const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: desk.token });
      const { mustName, mustProve } = body as unknown as HandOver;
      return { mustName, mustProve };
    };
    await mode('record');
    try {
      await checkIn();
      expect(await demands()).toEqual({ mustName: false, mustProve: false });
      for (const limited of [second, first]) {
        await changeGuardian(app, child, limited.id, { may_take: 0 });
        expect(await demands()).toEqual({ mustName: true, mustProve: false });
        for (const json of [{}, { document: DOCUMENT }])
          expect(await checkOut(json)).toBe('collector_required');
        // As a client from before the hand-over sends it.
        const url = `/api/children/checkout-child/${child}`;
        expect((await app.ask('POST', url, { token: desk.token })).body.code).toBe('collector_required');
        expect(await checkOut({ collectorId: limited.id })).toBe('collector_not_listed');
        expect(await isInside()).toBe(true);
        expect(await checkOut({ collectorId: limited === first ? second.id : first.id })).toBe(200);
        await changeGuardian(app, child, limited.id, { may_take: 1 });
        await checkIn();
      }
      // Who has ended, or was only asked, limits nothing.
      await changeGuardian(app, child, second.id, { may_take: 0, ended_at: 1 });
      expect(await demands()).toEqual({ mustName: false, mustProve: false });
      expect(await checkOut({})).toBe(200);
    } finally {
      await mode('require');
    }
  });

  test('without the right leaves the undo of a check-in to who made it, as a bar does', async () => {
    const undo = async (token: string, uniqueEntryId: unknown) => {
      const url = `/api/children/undo-checkin-child/${child}`;
      const { status, body } = await app.ask('POST', url, { token, json: { uniqueEntryId } });
      return status === 200 ? 200 : body.code;
    };
    const entry = async () => {
      const url = `/api/children/checkin-child/${child}`;
      return (await app.expect(200, 'POST', url, { token: desk.token })).child.uniqueEntryId;
    };
    expect(await undo(owner, await entry())).toBe(200);
    await changeGuardian(app, child, second.id, { may_take: 0 });
    const entryId = await entry();
    expect(await undo(owner, entryId)).toBe('collector_required');
    expect(await isInside()).toBe(true);
    expect(await undo(desk.token, entryId)).toBe(200);
  });

  test.each([
    [
      'name',
      (one: Family, _phone: string) => ({ name: one.name.split(' ').toReversed().join(' ') }),
      'second',
    ],
    ['phone', (one: Family, phone: string) => ({ name: `Uncle of ${one.id}`, phone }), 'second'],
    ['name', (one: Family, _phone: string) => ({ name: one.name }), 'first'],
  ] as const)(
    'without the right does not take the child as a collector of the same %s either',
    async (_what, details, which) => {
      const [limited, other] = which === 'first' ? [first, second] : [second, first];
      const { phone } = await app.context.db
        .selectFrom('parents')
        .select('phone')
        .where('id', '=', limited.id)
        .executeTakeFirstOrThrow();
      const enter = async (token: string, json: object) => {
        const url = `/api/children/${child}/collectors`;
        const asked = { token, json: { relation: 'Father', ...json } };
        return (await app.expect(201, 'POST', url, asked)).collector._id;
      };
      const same = details(limited, String(phone));
      const collectors = [await enter(owner, same), await enter(first.token, same)];
      const aunt = await enter(owner, { name: 'Nadia Fathy' });
      const all = [first.id, second.id, ...collectors, aunt];
      expect((await listed()).toSorted()).toEqual(all.toSorted());
      let proof = await checkIn();
      // Staff have seen the document, so that one is confirmed.
      const byDocument = { collectorId: collectors[0], document: DOCUMENT };
      expect(await checkOut({ ...byDocument, proof })).toBe(200);
      await changeGuardian(app, child, limited.id, { may_take: 0 });
      proof = await checkIn();
      expect(await listed()).toEqual([other.id, aunt]);
      for (const collectorId of collectors)
        for (const given of [proof, { kind: 'known' }])
          expect(await checkOut({ collectorId, proof: given, document: DOCUMENT })).toBe(
            'collector_not_listed',
          );
      expect(await isInside()).toBe(true);
      await changeGuardian(app, child, limited.id, { may_take: 1 });
      expect((await listed()).toSorted()).toEqual(all.toSorted());
      expect(await checkOut({ ...byDocument, proof })).toBe(200);
    },
  );

  test('makes the desk ask who takes the child, also one who may not take it', async () => {
    const asks = async () =>
      (await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: desk.token })).child
        .asksTaker;
    expect(await asks()).toBe(true);
    await changeGuardian(app, child, second.id, { may_take: 0 });
    expect(await asks()).toBe(true);
    await changeGuardian(app, child, second.id, { ended_at: 1 });
    expect(await asks()).toBeUndefined();
    // Nor is a child handed to its only guardian by a press, if that one may not take it.
    await changeGuardian(app, child, first.id, { may_take: 0 });
    expect(await asks()).toBe(true);
  });

  test.each([
    ['has not accepted', () => changeGuardian(app, child, second.id, { accepted_at: null })],
    ['has ended', () => changeGuardian(app, child, second.id, { ended_at: 1 })],
    ['is blocked', () => setColumns({ blocked_at: 1 })],
    ['was disowned', () => setColumns({ disowned_at: 1 })],
  ])('takes no child while the account %s', async (_what, change) => {
    const proof = await checkIn();
    expect(await listed()).toEqual([first.id, second.id]);
    await change();
    expect(await listed()).toEqual([first.id]);
    expect(await checkOut({ collectorId: second.id, proof })).toBe('collector_not_listed');
    expect(await checkOut({ collectorId: first.id, proof })).toBe(200);
  });

  test.each([
    ['ends', { ended_at: 1 }],
    ['is limited', { may_take: 0 }],
  ] as const)('who %s while the desk checks out takes no child', async (_what, columns) => {
    const proof = await checkIn();
    const change = beforeTransaction(app.context.db, () => changeGuardian(app, child, second.id, columns));
    expect(await checkOut({ collectorId: second.id, proof })).toBe('collector_not_listed');
    expect(change.hasBegun()).toBe(true);
    expect(await isInside()).toBe(true);
  });
});

describe('codes', () => {
  test('are each guardian’s own: one household’s proves nothing about the other', async () => {
    await checkIn();
    const [mine, theirs] = [await codeFrom(first), await codeFrom(second)];
    expect(mine.value).not.toBe(theirs.value);
    expect(await checkOut({ collectorId: second.id, proof: mine })).toBe('wrong_pickup_proof');
    expect(await checkOut({ collectorId: first.id, proof: theirs })).toBe('wrong_pickup_proof');
    expect(await checkOut({ collectorId: second.id, proof: theirs })).toBe(200);
  });

  test('let go whom that guardian has named, and nobody whom another one has', async () => {
    const [own, ofStaff] = [await name(first.token), await name(owner, 'Nadia Fathy')];
    await checkIn();
    for (const collectorId of [own, ofStaff]) {
      const asked = { collectorId, document: DOCUMENT };
      expect(await checkOut({ ...asked, proof: await codeFrom(second) })).toBe('wrong_pickup_proof');
      expect(await checkOut({ ...asked, proof: await codeFrom(first) })).toBe(200);
      await checkIn();
    }
  });

  test('are handed out while a child is inside whom the account may take, and end with its checkout', async () => {
    expect(await secretOf(second)).toBeNull();
    expect((await app.ask('POST', '/api/account/pickup-code')).status).toBe(401);
    const proof = await checkIn();
    const secret = await secretOf(second);
    expect([await secretOf(second), await secretOf(stranger)]).toEqual([secret, null]);
    expect(secret).toEqual(expect.any(String));
    expect(await secretOf(first)).not.toBe(secret);
    await changeGuardian(app, child, second.id, { may_take: 0 });
    expect(await secretOf(second)).toBeNull();
    await changeGuardian(app, child, second.id, { may_take: 1 });
    expect(await checkOut({ collectorId: first.id, proof })).toBe(200);
    const kept = app.context.db.selectFrom('pickup_codes').selectAll();
    expect(await kept.where('parent_id', 'in', [first.id, second.id]).execute()).toEqual([]);
    await checkIn();
    expect(await secretOf(second)).not.toBe(secret);
  });

  test('are not made for an account that loses the right at that moment', async () => {
    await checkIn();
    const limit = beforeTransaction(app.context.db, () =>
      changeGuardian(app, child, second.id, { may_take: 0 }),
    );
    expect(await secretOf(second)).toBeNull();
    expect(limit.hasBegun()).toBe(true);
    const kept = app.context.db.selectFrom('pickup_codes').selectAll();
    expect(await kept.where('parent_id', '=', second.id).execute()).toEqual([]);
  });

  test('stay while another child is inside whom that account may take', async () => {
    const own = (await app.makeChild(second, 'Omar'))._id;
    const proof = await checkIn();
    await checkIn(own);
    const [mine, theirs] = [await secretOf(first), await secretOf(second)];
    expect(await checkOut({ collectorId: first.id, proof })).toBe(200);
    await checkIn();
    expect(await secretOf(second)).toBe(theirs);
    expect(await secretOf(first)).not.toBe(mine);
  });
});

describe('the right to take the child', () => {
  test('is given with a proof, by staff of all places of the child, and taken away at once', async () => {
    const { id, token } = await app.makeEmployee();
    await manageAt(app, { id }, 'main');
    app.clock.advance(11 * MINUTE);
    expect((await put(SEES_ONLY)).status).toBe(200);
    owner = await app.staff();
    expect((await put(SEES_ONLY, '')).status).toBe(401);
    for (const parent of [first, second, stranger])
      expect((await put({ ...SEES_ONLY, mayTake: true }, parent.token)).status).toBe(403);
    expect((await put({ ...SEES_ONLY, mayTake: true }, token)).body.code).toBe('proof_required');
    expect(await listed()).toEqual([first.id]);
    await app.proveNow(token);
    expect((await put({ ...SEES_ONLY, mayTake: true }, token)).status).toBe(200);
    expect(await listed()).toEqual([first.id, second.id]);
    // A client from before this right sends the other three: this one stays.
    const { mayTake: _, ...three } = SEES_ONLY;
    expect(await put(three, token)).toMatchObject({ status: 200, body: { guardian: { mayTake: true } } });
    const moon = await makeFacility(app, `Moon of ${child}`);
    expect((await put(SEES_ONLY, token, atFacility(app, moon))).status).toBeGreaterThanOrEqual(403);
    const place = { token: owner, json: { facilityId: moon } };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, place);
    expect((await put(SEES_ONLY, token)).status).toBe(200);
    expect((await put({ ...SEES_ONLY, mayTake: true }, token)).body.code).toBe('beyond_own_rights');
    expect(await listed()).toEqual([first.id]);
  });

  test('goes with the codes, the slips and the announced pick-up', async () => {
    const slip = await checkIn();
    const code = await codeFrom(second);
    const arrivesAt = new Date(app.clock.now() + 10 * MINUTE).toISOString();
    const json = { children: [child], arrivesAt };
    await app.expect(200, 'POST', '/api/children/on-my-way', { token: second.token, json });
    expect((await put(SEES_ONLY)).status).toBe(200);
    const sheet = await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner });
    expect(sheet.child).not.toHaveProperty('onMyWay');
    expect((await put({ ...SEES_ONLY, mayTake: true })).status).toBe(200);
    // Given again, it brings back nothing of before.
    for (const proof of [slip, code])
      expect(await checkOut({ collectorId: second.id, proof })).toBe('wrong_pickup_proof');
    expect(await checkOut({ collectorId: second.id, proof: await codeFrom(second) })).toBe(200);
  });

  test('can be taken from the first guardian, too: neither its code nor whom it has named counts then', async () => {
    const own = await name(first.token);
    const sister = (await app.makeChild(first, 'Salma'))._id;
    const makePass = () => app.ask('POST', `/api/collectors/${own}/pass`, { token: first.token });
    const pass = { kind: 'pass', value: (await makePass()).body.token };
    await checkIn();
    const proof = await codeFrom(first);
    const setTaking = (mayTake: boolean) =>
      app.expect(200, 'PUT', `/api/children/${child}/guardians/${first.id}`, {
        ...{ token: owner, json: { mayLive: true, mayEdit: true, mayCollect: true, mayTake } },
      });
    await setTaking(false);
    expect((await makePass()).body.code).toBe('collector_not_listed');
    expect(await listed()).toEqual([second.id]);
    for (const collectorId of [first.id, own])
      expect(await checkOut({ collectorId, proof, document: DOCUMENT })).toBe('collector_not_listed');
    expect(await secretOf(first)).toBeNull();
    const world = await makeExampleWorld({ app, staff: owner, own: first, gone: await app.makeEmployee() });
    const atKiosk = async () => {
      const json = { code: await world.parentCode() };
      return app.expect(200, 'POST', '/api/kiosk/identify', { token: world.device, json });
    };
    const ask = async (childIds: string[]) => {
      const json = { grant: (await atKiosk()).grant, kind: 'pick_up', childIds };
      return (await app.ask('POST', '/api/kiosk/requests', { token: world.device, json })).status;
    };
    await checkIn(sister);
    // The kiosk offers whom it would not refuse.
    const offered = (await atKiosk()).children.map(({ _id }) => _id);
    expect([offered.includes(child), offered.includes(sister)]).toEqual([false, true]);
    expect([await ask([child]), await ask([sister])]).toEqual([404, 201]);
    expect(await checkOut({ collectorId: second.id, proof: await codeFrom(second) })).toBe(200);
    // Given again, it brings back no pass of before.
    await checkIn();
    await setTaking(true);
    const asked = { collectorId: own, document: DOCUMENT };
    expect(await checkOut({ ...asked, proof: pass })).toBe('wrong_pickup_proof');
    const next = await makePass();
    expect(await checkOut({ ...asked, proof: { kind: 'pass', value: next.body.token } })).toBe(200);
  });
});

describe('a first guardian without the right', () => {
  test('neither deletes the child nor takes the same one home that the account has added anew', async () => {
    const only = await app.makeFamily({ name: 'Karim Only' });
    const theirs = (await app.makeChild(only, 'Nour'))._id;
    const remove = async () => {
      const url = `/api/children/delete-child/${theirs}`;
      const { status, body } = await app.ask('DELETE', url, { token: only.token });
      return status === 200 ? 200 : body.code;
    };
    const rightsOf = async (id: string) => {
      const { guardians } = await app.expect(200, 'GET', `/api/children/${id}/guardians`, { token: owner });
      return guardians.map(({ parentId, mayTake }) => [parentId, mayTake]);
    };
    const setTaking = (id: string, mayTake: boolean) => {
      const json = { mayLive: true, mayEdit: true, mayCollect: true, mayTake };
      const url = `/api/children/${id}/guardians/${only.id}`;
      return app.expect(200, 'PUT', url, { token: owner, json });
    };
    await setTaking(theirs, false);
    expect(await remove()).toBe('child_kept');
    const again = (await app.makeChild(only, 'Nour'))._id;
    expect(await rightsOf(again)).toEqual([[only.id, false]]);
    for (const id of [theirs, again]) await setTaking(id, true);
    expect(await rightsOf((await app.makeChild(only, 'Nour'))._id)).toEqual([[only.id, true]]);
    expect(await remove()).toBe(200);
    // A guardian who is limited for another family's child has the own ones as before.
    await changeGuardian(app, child, second.id, { may_take: 0 });
    expect(await rightsOf((await app.makeChild(second, 'Omar'))._id)).toEqual([[second.id, true]]);
    // But not for one of the same name, which the desk could take for the limited one.
    expect(await rightsOf((await app.makeChild(second, ' LINA'))._id)).toEqual([[second.id, false]]);
  });

  test('reads and changes nobody but whom it has named itself', async () => {
    const ofDesk = await name(owner, 'Nadia Fathy');
    const own = await name(first.token, 'Samir Adel');
    const list = async ({ token }: { token: string }) => {
      const { body } = await app.ask('GET', `/api/children/${child}/collectors`, { token });
      return (body as unknown as { collectors: { _id: string }[] }).collectors.map(({ _id }) => _id).sort();
    };
    const change = async (id: string, token: string) => {
      const json = { name: 'Omar Friend', relation: 'Uncle', weekdays: [] };
      const url = `/api/collectors/${id}`;
      return [
        (await app.ask('PUT', url, { token, json })).status,
        (await app.ask('POST', `${url}/pass`, { token })).status,
        (await app.ask('DELETE', `${url}/photo`, { token })).status,
        (await app.ask('DELETE', url, { token })).status,
      ];
    };
    expect(await list(first)).toEqual([ofDesk, own].sort());
    await changeGuardian(app, child, first.id, { may_take: 0 });
    expect(await list(first)).toEqual([own]);
    expect(await list({ token: owner })).toEqual([ofDesk, own].sort());
    expect(await change(ofDesk, first.token)).toEqual([404, 404, 404, 404]);
    expect(await listed()).toEqual([second.id, ofDesk]);
    // Its own it can still change and end.
    expect(await change(own, first.token)).toEqual([200, 409, 200, 200]);
    await changeGuardian(app, child, first.id, { may_take: 1 });
    expect(await list(first)).toEqual([ofDesk]);
  });

  test('loses the list of the desk also at the moment in which it changes somebody', async () => {
    const ofDesk = await name(owner, 'Nadia Fathy');
    const race = beforeTransaction(app.context.db, () =>
      changeGuardian(app, child, first.id, { may_take: 0 }),
    );
    const { status } = await app.ask('DELETE', `/api/collectors/${ofDesk}`, { token: first.token });
    expect([status, race.hasBegun()]).toEqual([404, true]);
    expect(await listed()).toEqual([second.id, ofDesk]);
  });
});

describe('a family that is not trusted', () => {
  test('turns no person of the desk into a friend who counts', async () => {
    const nadia = await name(owner, 'Nadia Fathy');
    const salma = await name(owner, 'Salma Fathy');
    await bar({ name: 'Mona Firsthouse', note: 'Court order' });
    // It still reads them all: no parent learns of a bar.
    const json = { name: 'Omar Friend', relation: 'Uncle', weekdays: [] };
    await app.expect(200, 'PUT', `/api/collectors/${nadia}`, { token: first.token, json });
    await app.ask('DELETE', `/api/collectors/${salma}/photo`, { token: first.token });
    const proof = await checkIn();
    expect(await listed()).not.toContain(nadia);
    expect(await checkOut({ collectorId: nadia, proof, document: DOCUMENT })).toBe('collector_not_listed');
    // Without another name, phone or photo it is the person whom the desk has entered.
    expect(await listed()).toContain(salma);
  });
});

describe('the end of a guardian who may not take the child', () => {
  test.each([
    [
      'removed',
      () => app.expect(200, 'DELETE', `/api/children/${child}/guardians/${second.id}`, { token: owner }),
    ],
    ['deleted', () => app.expect(200, 'DELETE', `/api/parent/delete-parent/${second.id}`, { token: owner })],
  ])('%s: who has its name or phone ends as a collector, too', async (_, end) => {
    const add = async (called: string, phone: string | null) =>
      (
        await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
          ...{ token: owner, json: { name: called, relation: 'Father', phone } },
        })
      ).collector._id;
    const byName = await add('Otherhouse  TAREK', null);
    const { phone } = await app.context.db
      .selectFrom('parents')
      .select('phone')
      .where('id', '=', second.id)
      .executeTakeFirstOrThrow();
    const byPhone = await add('Abu Lina', phone);
    const other = await add('Nadia Fathy', null);
    await changeGuardian(app, child, second.id, { may_take: 0 });
    expect(await listed()).toEqual([first.id, other]);
    await end();
    const { notTaking } = await handOver();
    expect([notTaking, await listed()]).toEqual([[], [first.id, other]]);
    const proof = await checkIn();
    for (const collectorId of [byName, byPhone])
      expect(await checkOut({ collectorId, proof, document: DOCUMENT })).toBe('collector_not_listed');
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}&limit=200`, {
      token: owner,
    });
    const removed = entries.filter(({ action }) => action === 'collector.removed');
    expect(removed.map(({ details }) => String(details.collectorId)).sort()).toEqual(
      [byName, byPhone].sort(),
    );
  });

  test('works, and ends all collectors, if the key of the child is lost', async () => {
    const nadia = await name(owner, 'Nadia Fathy');
    await changeGuardian(app, child, second.id, { may_take: 0 });
    const { db } = app.context;
    await db.deleteFrom('data_keys').where('owner_id', '=', child).execute();
    await app.expect(200, 'DELETE', `/api/children/${child}/guardians/${second.id}`, { token: owner });
    const row = db.selectFrom('collectors').select('ended_at').where('id', '=', nadia);
    expect((await row.executeTakeFirstOrThrow()).ended_at).not.toBeNull();
  });

  test('of one who may take it, nobody else ends', async () => {
    const namesake = await name(owner, 'Tarek Otherhouse');
    await app.expect(200, 'DELETE', `/api/children/${child}/guardians/${second.id}`, { token: owner });
    expect(await listed()).toEqual([first.id, namesake]);
  });
});

describe('a request at a kiosk', () => {
  test('to fetch the child goes with the right to take it, and one to bring it stays', async () => {
    const world = await makeExampleWorld({ app, staff: owner, own: first, gone: await app.makeEmployee() });
    const ask = async (kind: 'check_in' | 'pick_up') => {
      const json = { grant: await world.grant(), kind, childIds: [child] };
      await app.expect(201, 'POST', '/api/kiosk/requests', { token: world.device, json });
    };
    const waiting = async () => {
      const { requests } = await app.expect(200, 'GET', '/api/kiosk-requests', { token: owner });
      return requests.filter((one) => one.child._id === child).map(({ kind }) => kind);
    };
    const setTaking = (mayTake: boolean) =>
      app.expect(200, 'PUT', `/api/children/${child}/guardians/${first.id}`, {
        ...{ token: owner, json: { mayLive: true, mayEdit: true, mayCollect: true, mayTake } },
      });
    await ask('check_in');
    await setTaking(false);
    expect(await waiting()).toEqual(['check_in']);
    await setTaking(true);
    await checkIn();
    await ask('pick_up');
    expect(await waiting()).toEqual(['pick_up']);
    await setTaking(false);
    expect(await waiting()).toEqual([]);
    await setTaking(true);
    expect(await waiting()).toEqual([]);
  });
});

describe('a bar', () => {
  test('on another guardian by name or phone beats the right, and leaves the first one alone', async () => {
    const { _id: barId } = await bar({ name: second.name });
    const proof = await checkIn();
    const code = await codeFrom(second);
    expect(await checkOut({ collectorId: second.id, proof })).toBe('barred_person');
    expect(await checkOut({ collectorId: second.id, proof: code })).toBe('barred_person');
    expect(await checkOut({ collectorId: first.id, proof: code })).toBe('wrong_pickup_proof');
    expect(await checkOut({ collectorId: first.id, proof: await codeFrom(first) })).toBe(200);
    // Who is barred learns that the child is gone, and not with whom.
    expect(await releasesOf(second)).toMatchObject([{ child: { _id: child }, adult: null }]);
    await app.expect(200, 'DELETE', `/api/barred/${barId}`, { token: owner });
    expect(await releasesOf(second)).toMatchObject([{ adult: { name: first.name } }]);
  });

  test('on the account ends the guardian, who takes no child by anything', async () => {
    const slip = await checkIn();
    const code = await codeFrom(second);
    await bar({ name: 'Somebody', adultId: second.id });
    expect(await listed()).toEqual([first.id]);
    for (const proof of [slip, code])
      expect(await checkOut({ collectorId: second.id, proof })).toBe('barred_person');
    expect(await secretOf(second)).toBeNull();
    expect(await releasesOf(second)).toEqual([]);
  });

  test('on the first guardian’s account passes the child on to one who may not take it, and does not yet', async () => {
    // As every further guardian is after the update.
    await changeGuardian(app, child, second.id, { may_live: 1, may_edit: 1, may_collect: 1, may_take: 0 });
    const aunt = await name(owner, 'Nadia Fathy');
    await bar({ name: first.name, adultId: first.id });
    const sheet = await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner });
    expect(sheet.child.parent._id).toBe(second.id);
    expect(await releasesOf(first)).toEqual([]);
    const proof = await checkIn();
    const json = { for: 'video', childId: child };
    expect((await app.ask('POST', '/api/tickets', { token: first.token, json })).status).toBe(404);
    expect(await listed()).toEqual([aunt]);
    expect(await secretOf(second)).toBeNull();
    expect(await checkOut({ collectorId: second.id, proof })).toBe('collector_not_listed');
    const named = await name(second.token);
    expect(await checkOut({ collectorId: named, proof, document: DOCUMENT })).toBe('collector_not_listed');
    expect((await put({ mayLive: true, mayEdit: true, mayCollect: true, mayTake: true })).status).toBe(200);
    expect(await checkOut({ collectorId: second.id, proof: await codeFrom(second) })).toBe(200);
  });

  test('by a name that only sounds alike is asked about, and the owner notes who is another person', async () => {
    const { _id: barredId } = await bar({ name: 'Tariq Otherhouse' });
    const proof = await checkIn();
    const seen = (await handOver(owner)).adults.find(({ _id }) => _id === second.id);
    expect(seen?.doubts).toMatchObject([{ barredId }]);
    const asked = { collectorId: second.id, proof };
    expect(await checkOut(asked)).toBe('barred_person_doubt');
    // Nor does the code of who sounds like a barred person count, until the owner has noted it.
    const coded = { ...asked, proof: await codeFrom(second), notBarred: seen?.doubts };
    expect(await checkOut(coded)).toBe('wrong_pickup_proof');
    const json = { adultId: second.id, version: seen?.version };
    await app.expect(200, 'POST', `/api/barred/${barredId}/namesakes`, { token: owner, json });
    expect(await checkOut({ ...asked, proof: await codeFrom(second) })).toBe(200);
  });

  test('on the first guardian leaves the other one, with its code', async () => {
    await bar({ name: first.name });
    await checkIn();
    expect(await checkOut({ collectorId: first.id, proof: await codeFrom(first) })).toBe('barred_person');
    expect(await checkOut({ collectorId: second.id, proof: await codeFrom(second) })).toBe(200);
    expect(await releasesOf(first)).toMatchObject([{ adult: null }]);
  });
});

describe('a release', () => {
  const adultsOf = async (family: Family) => (await releasesOf(family)).map(({ adult }) => adult);

  test('names another guardian to who may take the child, without phone and address', async () => {
    const proof = await checkIn();
    expect(await checkOut({ collectorId: second.id, proof })).toBe(200);
    const own = { kind: 'guardian', name: null, relation: null };
    expect(await adultsOf(first)).toEqual([{ ...own, name: second.name }]);
    expect(await adultsOf(second)).toEqual([own]);
    expect(await releasesOf(stranger)).toEqual([]);
    const { db } = app.context;
    const { phone } = await db
      .selectFrom('parents')
      .select('phone')
      .where('id', '=', second.id)
      .executeTakeFirstOrThrow();
    const read = JSON.stringify(await releasesOf(first));
    for (const hidden of [second.email, String(phone), second.id]) expect(read).not.toContain(hidden);
    await changeGuardian(app, child, first.id, { may_take: 0 });
    expect(await adultsOf(first)).toEqual([null]);
    await changeGuardian(app, child, first.id, { may_take: 1 });
    await changeGuardian(app, child, second.id, { ended_at: 1 });
    expect([await adultsOf(first), await releasesOf(second)]).toEqual([[{ ...own, name: '' }], []]);
  });

  test('names a collector to the household that sent it alone', async () => {
    const [own, ofStaff] = [await name(first.token), await name(owner, 'Nadia Fathy')];
    for (const collectorId of [own, ofStaff]) {
      const proof = await checkIn();
      expect(await checkOut({ collectorId, proof, document: DOCUMENT })).toBe(200);
      app.clock.advance(1000);
    }
    const nameless = { kind: 'collector', name: '', relation: null };
    expect(await adultsOf(first)).toMatchObject([{ name: 'Nadia Fathy' }, { name: 'Samir Adel' }]);
    expect(await adultsOf(second)).toEqual([nameless, nameless]);
  });

  test('names a collector to the family also once the account of the colleague is deleted who entered it', async () => {
    await changeGuardian(app, child, second.id, { ended_at: 1 });
    const hana = await app.makeEmployee();
    await manageAt(app, hana, 'main');
    const grandmother = await name(hana.token, 'Nadia Fathy');
    // One whom nobody has confirmed stays listed, too.
    await name(hana.token, 'Samir Adel');
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${hana.id}`, { token: owner });
    expect(await listed()).toHaveLength(3);
    const proof = await checkIn();
    const json = { collectorId: grandmother, proof: await codeFrom(first), document: DOCUMENT };
    expect(await checkOut(json)).toBe(200);
    expect(await checkOut({ ...json, proof })).toBe('not_inside');
    expect(await adultsOf(first)).toMatchObject([{ kind: 'collector', name: 'Nadia Fathy' }]);
    await app.app.notifications.settled();
    const mails = (await app.outbox(first.email)).map(({ text }) => text);
    expect(mails.filter((text) => text.includes('Nadia Fathy'))).toHaveLength(1);
    // In another household's hands, it is for neither to read, nor for its code to prove.
    const row = app.context.db.updateTable('collectors').where('id', '=', grandmother);
    await row.set({ named_by: second.id }).execute();
    expect(await adultsOf(first)).toMatchObject([{ kind: 'collector', name: '' }]);
    await checkIn();
    const again = { collectorId: grandmother, proof: await codeFrom(first) };
    expect(await checkOut(again)).toBe('wrong_pickup_proof');
  });

  test('from before the acceptance is not read, nor reported', async () => {
    await changeGuardian(app, child, second.id, { accepted_at: app.clock.now() + MINUTE });
    const proof = await checkIn();
    expect(await checkOut({ collectorId: first.id, proof })).toBe(200);
    const [release] = await releasesOf(first);
    expect(await releasesOf(second)).toEqual([]);
    const url = `/api/account/releases/${release?.stayId}/unexpected`;
    expect((await app.ask('POST', url, { token: second.token })).status).toBe(404);
  });

  test('is reported as not expected by each guardian by itself, and opens one incident', async () => {
    const proof = await checkIn();
    expect(await checkOut({ collectorId: first.id, proof })).toBe(200);
    const [release] = await releasesOf(first);
    const url = `/api/account/releases/${release?.stayId}/unexpected`;
    const said = async () =>
      [(await releasesOf(first))[0], (await releasesOf(second))[0]].map((one) => one?.isUnexpected);
    expect((await app.ask('POST', url)).status).toBe(401);
    expect((await app.ask('POST', url, { token: stranger.token })).status).toBe(404);
    // Also one who may not take the child: who is told that it is gone may say so.
    await changeGuardian(app, child, second.id, { may_take: 0 });
    for (let i = 0; i < 2; i++) await app.expect(200, 'POST', url, { token: second.token });
    expect(await said()).toEqual([false, true]);
    app.clock.advance(MINUTE);
    await app.expect(200, 'POST', url, { token: first.token });
    expect(await said()).toEqual([true, true]);
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
    const reports = entries.filter(({ action }) => action === 'child.release_unexpected');
    expect(reports.map(({ actor }) => actor?.id)).toEqual([first.id, second.id]);
    await app.app.incidents.sweep();
    const open = await app.expect(200, 'GET', '/api/incidents?state=open&limit=200', { token: owner });
    const mine = open.incidents.filter(
      ({ kind, subject }) => kind === 'unexpected_release' && subject?._id === child,
    );
    expect(mine).toHaveLength(1);
    await changeGuardian(app, child, second.id, { ended_at: 1 });
    expect((await app.ask('POST', url, { token: second.token })).status).toBe(404);
  });

  test('is reported by one guardian, acknowledged, and then by the other: that opens an incident anew', async () => {
    const proof = await checkIn();
    expect(await checkOut({ collectorId: second.id, proof })).toBe(200);
    const [release] = await releasesOf(first);
    const url = `/api/account/releases/${release?.stayId}/unexpected`;
    const open = async () => {
      const path = '/api/incidents?state=open&limit=200';
      const { incidents } = await app.expect(200, 'GET', path, { token: owner });
      return incidents.filter(({ kind, subject }) => kind === 'unexpected_release' && subject?._id === child);
    };
    await app.expect(200, 'POST', url, { token: second.token });
    await app.app.incidents.sweep();
    const [before] = await open();
    const acknowledge = `/api/incidents/${before?._id}/acknowledge`;
    app.clock.advance(1000);
    await app.expect(200, 'POST', acknowledge, { token: owner, json: {} });
    app.clock.advance(1000);
    // Before the next look for incidents has ended the acknowledged one.
    await app.expect(200, 'POST', url, { token: first.token });
    for (let look = 0; look < 2; look++) await app.app.incidents.sweep();
    const after = await open();
    expect(after).toMatchObject([{ acknowledgedAt: null }]);
    expect(after[0]?._id).not.toBe(before?._id);
    // Again by the same one, nothing more is said.
    await app.expect(200, 'POST', `/api/incidents/${after[0]?._id}/acknowledge`, { token: owner, json: {} });
    app.clock.advance(1000);
    for (const { token } of [first, second]) await app.expect(200, 'POST', url, { token });
    for (let look = 0; look < 2; look++) await app.app.incidents.sweep();
    expect(await open()).toEqual([]);
  });
});

describe('on the way', () => {
  const announce = ({ token }: Family, inMs = 10 * MINUTE) => {
    const arrivesAt = new Date(app.clock.now() + inMs).toISOString();
    return app.ask('POST', '/api/children/on-my-way', { token, json: { children: [child], arrivesAt } });
  };
  const cancel = ({ token }: Family) => app.ask('DELETE', `/api/children/${child}/on-my-way`, { token });
  const seenBy = async (token: string) => {
    const url = '/api/children/get-all-children?limit=200';
    const { children } = await app.expect(200, 'GET', url, { token });
    return children.find(({ _id }) => _id === child);
  };
  const eventsTo = async ({ id }: Family) => {
    const rows = app.context.db
      .selectFrom('events')
      .select(['type', 'audience'])
      .where('child_id', '=', child);
    const found = await rows.where('parent_id', '=', id).orderBy('id').execute();
    return found.filter(({ type }) => type.startsWith('child.on_my_way'));
  };

  test('is another guardian who may take the child; the desk reads who, and the other household nothing', async () => {
    await checkIn();
    expect((await announce(stranger)).status).toBe(404);
    expect((await announce(second)).status).toBe(200);
    expect(await seenBy(second.token)).toHaveProperty('onMyWay');
    expect((await seenBy(second.token))?.onMyWay).not.toHaveProperty('by');
    expect(await seenBy(first.token)).not.toHaveProperty('onMyWay');
    expect((await seenBy(owner))?.onMyWay).toMatchObject({ source: 'phone', by: second.name });
    // A role without `families.view` reads that somebody comes, and not who.
    const { role } = await app.expect(201, 'POST', '/api/roles', {
      ...{ token: owner, json: { name: `Door ${child}`, permissions: ['children.check_in'] } },
    });
    const door = await app.makeEmployee();
    const roles = [{ roleId: (role as unknown as { _id: string })._id, facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${door.id}/roles`, { token: owner, json: { roles } });
    const arrivesAt = (await seenBy(owner))?.onMyWay?.arrivesAt;
    const sees = async (token: string, seen: boolean) => {
      const json = { children: [child], arrivesAt, seen };
      const url = '/api/children/on-my-way/seen';
      return (await app.expect(200, 'POST', url, { token, json })).children[0]?.onMyWay;
    };
    expect(await sees(door.token, true)).toMatchObject({ source: 'phone', seenAt: expect.any(String) });
    expect(await sees(door.token, true)).not.toHaveProperty('by');
    expect(await sees(owner, true)).toHaveProperty('by', second.name);
    expect((await seenBy(second.token))?.onMyWay).toHaveProperty('seenAt');
    expect((await eventsTo(second)).map(({ type }) => type)).toEqual(['child.on_my_way', 'child.on_my_way']);
    expect(await eventsTo(first)).toEqual([]);
  });

  test('the newest announcement counts, and each takes back the own one alone', async () => {
    await checkIn();
    expect((await announce(first)).status).toBe(200);
    expect((await announce(second)).status).toBe(200);
    expect((await seenBy(owner))?.onMyWay).toMatchObject({ by: second.name });
    expect(await seenBy(first.token)).not.toHaveProperty('onMyWay');
    expect((await eventsTo(first)).at(-1)).toEqual({ type: 'child.on_my_way_ended', audience: 'account' });
    expect((await cancel(first)).status).toBe(200);
    expect((await seenBy(owner))?.onMyWay).toMatchObject({ by: second.name });
    expect((await cancel(stranger)).status).toBe(404);
    expect((await cancel(second)).status).toBe(200);
    expect(await seenBy(owner)).not.toHaveProperty('onMyWay');
  });

  test('is nobody whose account is blocked meanwhile, and the desk hears of it', async () => {
    await checkIn();
    const version = async () => {
      const { db } = app.context;
      const row = db.selectFrom('children').select('version').where('id', '=', child);
      return Number((await row.executeTakeFirstOrThrow()).version);
    };
    expect((await announce(second)).status).toBe(200);
    expect((await seenBy(owner))?.onMyWay).toMatchObject({ by: second.name });
    const before = await version();
    const json = { access: 'blocked' };
    await app.expect(200, 'PUT', `/api/parent/${second.id}/block`, { token: owner, json });
    expect(await seenBy(owner)).not.toHaveProperty('onMyWay');
    expect((await eventsTo(second)).at(-1)).toMatchObject({ type: 'child.on_my_way_ended' });
    // The block waits for a checkout that has begun, which reads the account after it has locked the child.
    expect(await version()).toBeGreaterThan(before);
  });

  test('is nobody without the right to take the child, whose phone says so', async () => {
    await checkIn();
    expect(await seenBy(second.token)).not.toHaveProperty('mayTake');
    await changeGuardian(app, child, second.id, { may_take: 0 });
    expect((await announce(second)).status).toBe(404);
    expect(await seenBy(second.token)).toMatchObject({ mayTake: false });
    expect(await seenBy(first.token)).not.toHaveProperty('mayTake');
    expect(await seenBy(owner)).not.toHaveProperty('mayTake');
    await changeGuardian(app, child, second.id, { may_take: 1 });
    const limited = beforeTransaction(app.context.db, () =>
      changeGuardian(app, child, second.id, { may_take: 0 }),
    );
    expect((await announce(second)).status).toBe(404);
    expect(limited.hasBegun()).toBe(true);
  });
});

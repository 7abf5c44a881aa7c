/** "I'm on my way": who may announce a pick-up, what the desk sees of it, and how it ends (decision 036). */
import { PICKUP_AHEAD_MS, PICKUP_KEPT_MS, PICKUPS_PER_HOUR } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announcePickup, endPastPickups } from '../../pickups.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;

let app: TestApp;
let staff: string;
let family: Family;
let other: Family;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

const moment = (inMs: number) => new Date(app.clock.now() + inMs).toISOString();
const announce = (children: unknown, arrivesAt: unknown = moment(10 * MINUTE), token?: string) =>
  app.ask('POST', '/api/children/on-my-way', {
    token: token ?? family.token,
    json: { children, arrivesAt },
  });
const cancel = (id: string, token = family.token) =>
  app.ask('DELETE', `/api/children/${id}/on-my-way`, { token });
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
async function childInside(owner = family): Promise<string> {
  const { _id } = await app.makeChild(owner);
  await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token: staff });
  return _id;
}
const seenBy = async (token: string, id: string) => {
  const url = '/api/children/get-all-children?limit=200';
  const { children } = await app.expect(200, 'GET', url, { token });
  return children.find((one) => one._id === id)?.onMyWay;
};
const eventsOf = async (id: string) => {
  const rows = await app.context.db.selectFrom('events').selectAll().orderBy('id').execute();
  return rows.filter(({ child_id }) => child_id === id).map(({ type }) => type);
};
const audited = async (id: string) => {
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff });
  return entries.map(({ action }) => action).filter((action) => action.startsWith('child.on_my_way'));
};

describe('announcing', () => {
  test('staff and the family see the time and the source; it is an event and in the audit log', async () => {
    const id = await childInside();
    const arrivesAt = moment(10 * MINUTE);
    const announcedAt = moment(0);
    const answer = await announce([id], arrivesAt);
    const onMyWay = { arrivesAt, announcedAt, source: 'phone' };
    expect(answer).toMatchObject({ status: 200, body: { children: [{ _id: id, onMyWay }] } });
    expect(await seenBy(staff, id)).toEqual(onMyWay);
    expect(await seenBy(family.token, id)).toEqual(onMyWay);
    expect(await eventsOf(id)).toContain('child.on_my_way');
    expect(await audited(id)).toEqual(['child.on_my_way']);
  });

  test('the same again changes nothing; another time replaces it', async () => {
    const id = await childInside();
    const arrivesAt = moment(10 * MINUTE);
    await announce([id], arrivesAt);
    app.clock.advance(1_000);
    expect((await announce([id], arrivesAt)).status).toBe(200);
    expect(await audited(id)).toHaveLength(1);
    const later = moment(30 * MINUTE);
    await announce([id], later);
    expect(await seenBy(staff, id)).toMatchObject({ arrivesAt: later });
    expect(await audited(id)).toHaveLength(2);
    expect((await eventsOf(id)).filter((type) => type === 'child.on_my_way')).toHaveLength(2);
  });

  test('staff say that they have seen it, and take that back; the family sees both; another time is unseen', async () => {
    const [one, two] = [await childInside(), await childInside()];
    const arrivesAt = moment(10 * MINUTE);
    await announce([one, two], arrivesAt);
    app.clock.advance(1_000);
    const mark = (seen: boolean, at = arrivesAt, token = staff) =>
      app.ask('POST', '/api/children/on-my-way/seen', {
        token,
        json: { children: [one, two], arrivesAt: at, seen },
      });
    expect((await mark(true, arrivesAt, family.token)).status).toBe(403);
    expect((await mark(true, moment(20 * MINUTE))).status).toBe(200);
    expect(await seenBy(family.token, one)).not.toHaveProperty('seenAt');
    expect((await mark(true)).body.children).toHaveLength(2);
    expect((await mark(true)).status).toBe(200);
    for (const id of [one, two]) expect(await seenBy(family.token, id)).toMatchObject({ seenAt: moment(0) });
    await mark(false);
    expect(await seenBy(family.token, two)).not.toHaveProperty('seenAt');
    await mark(true);
    await announce([one], moment(30 * MINUTE));
    expect(await seenBy(staff, one)).not.toHaveProperty('seenAt');
    expect(await seenBy(staff, two)).toHaveProperty('seenAt');
    expect(await audited(two)).toEqual([
      'child.on_my_way_seen',
      'child.on_my_way_unseen',
      'child.on_my_way_seen',
      'child.on_my_way',
    ]);
    expect((await eventsOf(two)).filter((type) => type === 'child.on_my_way')).toHaveLength(4);
  });

  test('a child that has left cannot be fetched, and after coming back it is the new stay that ends', async () => {
    const id = await childInside();
    await checkOut(id);
    expect(await announce([id])).toMatchObject({ status: 409, body: { code: 'not_inside' } });
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    expect((await announce([id])).status).toBe(200);
    expect(await seenBy(staff, id)).toMatchObject({ source: 'phone' });
    expect((await cancel(id)).status).toBe(200);
    expect((await eventsOf(id)).at(-1)).toBe('child.on_my_way_ended');
  });

  test('siblings together: all of them or none', async () => {
    const [one, two] = [await childInside(), await childInside()];
    const { _id: outside } = await app.makeChild(family);
    expect(await announce([one, outside])).toMatchObject({ status: 409, body: { code: 'not_inside' } });
    expect(await seenBy(staff, one)).toBeUndefined();
    expect((await announce([two, one, two])).body.children).toHaveLength(2);
    expect(await seenBy(staff, one)).toBeDefined();
    expect(await seenBy(staff, two)).toBeDefined();
  });

  test('another family’s child is not found, also among the own ones', async () => {
    const [own, foreign] = [await childInside(), await childInside(other)];
    for (const children of [[foreign], [own, foreign], [own, 'nothing']])
      expect(await announce(children)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await cancel(foreign)).toMatchObject({ status: 404 });
    expect(await seenBy(staff, own)).toBeUndefined();
    expect(await seenBy(staff, foreign)).toBeUndefined();
  });

  test('staff may not, and nobody may without a session', async () => {
    const id = await childInside();
    expect(await announce([id], undefined, staff)).toMatchObject({ status: 403 });
    const json = { children: [id], arrivesAt: moment(MINUTE) };
    expect(await app.ask('POST', '/api/children/on-my-way', { json })).toMatchObject({ status: 401 });
    expect(await cancel(id, staff)).toMatchObject({ status: 403 });
  });

  test('what cannot be a pick-up is refused', async () => {
    const id = await childInside();
    const times = [
      moment(-6 * MINUTE),
      moment(PICKUP_AHEAD_MS + MINUTE),
      'in ten minutes',
      600_000,
      null,
      '2026-11-20T10:15:00Z',
    ];
    for (const wrong of times)
      expect(await announce([id], wrong), String(wrong)).toMatchObject({
        status: 400,
        body: { fields: { arrivesAt: expect.any(String) } },
      });
    for (const wrong of [[], 'x', null, [7], Array.from({ length: 21 }, () => id)])
      expect(await announce(wrong), JSON.stringify(wrong)).toMatchObject({
        status: 400,
        body: { fields: { children: expect.any(String) } },
      });
    expect(await seenBy(staff, id)).toBeUndefined();
  });

  test(`${PICKUPS_PER_HOUR} changes an hour, then 429; repeating and taking back stay possible`, async () => {
    const id = await childInside();
    for (let n = 1; n <= PICKUPS_PER_HOUR; n++)
      expect((await announce([id], moment(n * MINUTE))).status).toBe(200);
    const refused = await announce([id], moment(90 * MINUTE));
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await announce([id], moment(PICKUPS_PER_HOUR * MINUTE))).status).toBe(200);
    expect((await cancel(id)).status).toBe(200);
    const free = await childInside(other);
    expect((await announce([free], moment(MINUTE), other.token)).status).toBe(200);
  });

  test('two at once: one row, the children locked in one order', async () => {
    const [one, two] = [await childInside(), await childInside()];
    const answers = await Promise.all(
      [5, 10, 15, 20].map((minutes, n) =>
        announce(n % 2 ? [one, two] : [two, one], moment(minutes * MINUTE)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await seenBy(staff, one))?.arrivesAt).toBe((await seenBy(staff, two))?.arrivesAt);
  });
});

describe('how it ends', () => {
  test('the parent takes it back, once', async () => {
    const id = await childInside();
    await announce([id]);
    expect((await cancel(id)).body.child).not.toHaveProperty('onMyWay');
    expect((await cancel(id)).status).toBe(200);
    expect(await seenBy(staff, id)).toBeUndefined();
    expect((await eventsOf(id)).filter((type) => type === 'child.on_my_way_ended')).toHaveLength(1);
    expect((await audited(id)).toSorted()).toEqual(['child.on_my_way', 'child.on_my_way_cancelled']);
  });

  test('the checkout ends it, its undo brings it back, and the next stay begins without', async () => {
    const id = await childInside();
    await announce([id]);
    const { child } = await app
      .expect(200, 'GET', '/api/children/get-all-children?limit=200', { token: staff })
      .then(({ children }) => ({ child: children.find((one) => one._id === id) }));
    await checkOut(id);
    expect(await seenBy(staff, id)).toBeUndefined();
    await app.expect(200, 'POST', `/api/children/undo-checkout-child/${id}`, {
      token: staff,
      json: { uniqueEntryId: child?.uniqueEntryId },
    });
    expect(await seenBy(staff, id)).toBeDefined();
    await checkOut(id);
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    expect(await seenBy(staff, id)).toBeUndefined();
  });

  test('an hour after its time it ends by itself, with one event, also on two servers at once', async () => {
    const [waiting, gone] = [await childInside(), await childInside()];
    await announce([waiting, gone], moment(5 * MINUTE));
    await checkOut(gone);
    app.clock.advance(5 * MINUTE + PICKUP_KEPT_MS);
    await endPastPickups(app.context);
    expect(await seenBy(staff, waiting)).toBeDefined();
    app.clock.advance(1);
    await Promise.all([endPastPickups(app.context), endPastPickups(app.context)]);
    expect(await seenBy(staff, waiting)).toBeUndefined();
    expect((await eventsOf(waiting)).filter((type) => type === 'child.on_my_way_ended')).toHaveLength(1);
    expect(await eventsOf(gone)).not.toContain('child.on_my_way_ended');
    const rows = app.context.db.selectFrom('pickups').selectAll();
    expect(await rows.where('child_id', 'in', [waiting, gone]).execute()).toEqual([]);
  });
});

test('the kiosk announces through the same function, which also knows the family', async () => {
  const [own, foreign] = [await childInside(), await childInside(other)];
  const at = { parentId: family.id, arrivesAt: app.clock.now(), source: 'kiosk' } as const;
  const by = { origin: { address: '192.0.2.1', requestId: 'kiosk' } };
  await announcePickup(app.context, by, { ...at, childIds: [own] });
  expect(await seenBy(staff, own)).toMatchObject({ source: 'kiosk' });
  await expect(announcePickup(app.context, by, { ...at, childIds: [foreign] })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a parent’s list has the last visit; the list of staff does not', async () => {
  const { _id: id } = await app.makeChild(family);
  const visitOf = async (token: string) => {
    const url = '/api/children/get-all-children?limit=200';
    const { children } = await app.expect(200, 'GET', url, { token });
    return children.find((one) => one._id === id)?.lastVisit;
  };
  expect(await visitOf(family.token)).toBeNull();
  for (let n = 0; n < 2; n++) {
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
    app.clock.advance(10 * MINUTE);
    await checkOut(id);
  }
  const exitTime = moment(0);
  expect(await visitOf(family.token)).toEqual({ entryTime: moment(-10 * MINUTE), exitTime });
  expect(await visitOf(staff)).toBeUndefined();
});

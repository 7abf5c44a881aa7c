/** Check-in and checkout (contract §4, §5). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { announceTimeUp } from './service.ts';

let app: TestApp;
let staff: string;
let family: Family;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(() => app.close());

const newChild = async () => (await app.makeChild(family))._id;
const checkIn = (id: string, json?: unknown, headers: Record<string, string> = {}, token = staff) =>
  app.ask('POST', `/api/children/checkin-child/${id}`, {
    token,
    headers,
    ...(json === undefined ? {} : { json }),
  });
const checkOut = (id: string, headers: Record<string, string> = {}, token = staff) =>
  app.ask('POST', `/api/children/checkout-child/${id}`, { token, headers });
const staysOf = (id: string) =>
  app.context.db.selectFrom('stays').selectAll().where('child_id', '=', id).orderBy('entry_time').execute();
const counted = (answers: Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = status === 200 ? '200' : `${status} ${body.code}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

test('a stay from entry to exit', async () => {
  const id = await newChild();
  const entered = app.clock.now();
  const inside = await checkIn(id, { durationInMinutes: 60 });
  expect(inside).toMatchObject({
    status: 200,
    body: {
      message: 'Child checked in successfully',
      child: {
        _id: id,
        status: 'Inside',
        isInside: true,
        entryTime: new Date(entered).toISOString(),
        duration: 60,
        parent: { _id: family.id, name: family.name },
      },
    },
  });
  const entryId = String(inside.body.child.uniqueEntryId);
  expect(Buffer.from(entryId, 'base64url').length).toBeGreaterThanOrEqual(16);
  app.clock.advance(42 * 60_000);
  expect(await checkOut(id)).toMatchObject({
    status: 200,
    body: {
      message: 'Child checked out successfully',
      child: { status: 'Outside', isInside: false, entryTime: null, duration: null, uniqueEntryId: null },
    },
  });
  const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: staff });
  expect(await staysOf(id)).toMatchObject([
    {
      unique_entry_id: entryId,
      checked_in_by: admin._id,
      entry_time: entered,
      duration: 60,
      checked_out_by: admin._id,
      exit_time: entered + 42 * 60_000,
    },
  ]);
});

test('each stay is a row of its own with an entry id of its own', async () => {
  const id = await newChild();
  const ids = new Set<unknown>();
  for (const minutes of [30, 60, 120, 240]) {
    ids.add((await checkIn(id, { durationInMinutes: minutes })).body.child.uniqueEntryId);
    app.clock.advance(1000);
    await checkOut(id);
  }
  expect(ids.size).toBe(4);
  const stays = await staysOf(id);
  expect(stays.map(({ duration }) => duration)).toEqual([30, 60, 120, 240]);
  expect(stays.map((stay) => stay.unique_entry_id).sort()).toEqual([...ids].sort());
});

describe('the body of a check-in', () => {
  test('may be absent, empty or without a period: 30 minutes', async () => {
    const bodies = [
      {},
      { payload: '' },
      { payload: '', headers: { 'content-type': 'application/json' } },
      { json: {} },
      { json: { durationInMinutes: undefined } },
    ];
    for (const body of bodies) {
      const id = await newChild();
      const answer = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
        token: staff,
        ...body,
      });
      expect(answer.child.duration).toBe(30);
    }
  });

  test('takes the four periods and no other', async () => {
    const id = await newChild();
    for (const wrong of [45, '60', 0, -30, 30.5, 241, null, true, [], '', { minutes: 30 }])
      expect(await checkIn(id, { durationInMinutes: wrong }), JSON.stringify(wrong)).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_request',
          message: 'The period must be 30, 60, 120 or 240 minutes',
          fields: { durationInMinutes: 'The period must be 30, 60, 120 or 240 minutes' },
        },
      });
    expect(await staysOf(id)).toEqual([]);
    for (const minutes of [30, 60, 120, 240]) {
      expect((await checkIn(id, { durationInMinutes: minutes })).body.child.duration).toBe(minutes);
      await checkOut(id);
    }
  });
});

describe('in conflict with the state', () => {
  test('a child who is inside cannot come in, one who is outside cannot leave', async () => {
    const id = await newChild();
    expect(await checkOut(id)).toMatchObject({
      status: 409,
      body: { code: 'not_inside', message: 'This child is not inside.' },
    });
    await checkIn(id);
    expect(await checkIn(id)).toMatchObject({
      status: 409,
      body: { code: 'already_inside', message: 'This child is already inside.' },
    });
    await checkOut(id);
    expect((await checkOut(id)).status).toBe(409);
  });

  test('the database itself refuses a second open stay', async () => {
    const id = await newChild();
    await checkIn(id);
    const row = (await staysOf(id))[0];
    if (!row) throw new Error('no stay');
    const second = { ...row, id: 'second', unique_entry_id: 'second' };
    await expect(app.context.db.insertInto('stays').values(second).execute()).rejects.toThrow(/unique/i);
  });

  test('fifty desks that check a child in at once: one does', async () => {
    const id = await newChild();
    const desks = await Promise.all(Array.from({ length: 50 }, () => checkIn(id)));
    expect(counted(desks)).toEqual({ 200: 1, '409 already_inside': 49 });
    expect(await staysOf(id)).toHaveLength(1);
    const out = await Promise.all(Array.from({ length: 50 }, () => checkOut(id)));
    expect(counted(out)).toEqual({ 200: 1, '409 not_inside': 49 });
    expect(await staysOf(id)).toHaveLength(1);
  });

  test('check-ins and checkouts at once leave one consistent history', async () => {
    const id = await newChild();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? checkIn(id) : checkOut(id))),
    );
    const ins = answers.filter(({ body, status }) => status === 200 && body.child.isInside).length;
    const outs = answers.filter(({ body, status }) => status === 200 && !body.child.isInside).length;
    const stays = await staysOf(id);
    expect(stays).toHaveLength(ins);
    expect(stays.filter((stay) => stay.exit_time !== null)).toHaveLength(outs);
    expect([0, 1]).toContain(ins - outs);
  });
});

describe('an idempotency key', () => {
  let n = 0;
  const key = () => ({ 'idempotency-key': `key-${++n}` });

  test('answers the same byte for byte, and does nothing twice', async () => {
    const id = await newChild();
    const mine = key();
    const first = await checkIn(id, { durationInMinutes: 120 }, mine);
    app.clock.advance(60_000);
    const again = await checkIn(id, { durationInMinutes: 120 }, mine);
    expect(again.status).toBe(200);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(await staysOf(id)).toHaveLength(1);
    await checkOut(id);
    const after = await checkIn(id, { durationInMinutes: 120 }, mine);
    expect(after.bytes.equals(first.bytes)).toBe(true);
    expect((await staysOf(id)).filter((stay) => stay.exit_time === null)).toEqual([]);
  });

  test('keeps a refusal too', async () => {
    const id = await newChild();
    const mine = key();
    const first = await checkOut(id, mine);
    expect(first).toMatchObject({ status: 409, body: { code: 'not_inside' } });
    await checkIn(id);
    const again = await checkOut(id, mine);
    expect(again.status).toBe(409);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect((await checkOut(id)).status).toBe(200);
  });

  test('with another request is refused', async () => {
    const [id, other] = [await newChild(), await newChild()];
    const mine = key();
    await checkIn(id, { durationInMinutes: 60 }, mine);
    for (const reused of [
      await checkIn(id, { durationInMinutes: 30 }, mine),
      await checkIn(other, { durationInMinutes: 60 }, mine),
      await checkOut(id, mine),
    ])
      expect(reused).toMatchObject({
        status: 409,
        body: {
          code: 'idempotency_key_reused',
          message: 'This idempotency key was already used for another request.',
        },
      });
    expect(await staysOf(other)).toEqual([]);
    expect((await staysOf(id))[0]?.exit_time).toBeNull();
  });

  test('that failed for another reason is free again', async () => {
    const id = await newChild();
    const mine = key();
    expect((await checkIn(id, { durationInMinutes: 45 }, mine)).status).toBe(400);
    expect((await checkIn(id, { durationInMinutes: 30 }, mine)).status).toBe(200);
  });

  test('of one desk is not another’s', async () => {
    const other = await app.makeEmployee();
    const [id, second] = [await newChild(), await newChild()];
    const mine = key();
    expect((await checkIn(id, undefined, mine)).status).toBe(200);
    expect((await checkIn(second, undefined, mine, other.token)).status).toBe(200);
  });

  test('answers without what the desk may not see any more', async () => {
    await app.proveNow(staff);
    const desk = await app.makeEmployee();
    const may = (...permissions: string[]) => ({
      token: staff,
      json: { name: 'At the door', permissions: ['children.check_in', ...permissions] },
    });
    const { role } = await app.expect(201, 'POST', '/api/roles', may('families.view'));
    const roles = [{ roleId: role._id, facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${desk.id}/roles`, { token: staff, json: { roles } });
    const id = await newChild();
    const mine = key();
    const first = await checkIn(id, undefined, mine, desk.token);
    expect(first.body.child.parent).toMatchObject({ _id: family.id, name: family.name });
    await app.expect(200, 'PUT', `/api/roles/${role._id}`, may());
    const again = await checkIn(id, undefined, mine, desk.token);
    expect(again.status).toBe(200);
    expect(again.body.child.parent).toEqual({ _id: family.id, name: '' });
  });

  test('sent twenty times at once makes one stay and twenty equal answers', async () => {
    const id = await newChild();
    const mine = key();
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkIn(id, undefined, mine)));
    expect(counted(answers)).toEqual({ 200: 20 });
    expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(await staysOf(id)).toHaveLength(1);
  });

  test('sent at once for twenty children works for one of them', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, newChild));
    const mine = key();
    const answers = await Promise.all(ids.map((id) => checkIn(id, undefined, mine)));
    expect(counted(answers)).toEqual({ 200: 1, '409 idempotency_key_reused': 19 });
  });

  test('is 1 to 200 visible ASCII characters', async () => {
    const id = await newChild();
    for (const odd of ['', ' ', 'x'.repeat(201), 'a b', 'é'])
      expect((await checkIn(id, undefined, { 'idempotency-key': odd })).status, odd).toBe(400);
    expect((await checkIn(id, undefined, { 'idempotency-key': 'x'.repeat(200) })).status).toBe(200);
  });

  test('keeps no name in the clear, and nothing once the child is deleted', async () => {
    const id = (await app.makeChild(family, 'Kept Nowhere'))._id;
    const mine = key();
    await checkIn(id, undefined, mine);
    await checkOut(id);
    const rows = await app.context.db.selectFrom('idempotency_keys').selectAll().execute();
    const row = rows.find((one) => one.key === mine['idempotency-key']);
    expect(row?.sealed_answer).toBeTruthy();
    expect(Buffer.from(row?.sealed_answer ?? []).includes('Kept Nowhere')).toBe(false);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${id}`, { token: staff });
    expect((await checkIn(id, undefined, mine)).status).toBe(404);
  });
});

test('time is up: said once for each stay, also by two servers at once', async () => {
  const id = await newChild();
  await checkIn(id, { durationInMinutes: 30 });
  const told = async () =>
    (
      await app.context.db.selectFrom('events').selectAll().where('type', '=', 'child.time_up').execute()
    ).filter((event) => event.child_id === id).length;
  app.clock.advance(30 * 60_000 - 1);
  await announceTimeUp(app.context);
  expect(await told()).toBe(0);
  app.clock.advance(1);
  await Promise.all([announceTimeUp(app.context), announceTimeUp(app.context)]);
  await announceTimeUp(app.context);
  expect(await told()).toBe(1);
  await checkOut(id);
  await checkIn(id, { durationInMinutes: 30 });
  await checkOut(id);
  app.clock.advance(31 * 60_000);
  await announceTimeUp(app.context);
  expect(await told()).toBe(1);
});

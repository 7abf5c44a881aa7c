/** Extending a stay: once for any number of desks, on the same slip, with the first booking on record. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimExtension, findLastExtension } from '../../db/stay-extensions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Ask, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { enqueueExtensions } from '../notifications/stay-extensions.ts';
import { announceTimeUp } from './service.ts';

const MINUTE = 60_000;

let app: TestApp;
let staff: string;
let family: Family;
let id: string;
let entered: number;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
});
beforeEach(async () => {
  id = (await app.makeChild(family))._id;
  entered = app.clock.now();
  await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
    token: staff,
    json: { durationInMinutes: 60 },
  });
});
afterAll(() => app.close());

const after = (minutes: number) => new Date(entered + minutes * MINUTE).toISOString();
const extend = (json: Record<string, unknown>, ask: Ask = {}) =>
  app.ask('POST', `/api/children/extend-stay/${id}`, { token: staff, json, ...ask });
const undo = (due: string) =>
  app.ask('POST', `/api/children/undo-extend-stay/${id}`, { token: staff, json: { due } });
const checkOut = () => app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
const history = async () =>
  (await app.expect(200, 'GET', `/api/children/${id}/stays`, { token: staff })).stays;
const rowOf = () =>
  app.context.db.selectFrom('stays').selectAll().where('child_id', '=', id).executeTakeFirstOrThrow();
const auditOf = async (action: string) =>
  (
    await app.context.db
      .selectFrom('audit_log')
      .select('action')
      .where('action', '=', action)
      .where('subject_id', '=', id)
      .execute()
  ).length;

test('a stay gets longer on the same slip; attendance counts the whole, and the first booking stays on record', async () => {
  const slip = (await rowOf()).unique_entry_id;
  expect(await extend({ due: after(60), minutes: 30 })).toMatchObject({
    status: 200,
    body: { message: 'Stay extended', child: { isInside: true, duration: 90, uniqueEntryId: slip } },
  });
  expect(await extend({ due: after(90), until: after(119.5) })).toMatchObject({
    status: 200,
    // A stay lasts whole minutes, rounded up.
    body: { child: { duration: 120, uniqueEntryId: slip } },
  });
  expect(await auditOf('child.stay_extended')).toBe(2);
  app.clock.advance(110 * MINUTE);
  await checkOut();
  const { entries } = await app.expect(200, 'GET', `/api/reports/attendance?childId=${id}`, { token: staff });
  expect(entries).toMatchObject([{ duration: 120, minutesStayed: 110, minutesOver: 0 }]);
  expect(await history()).toMatchObject([
    { booked: 60, duration: 120, isVoid: false, extensions: [{ minutes: 30 }, { minutes: 30 }] },
  ]);
});

test('two desks that see the same end extend once, also with different minutes', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => extend({ due: after(60), minutes: i % 2 === 0 ? 30 : 60 })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200))
    expect([status, body.code]).toEqual([409, 'stay_changed']);
  expect(await history()).toMatchObject([{ extensions: [{}] }]);
});

test('a repeated key gives the same answer and extends once', async () => {
  const headers = { 'idempotency-key': `extend ${id}`.replace(' ', '-') };
  const first = await extend({ due: after(60), minutes: 30 }, { headers });
  const again = await extend({ due: after(60), minutes: 30 }, { headers });
  expect(first.status).toBe(200);
  expect(again.bytes.equals(first.bytes)).toBe(true);
  expect(await extend({ due: after(60), minutes: 60 }, { headers })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_key_reused' },
  });
  expect((await rowOf()).duration).toBe(90);
});

test('of a stay that is over time, the minutes count from now, and its end is announced anew', async () => {
  app.clock.advance(80 * MINUTE);
  await announceTimeUp(app.context);
  await app.app.incidents.sweep();
  const open = async () =>
    (await app.expect(200, 'GET', '/api/incidents?state=open&limit=200', { token: staff })).incidents
      .filter(({ subject }) => subject?._id === id)
      .map(({ kind }) => kind);
  expect(await open()).toEqual(['time_up']);
  expect(await extend({ due: after(60), minutes: 30 })).toMatchObject({ body: { child: { duration: 110 } } });
  await app.app.incidents.sweep();
  expect(await open()).toEqual([]);
  await announceTimeUp(app.context);
  expect(await auditOf('child.time_up')).toBe(1);
  app.clock.advance(30 * MINUTE);
  await announceTimeUp(app.context);
  expect(await auditOf('child.time_up')).toBe(2);
});

describe('is refused', () => {
  test('for a child that has left, and one that came in again', async () => {
    await checkOut();
    expect(await extend({ due: after(60), minutes: 30 })).toMatchObject({
      status: 409,
      body: { code: 'not_inside' },
    });
    app.clock.advance(MINUTE);
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
      token: staff,
      json: { durationInMinutes: 60 },
    });
    expect(await extend({ due: after(60), minutes: 30 })).toMatchObject({
      status: 409,
      body: { code: 'stay_changed' },
    });
  });

  test('for an end that is not later, has passed, or is beyond a day; midnight is no limit', async () => {
    for (const until of [after(60), after(59), after(-1), after(24 * 60 + 1)])
      expect(await extend({ due: after(60), until })).toMatchObject({
        status: 409,
        body: { code: 'unsuitable_end' },
      });
    app.clock.advance(100 * MINUTE);
    expect((await extend({ due: after(60), until: after(90) })).status).toBe(409);
    expect((await rowOf()).duration).toBe(60);
    expect((await extend({ due: after(60), until: after(24 * 60) })).status).toBe(200);
  });

  test('without minutes and time, with both, and with what is neither', async () => {
    for (const json of [
      { due: after(60) },
      { due: after(60), minutes: 30, until: after(90) },
      { due: after(60), minutes: 0 },
      { due: after(60), minutes: 30.5 },
      { due: after(60), minutes: '30' },
      { due: after(60), until: '16:30' },
      { minutes: 30 },
      {},
    ])
      expect(await extend(json), JSON.stringify(json)).toMatchObject({ status: 400 });
    expect((await rowOf()).duration).toBe(60);
  });

  test('to the own parent, to another family, and to nobody', async () => {
    const other = await app.makeFamily();
    const json = { due: after(60), minutes: 30 };
    expect((await extend(json, { token: family.token })).status).toBe(403);
    expect((await extend(json, { token: other.token })).status).toBe(403);
    expect((await app.ask('POST', `/api/children/extend-stay/${id}`, { json })).status).toBe(401);
    expect((await rowOf()).duration).toBe(60);
  });
});

describe('an extension is taken back', () => {
  test('within seconds, by the end that it gave, once; an earlier one stays', async () => {
    await extend({ due: after(60), minutes: 30 });
    await extend({ due: after(90), minutes: 60 });
    expect(await undo(after(90))).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } });
    expect(await undo(after(150))).toMatchObject({ status: 200, body: { child: { duration: 90 } } });
    expect(await undo(after(150))).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } });
    expect(await history()).toMatchObject([{ booked: 60, duration: 90, extensions: [{ minutes: 30 }] }]);
    app.clock.advance(14_000);
    expect(await undo(after(90))).toMatchObject({ status: 409, body: { code: 'undo_too_late' } });
    const rows = await app.context.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'child.stay_extension_undone')
      .where('subject_id', '=', id)
      .execute();
    expect(rows.map(({ details }) => JSON.parse(details))).toMatchObject([{ minutes: 60 }]);
  });

  test('not by its time alone once another one followed, also after the clock was set back', async () => {
    await extend({ due: after(60), minutes: 30 });
    app.clock.advance(-5_000);
    await extend({ due: after(90), minutes: 60 });
    app.clock.advance(5_000);
    await undo(after(150));
    expect([90, 150]).toContain((await rowOf()).duration);
  });

  test('not once the parent was notified, also after the clock was set back', async () => {
    await extend({ due: after(60), minutes: 30 });
    app.clock.advance(14_000);
    await enqueueExtensions(app.context);
    app.clock.advance(-10_000);
    expect(await undo(after(90))).toMatchObject({ status: 409, body: { code: 'undo_too_late' } });
    app.clock.advance(10_000);
  });

  test('to a stay whose end was announced already: it is not announced again', async () => {
    app.clock.advance(61 * MINUTE);
    await announceTimeUp(app.context);
    await extend({ due: after(60), minutes: 30 });
    expect((await undo(after(91))).status).toBe(200);
    await announceTimeUp(app.context);
    expect(await auditOf('child.time_up')).toBe(1);
  });

  test('not after the child has left; an undone checkout brings the extension back', async () => {
    await extend({ due: after(60), minutes: 30 });
    const { unique_entry_id: uniqueEntryId } = await rowOf();
    await checkOut();
    expect(await undo(after(90))).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } });
    const { child } = await app.expect(200, 'POST', `/api/children/undo-checkout-child/${id}`, {
      token: staff,
      json: { uniqueEntryId },
    });
    expect(child).toMatchObject({ duration: 90, uniqueEntryId });
  });
});

describe('the parent', () => {
  const told = () =>
    app.context.db
      .selectFrom('notification_deliveries')
      .select(['incident_id', 'account_id', 'channel'])
      .where('account_id', '=', family.id)
      .where('incident_id', 'like', 'extension %')
      .execute();

  test('is notified once, when the extension can no longer be taken back', async () => {
    app.clock.advance(14_000);
    await enqueueExtensions(app.context);
    const before = (await told()).length;
    await extend({ due: after(60), minutes: 30 });
    await enqueueExtensions(app.context);
    expect((await told()).length).toBe(before);
    app.clock.advance(14_000);
    await Promise.all([enqueueExtensions(app.context), enqueueExtensions(app.context)]);
    await enqueueExtensions(app.context);
    expect((await told()).length).toBe(before + 1);
  });

  test('is notified once of two extensions, of the end that counts', async () => {
    app.clock.advance(14_000);
    await enqueueExtensions(app.context);
    const before = new Set((await told()).map(({ incident_id }) => incident_id));
    await extend({ due: after(60), minutes: 30 });
    await extend({ due: after(90), minutes: 60 });
    app.clock.advance(14_000);
    await enqueueExtensions(app.context);
    const last = await findLastExtension(app.context.db, (await rowOf()).id);
    const added = (await told()).map(({ incident_id }) => incident_id).filter((one) => !before.has(one));
    expect(added).toEqual([`extension ${last?.id}`]);
  });

  test('a claim of an extension succeeds once, and not for one that was taken back', async () => {
    const { db, clock } = app.context;
    const claim = async (extension: string) =>
      inTransaction(db, ({ trx }) => claimExtension(trx, extension, clock.now()));
    const last = async () => String((await findLastExtension(db, (await rowOf()).id))?.id);
    await extend({ due: after(60), minutes: 30 });
    const undone = await last();
    await undo(after(90));
    // To the same end again, so that the one that was taken back would tell the truth.
    await extend({ due: after(60), minutes: 30 });
    const standing = await last();
    expect(await claim(undone)).toBeNull();
    expect(await claim(standing)).toMatchObject({ duration: 90 });
    expect(await claim(standing)).toBeNull();
  });

  test('is not notified of one that was taken back, or of a child that has left', async () => {
    app.clock.advance(14_000);
    await enqueueExtensions(app.context);
    const before = (await told()).length;
    await extend({ due: after(60), minutes: 30 });
    await undo(after(90));
    await extend({ due: after(60), minutes: 60 });
    await checkOut();
    app.clock.advance(14_000);
    await enqueueExtensions(app.context);
    expect((await told()).length).toBe(before);
  });
});

test('the history is read page by page, newest first, and says so in the audit log', async () => {
  for (let n = 0; n < 3; n++) {
    app.clock.advance(MINUTE);
    await checkOut();
    app.clock.advance(MINUTE);
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
  }
  const first = await app.expect(200, 'GET', `/api/children/${id}/stays?limit=3`, { token: staff });
  expect(first).toMatchObject({ total: 4 });
  expect(first.stays.map(({ exitTime }) => exitTime === null)).toEqual([true, false, false]);
  const rest = await app.expect(
    200,
    'GET',
    `/api/children/${id}/stays?limit=3&cursor=${encodeURIComponent(String(first.nextCursor))}`,
    { token: staff },
  );
  expect(rest).toMatchObject({ stays: [{ booked: 60 }], nextCursor: null });
  expect(await auditOf('attendance.read')).toBe(1);
});

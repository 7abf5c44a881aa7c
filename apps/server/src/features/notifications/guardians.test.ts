/** Notifications about a child with two guardians: each gets them in the own language and by the own choices (decision 049). */
import { UNDO_GRACE_SECONDS, UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endGuardian } from '../../db/guardians/ends.ts';
import { inTransaction } from '../../db/transaction.ts';
import { addEntry } from '../../testing/care-log.ts';
import { addGuardian, changeGuardian, endingIn } from '../../testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { enqueueExtensions } from './stay-extensions.ts';
import { mayStillSee } from './who-may-see.ts';

const MINUTE = 60_000;

let app: TestApp;
let staff: string;
let first: Family;
let second: Family;
let stranger: Family;
let child: string;
let entryId: string;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  first = await app.makeFamily({ name: 'Mona Firsthouse' });
  second = await app.makeFamily({ name: 'Karim Otherhouse' });
  stranger = await app.makeFamily();
  child = (await app.makeChild(first, 'Lina'))._id;
  await addGuardian(app, child, second.id);
  const { child: inside } = await post('checkin-child');
  entryId = String(inside.uniqueEntryId);
});

const post = (step: string, json: object = {}) =>
  app.expect(200, 'POST', `/api/children/${step}/${child}`, { token: staff, json });
const end = (parentId: string) =>
  inTransaction(app.context.db, ({ trx }) => endGuardian(trx, { childId: child, parentId }, endingIn(app)));
/** Sends what waits; the texts of the mails about the child. */
async function mailed({ email }: Family): Promise<string[]> {
  await app.app.notifications.settled();
  return (await app.outbox(email)).map(({ text }) => text).filter((text) => /Lina/.test(text));
}
const rowsOf = async ({ id }: Family, kind: string) =>
  app.context.db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('account_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('sequence')
    .execute();

test('a release and its undo, and who took the child to the first alone', async () => {
  await app.expect(200, 'PUT', '/api/language', { token: second.token, json: { language: 'ar' } });
  const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
    token: staff,
    json: { name: 'Samir Adel', relation: 'Uncle' },
  });
  const taken = { collectorId: collector._id, document: { kind: 'passport', last: '12AB' } };
  await post('checkout-child', taken);
  await post('undo-checkout-child', { uniqueEntryId: entryId });
  const [mine, theirs, none] = [await mailed(first), await mailed(second), await mailed(stranger)];
  expect(mine).toMatchObject([expect.stringContaining('Samir Adel'), expect.stringContaining('undone')]);
  expect(theirs).toHaveLength(2);
  expect(theirs[0]).toContain('تسجيل انصراف');
  for (const text of theirs) expect(text).not.toMatch(/Samir|Mona|Firsthouse/);
  for (const text of mine) expect(text).not.toMatch(/Karim|Otherhouse/);
  expect(none).toEqual([]);
});

test('that another guardian took the child is told to who may take it, and to no other', async () => {
  await post('checkout-child', { collectorId: second.id });
  for (const one of [first, second])
    expect(await mailed(one)).toMatchObject([expect.stringContaining('Karim Otherhouse')]);
  await changeGuardian(app, child, first.id, { may_take: 0 });
  await post('checkin-child');
  await post('checkout-child', { collectorId: second.id });
  const [, later] = await mailed(first);
  expect(later).toContain('Lina');
  expect(later).not.toContain('Karim');
});

test('by the channels that each has chosen', async () => {
  await app.expect(200, 'PUT', '/api/notices/preferences', {
    token: first.token,
    json: { kinds: { released: [] } },
  });
  await post('checkout-child');
  expect([await mailed(first), await mailed(second)]).toMatchObject([[], [expect.any(String)]]);
});

test('an undone check-in, and the new end of a stay', async () => {
  await post('undo-checkin-child', { uniqueEntryId: entryId });
  for (const one of [first, second]) expect(await rowsOf(one, 'released')).toHaveLength(1);
  const { child: inside } = await post('checkin-child');
  const due = new Date(Date.parse(String(inside.entryTime)) + Number(inside.duration) * MINUTE).toISOString();
  await post('extend-stay', { due, minutes: 30 });
  app.clock.advance((UNDO_WINDOW_SECONDS + UNDO_GRACE_SECONDS + 1) * 1000);
  await enqueueExtensions(app.context);
  for (const one of [first, second])
    expect(await rowsOf(one, 'stay_due')).toMatchObject([
      { incident_id: expect.stringMatching(/^extension /) },
    ]);
  expect(await rowsOf(stranger, 'stay_due')).toEqual([]);
});

test('the end of the time, in the list of alerts too; an accident to the first, who signs', async () => {
  const kinds = async ({ token }: Family) =>
    (await app.expect(200, 'GET', '/api/incidents?state=open&limit=200', { token })).incidents
      .filter(({ subject }) => subject?._id === child)
      .map(({ kind }) => kind)
      .sort();
  await addEntry(app, staff, child);
  app.clock.advance(31 * MINUTE);
  await app.app.incidents.sweep();
  await app.app.notifications.settled();
  for (const one of [first, second]) expect(await rowsOf(one, 'time_up')).toHaveLength(1);
  expect([await rowsOf(first, 'accident'), await rowsOf(second, 'accident')]).toMatchObject([[{}], []]);
  expect([await kinds(first), await kinds(second), await kinds(stranger)]).toEqual([
    ['accident', 'time_up'],
    ['time_up'],
    [],
  ]);
  await end(second.id);
  expect(await kinds(second)).toEqual([]);
});

test('nothing that waits is sent to who has ended meanwhile', async () => {
  const quiet = await startTestApp();
  try {
    const token = await quiet.staff();
    const [mona, karim] = [await quiet.makeFamily(), await quiet.makeFamily()];
    const { _id } = await quiet.makeChild(mona, 'Lina');
    await addGuardian(quiet, _id, karim.id);
    await quiet.app.notifications.stop();
    await quiet.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token });
    await quiet.expect(200, 'POST', `/api/children/checkout-child/${_id}`, { token });
    await changeGuardian(quiet, _id, karim.id, { ended_at: quiet.clock.now() });
    const rows = await quiet.context.db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('kind', '=', 'released')
      .execute();
    const sent = await Promise.all(
      rows.map(async (row) => [row.account_id, await mayStillSee(quiet.context.db, row)]),
    );
    expect(Object.fromEntries(sent)).toEqual({ [mona.id]: true, [karim.id]: false });
  } finally {
    await quiet.close();
  }
});

test('of a deleted child only who was its guardian is told', async () => {
  const quiet = await startTestApp();
  try {
    const token = await quiet.staff();
    const [mona, karim, salwa] = [
      await quiet.makeFamily(),
      await quiet.makeFamily(),
      await quiet.makeFamily(),
    ];
    const { _id } = await quiet.makeChild(mona, 'Lina');
    await addGuardian(quiet, _id, karim.id);
    await addGuardian(quiet, _id, salwa.id);
    await quiet.app.notifications.stop();
    await quiet.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token });
    await quiet.expect(200, 'POST', `/api/children/checkout-child/${_id}`, { token });
    await quiet.expect(200, 'DELETE', `/api/children/${_id}/guardians/${karim.id}`, { token });
    await quiet.expect(200, 'DELETE', `/api/children/delete-child/${_id}`, { token });
    const { db } = quiet.context;
    const rows = await db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('kind', '=', 'released')
      .execute();
    const sent = await Promise.all(
      rows.map(async (row) => [row.account_id, await mayStillSee(db, row)] as const),
    );
    expect(Object.fromEntries(sent)).toEqual({ [mona.id]: true, [karim.id]: false, [salwa.id]: true });
    // What it is about is gone: nobody knows whose it is.
    const [row] = rows;
    const lost = row && { ...row, account_id: mona.id, incident_id: 'release unknown' };
    expect(lost && (await mayStillSee(db, lost))).toBe(false);
  } finally {
    await quiet.close();
  }
});

test('a first guardian who has ended is told nothing, and the next one who took the child', async () => {
  expect(await end(first.id)).toBe('ended');
  await post('checkout-child');
  expect([await mailed(first), await mailed(second)]).toMatchObject([[], [expect.any(String)]]);
});

/** The parent is notified of each release, of its undo and of an undone check-in, by whatever channels reach the account (decision 049). */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimDelivery } from '../../db/notification-queue.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { makeSecond } from '../../testing/second.ts';
import type { Carrier } from '../notifications/channels/carrier.ts';
import { openNotificationQueue } from '../notifications/queue.ts';

const LEASE_MS = 120_000;

let app: TestApp;
let staff: string;
let family: Family;
let child: string;
let entryId: string;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  const json = { timeZone: 'Africa/Cairo', region: 'EG' };
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json });
});
afterAll(() => app.close());
beforeEach(async () => {
  family = await app.makeFamily({ name: 'Mona Hassan' });
  child = (await app.makeChild(family, 'Lina Hassan'))._id;
  entryId = await checkIn();
});

async function checkIn(at = app, id = child, token = staff): Promise<string> {
  const { child: inside } = await at.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token });
  return String(inside.uniqueEntryId);
}
const checkOut = (json: object = {}, headers: Record<string, string> = {}) =>
  app.ask('POST', `/api/children/checkout-child/${child}`, { token: staff, json, headers });
const undo = () =>
  app.expect(200, 'POST', `/api/children/undo-checkout-child/${child}`, {
    token: staff,
    json: { uniqueEntryId: entryId },
  });
/** An adult of the list whom staff have named, so that no mail about it reaches the family. */
const nameSamir = async () => {
  const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
    token: staff,
    json: { name: 'Samir Adel', relation: 'Uncle' },
  });
  return { collectorId: collector._id, document: { kind: 'passport', last: '12AB' } };
};
const rowsOf = (id = family.id) =>
  app.context.db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('account_id', '=', id)
    .where('kind', '=', 'released')
    .orderBy('sequence')
    .execute();
/** Sends what waits; the subject and text of the mails about releases. */
async function mailed(email = family.email): Promise<(readonly [string, string])[]> {
  await app.app.notifications.settled();
  const plain = (text: string) =>
    text.replace(/[\u2066-\u2069\u202f\u00a0]/g, (one) => (one < '\u2000' || one === '\u202f' ? ' ' : ''));
  return (await app.outbox(email))
    .filter(({ subject }) =>
      /Picked up|[Cc]heck(ed )?out|Check-in undone|الاستلام|الانصراف|الحضور/.test(subject),
    )
    .map(({ subject, text }) => [subject, plain(text)] as const);
}
const time = (language: string) =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'Africa/Cairo' })
    .format(app.clock.now())
    .replace(/[\u202f\u00a0]/g, ' ');

describe('a release', () => {
  test('is told once with who took the child and when, also if the desk sends it again or two desks do at once', async () => {
    const samir = await nameSamir();
    const at = time('en-EG');
    const same = { 'idempotency-key': `out-${child}` };
    const answers = await Promise.all([checkOut(samir, same), checkOut(samir, same), checkOut(samir)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await checkOut(samir, same);
    const told = await mailed();
    expect(told).toHaveLength(1);
    expect(told[0]?.[0]).toBe('Picked up');
    expect(told[0]?.[1]).toContain(`Lina was handed to Samir Adel at ${at}.`);
    // The surname of a child stands in no notification.
    expect(told[0]?.[1]).not.toContain('Lina Hassan');
    expect(await rowsOf()).toMatchObject([{ channel: 'mail', state: 'sent', sealed: null }]);
  });

  test('to nobody who was named says that the child was checked out', async () => {
    const at = time('en-EG');
    await checkOut();
    expect(await mailed()).toMatchObject([
      ['Checked out', expect.stringContaining(`Lina was checked out at ${at}.`)],
    ]);
  });

  test('is told in the language of the account', async () => {
    await app.expect(200, 'PUT', '/api/language', { token: family.token, json: { language: 'ar' } });
    await checkOut(await nameSamir());
    expect(await mailed()).toMatchObject([
      ['تم الاستلام', expect.stringContaining('تم تسليم Lina إلى Samir Adel في')],
    ]);
  });

  test('is told in quiet hours too', async () => {
    const quietHours = { from: '00:00', to: '00:00', timeZone: 'UTC' };
    const options = { token: family.token, json: { quietHours } };
    await app.expect(200, 'PUT', '/api/notices/preferences', options);
    await checkOut();
    expect(await rowsOf()).toMatchObject([{ held: 0 }]);
    expect(await mailed()).toHaveLength(1);
  });

  test('is told to the own family alone', async () => {
    const other = await app.makeFamily();
    const sibling = (await app.makeChild(other))._id;
    await checkIn(app, sibling);
    await checkOut(await nameSamir());
    await mailed();
    const rows = await app.context.db
      .selectFrom('notification_deliveries')
      .select('account_id')
      .where(
        'incident_id',
        'in',
        (await rowsOf()).map(({ incident_id }) => incident_id),
      )
      .execute();
    expect(rows.map(({ account_id }) => account_id)).toEqual([family.id]);
    expect(await rowsOf(other.id)).toEqual([]);
    expect((await app.outbox(other.email)).some(({ text }) => /Lina|Samir/.test(text))).toBe(false);
  });

  test('names nobody to an account whose owner is barred, there or in the list', async () => {
    const { collectorId, document } = await nameSamir();
    const bar = { name: 'Somebody', adultId: family.id };
    await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: staff, json: bar });
    const proof = await makeSecond(app);
    expect((await checkOut({ collectorId, document, proof })).status).toBe(200);
    expect(await mailed()).toMatchObject([['Checked out', expect.not.stringContaining('Samir')]]);
    const list = await app.expect(200, 'GET', '/api/account/releases', { token: family.token });
    expect(list.releases).toMatchObject([{ child: { _id: child }, adult: null }]);
  });

  test('is told by no channel that the parent has not chosen, or that does not reach the account', async () => {
    const { preferences } = await app.expect(200, 'PUT', '/api/notices/preferences', {
      token: family.token,
      json: { kinds: { released: ['push'] } },
    });
    expect(preferences.kinds).toMatchObject({ released: ['push'] });
    await checkOut();
    expect(await rowsOf()).toEqual([]);
    await checkIn();
    await app.expect(200, 'PUT', '/api/notices/preferences', {
      token: family.token,
      json: { kinds: { released: ['push', 'mail'] } },
    });
    await app.context.db
      .updateTable('parents')
      .set({ email_verified: 0 })
      .where('id', '=', family.id)
      .execute();
    await checkOut();
    expect(await rowsOf()).toEqual([]);
  });

  test('is not told to an account that is blocked, also if it is blocked while the news waits', async () => {
    const setAccess = (access: 'blocked' | 'allowed') =>
      app.expect(200, 'PUT', `/api/parent/${family.id}/block`, { token: staff, json: { access } });
    await setAccess('blocked');
    await checkOut();
    expect(await rowsOf()).toEqual([]);
    await setAccess('allowed');
    const lone = await startTestApp();
    try {
      const token = await lone.staff();
      const mona = await lone.makeFamily();
      const { _id } = await lone.makeChild(mona);
      await lone.app.notifications.stop();
      await checkIn(lone, _id, token);
      await lone.expect(200, 'POST', `/api/children/checkout-child/${_id}`, { token });
      await lone.expect(200, 'PUT', `/api/parent/${mona.id}/block`, { token, json: { access: 'blocked' } });
      expect(await sendAsNewServer(lone)).toEqual([]);
    } finally {
      await lone.close();
    }
  });
});

/** What a server that starts now sends of the deliveries, each as its account. */
async function sendAsNewServer({ context }: TestApp): Promise<string[]> {
  const sent: string[] = [];
  const carrier: Carrier = async ({ row }) => {
    sent.push(row.account_id);
  };
  const queue = openNotificationQueue(
    context,
    { push: carrier, mail: carrier, webhook: carrier },
    async () => {},
  );
  await queue.settled();
  await queue.stop();
  return sent;
}

test('a server that dies between the checkout and the notification: another one sends it, once', async () => {
  const lone = await startTestApp();
  try {
    const token = await lone.staff();
    const mona = await lone.makeFamily();
    const { _id } = await lone.makeChild(mona);
    await lone.app.notifications.stop();
    await checkIn(lone, _id, token);
    await lone.expect(200, 'POST', `/api/children/checkout-child/${_id}`, { token });
    // It has taken the delivery, and dies before it is sent.
    const now = lone.clock.now();
    expect(await claimDelivery(lone.context.db, 'mail', now, now + LEASE_MS)).toMatchObject({
      kind: 'released',
    });
    expect(await sendAsNewServer(lone)).toEqual([]);
    lone.clock.advance(LEASE_MS);
    expect(await sendAsNewServer(lone)).toEqual([mona.id]);
    expect(await sendAsNewServer(lone)).toEqual([]);
  } finally {
    await lone.close();
  }
});

test('one that could not be delivered is in the list of failures at the facility of the stay', async () => {
  const moonId = await makeFacility(app, 'Full Moon');
  const moon = atFacility(app, moonId);
  const other = (await app.makeChild(family, 'Omar Hassan'))._id;
  await app.context.db
    .updateTable('child_facilities')
    .set({ facility_id: moonId })
    .where('child_id', '=', other)
    .execute();
  await checkOut();
  await mailed();
  await app.context.db
    .updateTable('notification_deliveries')
    .set({ state: 'failed', reason: 'refused', ended_at: app.clock.now() })
    .where('account_id', '=', family.id)
    .execute();
  const failures = async (at: TestApp) =>
    (await at.expect(200, 'GET', '/api/notices/failed?limit=200', { token: staff })).failures.filter(
      ({ account }) => account?._id === family.id,
    );
  expect(await failures(app)).toMatchObject([
    { kind: 'released', way: 'mail', account: { kind: 'parent', name: 'Mona Hassan' }, reason: 'refused' },
  ]);
  // The family is known at the other one too, but left the child here.
  expect(await failures(moon)).toEqual([]);
});

test('a checkout that fails tells nobody', async () => {
  const broken = vi.spyOn(app.context.events, 'append').mockRejectedValueOnce(new Error('the log is closed'));
  expect((await checkOut()).status).toBe(500);
  broken.mockRestore();
  expect(await rowsOf()).toEqual([]);
  expect((await checkOut()).status).toBe(200);
  expect(await rowsOf()).toHaveLength(1);
});

test('an undone checkout is told too, each once and in this order, and so is the next release', async () => {
  const samir = await nameSamir();
  await checkOut(samir);
  await undo();
  await checkOut();
  await undo();
  await checkOut(samir);
  const told = await mailed();
  expect(told.map(([subject]) => subject)).toEqual([
    'Picked up',
    'Checkout undone',
    'Checked out',
    'Checkout undone',
    'Picked up',
  ]);
  expect(told[1]?.[1]).toContain('The checkout of Lina was undone. Lina is still at the nursery.');
  const rows = await rowsOf();
  expect(rows.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
  // A later push takes the place of the earlier one.
  expect(new Set(rows.map(({ incident_id }) => incident_id)).size).toBe(1);
});

describe('an undone check-in', () => {
  const undoCheckIn = (headers: Record<string, string> = {}) =>
    app.ask('POST', `/api/children/undo-checkin-child/${child}`, {
      token: staff,
      json: { uniqueEntryId: entryId },
      headers,
    });

  test('is told once, in quiet hours too, also if the desk sends it again or two desks do at once', async () => {
    const quietHours = { from: '00:00', to: '00:00', timeZone: 'UTC' };
    await app.expect(200, 'PUT', '/api/notices/preferences', { token: family.token, json: { quietHours } });
    const at = time('en-EG');
    const same = { 'idempotency-key': `in-${child}` };
    const answers = await Promise.all([undoCheckIn(same), undoCheckIn(same), undoCheckIn()]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await undoCheckIn(same);
    const told = await mailed();
    expect(told).toHaveLength(1);
    expect(told[0]?.[0]).toBe('Check-in undone');
    expect(told[0]?.[1]).toContain(`The check-in of Lina at the nursery was undone at ${at}.`);
    expect(told[0]?.[1]).not.toContain('Lina Hassan');
    expect(await rowsOf()).toMatchObject([{ channel: 'mail', state: 'sent', held: 0 }]);
  });

  test('after an undone checkout is told after it, in the language of the account', async () => {
    await app.expect(200, 'PUT', '/api/language', { token: family.token, json: { language: 'ar' } });
    await checkOut();
    await undo();
    expect((await undoCheckIn()).status).toBe(200);
    const told = await mailed();
    expect(told.map(([subject]) => subject)).toEqual([
      'تم تسجيل الانصراف',
      'تم التراجع عن الانصراف',
      'تم التراجع عن الحضور',
    ]);
    expect(told[2]?.[1]).toContain('عن تسجيل حضور Lina في الحضانة.');
    expect((await rowsOf()).map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  });

  test('is told to the own family alone, and not to an account that is blocked', async () => {
    const other = await app.makeFamily();
    await checkIn(app, (await app.makeChild(other))._id);
    await app.expect(200, 'PUT', `/api/parent/${family.id}/block`, {
      token: staff,
      json: { access: 'blocked' },
    });
    expect((await undoCheckIn()).status).toBe(200);
    expect(await rowsOf()).toEqual([]);
    expect(await rowsOf(other.id)).toEqual([]);
  });

  test('that is refused tells nobody', async () => {
    app.clock.advance(60_000);
    expect((await undoCheckIn()).body.code).toBe('undo_too_late');
    expect(await rowsOf()).toEqual([]);
  });
});

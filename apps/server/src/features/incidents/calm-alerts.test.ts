/**
 * Alerts that are no danger: acknowledged together; only staff are notified of a child who is not seen (decision
 * 032).
 */

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { takeDataKey } from '../../db/data-keys.ts';
import { addChildToFacility } from '../../db/facilities.ts';
import { insertFirstGuardian } from '../../db/guardians/rows.ts';
import { beginStay } from '../../db/stays.ts';
import { inTransaction } from '../../db/transaction.ts';
import { inFacility, MAIN_FACILITY } from '../../facility.ts';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openPushService, type PushService } from '../../testing/push-service.ts';
import { openEvents } from '../../testing/sse.ts';
import { randomToken } from '../../vault/vault.ts';
import { announceNotSeen } from '../sightings/service.ts';

let app: TestApp;
let live: FakeLive;
let service: PushService;
let staff: string;
let family: Family;
let port: number;
const MINUTE = 60_000;
const within = { timeout: 240_000, interval: 10 };

beforeAll(async () => {
  [live, service] = [await startFakeLive(), await openPushService()];
  app = await startTestApp({
    live,
    config: { PUSH_CONTACT: 'mailto:care@haris.test', NOTICES_TO_THIS_MACHINE: 'yes' },
  });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
beforeEach(async () => {
  app.clock.advance(60 * MINUTE);
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(async () => {
  await app.close();
  await Promise.all([live.stop(), service.close()]);
});

const list = async (query = 'state=open', token = staff) =>
  (await app.expect(200, 'GET', `/api/incidents?limit=200&${query}`, { token })).incidents;
async function sweep(minutes = 0): Promise<void> {
  app.clock.advance(minutes * MINUTE);
  await app.app.incidents.sweep();
}
async function checkIn(durationInMinutes = 30): Promise<string> {
  const { _id } = await app.makeChild(family);
  const json = { durationInMinutes };
  await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token: staff, json });
  return _id;
}
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });

test('a child who is not seen reaches staff, and its parent by no call, event, socket, mail or push', async () => {
  const camera = { name: 'Camera', area: 'Playroom', kind: 'mjpeg', url: 'http://192.0.2.7/stream' };
  await app.expect(201, 'POST', '/api/cameras', { token: staff, json: camera });
  const areaAlarms = [{ area: 'Playroom', notSeenAfterMinutes: 15 }];
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { areaAlarms } });
  const phone = service.newBrowser();
  const json = { ...phone.subscription, device: 'Phone' };
  await app.expect(201, 'POST', '/api/notices/devices', { token: family.token, json });
  const child = await checkIn(240);
  const [parentsEvents, staffEvents] = [await openEvents(port, family.token), await openEvents(port, staff)];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['bearer', family.token]);
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const mailsBefore = (await app.outbox(family.email)).length;

  app.clock.advance(20 * MINUTE);
  await announceNotSeen(app.context, new Map([['Playroom', 0]]));
  await sweep();
  await sweep(6);
  expect(await list('state=open&kind=not_seen')).toMatchObject([
    { kind: 'not_seen', severity: 'care', subjects: [{ _id: child }] },
  ]);
  const types = () => staffEvents.events.map(({ type }) => type);
  await expect
    .poll(types, within)
    .toEqual(expect.arrayContaining(['child.not_seen', 'alert.raised', 'alert.escalated']));
  // A later event of the family proves that the earlier ones would have arrived.
  await checkOut(child);
  await expect.poll(() => parentsEvents.events.at(-1)?.type, within).toBe('child.checked_out');
  await sweep();
  await app.app.notifications.settled();
  await app.context.mails.settled();

  expect(parentsEvents.events.map(({ type }) => type)).toEqual(['child.checked_out']);
  expect(await list('state=all', family.token)).toEqual([]);
  expect(messages.filter((message) => message.includes(child) || message.includes('not_seen'))).toEqual([]);
  // The checkout itself is told; nothing else.
  const mails = (await app.outbox(family.email)).slice(mailsBefore);
  expect(mails.map(({ subject }) => subject)).toEqual(['Checked out']);
  expect(phone.received.map(({ payload }) => payload.kind)).toEqual(['released']);
  const { db } = app.context;
  expect(
    await db.selectFrom('incident_audience').selectAll().where('account_id', '=', family.id).execute(),
  ).toEqual([]);
  const { preferences } = await app.expect(200, 'GET', '/api/notices/preferences', { token: family.token });
  expect(preferences.kinds).not.toHaveProperty('not_seen');
  for (const client of [parentsEvents, staffEvents]) client.close();
  socket.terminate();
});

test('a child who is seen without being checked in is told of to staff, and to no parent', async () => {
  const camera = { name: 'Door', area: 'Hall', kind: 'mjpeg', url: 'http://192.0.2.7/stream' };
  const { _id: cameraId } = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json: camera }))
    .camera;
  const sibling = await checkIn(240);
  const [{ _id }, other] = [await app.makeChild(family), await app.makeChild(family)];
  const [parentsEvents, staffEvents] = [await openEvents(port, family.token), await openEvents(port, staff)];
  const staffs = () => staffEvents.events.map(({ type }) => type);
  await expect.poll(() => app.context.live.isUp(), within).toBe(true);
  for (const [count, id] of [_id, other._id].entries()) {
    live.seen({ cameraId, subject: { kind: 'child', id }, trackId: id, ended: true });
    await expect
      .poll(() => staffs().filter((type) => type === 'child.seen_outside').length, within)
      .toBe(count + 1);
    await sweep();
  }
  await expect.poll(staffs, within).toEqual(expect.arrayContaining(['alert.raised', 'alert.updated']));
  const outside = (await list('kind=seen_outside')).map(({ subjects }) =>
    subjects.map((one) => one._id).sort(),
  );
  expect(outside).toEqual([[_id, other._id].sort()]);
  const json = { durationInMinutes: 30 };
  await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token: staff, json });
  await expect.poll(() => parentsEvents.events.at(-1)?.type, within).toBe('child.checked_in');
  expect(parentsEvents.events.map(({ type }) => type)).toEqual(['child.checked_in']);
  expect(await list('state=all', family.token)).toEqual([]);
  for (const id of [_id, sibling]) await checkOut(id);
  for (const client of [parentsEvents, staffEvents]) client.close();
});

describe('acknowledging many', () => {
  let sensor: { id: string; key: string };
  const acknowledge = (json: object, token = staff) =>
    app.expect(200, 'POST', '/api/incidents/acknowledge', { token, json });
  const open = async () => (await list()).filter(({ acknowledgedAt }) => acknowledgedAt === null);
  const audited = async () =>
    app.context.db
      .selectFrom('audit_log')
      .select('subject_id')
      .where('action', '=', 'incident.acknowledged')
      .execute();

  beforeAll(async () => {
    const json = { name: 'Window', area: 'Kitchen', kind: 'haris', period: 3600 };
    const made = await app.expect(201, 'POST', '/api/sensors', { token: await app.staff(), json });
    sensor = { id: made.sensor._id, key: made.deviceKey };
  });
  async function measure(temperature: number): Promise<void> {
    const headers = { 'x-device-key': sensor.key };
    await app.expect(202, 'POST', `/api/sensors/${sensor.id}/readings`, { json: { temperature }, headers });
    await sweep();
  }
  async function overTimeAndHot(): Promise<string> {
    const child = await checkIn();
    await sweep(31);
    await measure(45);
    return child;
  }
  /** Ends what a test has opened. */
  async function calm(child: string): Promise<void> {
    await checkOut(child);
    await measure(20);
    app.clock.advance(2 * MINUTE);
    await measure(20);
    await acknowledge({ filter: {} });
  }

  test('takes on what matches a filter, never a danger, and leaves one row each in the audit log', async () => {
    const child = await overTimeAndHot();
    const before = await audited();
    expect((await acknowledge({ filter: { area: 'Nowhere' } })).incidents).toEqual([]);
    expect((await acknowledge({ filter: { severity: 'operation', kind: 'time_up' } })).incidents).toEqual([]);
    const { incidents, left } = await acknowledge({ filter: {}, note: 'Called the parents' });
    expect(left).toBe(0);
    const [late] = incidents.filter(({ kind }) => kind === 'time_up');
    expect(late).toMatchObject({ acknowledgedBy: { name: expect.any(String) } });
    expect(late?.timeline.at(-1)).toMatchObject({ what: 'acknowledged', note: 'Called the parents' });
    expect((await open()).map(({ kind }) => kind)).toEqual(['temperature']);
    expect((await audited()).length - before.length).toBe(incidents.length);
    await calm(child);
  });

  test('by ids leaves dangers and unknown ids out and says how many; a second time nothing changes', async () => {
    const child = await overTimeAndHot();
    const ids = [...(await open()).map(({ _id }) => _id), 'unknown'];
    const first = await acknowledge({ ids });
    expect(first.left).toBe(2);
    expect(first.incidents.map(({ kind }) => kind)).toContain('time_up');
    const rows = await audited();
    expect(await acknowledge({ ids: [...ids, ...ids] })).toEqual(first);
    expect(await audited()).toEqual(rows);
    expect((await open()).map(({ kind }) => kind)).toEqual(['temperature']);
    await calm(child);
  });

  test('by two people at once: the first one’s name stays everywhere', async () => {
    const child = await overTimeAndHot();
    const other = await app.makeEmployee();
    const [one, two] = await Promise.all([
      acknowledge({ filter: {} }),
      acknowledge({ filter: {} }, other.token),
    ]);
    const [late] = (await list()).filter(({ kind }) => kind === 'time_up');
    expect(late?.timeline.filter(({ what }) => what === 'acknowledged')).toHaveLength(1);
    expect([...one.incidents, ...two.incidents].map(({ _id }) => _id)).toContain(late?._id);
    await calm(child);
  });

  test('wants ids or a filter, and is nothing for a parent', async () => {
    for (const json of [{}, { ids: [], filter: {} }, { filter: { kind: 'weather' } }])
      expect((await app.ask('POST', '/api/incidents/acknowledge', { token: staff, json })).status).toBe(400);
    for (const [token, status] of [
      [undefined, 401],
      [family.token, 403],
    ] as const)
      expect(
        (await app.ask('POST', '/api/incidents/acknowledge', { token, json: { filter: {} } })).status,
      ).toBe(status);
  });

  test('the list is filtered by kind, severity and room, also of subjects', async () => {
    const child = await overTimeAndHot();
    const kinds = async (query: string) => (await list(`state=open&${query}`)).map(({ kind }) => kind);
    expect(await kinds('kind=time_up')).toEqual(['time_up']);
    expect(await kinds('severity=safety')).toEqual(['temperature']);
    expect(await kinds('severity=safety&kind=time_up')).toEqual([]);
    expect(await kinds('area=Kitchen')).toEqual(['temperature']);
    expect((await app.ask('GET', '/api/incidents?kind=weather', { token: staff })).status).toBe(400);
    await calm(child);
  });
});

/** Children inside without photos, written as rows: through the calls of the desk it takes a minute on a busy machine. */
async function enterMany(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const at = app.clock.now();
  await inTransaction(app.context.db, async ({ trx }) => {
    const { id: roomId } = await trx.selectFrom('rooms').select('id').executeTakeFirstOrThrow();
    for (const id of ids) {
      const row = { id, parent_id: family.id, name: id, sort_name: id, photo_id: null, version: 1 };
      await trx
        .insertInto('children')
        .values({ ...row, created_at: at })
        .execute();
      await addChildToFacility(trx, id, MAIN_FACILITY, at);
      await insertFirstGuardian(trx, id, family.id, at);
      await takeDataKey(trx, app.context.vault, 'child', id);
      const stay = { id: randomUUID(), entryId: randomToken(), childId: id, roomId };
      await inFacility(MAIN_FACILITY, () =>
        beginStay(trx, { ...stay, durationInMinutes: 240 }, { by: 'desk', at }),
      );
    }
  });
  return ids;
}

test('150 children whom no camera sees any more: one alert of all, one push to the desk', async () => {
  const token = staff;
  const camera = { name: 'Gallery', area: 'Sports hall', kind: 'mjpeg', url: 'http://192.0.2.8/stream' };
  await app.expect(201, 'POST', '/api/cameras', { token, json: camera });
  const { cameras } = await app.expect(200, 'GET', '/api/cameras', { token });
  const areas = [...new Set(cameras.map(({ area }) => area))];
  const areaAlarms = areas.map((area) => ({ area, notSeenAfterMinutes: 15 }));
  await app.expect(200, 'PUT', '/api/settings', { token, json: { areaAlarms } });
  const phone = service.newBrowser();
  const json = { ...phone.subscription, device: 'Desk' };
  await app.expect(201, 'POST', '/api/notices/devices', { token, json });
  const children = await enterMany(150);
  app.clock.advance(20 * MINUTE);
  await announceNotSeen(app.context, new Map(areas.map((area) => [area, 0])));
  for (let looks = 0; looks < 3; looks++) await sweep();
  await app.app.notifications.settled();
  const [alert, ...others] = await list('state=open&kind=not_seen');
  expect(others).toEqual([]);
  expect(new Set(alert?.subjects.map(({ _id }) => _id))).toEqual(new Set(children));
  const { db } = app.context;
  const id = String(alert?._id);
  const raised = await db
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'alert.raised')
    .where('incident_id', '=', id)
    .execute();
  expect(raised).toHaveLength(1);
  const told = await db
    .selectFrom('notification_deliveries')
    .select('channel')
    .where('incident_id', '=', id)
    .execute();
  expect(told).toMatchObject([{ channel: 'push' }]);
});

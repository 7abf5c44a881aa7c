/** Notifications through the front door, on both databases: recipients, the queue, devices, preferences, failures. */
import { createECDH, randomUUID } from 'node:crypto';
import type { IncidentKind } from '@haris/contract/incident-kinds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimDelivery, failDelivery, retryDelivery } from '../../db/notification-queue.ts';
import { deletePushSubscription, findPushSubscriptions } from '../../db/push-devices.ts';
import type { NotificationDeliveryRow } from '../../db/schema.ts';
import type { IncidentStep } from '../../incident-step.ts';
import {
  ADMIN_EMAIL,
  type Employee,
  type Family,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import { insertIncident } from '../../testing/incident-rows.ts';
import { changeSessions } from '../../testing/sessions.ts';
import type { Carrier } from './channels/carrier.ts';
import { DeliveryError } from './channels/delivery-error.ts';
import { enqueueStep, standInByMail } from './enqueue-step.ts';
import { openNotificationQueue, retryPause } from './queue.ts';
import { mayStillSee } from './who-may-see.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Told = Partial<Omit<IncidentStep, 'audience'>> & { kind?: IncidentKind; name?: string };

function makeStep(
  audience: IncidentStep['audience'],
  { name = 'Salma Adel', ...over }: Told = {},
): IncidentStep {
  const incidentId = over.incidentId ?? randomUUID();
  const values = { area: 'Playroom', name, value: 41.5, limit: 40, minutes: 0 };
  const kind = over.kind ?? 'temperature';
  return {
    id: `${incidentId}:0:raised`,
    incidentId,
    kind,
    step: 0,
    phase: 'raised',
    severity: 'safety',
    audience,
    at: app.clock.now(),
    title: { key: `incident.${kind}.title`, values },
    body: { key: `incident.${kind}.body`, values },
    ...over,
  };
}

const toParent = ({ id }: Family) => ({ kind: 'parent', id }) as const;
const toStaff = ({ id }: Employee) => ({ kind: 'admin', id }) as const;

/** A step about a child of the family, which is told to the family. */
async function makeStepOfChild(family: Family, kind: IncidentKind): Promise<IncidentStep> {
  const step = makeStep([toParent(family)], { kind, severity: 'care' });
  await insertIncident(app, step, (await app.makeChild(family))._id);
  return step;
}

function newDevice(device = 'A phone') {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return {
    endpoint: `https://push.invalid/${randomUUID()}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: 'A'.repeat(22) },
    device,
  };
}

const rowsOf = (incidentId: string): Promise<NotificationDeliveryRow[]> =>
  app.context.db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .orderBy('sequence')
    .orderBy('channel')
    .execute();
const subjects = async (email: string) => (await app.outbox(email)).map(({ subject }) => subject);
const notificationsTo = async (email: string) =>
  (await subjects(email)).filter((subject) => !/verif|invitation|Welcome/i.test(subject));

/** Sends due deliveries; fails if one of this incident still waits. */
async function allSent(incidentId: string): Promise<void> {
  await app.app.notifications.settled();
  expect((await rowsOf(incidentId)).filter(({ state }) => state === 'waiting')).toEqual([]);
}

describe('a step', () => {
  test('is told by mail in the person’s language, a parent by the first name; twice told it is one notification', async () => {
    const [mona, nour] = [await app.makeFamily({ name: 'Mona' }), await app.makeFamily({ name: 'نور' })];
    await app.expect(200, 'PUT', '/api/language', { token: nour.token, json: { language: 'ar' } });
    const step = makeStep([toParent(mona), toParent(nour)], { kind: 'time_up', severity: 'care' });
    await insertIncident(app, step);
    await enqueueStep(app.context, step);
    await enqueueStep(app.context, step);
    await allSent(step.incidentId);
    await enqueueStep(app.context, step);
    expect(await rowsOf(step.incidentId)).toHaveLength(2);
    const [english] = await app.outbox(mona.email).then((mails) => mails.slice(-1));
    expect(english).toMatchObject({ subject: 'Time’s up', link: 'https://haris.test/profile' });
    expect(english?.text).toContain('The time of \u2068Salma\u2069 is up. Please come to pick up.');
    expect(english?.text).not.toContain('Adel');
    expect(await notificationsTo(mona.email)).toEqual(['Time’s up']);
    expect(await notificationsTo(nour.email)).toEqual(['انتهى الوقت']);
    expect((await app.lastMail(nour.email)).html).toContain('dir="rtl"');
    // The content is not kept.
    expect((await rowsOf(step.incidentId)).every(({ sealed }) => sealed === null)).toBe(true);
  });

  test('to who is gone or whose address nobody has verified adds nothing', async () => {
    const step = makeStep([{ kind: 'parent', id: randomUUID() }]);
    await enqueueStep(app.context, step);
    expect(await rowsOf(step.incidentId)).toEqual([]);
  });

  test('is not told to staff who may no longer see incidents, also if they were told of its beginning', async () => {
    const [kept, lost] = [await app.makeEmployee(), await app.makeEmployee()];
    const step = makeStep([toStaff(kept), toStaff(lost)]);
    await enqueueStep(app.context, step);
    const token = await app.staff();
    const { role } = await app.expect(201, 'POST', '/api/roles', {
      token,
      json: { name: 'Kitchen', permissions: ['families.view'] },
    });
    await app.expect(200, 'PUT', `/api/admin/${lost.id}/roles`, {
      token,
      json: { roles: [{ roleId: role._id, facilityId: 'main' }] },
    });
    await enqueueStep(app.context, { ...step, step: 1, phase: 'cleared' });
    const told = (await rowsOf(step.incidentId)).map(({ account_id, phase }) => [account_id, phase]);
    expect(told.filter(([, phase]) => phase === 'raised')).toHaveLength(2);
    expect(told.filter(([, phase]) => phase === 'cleared')).toEqual([[kept.id, 'cleared']]);
  });

  test('of a child is for no account that was disowned or blocked meanwhile; a danger is', async () => {
    for (const closed of ['disowned_at', 'blocked_at'] as const) {
      const family = await app.makeFamily();
      const ofChild = await makeStepOfChild(family, 'stay_due');
      const danger = makeStep([toParent(family)]);
      for (const step of [ofChild, danger]) await enqueueStep(app.context, step);
      const { db } = app.context;
      const maySee = async ({ incidentId }: IncidentStep) =>
        Promise.all((await rowsOf(incidentId)).map((row) => mayStillSee(db, row)));
      expect([await maySee(ofChild), await maySee(danger)]).toEqual([[true], [true]]);
      const at = app.clock.now();
      await db
        .updateTable('parents')
        .set({ [closed]: at })
        .where('id', '=', family.id)
        .execute();
      expect([await maySee(ofChild), await maySee(danger)], closed).toEqual([[false], [true]]);
    }
  });

  test('waits for the end of the quiet hours unless it is a danger; between the first and the end only the newest stays', async () => {
    const family = await app.makeFamily();
    const hour = new Date(app.clock.now()).getUTCHours();
    const clockTime = (at: number) => `${String(at % 24).padStart(2, '0')}:00`;
    const quietHours = { from: clockTime(hour), to: clockTime(hour + 2), timeZone: 'UTC' };
    const { preferences } = await app.expect(200, 'PUT', '/api/notices/preferences', {
      token: family.token,
      json: { quietHours },
    });
    expect(preferences).toMatchObject({ quietHours, locked: [], areas: null });
    const first = await makeStepOfChild(family, 'time_up');
    const { incidentId } = first;
    await enqueueStep(app.context, first);
    await enqueueStep(app.context, { ...first, step: 1, phase: 'escalated' });
    await enqueueStep(app.context, { ...first, step: 2, phase: 'escalated' });
    await enqueueStep(app.context, { ...first, step: 2, phase: 'escalated' });
    await enqueueStep(app.context, { ...first, step: 2, phase: 'cleared' });
    const danger = makeStep([toParent(family)]);
    await enqueueStep(app.context, danger);
    await allSent(danger.incidentId);
    expect(await notificationsTo(family.email)).toEqual(['High temperature']);
    expect((await rowsOf(incidentId)).map(({ phase, step, state }) => [phase, step, state])).toEqual([
      ['raised', 0, 'waiting'],
      ['escalated', 1, 'dropped'],
      ['escalated', 2, 'dropped'],
      ['cleared', 2, 'waiting'],
    ]);
    app.clock.advance(2 * HOUR);
    await allSent(incidentId);
    expect(await notificationsTo(family.email)).toEqual([
      'High temperature',
      'Time’s up',
      'All clear: Time’s up',
    ]);
  });

  test('staff on duty cannot mute a danger; who is not signed in can', async () => {
    const employee = await app.makeEmployee();
    const kinds = { temperature: [], camera_down: [] };
    const { preferences } = await app.expect(200, 'PUT', '/api/notices/preferences', {
      token: employee.token,
      json: { kinds, areas: ['Garden'] },
    });
    expect(preferences).toMatchObject({ kinds: { ...kinds, air: ['push', 'mail'] }, areas: ['Garden'] });
    expect(preferences.locked).toContain('temperature');
    const camera = makeStep([toStaff(employee)], { kind: 'camera_down', severity: 'operation' });
    await enqueueStep(app.context, camera);
    expect(await rowsOf(camera.incidentId)).toEqual([]);
    const danger = makeStep([toStaff(employee)]);
    await enqueueStep(app.context, danger);
    await allSent(danger.incidentId);
    expect(await notificationsTo(employee.email)).toEqual(['High temperature']);
    expect((await app.lastMail(employee.email)).link).toBe('https://haris.test/incidents');
    await app.expect(204, 'POST', '/api/logout', { token: employee.token });
    const later = makeStep([toStaff(employee)]);
    await enqueueStep(app.context, later);
    expect(await rowsOf(later.incidentId)).toEqual([]);
  });

  test('a crowd of steps is held to its rate, but no first and no end', async () => {
    const family = await app.makeFamily();
    const told: IncidentStep[] = [];
    for (let n = 0; n < 12; n++) {
      const first = makeStep([toParent(family)], { kind: 'time_up', severity: 'care' });
      told.push(first);
      await enqueueStep(app.context, first);
      await enqueueStep(app.context, { ...first, step: 1, phase: 'escalated' });
    }
    for (const first of told) await enqueueStep(app.context, { ...first, step: 1, phase: 'cleared' });
    const rows = (await Promise.all(told.map(({ incidentId }) => rowsOf(incidentId)))).flat();
    const count = (phase: string) => rows.filter((row) => row.phase === phase).length;
    expect([count('raised'), count('escalated'), count('cleared')]).toEqual([12, 10, 12]);
    await Promise.all(told.map(({ incidentId }) => allSent(incidentId)));
  });
});

test('from a reading of a sensor to the people: raised, passed on, over', async () => {
  const house = await startTestApp();
  try {
    const staff = await house.staff();
    const family = await house.makeFamily();
    const child = await house.makeChild(family);
    await house.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
    const outside = await house.makeFamily();
    const made = await house.expect(201, 'POST', '/api/sensors', {
      token: staff,
      json: { name: 'Window', area: 'Playroom', kind: 'haris', period: 60 },
    });
    const send = async (temperature: number) => {
      await house.expect(202, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
        json: { temperature },
        headers: { 'x-device-key': made.deviceKey },
      });
      await house.app.incidents.sweep();
      await house.app.notifications.settled();
    };
    const told = async (email: string) =>
      (await house.outbox(email)).map(({ subject }) => subject).filter((one) => /temperature/i.test(one));
    await send(45);
    expect(await told(ADMIN_EMAIL)).toEqual(['High temperature']);
    expect(await told(family.email)).toEqual(['High temperature']);
    const mail = (await house.outbox(family.email)).at(-1);
    expect(mail?.text).toContain('It is \u206845\u2069 °C in \u2068Playroom\u2069.');
    house.clock.advance(2 * MINUTE);
    await send(45);
    expect(await told(ADMIN_EMAIL)).toHaveLength(2);
    expect((await told(ADMIN_EMAIL))[1]).toBe('Still open: High temperature');
    for (let minute = 0; minute < 10; minute++) {
      house.clock.advance(MINUTE);
      await send(20);
    }
    expect((await told(family.email)).at(-1)).toBe('All clear: High temperature');
    expect(await told(family.email)).toHaveLength(2);
    expect(await told(outside.email)).toEqual([]);
  } finally {
    await house.close();
  }
});

describe('the queue', () => {
  const failing: Carrier = async () => {
    throw new DeliveryError('unreachable');
  };
  const carriers = (mail: Carrier) => ({ push: failing, mail, webhook: failing });
  const nothing = async () => {};

  test('several servers send each notification once', async () => {
    const lone = await startTestApp();
    try {
      const families: Family[] = [];
      for (let n = 0; n < 6; n++) families.push(await lone.makeFamily());
      const sent: string[] = [];
      const slow: Carrier = async ({ row }) => {
        sent.push(`${row.incident_id} ${row.account_id}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      };
      const steps = Array.from({ length: 5 }, () => makeStep(families.map(toParent)));
      // The app's own queue may send some of them by mail.
      const others = [1, 2, 3].map(() => openNotificationQueue(lone.context, carriers(slow), nothing));
      for (const step of steps) await enqueueStep(lone.context, step);
      await Promise.all([...others, lone.app.notifications].map((queue) => queue.settled()));
      const waiting = lone.context.db
        .selectFrom('notification_deliveries')
        .select('id')
        .where('state', '=', 'waiting');
      expect(await waiting.execute()).toEqual([]);
      await Promise.all(others.map((queue) => queue.stop()));
      const mailed = (await lone.outbox()).filter(({ subject }) => subject === 'High temperature').length;
      expect(new Set(sent).size).toBe(sent.length);
      expect(sent.length + mailed).toBe(steps.length * families.length);
    } finally {
      await lone.close();
    }
  });

  test('what a server took and died with is sent once its lease is over', async () => {
    const family = await app.makeFamily();
    // Not due for the app's own queue until the test has claimed it.
    const step = await makeStepOfChild(family, 'time_up');
    const future = app.clock.now() + 10 * MINUTE;
    await enqueueStep({ ...app.context, clock: { now: () => future } }, step);
    const claimed = await claimDelivery(app.context.db, 'mail', future, future + 120_000);
    expect(claimed).toMatchObject({ incident_id: step.incidentId, attempts: 1 });
    app.clock.advance(10 * MINUTE + 119_000);
    await app.app.notifications.settled();
    expect(await notificationsTo(family.email)).toEqual([]);
    app.clock.advance(1_000);
    await allSent(step.incidentId);
    expect(await notificationsTo(family.email)).toEqual(['Time’s up']);
    expect(await rowsOf(step.incidentId)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  test('a server that was paused beyond its lease changes nothing that another one has claimed', async () => {
    const { db } = app.context;
    const step = makeStep([toParent(await app.makeFamily())], { kind: 'time_up', severity: 'care' });
    // Not due for the app's own queue.
    const future = app.clock.now() + 10 * MINUTE;
    await enqueueStep({ ...app.context, clock: { now: () => future } }, step);
    const paused = await claimDelivery(db, 'mail', future, future + 120_000);
    if (!paused) throw new Error('nothing to claim');
    expect(await claimDelivery(db, 'mail', future + 119_999, future + 240_000)).toBeUndefined();
    await claimDelivery(db, 'mail', future + 120_000, future + 240_000);
    await retryDelivery(db, paused, 'unreachable', future);
    await failDelivery(db, paused, 'refused', future);
    expect(await rowsOf(step.incidentId)).toMatchObject([
      { state: 'waiting', attempts: 2, next_try_at: future + 240_000, reason: null },
    ]);
    app.clock.advance(14 * MINUTE);
    await allSent(step.incidentId);
  });

  test('what a server that was off for days finds is not sent any more', async () => {
    const family = await app.makeFamily();
    const at = (hours: number) => ({ ...app.context, clock: { now: () => app.clock.now() - hours * HOUR } });
    const [old, late] = [makeStep([toParent(family)]), makeStep([toParent(family)], { kind: 'air' })];
    await enqueueStep(at(31), old);
    await enqueueStep(at(29), late);
    await Promise.all([allSent(old.incidentId), allSent(late.incidentId)]);
    expect(await notificationsTo(family.email)).toEqual(['Gas or smoke in the air']);
    expect(await rowsOf(old.incidentId)).toMatchObject([{ state: 'failed', attempts: 1, sealed: null }]);
  });

  test('pauses stay within 15 s for two minutes, then grow to an hour; what is given up is shown to staff, and to nobody else', async () => {
    expect([1, 2, 3, 8, 9, 10, 15, 16, 17].map(retryPause)).toEqual([
      5_000, 10_000, 15_000, 15_000, 30_000, 60_000, 1_920_000, 3_600_000, 3_600_000,
    ]);
    const tries = Array.from({ length: 17 }, (_, index) => retryPause(index + 1));
    expect(tries.reduce((sum, pause) => sum + pause) / 3_600_000).toBeCloseTo(3.1, 1);
    const lone = await startTestApp();
    try {
      const family = await lone.makeFamily({ name: 'Farida' });
      lone.context.mails.send = async () => Promise.reject(new Error('the post is closed'));
      const step = makeStep([toParent(family)], { kind: 'time_up', severity: 'care' });
      await insertIncident(lone, step);
      await enqueueStep(lone.context, step);
      await enqueueStep(lone.context, { ...step, phase: 'cleared' });
      const rows = () =>
        lone.context.db
          .selectFrom('notification_deliveries')
          .select(['phase', 'attempts', 'state', 'next_try_at'])
          .orderBy('sequence')
          .execute();
      for (let attempt = 1; attempt < 18; attempt++) {
        await lone.app.notifications.settled();
        const [first, end] = await rows();
        expect(first).toMatchObject({
          attempts: attempt,
          next_try_at: lone.clock.now() + retryPause(attempt),
        });
        // The end of the incident does not overtake its beginning.
        expect(end).toMatchObject({ phase: 'cleared', attempts: 0 });
        // Not before its time.
        lone.clock.advance(retryPause(attempt) - 1);
        await lone.app.notifications.settled();
        expect((await rows())[0]).toMatchObject({ attempts: attempt });
        lone.clock.advance(1);
      }
      await lone.app.notifications.settled();
      expect((await rows())[0]).toMatchObject({ attempts: 18, state: 'failed' });
      const token = await lone.staff();
      const { failures, total } = await lone.expect(200, 'GET', '/api/notices/failed?limit=1', { token });
      expect(total).toBe(1);
      expect(failures).toMatchObject([
        {
          way: 'mail',
          kind: 'time_up',
          account: { kind: 'parent', _id: family.id, name: 'Farida' },
          reason: 'unreachable',
          attempts: 18,
        },
      ]);
      expect(lone.logLines.join('\n')).not.toMatch(/Farida|Salma|@family/);
    } finally {
      await lone.close();
    }
  });
});

describe('devices', () => {
  test('belong to the session: sign-out, a new password and deletion take them along', async () => {
    const family = await app.makeFamily();
    const again = await app.signIn('parent', family.email, family.password);
    for (const [token, device] of [
      [family.token, 'Phone'],
      [again, 'Tablet'],
    ] as const) {
      app.clock.advance(1);
      await app.expect(201, 'POST', '/api/notices/devices', { token, json: newDevice(device) });
    }
    const listed = await app.expect(200, 'GET', '/api/notices/devices', { token: again });
    expect(listed.devices).toMatchObject([
      { device: 'Phone', isThisSession: false },
      { device: 'Tablet', isThisSession: true },
    ]);
    await app.expect(204, 'POST', '/api/logout', { token: again });
    const left = await app.expect(200, 'GET', '/api/notices/devices', { token: family.token });
    expect(left.devices.map(({ device }) => device)).toEqual(['Phone']);
    await app.expect(200, 'PUT', '/api/notices/preferences', {
      token: family.token,
      json: { kinds: { air: [] } },
    });
    const step = makeStep([toParent(family)], { kind: 'stay_due', severity: 'care' });
    await enqueueStep(app.context, step);
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: await app.staff() });
    for (const table of [
      'push_subscriptions',
      'notification_preferences',
      'notification_deliveries',
    ] as const)
      expect(
        await app.context.db.selectFrom(table).selectAll().where('account_id', '=', family.id).execute(),
        table,
      ).toEqual([]);
  });

  test('get nothing once their session has run out', async () => {
    const family = await app.makeFamily();
    const { token } = family;
    await app.expect(201, 'POST', '/api/notices/devices', { token, json: newDevice() });
    const found = () => findPushSubscriptions(app.context.db, [toParent(family)], app.clock.now());
    expect(await found()).toHaveLength(1);
    await changeSessions(app.context, { expires_at: app.clock.now() }, token);
    expect(await found()).toEqual([]);
  });

  test('of another person are not there; the same browser belongs to whoever asked last; the oldest makes room', async () => {
    const [one, two] = [await app.makeFamily(), await app.makeFamily()];
    const json = newDevice();
    const { device } = await app.expect(201, 'POST', '/api/notices/devices', { token: one.token, json });
    const list = async (token: string) =>
      (await app.expect(200, 'GET', '/api/notices/devices', { token })).devices.map((row) => row.device);
    await app.expect(404, 'DELETE', `/api/notices/devices/${device._id}`, { token: two.token });
    // The call looks first whose device it is; the deletion does not rely on that.
    expect(await deletePushSubscription(app.context.db, toParent(two), device._id)).toBe(false);
    expect(await list(one.token)).toEqual(['A phone']);
    await app.expect(201, 'POST', '/api/notices/devices', { token: two.token, json });
    expect(await list(one.token)).toEqual([]);
    expect(await list(two.token)).toEqual(['A phone']);
    for (let n = 1; n <= 11; n++) {
      app.clock.advance(1);
      await app.expect(201, 'POST', '/api/notices/devices', { token: two.token, json: newDevice(`No ${n}`) });
    }
    expect(await list(two.token)).toEqual(Array.from({ length: 10 }, (_none, n) => `No ${n + 2}`));
    const { devices } = await app.expect(200, 'GET', '/api/notices/devices', { token: two.token });
    const gone = devices[0]?._id;
    await app.expect(200, 'DELETE', `/api/notices/devices/${gone}`, { token: two.token });
    expect(await list(two.token)).toHaveLength(9);
  });

  test.each([
    ['http://push.example.org/x'],
    ['https://localhost.:443@127.0.0.1/x'],
    ['https://127.0.0.1/x'],
    ['https://10.0.0.1/x'],
    ['https://[::ffff:169.254.169.254]/x'],
    ['https://169.254.169.254/latest'],
  ])('an address that no push service has is refused: %s', async (endpoint) => {
    const { token } = await app.makeFamily();
    const answer = await app.ask('POST', '/api/notices/devices', {
      token,
      json: { ...newDevice(), endpoint },
    });
    expect(answer).toMatchObject({ status: 400, body: { fields: { endpoint: expect.any(String) } } });
  });

  test('keys that nothing can be encrypted to are refused', async () => {
    const { token } = await app.makeFamily();
    const offCurve = Buffer.alloc(65, 1).fill(4, 0, 1).toString('base64url');
    for (const keys of [
      { p256dh: offCurve, auth: 'A'.repeat(22) },
      { p256dh: 'AAAA', auth: 'A'.repeat(22) },
    ])
      await app.expect(400, 'POST', '/api/notices/devices', { token, json: { ...newDevice(), keys } });
  });

  test('a device that is no more: a danger goes by mail instead, also where only push was chosen', async () => {
    const employee = await app.makeEmployee();
    const { device } = await app.expect(201, 'POST', '/api/notices/devices', {
      token: employee.token,
      json: newDevice(),
    });
    await app.expect(200, 'PUT', '/api/notices/preferences', {
      token: employee.token,
      json: { kinds: { temperature: ['push'], camera_down: ['push'] } },
    });
    const step = makeStep([toStaff(employee)]);
    await enqueueStep(app.context, step);
    const [row] = await rowsOf(step.incidentId);
    expect(row).toMatchObject({ channel: 'push', target: device._id });
    if (!row) throw new Error('no delivery');
    await app.expect(200, 'DELETE', `/api/notices/devices/${device._id}`, { token: employee.token });
    app.clock.advance(HOUR);
    await allSent(step.incidentId);
    expect(
      (await rowsOf(step.incidentId)).map(({ channel, state, reason }) => [channel, state, reason]),
    ).toEqual([
      ['mail', 'sent', null],
      ['push', 'failed', 'gone'],
    ]);
    expect(await notificationsTo(employee.email)).toEqual(['High temperature']);
    // Does not apply to incidents that are not dangers.
    await standInByMail(app.context, { ...row, incident_id: randomUUID(), kind: 'camera_down' }, {});
  });
});

test('a test of one person is nobody else’s, and there are not more than ten in a quarter of an hour', async () => {
  const [family, other] = [await app.makeFamily(), await app.makeFamily()];
  const { test: sent } = await app.expect(202, 'POST', '/api/notices/tests', { token: family.token });
  expect(sent.deliveries).toMatchObject([{ way: 'mail', device: null, arrivedAt: null }]);
  const look = async () =>
    (await app.expect(200, 'GET', `/api/notices/tests/${sent._id}`, { token: family.token })).test.deliveries;
  await app.app.notifications.settled();
  expect((await look())[0]?.state).toBe('sent');
  expect(await notificationsTo(family.email)).toEqual(['A test from Haris']);
  await app.expect(404, 'GET', `/api/notices/tests/${sent._id}`, { token: other.token });
  await app.expect(404, 'GET', `/api/notices/tests/${sent._id}`, { token: await app.staff() });
  for (let n = 2; n <= 10; n++) await app.expect(202, 'POST', '/api/notices/tests', { token: family.token });
  const refused = await app.ask('POST', '/api/notices/tests', { token: family.token });
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.anything() } });
  await app.expect(404, 'POST', '/api/notices/receipts', { json: { receipt: 'none' } });
});

test('the key of the installation is made once, and lies sealed', async () => {
  const token = await app.staff();
  const { publicKey } = await app.expect(200, 'GET', '/api/notices/push-key', { token });
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  const { openVapidKeys } = await import('./vapid.ts');
  const keys = await openVapidKeys(app.context);
  expect(keys.publicKey).toBe(publicKey);
  const rows = await app.context.db.selectFrom('meta').selectAll().execute();
  const stored = rows.find(({ key }) => key === 'vapid_keys')?.value ?? '';
  expect(stored).not.toBe('');
  expect(Buffer.from(stored, 'base64').includes(keys.privateKey)).toBe(false);
});

test('the webhook’s address and secret are told once, and stand in no list and no log', async () => {
  const token = await app.staff();
  const url = 'https://hooks.invalid/services/T0/secret-path';
  const set = await app.expect(200, 'PUT', '/api/notices/webhook', { token, json: { url } });
  expect(set.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(set.webhook).toMatchObject({ origin: 'https://hooks.invalid' });
  const seen = await app.expect(200, 'GET', '/api/notices/webhook', { token });
  expect(JSON.stringify(seen)).not.toMatch(/secret-path|whsec/);
  const { entries } = await app.expect(200, 'GET', '/api/audit', { token });
  expect(entries[0]).toMatchObject({ action: 'webhook.updated', details: { isSet: true } });
  for (const bad of [
    'http://127.0.0.1:9/x',
    'https://[::1]/',
    'http://169.254.169.254/x',
    'ftp://a.example/',
  ])
    await app.expect(400, 'PUT', '/api/notices/webhook', { token, json: { url: bad } });
  const ended = await app.expect(200, 'PUT', '/api/notices/webhook', { token, json: { url: null } });
  expect(ended).toMatchObject({ webhook: null, secret: null });
  expect(app.logLines.join('\n')).not.toMatch(/secret-path|whsec/);
});

test('what a person chooses about the own notifications is on record: of staff all, of a parent only that it was done', async () => {
  const [family, employee] = [await app.makeFamily(), await app.makeEmployee()];
  const rowsAbout = async (id: string) =>
    (await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: employee.token })).entries
      .filter(({ action }) => /notices_chosen|push_device/.test(action))
      .map(({ action, details }) => ({ action, details }));
  const quietHours = { from: '21:00', to: '06:30', timeZone: 'Africa/Cairo' };
  for (const { token } of [family, employee])
    await app.expect(200, 'PUT', '/api/notices/preferences', {
      token,
      json: { kinds: { time_up: [] }, quietHours },
    });
  expect(await rowsAbout(family.id)).toEqual([{ action: 'parent.notices_chosen', details: {} }]);
  expect(await rowsAbout(employee.id)).toEqual([
    {
      action: 'admin.notices_chosen',
      details: { muted: ['time_up'], quietHours: '21:00–06:30', areas: null },
    },
  ]);
  const json = newDevice();
  for (const _again of [1, 2])
    await app.expect(201, 'POST', '/api/notices/devices', { token: family.token, json });
  const { devices } = await app.expect(200, 'GET', '/api/notices/devices', { token: family.token });
  const path = `/api/notices/devices/${devices[0]?._id}`;
  await app.expect(200, 'DELETE', path, { token: family.token });
  await app.expect(404, 'DELETE', path, { token: family.token });
  // The same device again is not a new device.
  expect((await rowsAbout(family.id)).map(({ action }) => action)).toEqual([
    'push_device.removed',
    'push_device.added',
    'parent.notices_chosen',
  ]);
});

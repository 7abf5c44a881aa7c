/**
 * Notifications to external services, with real parts on the loopback: a push service, an SMTP server, a webhook
 * receiver.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { IncidentStep } from '../../incident-step.ts';
import { type Employee, startTestApp, type TestApp } from '../../testing/harness.ts';
import { insertIncident } from '../../testing/incident-rows.ts';
import { openPushService, type PushBrowser, type PushService } from '../../testing/push-service.ts';
import { openSmtpPost, type SmtpPost } from '../../testing/smtp-server.ts';
import { enqueueStep } from './enqueue-step.ts';

interface Hook {
  readonly url: string;
  readonly received: { headers: IncomingHttpHeaders; body: string }[];
  status: number;
  close(): Promise<void>;
}

async function openHook(): Promise<Hook> {
  const received: Hook['received'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(hook.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=hidden`,
    received,
    status: 204,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return hook;
}

let service: PushService;
let post: SmtpPost;
let hook: Hook;
let app: TestApp;
let employee: Employee;
let phone: PushBrowser;

beforeAll(async () => {
  [service, post, hook] = [await openPushService(), await openSmtpPost(), await openHook()];
  app = await startTestApp({
    config: {
      SMTP_URL: `smtp://127.0.0.1:${post.port}`,
      MAIL_FROM: 'Haris <desk@haris.test>',
      PUSH_CONTACT: 'mailto:care@haris.test',
      NOTICES_TO_THIS_MACHINE: 'yes',
    },
  });
  const first = await app.context.db
    .selectFrom('staff')
    .select(['id', 'name', 'email'])
    .executeTakeFirstOrThrow();
  employee = { ...first, password: '', nationalId: '', token: await app.staff() };
  phone = await subscribe('Phone');
});
afterAll(async () => {
  await app.close();
  await Promise.all([service.close(), post.close(), hook.close()]);
});
afterEach(() => {
  post.refuse = null;
  post.refuseCode = 451;
  hook.status = 204;
  phone.status = 201;
  expect(service.problems).toEqual([]);
});

async function subscribe(device: string): Promise<PushBrowser> {
  const browser = service.newBrowser();
  app.clock.advance(1);
  await app.expect(201, 'POST', '/api/notices/devices', {
    token: employee.token,
    json: { ...browser.subscription, device },
  });
  return browser;
}

function makeStep(over: Partial<IncidentStep> = {}): IncidentStep {
  const incidentId = over.incidentId ?? randomUUID();
  const values = { area: 'Playroom', name: 'Salma Adel', value: 41.5 };
  return {
    id: `${incidentId}:0:raised`,
    incidentId,
    kind: 'air',
    step: 0,
    phase: 'raised',
    severity: 'safety',
    audience: [{ kind: 'admin', id: employee.id }],
    at: app.clock.now(),
    title: { key: 'incident.air.title', values },
    body: { key: 'incident.air.body', values },
    ...over,
  };
}

const rowsOf = (incidentId: string) =>
  app.context.db
    .selectFrom('notification_deliveries')
    .select(['channel', 'state', 'attempts', 'reason', 'next_try_at'])
    .where('incident_id', '=', incidentId)
    .orderBy('sequence')
    .orderBy('channel')
    .execute();
const settled = () => app.app.notifications.settled();
/** Sends due deliveries; fails if one of this incident still waits. */
async function ended(incidentId: string): Promise<void> {
  await settled();
  expect((await rowsOf(incidentId)).filter(({ state }) => state === 'waiting')).toEqual([]);
}

test('one step: an encrypted, signed push and a mail; its end takes the push’s place', async () => {
  const step = makeStep();
  await enqueueStep(app.context, step);
  await enqueueStep(app.context, step);
  await ended(step.incidentId);
  expect(phone.received).toHaveLength(1);
  const [push] = phone.received;
  expect(push?.payload).toEqual({
    title: 'Gas or smoke in the air',
    body: 'The sensor in \u2068Playroom\u2069 reads \u206841.5\u2069.',
    tag: step.incidentId,
    url: '/incidents',
    kind: 'air',
    phase: 'raised',
    lang: 'en',
    dir: 'ltr',
    receipt: null,
  });
  const { publicKey } = await app.expect(200, 'GET', '/api/notices/push-key', { token: employee.token });
  expect(push?.publicKey).toBe(publicKey);
  expect(push?.token).toMatchObject({ aud: service.origin, sub: 'mailto:care@haris.test' });
  const lasts = (push?.token.exp ?? 0) - Date.now() / 1000;
  expect(lasts).toBeGreaterThan(0);
  expect(lasts).toBeLessThanOrEqual(24 * 3600);
  expect(push?.headers).toMatchObject({ ttl: '14400', urgency: 'high', 'content-encoding': 'aes128gcm' });
  expect(push?.bytes.includes('Salma')).toBe(false);
  const mails = post.mails.filter(({ subject }) => subject === 'Gas or smoke in the air');
  expect(mails).toHaveLength(1);
  expect(post.envelopes.at(-1)).toEqual({ from: 'desk@haris.test', to: [employee.email] });
  expect(mails[0]?.parsed.messageId).toMatch(/^<[0-9a-f-]{36}@haris\.test>$/);
  await enqueueStep(app.context, { ...step, phase: 'cleared' });
  await ended(step.incidentId);
  expect(phone.received[1]).toMatchObject({
    payload: { tag: step.incidentId, phase: 'cleared', title: 'All clear: Gas or smoke in the air' },
    headers: { topic: push?.headers.topic, urgency: 'normal' },
  });
});

test('a push service that is busy is tried again, a device that is gone is taken off, the others get theirs', async () => {
  const tablet = await subscribe('Tablet');
  const old = await subscribe('Old phone');
  tablet.status = 503;
  old.status = 410;
  const step = makeStep();
  await insertIncident(app, step);
  const before = phone.received.length;
  await enqueueStep(app.context, step);
  await settled();
  expect([phone.received.length - before, tablet.posts, old.posts]).toEqual([1, 1, 1]);
  expect((await rowsOf(step.incidentId)).map(({ state }) => state).sort()).toEqual([
    'failed',
    'sent',
    'sent',
    'waiting',
  ]);
  const { devices } = await app.expect(200, 'GET', '/api/notices/devices', { token: employee.token });
  expect(devices.map(({ device }) => device)).toEqual(['Phone', 'Tablet']);
  tablet.status = 201;
  app.clock.advance(4_999);
  await settled();
  expect(tablet.received).toEqual([]);
  app.clock.advance(1);
  await ended(step.incidentId);
  expect([tablet.received.length, tablet.posts, old.posts, phone.received.length - before]).toEqual([
    1, 2, 1, 1,
  ]);
  const { failures } = await app.expect(200, 'GET', '/api/notices/failed', { token: employee.token });
  expect(failures[0]).toMatchObject({ way: 'push', reason: 'gone', attempts: 1 });
});

test('a mail server that says later gets the mail later, one that says never does not', async () => {
  post.refuse = 'later';
  const later = makeStep();
  await enqueueStep(app.context, later);
  const mailOf = async (id: string) => (await rowsOf(id)).find(({ channel }) => channel === 'mail');
  await settled();
  expect((await mailOf(later.incidentId))?.reason).toBe('unreachable');
  post.refuse = null;
  app.clock.advance(5_000);
  await settled();
  expect((await mailOf(later.incidentId))?.state).toBe('sent');
  post.refuse = 'no such person';
  post.refuseCode = 550;
  const never = makeStep();
  await enqueueStep(app.context, never);
  await settled();
  expect(await mailOf(never.incidentId)).toMatchObject({ state: 'failed', reason: 'refused', attempts: 1 });
  await ended(later.incidentId);
});

describe('the webhook', () => {
  test('gets each step once, signed as the Standard Webhooks specification has it, without a name', async () => {
    const { secret } = await app.expect(200, 'PUT', '/api/notices/webhook', {
      token: employee.token,
      json: { url: hook.url },
    });
    const step = makeStep({ audience: [] });
    hook.status = 500;
    await enqueueStep(app.context, step);
    await enqueueStep(app.context, step);
    await settled();
    expect((await rowsOf(step.incidentId))[0]?.reason).toBe('unreachable');
    hook.status = 204;
    app.clock.advance(5_000);
    await ended(step.incidentId);
    expect(hook.received).toHaveLength(2);
    const key = Buffer.from(String(secret).replace('whsec_', ''), 'base64');
    for (const { headers, body } of hook.received) {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const mac = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${mac}`);
      expect(body).not.toContain('Salma');
    }
    // The id identifies a delivery that was sent twice.
    expect(hook.received[0]?.headers['webhook-id']).toBe(hook.received[1]?.headers['webhook-id']);
    expect(Number(hook.received[1]?.headers['webhook-timestamp'])).toBe(Math.floor(app.clock.now() / 1000));
    expect(JSON.parse(hook.received[1]?.body ?? '')).toEqual({
      type: 'incident.raised',
      timestamp: new Date(step.at).toISOString(),
      data: {
        id: step.incidentId,
        kind: 'air',
        severity: 'safety',
        step: 0,
        area: 'Playroom',
        title: 'Gas or smoke in the air',
      },
    });
  });
});

test('a test goes by every way, and the device says that it has arrived', async () => {
  await app.expect(200, 'PUT', '/api/notices/webhook', { token: employee.token, json: { url: hook.url } });
  const { test: sent } = await app.expect(202, 'POST', '/api/notices/tests', { token: employee.token });
  const look = async () =>
    (await app.expect(200, 'GET', `/api/notices/tests/${sent._id}`, { token: employee.token })).test
      .deliveries;
  await settled();
  expect((await look()).every(({ state }) => state === 'sent')).toBe(true);
  expect((await look()).map(({ way, device }) => [way, device]).sort()).toEqual([
    ['mail', null],
    ['push', 'Phone'],
    ['push', 'Tablet'],
    ['webhook', null],
  ]);
  const push = phone.received.at(-1)?.payload;
  expect(push).toMatchObject({ kind: 'test', title: 'A test from Haris', receipt: expect.any(String) });
  expect((await look()).every(({ arrivedAt }) => arrivedAt === null)).toBe(true);
  await app.expect(204, 'POST', '/api/notices/receipts', { json: { receipt: push?.receipt } });
  const arrived = (await look()).filter(({ arrivedAt }) => arrivedAt !== null);
  expect(arrived).toMatchObject([{ way: 'push', device: 'Phone' }]);
  expect(post.mails.at(-1)).toMatchObject({ subject: 'A test from Haris', to: employee.email });
  expect(JSON.parse(hook.received.at(-1)?.body ?? '')).toMatchObject({
    type: 'test',
    data: { kind: 'test' },
  });
});

test('no log line says where a device, a mail or the webhook is', () => {
  expect(app.logLines.join('\n')).not.toMatch(/\/push\/|hidden|@haris\.test|Salma/);
});

/** `x-sockets` of the OpenAPI document: every socket and stream of the server, as a running server speaks. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { AddressInfo } from 'node:net';
import websocket from '@fastify/websocket';
import { routes } from '@haris/contract/http/routes';
import { decodeMessage, encodeDevicePicture } from '@haris/contract/live/video';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { refuseUndeclaredSockets } from './http/openings.ts';
import { escaped, makeAnswerChecker } from './testing/answers.ts';
import { type FakeLive, startFakeLive } from './testing/fake-live.ts';
import { startTestApp, type TestApp } from './testing/harness.ts';
import { openEvents } from './testing/sse.ts';

const within = { timeout: 240_000, interval: 20 };
let app: TestApp;
let live: FakeLive;
let staff: string;
let port: number;
/** Paths of all routes that take an upgrade, as they were registered. */
const upgrades = new Set<string>();
/** Path and id in the contract of all routes that say who may open them. */
const declared = new Set<string>();
const open: WebSocket[] = [];

beforeAll(async () => {
  const collect = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      if ('websocket' in route || 'wsHandler' in route) upgrades.add(route.url);
      if (route.config?.opening !== undefined) declared.add(`${route.url} ${route.config.opening}`);
    });
  };
  subscribe('fastify.initialization', collect);
  live = await startFakeLive();
  app = await startTestApp({ live });
  unsubscribe('fastify.initialization', collect);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  staff = await app.staff();
});
afterAll(async () => {
  for (const socket of open) socket.terminate();
  await app.close();
  await live.stop();
});

const at = (path: string, ...parts: string[]) =>
  ['', 'x-sockets', escaped(path), ...parts.map(escaped)].join('/');
const check = (pointer: string, value: unknown) => makeAnswerChecker(app.document).checkValue(pointer, value);

/** Opens a socket and keeps what the server says. */
async function connect(path: string, ...protocols: string[]) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols);
  open.push(socket);
  const texts: unknown[] = [];
  const headers: unknown[] = [];
  socket.on('message', (data, isBinary) => {
    if (isBinary) headers.push(decodeMessage(data as Buffer).json);
    else texts.push(JSON.parse(String(data)));
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, texts, headers };
}

test('x-sockets has every socket and every stream that the server registers, and nothing else', () => {
  expect(upgrades.size).toBeGreaterThanOrEqual(3);
  const endless = Object.values(routes)
    .filter(({ answer }) => answer === 'text/event-stream' || answer === 'multipart/x-mixed-replace')
    .map(({ path }) => path);
  expect(Object.keys(app.document['x-sockets']).sort()).toEqual([...upgrades, ...endless].sort());
});

test('each is opened where the contract says for whom; a socket that does not say it cannot be registered', async () => {
  expect([...declared].toSorted()).toEqual(
    Object.entries(app.document['x-sockets'])
      .map(([path, { operationId }]) => `${path} ${operationId}`)
      .toSorted(),
  );
  const other = Fastify();
  await other.register(websocket);
  refuseUndeclaredSockets(other);
  expect(() => other.get('/hidden', { websocket: true }, () => {})).toThrow('/hidden');
  expect(() => other.get('/open', { websocket: true, config: { opening: 'x' } }, () => {})).not.toThrow();
});

test('each says protocol, direction, authentication, messages and close codes', () => {
  const described = app.document['x-sockets'];
  for (const [path, one] of Object.entries(described))
    expect(one, path).toMatchObject({
      protocol: expect.stringMatching(/^(websocket|text\/event-stream|multipart\/x-mixed-replace)$/),
      direction: expect.stringMatching(/^(to-client|to-server|both)$/),
      access: expect.stringMatching(/^(staff|signed-in|camera)$/),
      authentication: expect.arrayContaining([expect.objectContaining({ in: 'header' })]),
      serverMessages: expect.any(Object),
      clientMessages: expect.any(Object),
      closeCodes: expect.any(Object),
    });
  const ticket = expect.objectContaining({ in: 'query', name: 'ticket' });
  expect(described['/ws']).toMatchObject({
    direction: 'to-client',
    access: 'signed-in',
    permission: 'sensors.view',
    authentication: expect.arrayContaining([ticket]),
    closeCodes: { 1008: expect.any(String) },
  });
  expect(described['/api/live']).toMatchObject({
    direction: 'both',
    authentication: expect.arrayContaining([ticket]),
  });
  expect(described['/api/cameras/stream']).toMatchObject({
    direction: 'to-server',
    authentication: [{ in: 'header' }],
    closeCodes: { 4001: expect.any(String), 4002: expect.any(String) },
  });
});

test('real messages of /ws match', async () => {
  const json = { name: 'Air', area: 'Hall', kind: 'haris' };
  const { sensor, deviceKey } = await app.expect(201, 'POST', '/api/sensors', { token: staff, json });
  const { texts } = await connect('/ws', 'bearer', staff);
  await app.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
    headers: { 'x-device-key': deviceKey },
    json: { temperature: 21.5, humidity: 40, mq2: 300 },
  });
  await expect.poll(() => texts.length, within).toBeGreaterThan(0);
  await app.expect(200, 'DELETE', `/api/sensors/${sensor._id}`, { token: staff });
  await expect.poll(() => texts.at(-1), within).toMatchObject({ gone: true });
  for (const text of texts) check(at('/ws', 'serverMessages', 'text'), text);
  expect(() => check(at('/ws', 'serverMessages', 'text'), { sensorId: 1 })).toThrow();
});

test('real messages of /api/live and of a device match, in both directions', async () => {
  const json = { name: 'Tablet', area: 'Hall', kind: 'browser' };
  const id = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
  const { code } = await app.expect(201, 'POST', `/api/cameras/${id}/pairing`, { token: staff });
  const { token } = (await app.ask('POST', '/api/cameras/pair', { json: { code } })).body;
  await expect.poll(() => live.cameras.map((camera) => camera.id), within).toContain(id);
  live.report(id);
  await expect.poll(() => app.context.live.report(id)?.state, within).toBe('live');

  const picture = encodeDevicePicture(1, Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
  check(at('/api/cameras/stream', 'clientMessages', 'binaryHeader'), decodeMessage(picture).json);
  const device = await connect('/api/cameras/stream', 'device', token);
  device.socket.send(picture);

  const viewer = await connect(`/api/live?camera_id=${id}`, 'bearer', staff);
  await expect.poll(() => live.subscriptions.size, within).toBe(1);
  live.show(() => true, { faces: [{ box: [0.1, 0.1, 0.2, 0.2], subject: null }] });
  await expect.poll(() => viewer.headers.length, within).toBe(1);
  expect(viewer.texts.length).toBeGreaterThan(0);
  for (const text of viewer.texts) check(at('/api/live', 'serverMessages', 'text'), text);
  for (const header of viewer.headers) check(at('/api/live', 'serverMessages', 'binaryHeader'), header);
  check(at('/api/live', 'clientMessages', 'text'), { type: 'taken', seq: 0 });
});

test('real messages of /api/events match', async () => {
  const stream = await openEvents(port, staff);
  const child = await app.makeChild(await app.makeFamily());
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
  const types = () => stream.events.map(({ type }) => type);
  await expect.poll(types, within).toContain('child.checked_in');
  for (const { data } of stream.events) check(at('/api/events', 'serverMessages', 'events', '*'), data);
  const status = { type: 'status', storage: 'full', clock: 'ok' };
  check(at('/api/events', 'serverMessages', 'events', 'status'), status);
  expect(() => check(at('/api/events', 'serverMessages', 'events', '*'), { type: 'no.such' })).toThrow();
  stream.close();
});

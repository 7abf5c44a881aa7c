/** Sensors through the front door: real devices (mosquitto_pub, mqtt.js), the embedded broker, calls and the socket. */
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { readingMessageSchema } from '@haris/contract/live/readings';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { makeClock } from '../../testing/clock.ts';
import { type AnyBody, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { findFreePort, publish, subscribe } from '../../testing/mosquitto.ts';

let app: TestApp;
let port: number;
let staff: string;
let family: Family;
/** Messages of the socket. */
let address: string;

beforeAll(async () => {
  port = await findFreePort();
  app = await startTestApp({ config: { MQTT_PORT: String(port) } });
  staff = await app.staff();
  family = await app.makeFamily();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  address = `ws://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/ws`;
});
afterAll(() => app.close());

const WAIT = { timeout: 240_000, interval: 25 };

function addSensor(over: Partial<{ name: string; area: string; kind: string; period: number }> = {}) {
  return app.expect(201, 'POST', '/api/sensors', {
    token: staff,
    json: { name: 'Window', area: 'Main room', kind: 'haris', ...over },
  });
}

async function sensorOf(id: string) {
  const { sensors } = await app.expect(200, 'GET', '/api/sensors?limit=200', { token: staff });
  const sensor = sensors.find(({ _id }) => _id === id);
  if (!sensor) throw new Error('the sensor is not in the list');
  return sensor;
}

interface Listening {
  readonly socket: WebSocket;
  readonly messages: AnyMessage[];
  /** The newest message of a sensor. */
  of(sensorId: string): AnyMessage | undefined;
}
type AnyMessage = Record<string, never> & { sensorId: string; temperature: number | null; gone?: boolean };

async function listen(token: string): Promise<Listening> {
  const messages: AnyMessage[] = [];
  const socket = new WebSocket(address, ['bearer', token]);
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, messages, of: (id) => messages.findLast(({ sensorId }) => sensorId === id) };
}

describe('a device', () => {
  test('publishes, and staff and parents see it; another one learns nothing of it', async () => {
    const made = await addSensor({ period: 60 });
    const [desk, parent] = [await listen(staff), await listen(family.token)];
    await publish(port, made, made.topic, '{"temperature":21.5,"humidity":40,"mq2":120}');
    for (const viewer of [desk, parent])
      await vi.waitFor(
        () => expect(viewer.of(made.sensor._id)).toMatchObject({ temperature: 21.5, humidity: 40, mq2: 120 }),
        WAIT,
      );
    const message = desk.of(made.sensor._id);
    expect(readingMessageSchema.parse(message)).toMatchObject({
      area: 'Main room',
      at: new Date(app.clock.now()).toISOString(),
      truth: { temperature: 'live', humidity: 'live', mq2: 'warming_up' },
    });
    const late = await listen(family.token);
    await vi.waitFor(() => expect(late.of(made.sensor._id)).toEqual(message), WAIT);
    for (const { socket } of [desk, parent, late]) socket.terminate();
  });

  test('may publish to its own topics only: nothing else reaches anybody', async () => {
    const [mine, other] = [await addSensor(), await addSensor()];
    const thief = subscribe(port, mine, ['#', other.topic, 'haris/+/+/state', '$SYS/#', 'homeassistant/#']);
    await vi.waitFor(() => expect(thief.stderr()).toContain('denied'), WAIT);
    for (const topic of [
      other.topic,
      `${mine.topic}/more`,
      'homeassistant/sensor/x/config',
      'haris-server/status',
    ])
      await publish(port, mine, topic, '{"temperature":66}', '-r');
    await publish(port, mine, mine.topic, '{"temperature":20}');
    await vi.waitFor(async () => expect((await sensorOf(mine.sensor._id)).temperature.value).toBe(20), WAIT);
    expect((await sensorOf(other.sensor._id)).temperature.value).toBeNull();
    expect(thief.lines).toEqual([]);
    await thief.end('SIGKILL');
  });

  test.each([
    { kind: 'haris', fenced: (topic: string) => topic.replace(/state$/, 'command') },
    { kind: 'esphome', fenced: (topic: string) => `${topic}/switch/pump/command` },
    { kind: 'tasmota', fenced: (topic: string) => `cmnd/${topic}/POWER` },
  ])(
    'of the kind $kind may read its commands and not publish them, although the topic is its own',
    async ({ kind, fenced }) => {
      const made = await addSensor({ kind });
      const { username, password } = made;
      const command = fenced(made.topic);
      const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username, password });
      const received: string[] = [];
      device.on('message', (_topic, payload) => received.push(String(payload)));
      await device.subscribeAsync(command, { qos: 1 });
      await device.publishAsync(command, 'from the device', { qos: 1 });
      app.context.mqtt.publish(command, 'from the server', { retain: false });
      await vi.waitFor(() => expect(received).toContain('from the server'), WAIT);
      expect(received).toEqual(['from the server']);
      await device.endAsync();
    },
  );

  test('has several connections at once, none of which ends another; nor does a foreign one', async () => {
    const [made, foreign] = [await addSensor(), await addSensor()];
    const open = ({ username, password }: AnyBody, clientId: string) =>
      mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username, password, clientId, reconnectPeriod: 0 });
    const own = [await open(made, ''), await open(made, ''), await open(made, 'mine')];
    const other = await open(foreign, 'mine');
    for (const device of own) await device.publishAsync(made.topic, '{"temperature":20}', { qos: 1 });
    expect(own.map(({ connected }) => connected)).toEqual([true, true, true]);
    for (const device of [...own, other]) await device.endAsync();
  });

  test('that says many things at once is not cut short: each reading is kept', async () => {
    const made = await addSensor();
    const { username, password } = made;
    const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username, password });
    const values = Array.from({ length: 50 }, (_, index) => 20 + index / 10);
    // This server's clock stands still meanwhile, as on a machine that is busy with something else.
    await Promise.all(
      values.map((temperature) =>
        device.publishAsync(made.topic, JSON.stringify({ temperature }), { qos: 1 }),
      ),
    );
    app.clock.advance(1_000);
    await vi.waitFor(async () => {
      const path = `/api/sensors/${made.sensor._id}/history?step=raw`;
      const { points } = await app.expect(200, 'GET', path, { token: staff });
      expect(points.map(({ temperature }) => temperature)).toEqual(values);
    }, WAIT);
    await device.endAsync();
  });

  test('is not let in with a wrong password, another’s, none, or an account that is gone', async () => {
    const [mine, other] = [await addSensor(), await addSensor()];
    for (const account of [
      { username: mine.username, password: 'wrong' },
      { username: mine.username, password: other.password },
      { username: mine.username, password: '' },
      { username: 'nobody', password: mine.password },
    ])
      await expect(publish(port, account, mine.topic, '{"temperature":20}')).rejects.toThrow();
    await app.expect(200, 'DELETE', `/api/sensors/${other.sensor._id}`, { token: staff });
    await expect(publish(port, other, other.topic, '{"temperature":20}')).rejects.toThrow();
  });

  test('is offline by its last will when it is killed, and comes back by a reading', async () => {
    const made = await addSensor({ period: 60 });
    const availability = made.topic.replace(/state$/, 'availability');
    const will = ['--will-topic', availability, '--will-payload', 'offline', '--will-retain', '-k', '5'];
    const command = made.topic.replace(/state$/, 'command');
    const device = subscribe(port, made, [command], ...will);
    await publish(port, made, availability, 'online', '-r');
    await publish(port, made, made.topic, '{"temperature":21}');
    await vi.waitFor(async () => expect((await sensorOf(made.sensor._id)).state).toBe('live'), WAIT);
    // A received message proves that the subscriber is connected with its last will.
    await vi.waitFor(() => {
      app.context.mqtt.publish(command, 'hello', { retain: false });
      expect(device.lines).toContain(`${command} hello`);
    }, WAIT);
    const viewer = await listen(family.token);
    await device.end('SIGKILL');
    await vi.waitFor(
      () =>
        expect(viewer.of(made.sensor._id)).toMatchObject({
          temperature: 21,
          truth: { temperature: 'offline' },
        }),
      WAIT,
    );
    expect((await sensorOf(made.sensor._id)).state).toBe('offline');
    await publish(port, made, made.topic, '{"temperature":22}');
    await vi.waitFor(
      () => expect(viewer.of(made.sensor._id)).toMatchObject({ truth: { temperature: 'live' } }),
      WAIT,
    );
    viewer.socket.terminate();
  });

  test('that sends nonsense is counted and nothing of it is stored', async () => {
    const made = await addSensor();
    const nonsense = [
      'hello',
      '[]',
      '{"temperature":"nan"}',
      '{"temperature":86}',
      '{"temperature":-41}',
      '{"humidity":100.1}',
      '{"mq2":10001}',
      '{"mq2":-1}',
      '{"light":7}',
      `{"temperature":${'9'.repeat(300)}}`,
      'x'.repeat(9000),
    ];
    for (const payload of nonsense) await publish(port, made, made.topic, payload);
    await vi.waitFor(
      async () => expect((await sensorOf(made.sensor._id)).refused.count).toBe(nonsense.length),
      WAIT,
    );
    const sensor = await sensorOf(made.sensor._id);
    expect(sensor.refused.lastReason).toBe('unreadable');
    expect(sensor.state).toBe('none');
    const { points } = await app.expect(200, 'GET', `/api/sensors/${made.sensor._id}/history?step=raw`, {
      token: family.token,
    });
    expect(points).toEqual([]);
    await vi.waitFor(async () => {
      const row = await app.context.db
        .selectFrom('sensors')
        .select(['refused_count', 'refused_reason'])
        .where('id', '=', made.sensor._id)
        .executeTakeFirst();
      expect(row).toEqual({ refused_count: nonsense.length, refused_reason: 'unreadable' });
    }, WAIT);
  });

  test('that sends more than a reading ever is, or no MQTT at all, is cut off, and the others go on', async () => {
    const made = await addSensor();
    const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      username: made.username,
      password: made.password,
      reconnectPeriod: 0,
    });
    const closed = new Promise<void>((resolve) => device.once('close', () => resolve()));
    device.on('error', () => {});
    device.publish(made.topic, 'x'.repeat(17_000));
    await closed;
    const stranger = connectTcp(port, '127.0.0.1');
    stranger.on('error', () => {});
    const gone = new Promise((resolve) => stranger.once('close', resolve));
    stranger.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
    await gone;
    await publish(port, made, made.topic, '{"temperature":20}');
    await vi.waitFor(async () => expect((await sensorOf(made.sensor._id)).temperature.value).toBe(20), WAIT);
  });

  test('floods: what is too much is dropped and counted', async () => {
    const made = await addSensor();
    const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      username: made.username,
      password: made.password,
    });
    for (let index = 0; index < 400; index++) device.publish(made.topic, '{"temperature":20}');
    await vi.waitFor(async () => {
      const { refused } = await sensorOf(made.sensor._id);
      expect(refused.lastReason).toBe('too_many');
      expect(refused.count).toBeGreaterThan(50);
    }, WAIT);
    await device.endAsync();
  });

  test('with new secrets is cut off, and the old ones are dead', async () => {
    const made = await addSensor();
    const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      username: made.username,
      password: made.password,
      reconnectPeriod: 0,
    });
    const closed = new Promise<void>((resolve) => device.once('close', () => resolve()));
    const renewed = await app.expect(201, 'POST', `/api/sensors/${made.sensor._id}/secrets`, {
      token: staff,
    });
    await closed;
    expect(renewed.password).not.toBe(made.password);
    await expect(publish(port, made, made.topic, '{"temperature":20}')).rejects.toThrow();
    await publish(port, renewed, made.topic, '{"temperature":20}');
    await vi.waitFor(async () => expect((await sensorOf(made.sensor._id)).temperature.value).toBe(20), WAIT);
    for (const [deviceKey, status] of [
      [made.deviceKey, 401],
      [renewed.deviceKey, 202],
    ] as const)
      await app.expect(status, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
        headers: { 'x-device-key': deviceKey },
        json: { temperature: 20 },
      });
  });

  test('of the kinds ESPHome and Tasmota is understood on its own topics', async () => {
    const [esp, tasmota] = [await addSensor({ kind: 'esphome' }), await addSensor({ kind: 'tasmota' })];
    for (const [name, payload] of [
      ['temperature', '21.50'],
      ['humidity', '40.0'],
      ['mq2', '118'],
      ['wifi_signal', '-60'],
    ])
      await publish(port, esp, `${esp.topic}/sensor/${name}/state`, String(payload), '-r');
    await publish(port, esp, `${esp.topic}/status`, 'online', '-r');
    await publish(
      port,
      tasmota,
      `tele/${tasmota.topic}/SENSOR`,
      '{"Time":"2026-11-20T10:00:00","DHT11":{"Temperature":70.7,"Humidity":44},"ANALOG":{"A0":300},"TempUnit":"F"}',
    );
    await vi.waitFor(async () => {
      expect(await sensorOf(esp.sensor._id)).toMatchObject({
        temperature: { value: 21.5 },
        humidity: { value: 40 },
        mq2: { value: 118 },
        refused: { count: 0 },
      });
      expect(await sensorOf(tasmota.sensor._id)).toMatchObject({
        temperature: { value: 21.5 },
        humidity: { value: 44 },
        mq2: { value: 300 },
      });
    }, WAIT);
    await publish(port, tasmota, `tele/${tasmota.topic}/LWT`, 'Offline', '-r');
    await vi.waitFor(async () => expect((await sensorOf(tasmota.sensor._id)).state).toBe('offline'), WAIT);
    expect(esp.esphomeYaml).toContain(`topic_prefix: ${esp.topic}`);
    expect(esp.esphomeYaml).toContain(`port: ${port}`);
  });
});

test('200 devices at once: every reading is stored, and the last one of each is told', async () => {
  const made: AnyBody[] = [];
  for (let index = 0; index < 200; index++)
    made.push(await addSensor({ name: `Device ${index}`, area: 'Hall' }));
  const viewer = await listen(staff);
  const devices: MqttClient[] = await Promise.all(
    made.map(({ username, password }) =>
      mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username, password, reconnectPeriod: 0 }),
    ),
  );
  const announced = async () => {
    const rows = await app.context.db
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'sensor.state')
      .execute();
    return rows.length;
  };
  const announcedBefore = await announced();
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      devices.map((device, index) =>
        device.publishAsync(
          String(made[index]?.topic),
          JSON.stringify({ temperature: 15 + round, mq2: index }),
          {
            qos: 1,
          },
        ),
      ),
    );
    await vi.waitFor(() => {
      for (const { sensor } of made) expect(viewer.of(sensor._id)?.temperature).toBe(15 + round);
    }, WAIT);
  }
  await vi.waitFor(async () => {
    const { rows } = await app.context.db
      .selectFrom('sensor_readings')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where(
        'sensor_id',
        'in',
        made.map(({ sensor }) => sensor._id),
      )
      .executeTakeFirstOrThrow();
    expect(Number(rows)).toBe(1_000);
  }, WAIT);
  // All sensors became live. They must not emit an event each, because every open page reloads the list at each event.
  expect((await announced()) - announcedBefore).toBeLessThan(100);
  await Promise.all(devices.map((device) => device.endAsync()));
  viewer.socket.terminate();
  for (const { sensor } of made)
    await app.expect(200, 'DELETE', `/api/sensors/${sensor._id}`, { token: staff });
});

describe('readings by HTTP', () => {
  test('are taken with the sensor’s own key, told at once and stored', async () => {
    const made = await addSensor();
    const viewer = await listen(family.token);
    await app.expect(202, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
      headers: { 'x-device-key': made.deviceKey },
      json: { temperature: 19, humidity: 55 },
    });
    await vi.waitFor(
      () => expect(viewer.of(made.sensor._id)).toMatchObject({ temperature: 19, mq2: null }),
      WAIT,
    );
    const { points } = await app.expect(200, 'GET', `/api/sensors/${made.sensor._id}/history?step=raw`, {
      token: family.token,
    });
    expect(points).toMatchObject([{ temperature: 19, humidity: 55, mq2: null, maxTemperature: 19 }]);
    viewer.socket.terminate();
  });

  test('with another’s key, none, a session, or for what is not there: 401', async () => {
    const [mine, other] = [await addSensor(), await addSensor()];
    for (const [id, key] of [
      [mine.sensor._id, other.deviceKey],
      [mine.sensor._id, mine.password],
      [mine.sensor._id, ''],
      ['nothing', mine.deviceKey],
      ['%00', mine.deviceKey],
    ] as const) {
      const answer = await app.ask('POST', `/api/sensors/${id}/readings`, {
        token: staff,
        headers: key ? { 'x-device-key': key } : {},
        json: { temperature: 20 },
      });
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_device_key' } });
    }
    expect((await sensorOf(mine.sensor._id)).temperature.value).toBeNull();
  });

  test('out of range, not numbers, or nothing: 400 that names the field', async () => {
    const made = await addSensor();
    for (const json of [
      { temperature: 86 },
      { humidity: -1 },
      { mq2: '120' },
      { mq2: null },
      {},
      { light: 3 },
    ]) {
      const answer = await app.ask('POST', `/api/sensors/${made.sensor._id}/readings`, {
        headers: { 'x-device-key': made.deviceKey },
        json,
      });
      expect(answer, JSON.stringify(json)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  test('too many: 429 that says when to come back', async () => {
    const made = await addSensor();
    const send = () =>
      app.ask('POST', `/api/sensors/${made.sensor._id}/readings`, {
        headers: { 'x-device-key': made.deviceKey },
        json: { temperature: 20 },
      });
    const answers = await Promise.all(Array.from({ length: 60 }, send));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(20);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThanOrEqual(20);
  });

  test('who guesses keys is turned away, and the right key still works', async () => {
    const made = await addSensor();
    const send = (key: string) =>
      app.ask('POST', `/api/sensors/${made.sensor._id}/readings`, {
        headers: { 'x-device-key': key },
        json: { temperature: 20 },
        from: '203.0.113.9',
      });
    for (let tries = 0; tries < 60; tries++) expect((await send(`guess ${tries}`)).status).toBe(401);
    expect((await send('one more')).status).toBe(429);
    expect((await send(made.deviceKey)).status).toBe(202);
  });
});

describe('the socket', () => {
  /** `opened`, or the status of the refusal. */
  const upgrade = (headers: Record<string, string>, query = '') =>
    new Promise<'opened' | number | undefined>((resolve) => {
      const { 'sec-websocket-protocol': offered, ...others } = headers;
      const socket = new WebSocket(`${address}${query}`, offered?.split(', ') ?? [], { headers: others });
      socket.once('error', () => {});
      socket.once('open', () => {
        socket.terminate();
        resolve('opened');
      });
      socket.once('unexpected-response', (_request, response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });

  test('is refused at the upgrade with 401 without a session, with a dead one, and with a ticket misused', async () => {
    const gone = await app.makeEmployee();
    await app.expect(204, 'POST', '/api/logout', { token: gone.token });
    for (const protocol of [
      '',
      'bearer',
      `bearer, ${gone.token}`,
      `device, ${staff}`,
      `bearer, ${'x'.repeat(43)}`,
    ])
      expect(await upgrade(protocol ? { 'sec-websocket-protocol': protocol } : {}), protocol).toBe(401);
    expect(await upgrade({ authorization: `Bearer ${staff}` })).toBe(401);
    expect(await upgrade({ 'sec-websocket-protocol': `bearer, ${staff}` })).toBe('opened');

    const { ticket } = await app.expect(201, 'POST', '/api/tickets', {
      token: family.token,
      json: { for: 'sensors' },
    });
    expect(await upgrade({}, `?ticket=${ticket}`)).toBe('opened');
    expect(await upgrade({}, `?ticket=${ticket}`)).toBe(401);
    const late = await app.expect(201, 'POST', '/api/tickets', {
      token: family.token,
      json: { for: 'sensors' },
    });
    app.clock.advance(60_000);
    expect(await upgrade({}, `?ticket=${late.ticket}`)).toBe(401);
    const child = await app.makeChild(family);
    const photo = await app.expect(201, 'POST', '/api/tickets', {
      token: family.token,
      json: { for: 'photo', photoId: String(child.photo).split('/').at(-1) },
    });
    expect(await upgrade({}, `?ticket=${photo.ticket}`)).toBe(401);
    expect(await upgrade({ 'sec-websocket-protocol': `bearer, ${staff}` }, '?ticket=no')).toBe(401);
  });

  test('ends with its session', async () => {
    const own = await app.makeFamily();
    const viewer = await listen(own.token);
    const closed = new Promise<number>((resolve) => viewer.socket.once('close', resolve));
    await app.expect(204, 'POST', '/api/logout', { token: own.token });
    expect(await closed).toBe(1008);
  });

  test('tells that a sensor is gone, and under what area it stands now', async () => {
    const made = await addSensor();
    await app.expect(202, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
      headers: { 'x-device-key': made.deviceKey },
      json: { temperature: 20 },
    });
    const viewer = await listen(family.token);
    const url = `/api/sensors/${made.sensor._id}`;
    await app.expect(200, 'PUT', url, { token: staff, json: { area: 'Garden' } });
    await vi.waitFor(
      () => expect(viewer.of(made.sensor._id)).toMatchObject({ area: 'Garden', temperature: 20 }),
      WAIT,
    );
    await app.expect(200, 'DELETE', url, { token: staff });
    await vi.waitFor(() => expect(viewer.of(made.sensor._id)).toMatchObject({ gone: true }), WAIT);
    viewer.socket.terminate();
  });

  test('tells when a value becomes stale by the clock alone', async () => {
    const made = await addSensor({ period: 10 });
    await app.expect(202, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
      headers: { 'x-device-key': made.deviceKey },
      json: { temperature: 20 },
    });
    const viewer = await listen(staff);
    await vi.waitFor(
      () => expect(viewer.of(made.sensor._id)).toMatchObject({ truth: { temperature: 'live' } }),
      WAIT,
    );
    app.clock.advance(30_001);
    await vi.waitFor(
      () => expect(viewer.of(made.sensor._id)).toMatchObject({ truth: { temperature: 'stale' } }),
      WAIT,
    );
    expect((await sensorOf(made.sensor._id)).temperature).toMatchObject({ value: 20, truth: 'stale' });
    viewer.socket.terminate();
  });
});

describe('secrets', () => {
  test('are told once and stored as hashes only; the audit log has none', async () => {
    const made = await addSensor({ kind: 'esphome' });
    const again = JSON.stringify(await app.ask('GET', '/api/sensors?limit=200', { token: staff }));
    const changed = await app.ask('PUT', `/api/sensors/${made.sensor._id}`, {
      token: staff,
      json: { name: 'New' },
    });
    const stored = JSON.stringify([
      await app.context.db.selectFrom('sensors').selectAll().execute(),
      await app.context.db.selectFrom('audit_log').selectAll().execute(),
    ]);
    for (const text of [again, JSON.stringify(changed.body), stored, app.logLines.join('\n')])
      for (const secret of [made.password, made.deviceKey]) expect(text).not.toContain(secret);
    expect(Buffer.from(made.password, 'base64url')).toHaveLength(32);
  });
});

describe('events and the record', () => {
  test('staff are told of what happens to sensors, and it is on record who did it', async () => {
    const made = await addSensor();
    const id = made.sensor._id;
    await app.expect(200, 'PUT', `/api/sensors/${id}`, { token: staff, json: { name: 'Door' } });
    await app.expect(200, 'DELETE', `/api/sensors/${id}`, { token: staff });
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff });
    expect(entries.map(({ action }) => action)).toEqual([
      'sensor.deleted',
      'sensor.updated',
      'sensor.created',
    ]);
    const types = (
      await app.context.db.selectFrom('events').select('type').orderBy('id', 'desc').limit(20).execute()
    ).map(({ type }) => type);
    for (const type of ['sensor.created', 'sensor.updated', 'sensor.deleted']) expect(types).toContain(type);
  });
});

describe('Home Assistant', () => {
  test('reads areas, readings and the number of children inside with an account of its own, and writes nothing', async () => {
    const made = await addSensor({ area: 'Nap room', period: 60 });
    const account = await app.expect(201, 'POST', '/api/home-assistant-accounts', {
      token: staff,
      json: { name: 'House' },
    });
    const child = await app.makeChild(family);
    await publish(port, made, made.topic, '{"temperature":23.5}');
    const home = subscribe(port, account, ['homeassistant/#', 'haris-server/#']);
    const find = (topic: string) =>
      home.lines.findLast((line) => line.startsWith(`${topic} `))?.slice(topic.length + 1);
    await vi.waitFor(() => {
      const config = JSON.parse(
        find(`homeassistant/sensor/haris_${made.sensor._id}/temperature/config`) ?? '{}',
      );
      expect(config).toMatchObject({
        device_class: 'temperature',
        unit_of_measurement: '°C',
        device: { suggested_area: 'Nap room' },
      });
      expect(JSON.parse(find(config.state_topic) ?? '{}')).toMatchObject({
        temperature: 23.5,
        humidity: null,
      });
      expect(find(config.availability_topic)).toBe('online');
      expect(find('haris-server/children-inside')).toBe('0');
    }, WAIT);
    await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
    await vi.waitFor(() => expect(find('haris-server/children-inside')).toBe('1'), WAIT);

    await publish(port, account, 'haris-server/children-inside', '99', '-r');
    await publish(port, account, made.topic, '{"temperature":66}');
    const spy = subscribe(port, account, ['haris/#', '#']);
    await vi.waitFor(() => expect(spy.stderr()).toContain('denied'), WAIT);
    // Out of date, so reported as unknown.
    app.clock.advance(200_000);
    await vi.waitFor(
      () =>
        expect(
          JSON.parse(find(`haris-server/sensors/${made.sensor._id}/state`) ?? '{}').temperature,
        ).toBeNull(),
      WAIT,
    );
    expect(find('haris-server/children-inside')).toBe('1');
    expect((await sensorOf(made.sensor._id)).temperature.value).toBe(23.5);
    await app.expect(200, 'DELETE', `/api/sensors/${made.sensor._id}`, { token: staff });
    // mosquitto_sub writes an empty payload this way.
    await vi.waitFor(
      () => expect(find(`homeassistant/sensor/haris_${made.sensor._id}/temperature/config`)).toBe('(null)'),
      WAIT,
    );
    await app.expect(200, 'DELETE', `/api/home-assistant-accounts/${account.account._id}`, { token: staff });
    await expect(publish(port, account, 'x', 'y')).rejects.toThrow();
    for (const one of [home, spy]) await one.end('SIGKILL');
  });

  test('an account ends with the employee who made it, and its connection at once', async () => {
    const employee = await app.makeEmployee();
    const made = await app.expect(201, 'POST', '/api/home-assistant-accounts', {
      token: employee.token,
      json: { name: 'House' },
    });
    expect(made.account.madeBy).toBe(employee.id);
    const home = subscribe(port, made, ['haris-server/#']);
    await vi.waitFor(() => expect(home.lines.join('\n')).toContain('online'), WAIT);
    staff = await app.staff();
    const gone = await app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}`, { token: staff });
    expect(gone).toMatchObject({ homeAssistantAccounts: { ended: 1, handedOver: 0 } });
    // It reconnects and is refused.
    await vi.waitFor(() => expect(home.stderr()).toMatch(/authori[sz]ed|refused/i), WAIT);
    await expect(publish(port, made, 'x', 'y')).rejects.toThrow();
    await home.end('SIGKILL');
    const { accounts } = await app.expect(200, 'GET', '/api/home-assistant-accounts', { token: staff });
    expect(accounts.map(({ _id }) => _id)).not.toContain(made.account._id);
  });

  test('an account is handed over to whoever deletes its maker, where that is asked for', async () => {
    const employee = await app.makeEmployee();
    const made = await app.expect(201, 'POST', '/api/home-assistant-accounts', {
      token: employee.token,
      json: { name: 'House' },
    });
    staff = await app.staff();
    const gone = await app.expect(200, 'DELETE', `/api/admin/delete-admin/${employee.id}?handOver=true`, {
      token: staff,
    });
    expect(gone).toMatchObject({ homeAssistantAccounts: { ended: 0, handedOver: 1 } });
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: staff });
    const { accounts } = await app.expect(200, 'GET', '/api/home-assistant-accounts', { token: staff });
    expect(accounts.find(({ _id }) => _id === made.account._id)?.madeBy).toBe(admin._id);
    const home = subscribe(port, made, ['haris-server/#']);
    await vi.waitFor(() => expect(home.lines.join('\n')).toContain('online'), WAIT);
    await home.end('SIGKILL');
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${made.account._id}`, {
      token: staff,
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'home_assistant.handed_over',
      'home_assistant.created',
    ]);
  });
});

test('after a restart the last readings are told at once, as old as they are', async () => {
  const clock = makeClock();
  const first = await startTestApp({ clock });
  const token = await first.staff();
  const made = await first.expect(201, 'POST', '/api/sensors', {
    token,
    json: { name: 'Window', area: 'Main room', kind: 'haris', period: 10 },
  });
  const send = (temperature: number) =>
    first.expect(202, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
      headers: { 'x-device-key': made.deviceKey },
      json: { temperature },
    });
  await send(20);
  clock.advance(10_000);
  await send(21);
  clock.advance(60_000);
  const { openEnvironment } = await import('./environment.ts');
  const again = await openEnvironment(first.context);
  const view = again.find(made.sensor._id);
  expect(view && again.messageOf(view)).toMatchObject({
    temperature: 21,
    at: new Date(clock.now() - 60_000).toISOString(),
    truth: { temperature: 'stale', mq2: 'none' },
  });
  await again.stop();
  await first.close();
});

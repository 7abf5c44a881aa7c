/** Two servers on one PostgreSQL, with Debian's Mosquitto between them: each thing once, and no lie about the other's devices. */
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type AnyBody, startTestApp, type TestApp, testDialect } from './testing/harness.ts';
import { createMosquitto, type Mosquitto, publish, subscribe } from './testing/mosquitto.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const ANYBODY = { username: 'anybody', password: 'none' };

describe.skipIf(testDialect === 'sqlite')('two servers on one database', () => {
  let a: TestApp;
  let b: TestApp;
  let broker: Mosquitto | undefined;
  let staff: string;

  async function startBoth(config: Record<string, string> = {}): Promise<void> {
    a = await startTestApp({ config });
    b = await startTestApp({ config, beside: a });
    staff = await a.staff();
  }
  async function startBothAtBroker(): Promise<void> {
    broker = await createMosquitto();
    await broker.start();
    await startBoth({ MQTT_URL: `mqtt://127.0.0.1:${broker.port}` });
    for (const one of [a, b]) await expect.poll(() => one.context.mqtt.state(), WAIT).toBe('ok');
  }
  const addSensor = (more: object = {}): Promise<AnyBody> =>
    a.expect(201, 'POST', '/api/sensors', {
      token: staff,
      json: { name: 'Window', area: 'Hall', kind: 'haris', ...more },
    });
  /** Each server reads a new sensor by itself, soon. */
  const bothKnowIt = async () => {
    for (const one of [a, b])
      await expect
        .poll(async () => (await one.expect(200, 'GET', '/api/sensors', { token: staff })).total, WAIT)
        .toBe(1);
  };
  const rowsOf = (id: string) =>
    a.context.db.selectFrom('sensor_readings').selectAll().where('sensor_id', '=', id).execute();
  const temperatureAt = async (server: TestApp) =>
    (await server.expect(200, 'GET', '/api/sensors', { token: staff })).sensors[0]?.temperature.value;
  const openIncidents = async (kind: string) =>
    (await a.expect(200, 'GET', '/api/incidents?state=open', { token: staff })).incidents.filter(
      (incident) => incident.kind === kind,
    );

  beforeEach(() => {
    broker = undefined;
  });
  afterEach(async () => {
    await b.close();
    await a.close();
    await broker?.remove();
  });

  test('each reading at a shared broker is stored once, and both know the newest', async () => {
    await startBothAtBroker();
    const { sensor, topic } = await addSensor();
    const port = broker?.port ?? 0;
    await bothKnowIt();
    for (let n = 0; n < 40; n++) {
      await publish(port, ANYBODY, topic, JSON.stringify({ temperature: n / 2 }));
      a.clock.advance(100);
    }
    await expect.poll(async () => (await rowsOf(sensor._id)).length, WAIT).toBe(40);
    const values = (await rowsOf(sensor._id)).map(({ temperature }) => Number(temperature));
    expect(values.sort((x, y) => x - y)).toEqual(Array.from({ length: 40 }, (_, n) => n / 2));
    for (const one of [a, b]) await expect.poll(() => temperatureAt(one), WAIT).toBe(19.5);
  });

  test('“got worse” is told once', async () => {
    await startBothAtBroker();
    const { topic } = await addSensor();
    const port = broker?.port ?? 0;
    await bothKnowIt();
    for (const temperature of [45, 50, 60, 70]) {
      await publish(port, ANYBODY, topic, JSON.stringify({ temperature }));
      a.clock.advance(1_000);
      for (const one of [a, b]) await expect.poll(() => temperatureAt(one), WAIT).toBe(temperature);
    }
    for (const one of [a, b]) await one.app.incidents.sweep();
    const [incident] = await openIncidents('temperature');
    const worse = incident?.timeline.filter(({ what }) => what === 'updated').length;
    const alone = await tellWorse();
    expect(worse).toBe(alone);
  });

  /** How often one server alone would say “worse” of the same readings. */
  async function tellWorse(): Promise<number> {
    const alone = await startTestApp();
    try {
      const token = await alone.staff();
      const { sensor, deviceKey } = await alone.expect(201, 'POST', '/api/sensors', {
        token,
        json: { name: 'Window', area: 'Hall', kind: 'haris' },
      });
      for (const temperature of [45, 50, 60, 70]) {
        await alone.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
          json: { temperature },
          headers: { 'x-device-key': deviceKey },
        });
        alone.clock.advance(1_000);
      }
      await alone.app.incidents.sweep();
      const { incidents } = await alone.expect(200, 'GET', '/api/incidents?state=open', { token });
      return incidents[0]?.timeline.filter(({ what }) => what === 'updated').length ?? -1;
    } finally {
      await alone.close();
    }
  }

  test('a reading that is delivered to both by its id is stored once; two ids of one millisecond stay two', async () => {
    await startBoth();
    const { sensor, deviceKey } = await addSensor();
    const send = (server: TestApp, id: string | number, temperature: number) =>
      server.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
        json: { id, temperature },
        headers: { 'x-device-key': deviceKey },
      });
    await send(a, 'm1', 20);
    await send(b, 'm1', 20);
    await send(b, 2, 20);
    await send(a, 3, 21);
    const rows = await rowsOf(sensor._id);
    expect(rows.map(({ key, temperature }) => [key, temperature]).sort()).toEqual([
      ['2', 20],
      ['3', 21],
      ['m1', 20],
    ]);
  });

  test('a reading sent to one by HTTP reaches a page that is open at the other', async () => {
    await startBoth();
    const { sensor, deviceKey } = await addSensor();
    await b.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = b.app.server.address() as AddressInfo;
    await bothKnowIt();
    const family = await a.makeFamily();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['bearer', family.token]);
    const heard: unknown[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data)).temperature));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    for (const temperature of [21, 22, 23]) {
      await a.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
        json: { temperature },
        headers: { 'x-device-key': deviceKey },
      });
      a.clock.advance(1_000);
    }
    await expect.poll(() => heard, WAIT).toEqual([21, 22, 23]);
    socket.close();
  });

  test('a sensor of one that falls silent is an incident while the other has the lease', async () => {
    await startBoth();
    const { sensor, deviceKey } = await addSensor();
    await b.app.incidents.sweep();
    for (let n = 0; n < 3; n++) {
      await a.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
        json: { temperature: 20 + n },
        headers: { 'x-device-key': deviceKey },
      });
      a.clock.advance(10_000);
    }
    await expect.poll(() => temperatureAt(b), WAIT).toBe(22);
    for (let n = 0; n < 3; n++) {
      a.clock.advance(75_000);
      // A asks too, and has no lease.
      await a.app.incidents.sweep();
      await b.app.incidents.sweep();
    }
    expect(await openIncidents('sensor_offline')).toMatchObject([{ subject: { _id: sensor._id } }]);
    await a.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
      json: { temperature: 20 },
      headers: { 'x-device-key': deviceKey },
    });
    await expect.poll(() => temperatureAt(b), WAIT).toBe(20);
    await b.app.incidents.sweep();
    expect(await openIncidents('sensor_offline')).toEqual([]);
  });

  test('the status of a server that lives is online after another has gone, and offline after the last', async () => {
    await startBothAtBroker();
    const home = subscribe(broker?.port ?? 0, ANYBODY, ['haris-server/status']);
    await expect.poll(() => home.lines.at(-1), WAIT).toBe('haris-server/status online');
    await b.close();
    await expect.poll(() => home.lines.includes('haris-server/status offline'), WAIT).toBe(true);
    await expect.poll(() => home.lines.at(-1), WAIT).toBe('haris-server/status online');
    // What the broker keeps for whoever comes later.
    const late = subscribe(broker?.port ?? 0, ANYBODY, ['haris-server/status']);
    await expect.poll(() => late.lines, WAIT).toEqual(['haris-server/status online']);
    await a.close();
    await expect.poll(() => home.lines.at(-1), WAIT).toBe('haris-server/status offline');
    await Promise.all([home.end('SIGKILL'), late.end('SIGKILL')]);
    await startBoth();
  });
});

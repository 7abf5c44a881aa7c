/** Two servers on one PostgreSQL with Debian's Mosquitto: each event once, and correct states of the other's devices. */
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type FakeLive, startFakeLive } from './testing/fake-live.ts';
import { type AnyBody, startTestApp, type TestApp, testDialect } from './testing/harness.ts';
import { createMosquitto, type Mosquitto, publish, subscribe } from './testing/mosquitto.ts';

const WAIT = { timeout: 240_000, interval: 50 };
const ANYBODY = { username: 'anybody', password: 'none' };

describe.skipIf(testDialect === 'sqlite')('two servers on one database', () => {
  let a: TestApp;
  let b: TestApp;
  let broker: Mosquitto | undefined;
  let liveA: FakeLive | undefined;
  let liveB: FakeLive | undefined;
  let staff: string;

  async function startBoth(config: Record<string, string> = {}): Promise<void> {
    a = await startTestApp({ config, ...(liveA ? { live: liveA } : {}) });
    // No two clocks agree to the millisecond.
    const { clock } = a;
    const ahead = { now: () => clock.now() + 7, advance: clock.advance };
    b = await startTestApp({ config, beside: a, clock: ahead, ...(liveB ? { live: liveB } : {}) });
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
  /** Each server soon notices a new sensor by itself. */
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

  /** Two servers, each with its own engine. */
  async function startBothWithEngines(): Promise<[FakeLive, FakeLive]> {
    const engines: [FakeLive, FakeLive] = [await startFakeLive(), await startFakeLive()];
    [liveA, liveB] = engines;
    await startBoth();
    for (const one of [a, b]) await expect.poll(() => one.context.live.isUp(), WAIT).toBe(true);
    return engines;
  }
  const addCamera = async (json: object): Promise<string> =>
    (await a.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;

  beforeEach(() => {
    [broker, liveA, liveB] = [undefined, undefined, undefined];
  });
  afterEach(async () => {
    await b.close();
    await a.close();
    await broker?.remove();
    await liveA?.stop();
    await liveB?.stop();
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

  /** How often a single server would report “worse” for the same readings. */
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
    await bothKnowIt();
    await b.app.incidents.sweep();
    for (let n = 0; n < 5; n++) {
      await a.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
        json: { temperature: 20 + n },
        headers: { 'x-device-key': deviceKey },
      });
      a.clock.advance(10_000);
    }
    await expect.poll(() => temperatureAt(b), WAIT).toBe(24);
    for (let n = 0; n < 3; n++) {
      a.clock.advance(75_000);
      // A asks too, without a lease.
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
    // Messages that the broker retains for later subscribers.
    const late = subscribe(broker?.port ?? 0, ANYBODY, ['haris-server/status']);
    await expect.poll(() => late.lines, WAIT).toEqual(['haris-server/status online']);
    await a.close();
    await expect.poll(() => home.lines.at(-1), WAIT).toBe('haris-server/status offline');
    await Promise.all([home.end('SIGKILL'), late.end('SIGKILL')]);
    await startBoth();
  });

  test('a tablet that streams to one is not down for the other, which has the lease', async () => {
    const [engine] = await startBothWithEngines();
    const camera = await addCamera({ name: 'Tablet', area: 'Hall', kind: 'browser' });
    await a.context.db
      .insertInto('camera_devices')
      .values({ camera_id: camera, token_hash: 'hash', connection: null, paired_at: 0 })
      .execute();
    await b.app.incidents.sweep();
    await expect.poll(() => engine.cameras.length, WAIT).toBe(1);
    engine.report(camera, { state: 'live' });
    await expect.poll(() => b.context.cameras.report(camera)?.state, WAIT).toBe('live');
    for (let n = 0; n < 4; n++) {
      await b.app.incidents.sweep();
      a.clock.advance(60_000);
    }
    await b.app.incidents.sweep();
    expect(await openIncidents('camera_down')).toEqual([]);
    const [shown] = (await b.expect(200, 'GET', '/api/cameras', { token: staff })).cameras;
    expect(shown).toMatchObject({ state: 'live', fps: 15 });
    // The second server reports what the first one loses.
    engine.report(camera, { state: 'stalled' });
    await expect.poll(() => b.context.cameras.report(camera)?.state, WAIT).toBe('stalled');
    await b.app.incidents.sweep();
    a.clock.advance(31_000);
    await b.app.incidents.sweep();
    expect(await openIncidents('camera_down')).toMatchObject([{ subject: { _id: camera } }]);
  });

  test('a network camera is connected to once, seen once, and taken over when its server goes', async () => {
    const engines = await startBothWithEngines();
    const camera = await addCamera({
      name: 'Door',
      area: 'Hall',
      kind: 'mjpeg',
      url: 'http://192.0.2.7/stream',
    });
    for (const engine of engines) await expect.poll(() => engine.cameras.length, WAIT).toBe(1);
    const connected = () => engines.map((engine) => engine.cameras[0]?.enabled === true);
    await expect.poll(() => connected().filter(Boolean).length, WAIT).toBe(1);
    const [owner, other] = connected()[0] ? [a, b] : [b, a];
    const [ownersEngine, othersEngine] = connected()[0] ? engines : [engines[1], engines[0]];
    ownersEngine.report(camera, { state: 'live' });
    othersEngine.report(camera, { state: 'off' });
    await expect.poll(() => other.context.cameras.report(camera)?.state, WAIT).toBe('live');
    // The camera is live, and the server without its lease says that it cannot show it.
    expect(await other.ask('GET', `/video_feed?camera_id=${camera}`, { token: staff })).toMatchObject({
      status: 503,
      body: { code: 'no_camera' },
    });

    const child = await a.makeChild(await a.makeFamily());
    await a.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
    const tracks = async () => {
      const rows = await a.context.db.selectFrom('sightings').select('track').orderBy('track').execute();
      return rows.map(({ track }) => track.split(' ')[0]);
    };
    // Reports of an engine whose server lost the camera are ignored.
    othersEngine.seen({
      cameraId: camera,
      subject: { kind: 'child', id: child._id },
      trackId: 'late',
      from: 0,
      to: 1_000,
    });
    ownersEngine.seen({
      cameraId: camera,
      subject: { kind: 'child', id: child._id },
      trackId: 'one',
      from: 0,
      to: 1_000,
    });
    await expect.poll(tracks, WAIT).toEqual(['one']);

    await owner.context.cameras.stop();
    await expect.poll(() => othersEngine.cameras[0]?.enabled, WAIT).toBe(true);
    ownersEngine.seen({
      cameraId: camera,
      subject: { kind: 'child', id: child._id },
      trackId: 'two',
      from: 0,
      to: 1_000,
    });
    othersEngine.seen({
      cameraId: camera,
      subject: { kind: 'child', id: child._id },
      trackId: 'three',
      from: 0,
      to: 1_000,
    });
    await expect.poll(tracks, WAIT).toEqual(['one', 'three']);
  });
});

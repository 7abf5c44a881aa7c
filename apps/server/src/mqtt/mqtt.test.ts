/** MQTT: permissions and limits, an external broker that disappears and returns, TLS, and occupied ports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { makeCertificate } from '../testing/certificate.ts';
import { startTestApp } from '../testing/harness.ts';
import { createMosquitto, findFreePort, publish, subscribe } from '../testing/mosquitto.ts';
import { NO_VISION, runProgram, startProgram } from '../testing/program.ts';
import { createTokenBucket } from '../token-bucket.ts';
import { createFrameGuard } from './limits.ts';
import {
  type BrokerRole,
  deviceTopic,
  discoveryName,
  mayPublish,
  mayReceive,
  maySubscribe,
  serverTopic,
  toTopicLevel,
} from './topics.ts';

const WAIT = { timeout: 240_000, interval: 50 };
/** A Mosquitto without authentication accepts any account. */
const ANYBODY = { username: 'anybody', password: 'anything' };

describe('topics', () => {
  const device = (deviceKind: 'haris' | 'esphome' | 'tasmota', topic: string): BrokerRole => ({
    kind: 'device',
    deviceKind,
    topic,
  });
  const topics = fc
    .array(
      fc.constantFrom(
        'haris',
        'hall',
        'haris-1',
        'haris-2',
        'tele',
        'stat',
        'cmnd',
        'state',
        'sensor',
        '#',
        '+',
        '',
        '$SYS',
        'homeassistant',
        'haris-server',
        'command',
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((levels) => levels.join('/'));

  test('a device publishes and subscribes to nothing that is not below its own', () => {
    const roles = [
      { role: device('haris', 'haris/hall/haris-1'), own: /^haris\/hall\/haris-1\// },
      { role: device('esphome', 'haris/hall/haris-1'), own: /^haris\/hall\/haris-1\// },
      { role: device('tasmota', 'haris-1'), own: /^(tele|stat|cmnd)\/haris-1\// },
    ];
    fc.assert(
      fc.property(topics, (topic) => {
        for (const { role, own } of roles) {
          if (mayPublish(role, topic)) expect(topic).toMatch(own);
          if (maySubscribe(role, topic)) expect(topic).toMatch(own);
        }
        const reader: BrokerRole = { kind: 'home_assistant', facility: 'main' };
        expect(mayPublish(reader, topic)).toBe(false);
        if (maySubscribe(reader, topic)) expect(topic).toMatch(/^(homeassistant|haris-server)\//);
      }),
      { numRuns: 5_000 },
    );
    expect(mayPublish(device('haris', 'haris/hall/haris-1'), 'haris/hall/haris-10/state')).toBe(false);
  });

  test('a Home Assistant receives what is of its facility, and whether the server is there', () => {
    const readerOf = (facility: string): BrokerRole => ({ kind: 'home_assistant', facility });
    const topicsOf = (facility: string) => [
      serverTopic(facility, 'sensors/1/state'),
      serverTopic(facility, 'children-inside'),
      `homeassistant/sensor/${discoveryName(facility, '1')}/mq2/config`,
    ];
    for (const [own, other] of [
      ['main', 'second'],
      ['second', 'main'],
      ['second', 'third'],
    ] as const) {
      for (const topic of [...topicsOf(own), 'haris-server/status'])
        expect(mayReceive(readerOf(own), topic), topic).toBe(true);
      for (const topic of topicsOf(other)) expect(mayReceive(readerOf(own), topic), topic).toBe(false);
    }
    expect(topicsOf('main')).toEqual([
      'haris-server/sensors/1/state',
      'haris-server/children-inside',
      'homeassistant/sensor/haris_1/mq2/config',
    ]);
  });

  test('a device publishes what its firmware reports, and nothing else below its own topic', () => {
    const own = 'haris/hall/haris-1';
    const rests = ['state', 'availability', 'status', 'sensor/mq2/state', 'sensor/a/b/state'];
    const others = [
      'command',
      'state/more',
      'availability/more',
      'x/availability',
      'x/status',
      'sensor/state',
    ];
    const published = (role: BrokerRole, root: string): string[] =>
      [...rests, ...others].filter((rest) => mayPublish(role, `${root}/${rest}`));
    expect(published(device('haris', own), own)).toEqual(['state', 'availability']);
    expect(published(device('esphome', own), own)).toEqual(['availability', 'status', 'sensor/mq2/state']);
    const tasmota = device('tasmota', 'haris-1');
    for (const topic of ['tele/haris-1/SENSOR', 'tele/haris-1/LWT', 'stat/haris-1/RESULT'])
      expect(mayPublish(tasmota, topic)).toBe(true);
    for (const topic of ['cmnd/haris-1/POWER', 'haris-1/SENSOR', 'tele/haris-1'])
      expect(mayPublish(tasmota, topic)).toBe(false);
  });

  test('an area of any name is one level of a topic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (area) => {
        expect(toTopicLevel(area)).toMatch(/^[^/+#\0\s$]{1,80}$/u);
      }),
    );
    expect(deviceTopic('haris', 'Main Room / 2#', 'haris-1')).toBe('haris/main-room-2/haris-1');
    expect(deviceTopic('esphome', 'غرفة النوم', 'haris-1')).toBe('haris/غرفة-النوم/haris-1');
    expect(deviceTopic('tasmota', 'Hall', 'haris-1')).toBe('haris-1');
  });
});

describe('bounds', () => {
  test('packets are told apart however they are cut, and too large ones are noticed by their header', () => {
    const packet = (length: number): Buffer => {
      const head = [0x30];
      for (let rest = length; ; ) {
        const group = rest % 128;
        rest = Math.floor(rest / 128);
        head.push(rest > 0 ? group | 0x80 : group);
        if (rest === 0) break;
      }
      return Buffer.concat([Buffer.from(head), Buffer.alloc(length, 0xff)]);
    };
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        (lengths, cut, isTooLarge) => {
          const guard = createFrameGuard(400, () => 0);
          const stream = Buffer.concat([...lengths.map(packet), ...(isTooLarge ? [packet(401)] : [])]);
          let isFine = true;
          for (let from = 0; from < stream.length && isFine; from += cut)
            isFine = guard(stream.subarray(from, from + cut));
          expect(isFine).toBe(!isTooLarge);
        },
      ),
    );
    expect(createFrameGuard(1e9, () => 0)(Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0x01]))).toBe(false);
  });

  test('a bucket lets a burst through, and then so many a second', () => {
    const admit = createTokenBucket(3, 2);
    expect([0, 0, 0, 0].map(admit)).toEqual([true, true, true, false]);
    expect(admit(400)).toBe(false);
    expect([1_000, 1_000, 1_000].map(admit).filter(Boolean)).toHaveLength(2);
    expect([60_000, 60_000, 60_000, 60_000].map(admit)).toEqual([true, true, true, false]);
  });
});

describe('another broker', () => {
  test('is listened to, told of the server’s end, an incident while it is away, and found again', async () => {
    const broker = await createMosquitto();
    await broker.start();
    const app = await startTestApp({ config: { MQTT_URL: `mqtt://haris:secret@127.0.0.1:${broker.port}` } });
    try {
      const token = await app.staff();
      const made = await app.expect(201, 'POST', '/api/sensors', {
        token,
        json: { name: 'Window', area: 'Hall', kind: 'haris', period: 600 },
      });
      const temperature = async () =>
        (await app.expect(200, 'GET', '/api/sensors', { token })).sensors[0]?.temperature.value;
      const ready = async () => (await app.app.inject('/readyz')).json().parts.broker;
      await vi.waitFor(async () => expect(await ready()).toBe('ok'), WAIT);
      // A message that the broker retained is not a current reading.
      await publish(broker.port, ANYBODY, made.topic, '{"temperature":20}', '-r');
      await vi.waitFor(async () => expect(await temperature()).toBe(20), WAIT);

      await broker.kill();
      await vi.waitFor(async () => expect(await ready()).toBe('down'), WAIT);
      expect((await app.app.inject('/readyz')).statusCode).toBe(503);
      // A broker restart is no incident; a lasting outage is one incident until the broker is back.
      const incidents = async (state: string) =>
        (await app.expect(200, 'GET', `/api/incidents?state=${state}`, { token })).incidents.filter(
          ({ kind }) => kind === 'broker_down',
        );
      const sweepAfter = async (ms: number) => {
        app.clock.advance(ms);
        await app.app.incidents.sweep();
      };
      await sweepAfter(0);
      await sweepAfter(29_000);
      expect(await incidents('open')).toEqual([]);
      await sweepAfter(1_000);
      await sweepAfter(1_000);
      expect(await incidents('open')).toMatchObject([{ severity: 'operation', subject: null }]);
      await broker.start();
      await vi.waitFor(async () => expect(await ready()).toBe('ok'), WAIT);
      await sweepAfter(1_000);
      expect(await incidents('open')).toHaveLength(1);
      await sweepAfter(10_000);
      expect(await incidents('open')).toEqual([]);
      expect(await incidents('all')).toHaveLength(1);
      const home = subscribe(broker.port, ANYBODY, ['haris-server/#', 'homeassistant/#']);
      await vi.waitFor(() => {
        expect(home.lines).toContain('haris-server/status online');
        expect(home.lines.join('\n')).toContain(
          `homeassistant/sensor/haris_${made.sensor._id}/temperature/config`,
        );
      }, WAIT);
      await publish(broker.port, ANYBODY, made.topic, '{"temperature":23}');
      await vi.waitFor(async () => expect(await temperature()).toBe(23), WAIT);
      expect(app.logLines.join('\n')).not.toContain('secret');
      await app.close();
      await vi.waitFor(() => expect(home.lines.at(-1)).toBe('haris-server/status offline'), WAIT);
      await home.end('SIGKILL');
    } finally {
      await broker.remove();
    }
  });

  test('that keeps an old reading does not make it new', async () => {
    const broker = await createMosquitto();
    await broker.start();
    const config = { MQTT_URL: `mqtt://127.0.0.1:${broker.port}` };
    const app = await startTestApp({ config });
    try {
      const token = await app.staff();
      const made = await app.expect(201, 'POST', '/api/sensors', {
        token,
        json: { name: 'Window', area: 'Hall', kind: 'haris' },
      });
      await vi.waitFor(
        async () => expect((await app.app.inject('/readyz')).json().parts.broker).toBe('ok'),
        WAIT,
      );
      const state = made.topic;
      await publish(broker.port, ANYBODY, state, '{"temperature":20}', '-r');
      const sensor = async () => (await app.expect(200, 'GET', '/api/sensors', { token })).sensors[0];
      await vi.waitFor(async () => expect((await sensor())?.temperature.value).toBe(20), WAIT);
      await vi.waitFor(async () => {
        const rows = await app.context.db.selectFrom('sensor_readings').select('at').execute();
        expect(rows).toHaveLength(1);
      }, WAIT);
      app.clock.advance(3_600_000);
      const { connectBroker } = await import('./remote.ts');
      // Not every broker sends retained readings to a shared subscription; availability goes to every server.
      await publish(broker.port, ANYBODY, state.replace(/state$/, 'availability'), 'online', '-r');
      const link = connectBroker(config.MQTT_URL, 'a-group', app.context.log);
      const kept: { topic: string; retained: boolean; username: string | null }[] = [];
      link.listen({ onMessage: (message) => kept.push(message), onOverflow() {}, onUp() {} });
      await vi.waitFor(
        () => expect(kept.some(({ topic }) => topic.endsWith('/availability'))).toBe(true),
        WAIT,
      );
      expect(kept.every(({ retained, username }) => retained && username === null)).toBe(true);
      await link.close();
      const { openEnvironment } = await import('../features/environment/environment.ts');
      const listening: ((message: object) => void)[] = [];
      const environment = await openEnvironment({
        ...app.context,
        mqtt: {
          ...app.context.mqtt,
          listen: (listener) => {
            listening.push(listener.onMessage as (message: object) => void);
            return () => {};
          },
        },
      });
      const payload = Buffer.from('{"temperature":25}');
      listening[0]?.({ topic: state, payload, retained: true, username: null });
      expect(environment.find(made.sensor._id)?.state.values.temperature?.value).toBe(20);
      listening[0]?.({ topic: state, payload, retained: false, username: null });
      expect(environment.find(made.sensor._id)?.state.values.temperature?.value).toBe(25);
      await environment.stop();
    } finally {
      await app.close();
      await broker.remove();
    }
  });
});

test('with a certificate the embedded broker speaks TLS and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'haris-tls-'));
  const { cert, key } = makeCertificate(folder, 'broker');
  const port = await findFreePort();
  const app = await startTestApp({
    config: { MQTT_PORT: String(port), MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key },
  });
  try {
    const token = await app.staff();
    const made = await app.expect(201, 'POST', '/api/sensors', {
      token,
      json: { name: 'Window', area: 'Hall', kind: 'esphome' },
    });
    await publish(port, made, `${made.topic}/sensor/temperature/state`, '21.0', '--cafile', cert);
    await vi.waitFor(async () => {
      const { sensors } = await app.expect(200, 'GET', '/api/sensors', { token });
      expect(sensors[0]?.temperature.value).toBe(21);
    }, WAIT);
    expect(made.esphomeYaml).toContain('certificate_authority');
    const plain = connect(port, '127.0.0.1', () =>
      plain.write(Buffer.from('100c00044d5154540402003c0000', 'hex')),
    );
    const answered: Buffer[] = [];
    plain.on('data', (data) => answered.push(data));
    plain.on('error', () => {});
    await new Promise((resolve) => plain.once('close', resolve));
    // At most a TLS alert, never a CONNACK.
    expect(Buffer.concat(answered)[0]).not.toBe(0x20);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the program', () => {
  test('says so in one line that names MQTT_PORT when the port that was asked for is taken', async () => {
    const other = createServer();
    const port = await findFreePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const dataDir = mkdtempSync(join(tmpdir(), 'haris-port-'));
    try {
      const ended = await runProgram({ DATA_DIR: dataDir, MQTT_PORT: String(port), ...NO_VISION });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain('Haris cannot start: MQTT_PORT is in use by another program.');
    } finally {
      other.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test('listens on MQTT_PORT, stops with a device connected, and lets the port go', async () => {
    const port = await findFreePort();
    const dataDir = mkdtempSync(join(tmpdir(), 'haris-port-'));
    try {
      const program = await startProgram({ DATA_DIR: dataDir, MQTT_PORT: String(port), ...NO_VISION });
      await expect(publish(port, ANYBODY, 'x', 'y')).rejects.toThrow('refused');
      program.kill('SIGTERM');
      expect(await program.ended).toMatchObject({ code: 0 });
      const free = createServer();
      await new Promise<void>((resolve, reject) =>
        free.once('error', reject).listen(port, '127.0.0.1', resolve),
      );
      free.close();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

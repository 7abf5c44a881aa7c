/** 200 devices on Debian's Mosquitto: good readings, bad payloads, and last wills of killed devices. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AnyBody, startTestApp, type TestApp } from '../testing/harness.ts';
import { connectDevice, createMosquitto, type Device, type Mosquitto } from '../testing/mosquitto.ts';

const DEVICES = 200;
/** Number of concurrent process starts and calls. */
const AT_ONCE = 25;
const WAIT = { timeout: 240_000, interval: 100 };
/** Each try sends what has not arrived; a reading with the same id is stored once. */
const RESEND = { timeout: 240_000, interval: 2_000 };
const GOOD = {
  reason: null,
  payload: (index: number) => `{"id":"first","temperature":${20 + index / 100},"humidity":40}`,
};
/** A device's message, by its number; three of ten are implausible. */
const SAID = [
  GOOD,
  GOOD,
  { reason: 'unreadable', payload: () => 'temperature is 21' },
  GOOD,
  { reason: 'out_of_range', payload: () => '{"temperature":999}' },
  GOOD,
  { reason: 'nothing_known', payload: () => '{"light":3}' },
  GOOD,
  GOOD,
  GOOD,
] as const;
const saidBy = (index: number) => SAID[index % SAID.length] ?? GOOD;
/** Every fourth is killed. */
const isKilled = (index: number) => index % 4 === 3;

let broker: Mosquitto;
let app: TestApp;
beforeAll(async () => {
  broker = await createMosquitto();
  await broker.start();
  app = await startTestApp({ config: { MQTT_URL: `mqtt://127.0.0.1:${broker.port}` } });
});
afterAll(async () => {
  await app.close();
  await broker.remove();
});

async function forAll<T>(count: number, work: (index: number) => Promise<T> | T): Promise<T[]> {
  const done: T[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, offset) => from + offset);
    done.push(...(await Promise.all(some.map(work))));
  }
  return done;
}

test('200 devices: each good reading is kept, each bad payload counted, each killed one offline by its last will', async () => {
  const token = await app.staff();
  const made = await forAll<AnyBody>(DEVICES, (index) =>
    app.expect(201, 'POST', '/api/sensors', {
      token,
      json: { name: `Device ${index}`, area: `Room ${index % 20}`, kind: 'haris' },
    }),
  );
  const place = new Map(made.map(({ sensor }, index) => [sensor._id, index]));
  const sensors = async () => {
    const list = await app.expect(200, 'GET', `/api/sensors?limit=${DEVICES}`, { token });
    expect(list.sensors).toHaveLength(DEVICES);
    return list.sensors.toSorted((a, b) => (place.get(a._id) ?? 0) - (place.get(b._id) ?? 0));
  };
  await vi.waitFor(
    async () => expect((await app.app.inject('/readyz')).json().parts.broker).toBe('ok'),
    WAIT,
  );

  const devices = await forAll<Device>(DEVICES, (index) => {
    const account = made[index];
    if (!account) throw new Error('no account');
    const availability = account.topic.replace(/state$/, 'availability');
    const device = connectDevice(broker.port, account, { topic: account.topic, availability });
    device.say(saidBy(index).payload(index));
    return device;
  });
  try {
    await vi.waitFor(async () => {
      const list = await sensors();
      for (const [index, sensor] of list.entries()) {
        // As a real device does: on a busy machine the server may have lost the broker while a message was on its way.
        if (sensor.state === 'none' && sensor.refused.count === 0)
          devices[index]?.say(saidBy(index).payload(index));
      }
      for (const [index, sensor] of list.entries()) {
        const { reason } = saidBy(index);
        expect(sensor).toMatchObject({
          state: reason === null ? 'live' : 'none',
          temperature: { value: reason === null ? 20 + index / 100 : null },
          refused: {
            count: reason === null ? 0 : expect.toSatisfy((count: number) => count >= 1),
            lastReason: reason,
          },
        });
      }
    }, RESEND);

    await forAll(DEVICES, (index) => (isKilled(index) ? devices[index]?.kill() : undefined));
    const states = made.map((_, index) =>
      isKilled(index) ? 'offline' : saidBy(index).reason === null ? 'live' : 'none',
    );
    await vi.waitFor(async () => expect((await sensors()).map(({ state }) => state)).toEqual(states), WAIT);
  } finally {
    // A clean disconnect sends no last will.
    await forAll(DEVICES, (index) => (isKilled(index) ? devices[index]?.kill() : devices[index]?.leave()));
  }
  expect((await sensors()).filter(({ state }) => state === 'offline')).toHaveLength(DEVICES / 4);
  const rows = await app.context.db.selectFrom('sensor_readings').select('sensor_id').execute();
  const good = made.filter((_, index) => saidBy(index).reason === null);
  expect(rows.map((row) => row.sensor_id).toSorted()).toEqual(
    good.map(({ sensor }) => sensor._id).toSorted(),
  );
});

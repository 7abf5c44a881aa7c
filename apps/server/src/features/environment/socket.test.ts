/** `/ws` with a client that stops reading: the server must not keep its messages in memory. */
import type { AddressInfo } from 'node:net';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type AnyBody, startTestApp, type TestApp } from '../../testing/harness.ts';
import { findFreePort } from '../../testing/mosquitto.ts';

/** More than the kernel buffers for one connection, so that the server has to hold the rest. Bytes. */
const SENT_MOST = 32 * 1024 * 1024;
/** More than the server may hold for one connection, with some messages on top. Bytes. */
const HELD_MOST = 512 * 1024;
const DEVICES = 40;

let app: TestApp;
let devices: { client: MqttClient; topic: string }[];
let staff: string;

beforeAll(async () => {
  const port = await findFreePort();
  app = await startTestApp({ config: { MQTT_PORT: String(port) } });
  staff = await app.staff();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const made: AnyBody[] = [];
  for (let index = 0; index < DEVICES; index++)
    made.push(
      await app.expect(201, 'POST', '/api/sensors', {
        token: staff,
        json: { name: `Device ${index}`, area: '🌡'.repeat(50), kind: 'haris' },
      }),
    );
  devices = await Promise.all(
    made.map(async ({ username, password, topic }) => ({
      client: await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username, password }),
      topic,
    })),
  );
});
afterAll(async () => {
  await Promise.all(devices.map(({ client }) => client.endAsync()));
  await app.close();
});

async function listen(token: string): Promise<WebSocket> {
  const { port } = app.app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['bearer', token]);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

test('a client that stops reading is cut off, and one that reads stays', async () => {
  const { clients } = app.app.websocketServer;
  const [slow, quick] = [await listen(staff), await listen(staff)];
  await vi.waitFor(() => expect(clients.size).toBe(2), { timeout: 240_000, interval: 10 });
  slow.pause();
  let received = 0;
  quick.on('message', (data) => {
    received += String(data).length;
  });
  for (let round = 0; clients.size === 2 && received < SENT_MOST; round++) {
    await Promise.all(
      devices.map(({ client, topic }) =>
        client.publishAsync(topic, JSON.stringify({ temperature: (round % 400) / 10 }), { qos: 1 }),
      ),
    );
    for (const { bufferedAmount } of clients) expect(bufferedAmount).toBeLessThan(HELD_MOST);
  }
  expect(clients.size).toBe(1);
  expect(quick.readyState).toBe(WebSocket.OPEN);
  slow.terminate();
  quick.terminate();
});

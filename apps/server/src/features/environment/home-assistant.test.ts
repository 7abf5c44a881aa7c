/** Home Assistants of two facilities on the embedded broker: each reads the sensors and the children of its own. */
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';
import { findFreePort } from '../../testing/mosquitto.ts';

const within = { timeout: 240_000, interval: 20 };
let app: TestApp;
let port: number;
let second: string;
const clients: MqttClient[] = [];

beforeAll(async () => {
  port = await findFreePort();
  app = await startTestApp({ config: { MQTT_PORT: String(port) } });
  second = await makeFacility(app, 'Second');
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.endAsync()));
  await app.close();
});

/** A Home Assistant of a facility, with all that it has heard. */
async function listen(at: TestApp, maker?: string): Promise<Map<string, string>> {
  const token = maker ?? (await app.staff());
  const json = { name: 'Home' };
  const account = await at.expect(201, 'POST', '/api/home-assistant-accounts', { token, json });
  const { username, password } = account;
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username, password });
  clients.push(client);
  const heard = new Map<string, string>();
  client.on('message', (topic, payload) => heard.set(topic, String(payload)));
  await client.subscribeAsync(['haris-server/#', 'homeassistant/#']);
  return heard;
}
async function makeSensor(at: TestApp): Promise<string> {
  const token = await app.staff();
  const json = { name: 'Window', area: 'Playroom', kind: 'haris' };
  const { sensor, deviceKey } = await at.expect(201, 'POST', '/api/sensors', { token, json });
  await at.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
    json: { temperature: 21 },
    headers: { 'x-device-key': deviceKey },
  });
  return sensor._id;
}

test('each hears its own sensors and children, kept and new, and nothing of the other', async () => {
  const there = atFacility(app, second);
  // One sensor of each before they listen, whose messages the broker keeps, and one after.
  const sensors = { here: [await makeSensor(app)], there: [await makeSensor(there)] };
  const [here, elsewhere] = [await listen(app), await listen(there)];
  sensors.here.push(await makeSensor(app));
  sensors.there.push(await makeSensor(there));
  const stateOf = (id: string, facility?: string) =>
    facility ? `haris-server/at/${facility}/sensors/${id}/state` : `haris-server/sensors/${id}/state`;
  const wanted = {
    here: sensors.here.map((id) => stateOf(id)),
    there: sensors.there.map((id) => stateOf(id, second)),
  };
  await vi.waitFor(() => {
    for (const topic of [...wanted.here, 'haris-server/children-inside']) expect(here.has(topic)).toBe(true);
    for (const topic of [...wanted.there, `haris-server/at/${second}/children-inside`])
      expect(elsewhere.has(topic)).toBe(true);
  }, within);
  const all = (heard: Map<string, string>) => [...heard].flat().join('\n');
  for (const id of [...sensors.there, second]) expect(all(here)).not.toContain(id);
  for (const id of sensors.here) expect(all(elsewhere)).not.toContain(id);
  expect(elsewhere.has('haris-server/children-inside')).toBe(false);
});

test('those that a colleague of both facilities made end with the colleague, wherever they are', async () => {
  const there = atFacility(app, second);
  const maker = await app.makeEmployee();
  await manageAt(app, maker, 'main', second);
  const before = clients.length;
  for (const at of [app, there]) await listen(at, maker.token);
  const [here, elsewhere] = clients.slice(before);
  await listen(there);
  const kept = clients.at(-1);
  const url = `/api/admin/delete-admin/${maker.id}`;
  expect(await app.expect(200, 'DELETE', url, { token: await app.staff() })).toMatchObject({
    homeAssistantAccounts: { ended: 2, handedOver: 0 },
  });
  const rows = app.context.db.selectFrom('home_assistant_accounts').select('made_by');
  expect((await rows.execute()).filter(({ made_by }) => made_by === maker.id)).toEqual([]);
  // The broker ends them; a client that tries again is refused.
  for (const client of [here, elsewhere]) {
    await vi.waitFor(() => expect(client?.connected).toBe(false), within);
    const { username = '', password = '' } = client?.options ?? {};
    const again = mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { username, password, reconnectPeriod: 0 });
    await expect(again).rejects.toThrow();
  }
  expect(kept?.connected).toBe(true);
});

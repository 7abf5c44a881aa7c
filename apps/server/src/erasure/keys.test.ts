/** Keys of devices and accounts that were revoked after a backup do not come back with its restore. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVICE_UNPAIRED } from '@haris/contract/live/video';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { verifyAuditTrail } from '../db/audit.ts';
import { type FreshDatabase, freshDb, testDialect } from '../testing/database.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { findFreePort } from '../testing/mosquitto.ts';
import { runServerProgram } from '../testing/server-programs.ts';

interface Sensor {
  readonly id: string;
  readonly deviceKey: string;
  readonly username: string;
  readonly password: string;
}
interface Account {
  readonly id: string;
  readonly username: string;
  readonly password: string;
}

/** Close code of the WebSocket protocol. */
const UNSUPPORTED_DATA = 1003;

const scratch = mkdtempSync(join(tmpdir(), 'haris-keys-'));
const databases: FreshDatabase[] = [];
const recordOf = (dataDir: string) => join(dataDir, 'erasures.log');

async function makePlace(name: string): Promise<{ dataDir: string; env: Record<string, string> }> {
  const database = await freshDb();
  databases.push(database);
  const dataDir = join(scratch, name);
  return { dataDir, env: { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) } };
}

async function withApp<T>(
  env: Record<string, string>,
  work: (app: TestApp, broker: number) => Promise<T>,
): Promise<T> {
  const broker = await findFreePort();
  const app = await startTestApp({ config: { ...env, MQTT_PORT: String(broker) } });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  return work(app, broker).finally(() => app.close());
}

/** Pairs a device with the camera; returns its token. */
async function pair(app: TestApp, id: string): Promise<string> {
  const token = await app.staff();
  const { code } = await app.expect(201, 'POST', `/api/cameras/${id}/pairing`, { token });
  return (await app.expect(200, 'POST', '/api/cameras/pair', { json: { code } })).token;
}

async function takesReading(app: TestApp, { id, deviceKey }: Sensor): Promise<boolean> {
  const headers = { 'x-device-key': deviceKey };
  const url = `/api/sensors/${id}/readings`;
  return (await app.ask('POST', url, { headers, json: { temperature: 21 } })).status === 202;
}

async function letsIn(port: number, { username, password }: Omit<Account, 'id'>): Promise<boolean> {
  try {
    const options = { username, password, reconnectPeriod: 0 };
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, options);
    await client.endAsync();
    return true;
  } catch {
    return false;
  }
}

/** Whether the token is that of a camera's device: the server then closes the stream for what is sent, otherwise as unpaired. */
function opensStream(app: TestApp, token: string): Promise<boolean> {
  const { port } = app.app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/cameras/stream`, ['device', token]);
  // What comes before the connection is the camera's is not read.
  const repeated = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send('no picture');
  }, 20);
  return new Promise<boolean>((resolve, reject) => {
    socket.on('close', (code) => {
      expect([UNSUPPORTED_DATA, DEVICE_UNPAIRED]).toContain(code);
      resolve(code === UNSUPPORTED_DATA);
    });
    socket.on('error', reject);
  }).finally(() => clearInterval(repeated));
}

let place: Awaited<ReturnType<typeof makePlace>>;
let backup: string;
let recoveryKey: string;
const sensors: Sensor[] = [];
const accounts: Account[] = [];
const tokens: string[] = [];

beforeAll(async () => {
  place = await makePlace('first');
  backup = join(scratch, 'before.backup');
  await withApp(place.env, async (app) => {
    const token = await app.staff();
    const leaver = await app.makeEmployee();
    for (const name of ['Kept window', 'Renewed window', 'Deleted window']) {
      const json = { name, area: 'Playroom', kind: 'haris' };
      const made = await app.expect(201, 'POST', '/api/sensors', { token, json });
      sensors.push({ ...made, id: made.sensor._id });
    }
    for (const [name, maker] of [
      ['Kept home', token],
      ['Deleted home', token],
      ['Home of a leaver', leaver.token],
    ]) {
      const json = { name };
      const made = await app.expect(201, 'POST', '/api/home-assistant-accounts', { token: maker, json });
      accounts.push({ ...made, id: made.account._id });
    }
    const cameras: string[] = [];
    for (const name of ['Kept tablet', 'Other tablet', 'Deleted tablet', 'Network camera']) {
      const json = { name, area: 'Hall', kind: 'browser' };
      const { camera } = await app.expect(201, 'POST', '/api/cameras', { token, json });
      cameras.push(camera._id);
      tokens.push(await pair(app, camera._id));
    }
    expect((await runServerProgram('backup', [backup], app.env)).code).toBe(0);
    recoveryKey = (await runServerProgram('backup', ['--recovery-key'], app.env)).text.split('\n')[0] ?? '';

    app.clock.advance(60_000);
    await app.proveNow(token);
    // Twice: the record has both keys, and the backup the first.
    for (let n = 0; n < 2; n++)
      await app.expect(201, 'POST', `/api/sensors/${sensors[1]?.id}/secrets`, { token });
    await app.expect(200, 'DELETE', `/api/sensors/${sensors[2]?.id}`, { token });
    await app.expect(200, 'DELETE', `/api/home-assistant-accounts/${accounts[1]?.id}`, { token });
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${leaver.id}`, { token });
    await pair(app, String(cameras[1]));
    await app.expect(200, 'DELETE', `/api/cameras/${cameras[2]}`, { token });
    const json = { kind: 'rtsp', url: 'rtsp://127.0.0.1:9/x' };
    await app.expect(200, 'PUT', `/api/cameras/${cameras[3]}`, { token, json });
  });
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

/** What works of all that was in the backup: the first of each kind, which nobody revoked, or everything. */
async function expectWorking(app: TestApp, broker: number, isRevoked: boolean): Promise<void> {
  const only = (count: number) => Array.from({ length: count }, (_, n) => n === 0 || !isRevoked);
  const readings = [];
  for (const sensor of sensors) readings.push(await takesReading(app, sensor));
  expect(readings).toEqual(only(3));
  const broken = [];
  for (const account of [...sensors, ...accounts]) broken.push(await letsIn(broker, account));
  expect(broken).toEqual([...only(3), ...only(3)]);
  const streams = [];
  for (const token of tokens) streams.push(await opensStream(app, token));
  expect(streams).toEqual(only(4));
  expect(await verifyAuditTrail(app.context.db, app.context.vault)).toMatchObject({ whole: true });
}

test('the record has ids and hashes, and no key', () => {
  const text = readFileSync(recordOf(place.dataDir), 'utf8');
  for (const { deviceKey, password } of sensors)
    for (const secret of [deviceKey, password]) expect(text).not.toContain(secret);
  for (const secret of [...accounts.map(({ password }) => password), ...tokens])
    expect(text).not.toContain(secret);
});

test('into the same data folder: sensors, Home Assistant and cameras that were revoked stay so', async () => {
  const env = { ...place.env };
  if (testDialect === 'postgres') env.DATABASE_URL = String((await makePlace('unused')).env.DATABASE_URL);
  else
    for (const name of readdirSync(place.dataDir).filter((file) => file.startsWith('haris.db')))
      renameSync(join(place.dataDir, name), join(place.dataDir, `aside-${name}`));
  const restored = await runServerProgram('restore', [backup], env);
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('6 keys of sensors') });
  expect(restored.text).not.toContain('erasures.log');
  await withApp(env, async (app, broker) => {
    await expectWorking(app, broker, true);
    const token = await app.staff();
    const { sensors: listed } = await app.expect(200, 'GET', '/api/sensors', { token });
    expect(listed.map(({ name }) => name)).toEqual(['Kept window', 'Renewed window']);
    // It gets new keys as any other.
    const url = `/api/sensors/${sensors[1]?.id}/secrets`;
    const { deviceKey } = await app.expect(201, 'POST', url, { token });
    expect(await takesReading(app, { ...(sensors[1] as Sensor), deviceKey })).toBe(true);
  });
  // A second start revokes nothing.
  await withApp(env, async (app) => {
    expect(app.logLines.join('\n')).not.toContain('it is erased now');
  });
});

test('elsewhere the restore names what may work again; with the record copied there the next start revokes', async () => {
  const other = await makePlace('other');
  const restored = await runServerProgram('restore', [backup], { ...other.env, RECOVERY_KEY: recoveryKey });
  expect(restored.code).toBe(0);
  for (const words of [
    /no erasures\.log that goes on from this backup/,
    /sensors: Deleted window, Kept window, Renewed window/,
    /cameras: Deleted tablet, Kept tablet, Network camera, Other tablet/,
    /Home Assistant: .*Deleted home/,
  ])
    expect(restored.text).toMatch(words);
  copyFileSync(recordOf(place.dataDir), recordOf(other.dataDir));
  await withApp(other.env, (app, broker) => expectWorking(app, broker, true));
});

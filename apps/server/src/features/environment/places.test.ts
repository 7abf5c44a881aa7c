/** A parent of several facilities reads the sensors of those where the children are known, and no others (decision 048). */
import type { AddressInfo } from 'node:net';
import { sensorRoutes } from '@haris/contract/http/sensors';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

const within = { timeout: 60_000, interval: 20 };

interface Place {
  readonly id: string;
  readonly at: TestApp;
  readonly sensor: string;
  measure(temperature: number): Promise<unknown>;
}

let app: TestApp;
let port: number;
let owner: string;
let stars: Place;
let moon: Place;
let sun: Place;
let family: Family;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  owner = await app.staff();
  stars = await furnish('main');
  moon = await furnish(await makeFacility(app, 'Full Moon'));
  sun = await furnish(await makeFacility(app, 'Sunrise'));
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  await moveTo(moon);
});
afterAll(() => app.close());

/** A facility with a sensor that has measured. */
async function furnish(id: string): Promise<Place> {
  const at = atFacility(app, id);
  const json = { name: 'Thermometer', area: 'Hall', kind: 'haris' };
  const { sensor, deviceKey } = await at.expect(201, 'POST', '/api/sensors', { token: owner, json });
  const measure = (temperature: number) =>
    at.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
      json: { temperature },
      headers: { 'x-device-key': deviceKey },
    });
  await measure(20);
  return { id, at, sensor: sensor._id, measure };
}

const moveTo = ({ id: facilityId }: Place) =>
  app.expect(200, 'POST', `/api/children/${child}/facilities`, { token: owner, json: { facilityId } });
const leave = ({ id }: Place) =>
  app.expect(200, 'DELETE', `/api/children/${child}/facilities/${id}`, { token: owner });

/** Opens `/ws`; collects what it says. */
async function listen(token: string) {
  const said: Record<string, unknown>[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['bearer', token]);
  socket.on('message', (data) => said.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const hears = (what: object) =>
    vi.waitFor(() => expect(said).toContainEqual(expect.objectContaining(what)), within);
  return { said, socket, hears };
}

test('/ws: those of the facilities of the children, as they come and go', async () => {
  const { said, socket, hears } = await listen(family.token);
  const sensors = () => new Set(said.map(({ sensorId }) => sensorId));
  await hears({ sensorId: stars.sensor, temperature: 20 });
  await hears({ sensorId: moon.sensor, temperature: 20 });
  await sun.measure(30);
  await moon.measure(31);
  await stars.measure(32);
  await hears({ sensorId: moon.sensor, temperature: 31 });
  await hears({ sensorId: stars.sensor, temperature: 32 });
  expect(sensors()).toEqual(new Set([stars.sensor, moon.sensor]));

  // The child comes to a further facility, and leaves another one.
  await moveTo(sun);
  await hears({ sensorId: sun.sensor, temperature: 30 });
  await leave(moon);
  await hears({ sensorId: moon.sensor, gone: true });
  const before = said.length;
  await moon.measure(33);
  await sun.measure(34);
  await hears({ sensorId: sun.sensor, temperature: 34 });
  expect(said.slice(before).map(({ sensorId }) => sensorId)).not.toContain(moon.sensor);
  // With one facility left the socket stays open.
  await leave(sun);
  await hears({ sensorId: sun.sensor, gone: true });
  await stars.measure(35);
  await hears({ sensorId: stars.sensor, temperature: 35 });
  socket.terminate();
  await moveTo(moon);
});

test('/ws: nothing for a parent without children, where there are several facilities', async () => {
  const { token } = await app.makeFamily();
  const [nobody, staff] = [await listen(token), await listen(owner)];
  await stars.measure(21);
  await staff.hears({ sensorId: stars.sensor, temperature: 21 });
  expect(nobody.said).toEqual([]);
  for (const { socket } of [nobody, staff]) socket.terminate();
});

test('the history is that of the same sensors', async () => {
  const read = async (at: TestApp, { sensor }: Place, token: string | undefined) =>
    (await at.ask('GET', `/api/sensors/${sensor}/history?step=raw`, { token })).status;
  const other = await app.makeFamily();
  await app.makeChild(other);
  const statuses = async (token: string | undefined) => [
    await read(app, stars, token),
    await read(app, moon, token),
    await read(app, sun, token),
  ];
  expect(await statuses(undefined)).toEqual([401, 401, 401]);
  expect(await statuses(family.token)).toEqual([200, 200, 404]);
  expect(await statuses(other.token)).toEqual([200, 404, 404]);
  expect(await statuses((await app.makeFamily()).token)).toEqual([404, 404, 404]);
  expect(await statuses(owner)).toEqual([200, 404, 404]);
  expect(await read(sun.at, sun, owner)).toBe(200);
});

test('the limits are those of the same facilities, of two the stricter ones', async () => {
  const token = await app.staff();
  const limitTo = async ({ at }: Place, degrees: number, area: string) => {
    const { settings } = await at.expect(200, 'GET', '/api/settings', { token });
    const { temperature, ...alarms } = settings.alarms;
    const own = { ...temperature, from: degrees };
    const areaAlarms = [{ area, temperature: { ...own, from: degrees - 1 } }];
    const json = { alarms: { ...alarms, temperature: own }, areaAlarms };
    await at.expect(200, 'PUT', '/api/settings', { token, json });
  };
  await limitTo(stars, 31, 'Stars only');
  await limitTo(moon, 37, 'Hall');
  await limitTo(sun, 35, 'Hall');
  const read = async (who: string) => {
    const body = await app.expect(200, 'GET', '/api/air-limits', { token: who });
    const { limits, areas } = sensorRoutes.listAirLimits.answer.parse(body);
    return [limits.temperature, ...areas.map(({ area, temperature }) => `${area} ${temperature}`)];
  };
  expect(await read(owner)).toEqual([31, 'Stars only 30']);
  // No child at the first facility: nothing of it, not even the names of its rooms.
  await moveTo(sun);
  await leave(stars);
  expect(await read(family.token)).toEqual([35, 'Hall 34']);
  await moon.at.expect(200, 'DELETE', `/api/children/${child}/facilities/${sun.id}`, { token });
  expect(await read(family.token)).toEqual([37, 'Hall 36']);
  expect((await read((await app.makeFamily()).token)).slice(1)).toEqual([]);
});

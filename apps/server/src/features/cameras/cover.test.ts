/** Privacy zones are answered as saved once the face engine covers them, or once no picture can leave. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';
import { type HeldTimeouts, holdTimeouts } from '../../testing/held-timeouts.ts';
import { COVER_WITHIN_MS } from '../../vision/state-sender.ts';

const within = { timeout: 240_000, interval: 20 };
let app: TestApp;
let live: FakeLive;
let staff: string;
let id: string;
let drawn = 0;
let timeouts: HeldTimeouts;

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  staff = await app.staff();
  const json = { name: 'Room', area: 'Hall', kind: 'browser' };
  id = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
});
beforeEach(() => {
  timeouts = holdTimeouts([COVER_WITHIN_MS]);
});
afterEach(() => {
  vi.restoreAllMocks();
  live.covers = true;
  live.up = true;
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

const isUp = () => app.context.live.isUp();
const known = () => live.cameras.find((camera) => camera.id === id);
/** A zone that no test has drawn before. */
function newZone(): [number, number][] {
  drawn++;
  return [
    [0, 0],
    [drawn / 100, 0],
    [0, 1],
  ];
}
/** Draws a zone; `isAnswered` says whether the answer is there. */
function draw(zones: [number, number][][]) {
  let isAnswered = false;
  const answer = app.ask('PUT', `/api/cameras/${id}`, { token: staff, json: { zones } }).then((got) => {
    isAnswered = true;
    return got;
  });
  return { answer, isAnswered: () => isAnswered };
}

test('the answer comes after the confirmation of the engine, not before', async () => {
  await expect.poll(known, within).toBeDefined();
  live.covers = false;
  const zones = [newZone()];
  const { answer, isAnswered } = draw(zones);
  await expect.poll(() => known()?.zones, within).toEqual(zones);
  // It is stored already, and other calls are answered meanwhile.
  const { camera } = await app.expect(200, 'GET', `/api/cameras/${id}`, { token: staff });
  expect(camera.zones).toEqual(zones);
  expect(isAnswered()).toBe(false);
  live.say(JSON.stringify({ type: 'covered', revision: live.revision }));
  expect(await answer).toMatchObject({ status: 200, body: { camera: { zones } } });
  expect(app.logLines.some((line) => line.includes('did not confirm'))).toBe(false);
});

test('an engine that does not confirm it is cut off, which stops its cameras, and then it is answered', async () => {
  await expect.poll(isUp, within).toBe(true);
  live.covers = false;
  const zones = [newZone()];
  const { answer, isAnswered } = draw(zones);
  await expect.poll(() => known()?.zones, within).toEqual(zones);
  expect(isAnswered()).toBe(false);
  timeouts.end(COVER_WITHIN_MS);
  expect((await answer).status).toBe(200);
  expect(app.logLines.filter((line) => line.includes('did not confirm'))).toHaveLength(1);
  live.covers = true;
  await expect.poll(isUp, within).toBe(true);
});

test('the confirmation of an older command is none', async () => {
  await expect.poll(isUp, within).toBe(true);
  const before = live.revision ?? 0;
  live.covers = false;
  const zones = [newZone()];
  const { answer, isAnswered } = draw(zones);
  await expect.poll(() => known()?.zones, within).toEqual(zones);
  live.say(JSON.stringify({ type: 'covered', revision: before }));
  // Comes after it on the same wire.
  live.report(id, { fps: 7 });
  await expect.poll(() => app.context.live.report(id)?.fps, within).toBe(7);
  expect(isAnswered()).toBe(false);
  live.drop();
  expect((await answer).status).toBe(200);
});

test('without an engine it is answered at once, and the next wire begins with the zones', async () => {
  await expect.poll(isUp, within).toBe(true);
  live.up = false;
  live.drop();
  await expect.poll(isUp, within).toBe(false);
  const zones = [newZone()];
  expect((await draw(zones).answer).status).toBe(200);
  live.up = true;
  await expect.poll(() => known()?.zones, within).toEqual(zones);
});

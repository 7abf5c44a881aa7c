/** Reports of the live link in the lists: a report that the engine no longer repeats expires. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeLive, startFakeLive } from '../testing/fake-live.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';

const within = { timeout: 240_000, interval: 50 };

let app: TestApp;
let live: FakeLive;
let staff: string;

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  staff = await app.staff();
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

test('a camera of which the engine says nothing more is not shown as live', async () => {
  const json = { name: 'Room', area: 'Hall', kind: 'browser' };
  const { camera } = await app.expect(201, 'POST', '/api/cameras', { token: staff, json });
  await expect.poll(() => live.cameras.map(({ id }) => id), within).toContain(camera._id);
  live.report(camera._id);
  const report = () => app.context.live.report(camera._id);
  await expect.poll(report, within).toMatchObject({ state: 'live' });
  live.repeats = false;
  await expect.poll(report, within).toMatchObject({ state: 'stalled', problem: 'frozen', fps: null });
  live.repeats = true;
  await expect.poll(report, within).toMatchObject({ state: 'live', problem: null });
});

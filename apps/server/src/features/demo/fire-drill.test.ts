/** The fire drill exists only in the demo, for staff; it raises the temperature of the simulated sensor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { simulateRoom } from '../../demo-sensor.ts';
import { createFireDrill } from '../../fire-drill.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('outside the demo there is no such call', async () => {
  const answer = await app.app.inject({
    method: 'POST',
    url: '/api/demo/fire-drill',
    headers: { authorization: `Bearer ${await app.staff()}` },
  });
  expect(answer.statusCode).toBe(404);
});

test('in the demo staff start it, and the room is over both limits until it is cool again', async () => {
  const drill = createFireDrill(app.clock);
  const demo = await buildApp(app.context, { web: false, sweepsIncidents: false, fireDrill: drill });
  const ask = async (token: string) =>
    (
      await demo.inject({
        method: 'POST',
        url: '/api/demo/fire-drill',
        headers: { authorization: `Bearer ${token}` },
      })
    ).statusCode;
  const room = () => simulateRoom(0, () => 0.5, drill.heat());
  try {
    expect(room()).toMatchObject({ temperature: 22.5, mq2: 140 });
    expect(await ask((await app.makeFamily()).token)).toBe(403);
    expect(room().temperature).toBe(22.5);
    const staff = await app.staff();
    const rows = async () =>
      (await app.expect(200, 'GET', '/api/audit', { token: staff })).entries.filter(
        ({ action }) => action === 'demo.fire_drill_started',
      );
    expect(await rows()).toEqual([]);
    expect(await ask(staff)).toBe(202);
    expect(await rows()).toMatchObject([
      { actor: { kind: 'admin' }, at: new Date(app.clock.now()).toISOString() },
    ]);
    app.clock.advance(10_000);
    expect(room().temperature).toBeGreaterThanOrEqual(40);
    expect(room().mq2).toBeGreaterThanOrEqual(1000);
    app.clock.advance(60_000);
    expect(room().temperature).toBeGreaterThanOrEqual(40);
    app.clock.advance(30_000);
    expect(room()).toMatchObject({ temperature: 22.5, mq2: 140 });
  } finally {
    await demo.close();
  }
});

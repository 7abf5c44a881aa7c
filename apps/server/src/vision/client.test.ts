/** Queue of photos for the face engine: photos beyond the limit are refused with a message, and the queue moves on. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakePhoto } from '../testing/fake-vision.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { createVisionClient } from './client.ts';

let app: TestApp;
let engine: Server;
/** Photos that the engine has received but not responded to. */
const held: ServerResponse[] = [];
let arrived = 0;
let holding = true;

function answer(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ advice: 'ready', box: null, width: 1, height: 1 }));
}

beforeAll(async () => {
  engine = createServer((request, response) => {
    request.resume();
    arrived++;
    if (holding) held.push(response);
    else answer(response);
  });
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  app = await startTestApp({
    vision: createVisionClient(() => ({ url, token: 'x', server: 'test', ca: null })),
  });
});
afterAll(async () => {
  engine.closeAllConnections();
  engine.close();
  await app.close();
});

test('of a hundred photos at once 64 wait, one at the engine; the others are refused, and then it goes on', async () => {
  // A single account may not send this many photos at once.
  const families = await Promise.all(Array.from({ length: 10 }, () => app.makeFamily()));
  const guide = (token = String(families[0]?.token)) =>
    app.ask('POST', '/api/face-guide', { token, form: { image: fakePhoto() } });
  const answers: Awaited<ReturnType<typeof guide>>[] = [];
  const all = Array.from({ length: 100 }, (_, i) =>
    guide(families[i % 10]?.token).then((one) => answers.push(one)),
  );
  await expect.poll(() => answers.length, { timeout: 240_000 }).toBe(36);
  for (const refused of answers) {
    expect(refused).toMatchObject({ status: 503, body: { code: 'face_engine_unavailable' } });
    expect(refused.headers['retry-after']).toBe('2');
  }
  await expect.poll(() => arrived, { timeout: 240_000 }).toBe(1);
  holding = false;
  for (const response of held.splice(0)) answer(response);
  await Promise.all(all);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(64);
  expect((await guide()).status).toBe(200);
});

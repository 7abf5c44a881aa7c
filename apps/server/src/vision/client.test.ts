/**
 * Queue of photos for the face engine: who goes first, and that photos beyond the limits are refused while the others move
 * on. The engine is a stand-in that holds each photo until the test lets it go.
 */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fakePhoto, tinyJpeg } from '../testing/fake-vision.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { createVisionClient, type VisionClient } from './client.ts';

let app: TestApp;
let engine: Server;
/** Photos that the engine has received but not responded to. */
const held: ServerResponse[] = [];
/** Names of the photos that the engine has received, in order. */
let arrived: string[] = [];
/** Number of photos that have reached the queue. */
let queued = 0;
let holding = true;
/** What the engine answers instead of a result. */
let problem: { code: string; late?: boolean } | null = null;

function answer(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.statusCode = problem ? 422 : 200;
  const jpeg = { jpeg: tinyJpeg.toString('base64'), width: 1, height: 1 };
  const guide = { advice: 'ready', box: null };
  response.end(JSON.stringify(problem ? { message: 'no', ...problem } : { ...jpeg, ...guide }));
}

/** A photo whose name the engine reads. */
const named = (name: string): Buffer => fakePhoto({ face: `<${name}>` });

beforeAll(async () => {
  engine = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('latin1');
    arrived.push(/<(.+)>/.exec(body)?.[1] ?? '');
    if (holding) held.push(response);
    else answer(response);
  });
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const client = createVisionClient(() => ({ url, token: 'x', server: 'test', ca: null }));
  const counted = <A extends unknown[], T>(call: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => {
      const result = call(...args);
      queued++;
      return result;
    };
  };
  const vision: VisionClient = {
    ...client,
    normalize: counted(client.normalize),
    guide: counted(client.guide),
  };
  app = await startTestApp({ vision });
});
afterAll(async () => {
  engine.closeAllConnections();
  engine.close();
  await app.close();
});
beforeEach(() => {
  arrived = [];
  queued = 0;
  holding = true;
  problem = null;
  app.clock.advance(16 * 60_000);
});

const patient = { timeout: 240_000 };

let n = 0;
/** A stranger registers with a photo. */
const register = (from: string, photo: Buffer) => {
  n++;
  const person = { name: 'X', email: `queue${n}@family.test`, phone: '01112345678', password: 'secret-6' };
  return app.ask('POST', '/api/parent/add', { from, form: { ...person, photo } });
};

/** Lets all photos go, the one at the engine first. */
function release(): void {
  holding = false;
  for (const response of held.splice(0)) answer(response);
}

test('of a hundred photos at once 64 wait, one at the engine; the others are refused, and then it goes on', async () => {
  // A single account may not send this many photos at once.
  const families = await Promise.all(Array.from({ length: 10 }, () => app.makeFamily()));
  const guide = (token = String(families[0]?.token)) =>
    app.ask('POST', '/api/face-guide', { token, form: { image: fakePhoto() } });
  const answers: Awaited<ReturnType<typeof guide>>[] = [];
  const all = Array.from({ length: 100 }, (_, i) =>
    guide(families[i % 10]?.token).then((one) => answers.push(one)),
  );
  await expect.poll(() => answers.length, patient).toBe(36);
  for (const refused of answers) {
    expect(refused).toMatchObject({ status: 503, body: { code: 'photos_busy' } });
    expect(refused.headers['retry-after']).toBe('2');
  }
  await expect.poll(() => arrived.length, patient).toBe(1);
  release();
  await Promise.all(all);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(64);
  expect((await guide()).status).toBe(200);
});

test('a stranger’s twelve photos go neither before a parent nor all before another stranger', async () => {
  const family = await app.makeFamily();
  const answers: Awaited<ReturnType<typeof register>>[] = [];
  const first = register('203.0.113.5', named('a'));
  await expect.poll(() => arrived.length, patient).toBe(1);
  const others = Array.from({ length: 11 }, () =>
    register('203.0.113.5', named('a')).then((one) => answers.push(one)),
  );
  await expect.poll(() => answers.length, patient).toBe(2);
  for (const refused of answers) {
    expect(refused).toMatchObject({ status: 503, body: { code: 'photos_busy' } });
    expect(refused.headers['retry-after']).toBe('2');
  }
  await expect.poll(() => queued, patient).toBe(12);
  const honest = register('198.51.100.7', named('b'));
  await expect.poll(() => queued, patient).toBe(13);
  const parent = app.ask('POST', '/api/face-guide', {
    token: family.token,
    form: { image: named('parent') },
  });
  await expect.poll(() => queued, patient).toBe(14);
  expect(arrived).toEqual(['a']);
  release();
  expect((await parent).status).toBe(200);
  expect((await honest).status).toBe(201);
  expect((await first).status).toBe(201);
  await Promise.all(others);
  expect(arrived).toEqual(['a', 'parent', 'b', ...Array(9).fill('a')]);
});

test('photos from forty networks leave room for parents and for the desk', async () => {
  const family = await app.makeFamily();
  const answers: Awaited<ReturnType<typeof register>>[] = [];
  const all = Array.from({ length: 40 }, (_, i) =>
    register(`2001:db8:${i}::1`, named('stranger')).then((one) => answers.push(one)),
  );
  await expect.poll(() => answers.length, patient).toBe(8);
  for (const refused of answers) expect(refused.body).toMatchObject({ code: 'photos_busy' });
  await expect.poll(() => queued, patient).toBe(40);
  const send = async (token: string, name: string) =>
    app.ask('POST', '/api/face-guide', { token, form: { image: named(name) } });
  const desk = send(await app.staff(), 'desk');
  const parent = send(family.token, 'parent');
  await expect.poll(() => queued, patient).toBe(42);
  release();
  expect([(await desk).status, (await parent).status]).toEqual([200, 200]);
  await Promise.all(all);
  expect(arrived.indexOf('parent')).toBeLessThanOrEqual(2);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(32);
});

test('a photo that took all its time counts ten for its network; one that cannot be read counts one', async () => {
  holding = false;
  problem = { code: 'unreadable_photo' };
  for (let i = 0; i < 10; i++) expect((await register('203.0.113.6', named('broken'))).status).toBe(422);
  problem = { code: 'unreadable_photo', late: true };
  for (let i = 0; i < 5; i++)
    expect(await register('203.0.113.6', named('late'))).toMatchObject({
      status: 422,
      body: { code: 'unreadable_photo' },
    });
  problem = null;
  const refused = await register('203.0.113.6', named('fine'));
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect((await register('203.0.113.7', named('fine'))).status).toBe(201);
});

import {
  VISION_WIRE,
  visionEnrolAnswerSchema,
  visionIdentifyAnswerSchema,
  visionPaths,
} from '@haris/contract/vision';
import { paintEmptyRoom, paintTwoFaces } from '@haris/painter/bad-photos';
import { paintPortrait, paintScene } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { createLogger } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildVisionApp } from './app.ts';
import { EnrolledFaces } from './faces/enrolled.ts';
import type { Recognizer } from './faces/recognizer.ts';
import { Seat } from './live/seat.ts';
import { loadTestRecognizer } from './testing/engine.ts';

const TOKEN = 'a-token-of-the-tests';
const [seed, otherSeed, thirdSeed] = chosenSeeds;
const log = createLogger('vision', 'silent');
const auth = { authorization: `Bearer ${TOKEN}` };

let recognizer: Recognizer;
let app: FastifyInstance;
beforeAll(async () => {
  recognizer = await loadTestRecognizer();
  app = buildVisionApp({
    seat: new Seat(10_000, 4_000),
    enrolled: new EnrolledFaces(),
    recognizer,
    token: TOKEN,
    log,
  });
});
afterAll(() => app.close());

async function post(path: string, body: Buffer) {
  const headers = { ...auth, 'content-type': 'application/octet-stream' };
  const answer = await app.inject({ method: 'POST', url: path, headers, payload: body });
  return { status: answer.statusCode, json: answer.json() };
}

async function enrol(body: Buffer) {
  const { status, json } = await post(visionPaths.enrol, body);
  expect(json).not.toHaveProperty('code');
  expect(status).toBe(200);
  return visionEnrolAnswerSchema.parse(json);
}

async function putGallery(revision: number, faces: Record<string, number[][]>) {
  const entries = Object.entries(faces).map(([id, encodings]) => ({
    subject: { kind: 'child', id },
    encodings,
  }));
  const answer = await app.inject({
    method: 'PUT',
    url: visionPaths.gallery,
    headers: auth,
    payload: { revision, entries },
  });
  expect(answer.statusCode).toBe(204);
}

describe('who may call', () => {
  it.each(['normalize', 'enrol', 'guide', 'match', 'identify'] as const)(
    '%s wants the token',
    async (call) => {
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }]) {
        const answer = await app.inject({ method: 'POST', url: visionPaths[call], headers });
        expect(answer.statusCode).toBe(401);
        expect(answer.json().code).toBe('unauthorized');
      }
    },
  );

  it('health answers anyone, and names the model and the gallery', async () => {
    const own = buildVisionApp({
      seat: new Seat(10_000, 4_000),
      enrolled: new EnrolledFaces(),
      recognizer,
      token: TOKEN,
      log,
    });
    const answer = await own.inject({ url: visionPaths.health });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: 'ok',
      wire: VISION_WIRE,
      model: recognizer.model,
      galleryRevision: null,
    });
    await own.close();
  });
});

describe('the gallery', () => {
  const question = (revision: number, threshold = 0.5, margin = 0.05) =>
    `${visionPaths.identify}?revision=${revision}&threshold=${threshold}&margin=${margin}&questionDistance=0.6`;

  it('names the enrolled child of several faces and leaves the stranger unknown', async () => {
    const mine = await enrol(await paintPortrait({ seed, turn: 0.4, light: 0.8 }));
    const other = await enrol(await paintPortrait({ seed: thirdSeed }));
    await putGallery(7, { mine: [mine.encoding], other: [other.encoding] });
    const { status, json } = await post(question(7), await paintTwoFaces(seed, otherSeed));
    expect(status).toBe(200);
    const { faces } = visionIdentifyAnswerSchema.parse(json);
    const byPlace = [...faces].sort((a, b) => a.box[0] - b.box[0]);
    expect(byPlace.map(({ match }) => match?.childId ?? null)).toEqual(['mine', null]);
  });

  it('names nobody where two children lie within the margin', async () => {
    const { encoding } = await enrol(await paintPortrait({ seed }));
    await putGallery(8, { one: [encoding], twin: [encoding.map((value) => value + 0.001)] });
    const { json } = await post(question(8), await paintPortrait({ seed }));
    expect(json.faces).toHaveLength(1);
    expect(json.faces[0].match).toBeNull();
  });

  it('asks about a child known by one photo where it names one known by several', async () => {
    const photo = await paintPortrait({ seed });
    const { encoding } = await enrol(photo);
    const away = (by: number) => encoding.map((value: number, i: number) => (i === 0 ? value + by : value));
    const see = async (revision: number, ...photos: number[][]) => {
      await putGallery(revision, { mine: photos });
      return (await post(question(revision), photo)).json.faces[0];
    };
    const near = [{ childId: 'mine', distance: expect.closeTo(0.48, 3) }];
    expect(await see(20, away(0.48))).toMatchObject({ match: null, near });
    expect(await see(21, away(0.48), away(-0.48))).toMatchObject({ match: { childId: 'mine' }, near: [] });
    expect(await see(22, away(0.44))).toMatchObject({ match: { childId: 'mine' } });
  });

  it('finds a face under 40 px and never matches it', async () => {
    const { encoding } = await enrol(await paintPortrait({ seed }));
    await putGallery(9, { mine: [encoding] });
    const far = paintScene({ width: 640, height: 480, people: [{ seed, x: 0.5, y: 0.5, head: 0.085 }] });
    const { json } = await post(question(9, 2, 0), await far.png().toBuffer());
    expect(json.faces).toHaveLength(1);
    expect(json.faces[0].box[2]).toBeLessThan(40);
    expect(json.faces[0].match).toBeNull();
  });

  it('answers no faces for an empty room', async () => {
    await putGallery(10, {});
    expect(await post(question(10), await paintEmptyRoom())).toMatchObject({
      status: 200,
      json: { faces: [] },
    });
  });

  it('lists the nearest but those left out, and answers 409 for another revision', async () => {
    const point = (x: number) => Array.from({ length: 128 }, (_, i) => (i === 0 ? x : 0));
    await putGallery(11, { a: [point(0.1)], b: [point(0.2)], c: [point(0.9)] });
    const ask = (body: object) =>
      app.inject({ method: 'POST', url: visionPaths.match, headers: auth, payload: body });
    const whole = { revision: 11, encoding: point(0), maxDistance: 0.6 };
    const { nearest } = (await ask({ ...whole, exclude: ['a'] })).json();
    expect(nearest).toEqual([{ childId: 'b', distance: expect.closeTo(0.2, 6) }]);
    for (const stale of [
      await ask({ ...whole, revision: 12 }),
      await app.inject({ method: 'POST', url: question(12), headers: auth }),
    ]) {
      expect(stale.statusCode).toBe(409);
      expect(stale.json().code).toBe('gallery_stale');
    }
    const health = await app.inject({ url: visionPaths.health });
    expect(health.json().galleryRevision).toBe(11);
  });

  it('answers all that are near enough: a cut could hide a face of another family behind the own ones', async () => {
    const faces: Record<string, number[][]> = {};
    for (let i = 0; i < 14; i++) faces[`child-${i}`] = [new Array<number>(128).fill(i / 1000)];
    await putGallery(13, faces);
    const body = { revision: 13, encoding: new Array(128).fill(0), maxDistance: 5 };
    const answer = await app.inject({ method: 'POST', url: visionPaths.match, headers: auth, payload: body });
    expect(answer.json().nearest).toHaveLength(14);
  });

  it.each([
    ['a short encoding', { revision: 1, encoding: [1, 2], maxDistance: 1 }],
    ['no revision', { encoding: new Array(128).fill(0), maxDistance: 1 }],
    ['nothing', null],
  ])('answers 400 for %s', async (_what, body) => {
    const headers = { ...auth, 'content-type': 'application/json' };
    const payload = JSON.stringify(body);
    const answer = await app.inject({ method: 'POST', url: visionPaths.match, headers, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().code).toBe('bad_request');
  });
});

describe('failures', () => {
  it('does one photo after the other, and goes on after one that failed', async () => {
    let running = 0;
    let most = 0;
    let calls = 0;
    const slow: Recognizer = {
      ...recognizer,
      async normalize() {
        running++;
        calls++;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        if (calls === 2) throw new Error('the network broke');
        return { jpeg: Buffer.from([1]), width: 1, height: 1 };
      },
    };
    const own = buildVisionApp({
      seat: new Seat(10_000, 4_000),
      enrolled: new EnrolledFaces(),
      recognizer: slow,
      token: TOKEN,
      log,
    });
    const headers = { ...auth, 'content-type': 'application/octet-stream' };
    const ask = () =>
      own.inject({ method: 'POST', url: visionPaths.normalize, headers, payload: Buffer.from([1]) });
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200, 200]);
    expect(answers[1]?.json()).toEqual({
      code: 'internal',
      message: 'The face engine failed at this photo.',
    });
    expect(most).toBe(1);
    await own.close();
  });

  it('answers an unknown call with 404', async () => {
    const answer = await app.inject({ url: '/nothing', headers: auth });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('bad_request');
  });
});

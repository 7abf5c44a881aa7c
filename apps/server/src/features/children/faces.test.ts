/** Faces with the real engine in its own process, and painted children who do not exist. */
import {
  paintBlurredFace,
  paintCutOffFace,
  paintDarkFace,
  paintDrawing,
  paintEmptyRoom,
  paintHalfDarkFace,
  paintMaskedFace,
  paintSmallFace,
  paintSunglasses,
  paintTwoFaces,
  paintUpsideDownFace,
} from '@haris/painter/bad-photos';
import { paintPortrait, paintScene } from '@haris/painter/portrait';
import { chosenSeeds, doubleSeeds, lookAlikeSeeds } from '@haris/painter/seeds';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FormParts } from '../../testing/form.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { jpegSegments } from '../../testing/jpeg.ts';
import { captureLog } from '../../testing/log.ts';
import { createVisionClient } from '../../vision/client.ts';
import { superviseVision, type VisionSupervisor } from '../../vision/supervisor.ts';

const [ALI, MONA, OMAR, SALMA] = chosenSeeds;
const engineLog = captureLog();

let supervisor: VisionSupervisor;
let app: TestApp;
let staff: string;
let family: Family;
let other: Family;

beforeAll(async () => {
  supervisor = superviseVision(engineLog.log, 'fatal');
  const vision = createVisionClient(() => supervisor.address());
  app = await startTestApp({ vision });
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
  await vi.waitUntil(() => vision.healthy(), { timeout: 240_000, interval: 100 });
}, 90_000);
afterAll(async () => {
  await app.close();
  await supervisor.stop();
});
const made: string[] = [];
beforeEach(async () => {
  made.length = 0;
  await app.forgetLimits();
});
afterEach(async () => {
  for (const id of made) await app.ask('DELETE', `/api/children/delete-child/${id}`, { token: staff });
});

async function create(owner: Family, token: string, form: FormParts) {
  const answer = await app.ask('POST', `/api/children/create-child/${owner.id}`, {
    token,
    form: { name: 'A Child', ...form },
  });
  if (answer.status === 201) made.push(answer.body.child._id);
  return answer;
}
const register = (image: Buffer, token = family.token, parentId = family.id) =>
  app.ask('POST', '/register-child', { token, form: { image, childName: 'A Child', parentId } });
const check = async (image: Buffer) =>
  (await app.expect(200, 'POST', '/check-face', { token: staff, form: { image } })).faces;
const keptPhoto = async (path: string | null) => (await app.ask('GET', String(path), { token: staff })).bytes;

describe('registering a child', () => {
  test('the encoding that /register-child gives is taken by create-child, and the child is recognised once confirmed', async () => {
    const photo = await paintPortrait({ seed: ALI });
    const { status, body } = await register(photo);
    expect(status).toBe(200);
    expect(body.data.encoding).toHaveLength(128);
    expect(body.data.quality).toBeGreaterThan(0);
    const answer = await create(family, family.token, {
      name: 'علي',
      photo,
      encoding: JSON.stringify(body.data.encoding),
    });
    expect(answer).toMatchObject({ status: 201, body: { message: 'Child registered successfully' } });
    expect((await check(await paintPortrait({ seed: ALI })))[0]?.match).toBeNull();
    await app.confirmChild(answer.body.child._id);
    const [face, ...more] = await check(await paintPortrait({ seed: ALI, light: 0.9 }));
    expect(more).toEqual([]);
    expect(face?.match).toMatchObject({
      childId: answer.body.child._id,
      name: 'علي',
      parentName: family.name,
    });
    expect(face?.match?.similarity).toBeGreaterThan(0.5);
  });

  test('without an encoding the server makes its own', async () => {
    const answer = await create(family, family.token, { photo: await paintPortrait({ seed: ALI }) });
    expect(answer.status).toBe(201);
    await app.confirmChild(answer.body.child._id);
    expect((await check(await paintPortrait({ seed: ALI })))[0]?.match).not.toBeNull();
  });

  test('as JPEG and WebP too, and the encoding of the same photo in another format is the photo’s', async () => {
    const scene = { width: 640, height: 640, people: [{ seed: ALI, x: 0.5, y: 0.46, head: 0.62 }] };
    const encoding = JSON.stringify(
      (await register(await paintScene(scene).png().toBuffer())).body.data.encoding,
    );
    for (const photo of [
      await paintScene(scene).jpeg({ quality: 90 }).toBuffer(),
      await paintScene(scene).webp({ quality: 90 }).toBuffer(),
    ]) {
      const answer = await create(family, family.token, { photo, encoding });
      expect(answer.status).toBe(201);
      await app.expect(200, 'DELETE', `/api/children/delete-child/${answer.body.child._id}`, {
        token: staff,
      });
    }
  });

  test('the encoding of another child’s photo: 422', async () => {
    const encoding = JSON.stringify((await register(await paintPortrait({ seed: MONA }))).body.data.encoding);
    const photo = await paintPortrait({ seed: ALI });
    expect(await create(family, family.token, { photo, encoding })).toMatchObject({
      status: 422,
      body: { code: 'encoding_mismatch' },
    });
    expect((await create(family, family.token, { photo, encoding: '[1,2,3]' })).status).toBe(400);
  });

  const png = (rest: Buffer) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), rest]);
  test.each([
    ['no_face', () => paintEmptyRoom()],
    ['many_faces', () => paintTwoFaces(ALI, MONA)],
    ['face_too_small', () => paintSmallFace(ALI)],
    ['face_cut_off', () => paintCutOffFace(ALI)],
    ['photo_too_dark', () => paintDarkFace(ALI)],
    ['photo_blurred', () => paintBlurredFace(ALI)],
    ['face_upside_down', () => paintUpsideDownFace(ALI)],
    ['face_unevenly_lit', () => paintHalfDarkFace(ALI)],
    ['eyes_covered', () => paintSunglasses(ALI)],
    ['mouth_covered', () => paintMaskedFace(ALI)],
    ['not_a_photo', () => paintDrawing()],
    ['unreadable_photo', async () => png(Buffer.alloc(5_000, 7))],
    ['unreadable_photo', async () => (await paintPortrait({ seed: ALI })).subarray(0, 2_000)],
  ] as const)('%s: 422, and nothing is kept', async (code, paint) => {
    const photo = await paint();
    expect(await register(photo)).toMatchObject({ status: 422, body: { code } });
    expect(await create(family, family.token, { photo })).toMatchObject({ status: 422, body: { code } });
    const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: family.token });
    expect(parent.children).toEqual([]);
  });
});

describe('whose face it is', () => {
  const [one, double] = doubleSeeds;
  const [first, alike] = lookAlikeSeeds;

  test('another family’s: a parent is told nothing of it, staff are asked and may confirm', async () => {
    const known = await create(other, other.token, {
      name: 'Known',
      photo: await paintPortrait({ seed: one }),
    });
    const { photo: knownPhoto } = await app.confirmChild(known.body.child._id);
    const photo = await paintPortrait({ seed: double });
    const given = await create(family, family.token, { photo, confirm: 'true' });
    expect(given.status).toBe(201);
    expect(given.bytes.toString()).not.toMatch(/Known|candidates|lookalikes/);
    const candidates = [
      { childId: known.body.child._id, name: 'Known', parentName: other.name, photo: knownPhoto },
    ];
    const url = `/api/children/${given.body.child._id}/confirm`;
    for (const asked of [
      await create(family, staff, { photo }),
      await app.ask('POST', url, { token: staff, json: { accept: true } }),
    ]) {
      expect(asked).toMatchObject({ status: 409, body: { code: 'face_already_registered' } });
      expect(asked.body.candidates).toMatchObject(candidates);
    }
    const confirmed = await create(family, staff, { photo, confirm: 'true' });
    expect(confirmed).toMatchObject({
      status: 201,
      body: { lookalikes: [{ childId: known.body.child._id }] },
    });
  });

  test('one that only looks alike: staff are asked, a parent is not', async () => {
    await app.confirmChild(
      (await create(other, other.token, { photo: await paintPortrait({ seed: first }) })).body.child._id,
    );
    const photo = await paintPortrait({ seed: alike });
    expect(await create(family, staff, { photo })).toMatchObject({ status: 409 });
    expect((await create(family, family.token, { photo })).status).toBe(201);
  });

  test('siblings who look alike: staff are told at registration', async () => {
    const sibling = await create(family, staff, {
      name: 'Sibling',
      photo: await paintPortrait({ seed: first }),
    });
    const answer = await create(family, staff, { photo: await paintPortrait({ seed: alike }) });
    expect(answer.status).toBe(201);
    expect(answer.body.lookalikes).toMatchObject([{ childId: sibling.body.child._id, name: 'Sibling' }]);
    const quiet = await create(family, family.token, { photo: await paintPortrait({ seed: OMAR }) });
    expect(quiet.body).not.toHaveProperty('lookalikes');
  });

  test('a new photo changes who is recognised', async () => {
    const { child } = (await create(family, staff, { photo: await paintPortrait({ seed: ALI }) })).body;
    const form = { photo: await paintPortrait({ seed: MONA }) };
    const changed = await app.expect(200, 'PUT', `/api/children/update-child/${child._id}`, {
      token: family.token,
      form,
    });
    expect(changed.child.photo).not.toBe(child.photo);
    expect((await check(await paintPortrait({ seed: ALI })))[0]?.match?.childId).toBe(child._id);
    await app.confirmChild(child._id);
    expect((await check(await paintPortrait({ seed: MONA, light: 0.9 })))[0]?.match?.childId).toBe(child._id);
    expect((await check(await paintPortrait({ seed: ALI })))[0]?.match).toBeNull();
  });
});

describe('one more photo', () => {
  test('of the same child in other light and turn is taken, of another child it is not', async () => {
    const { child } = (await create(family, staff, { photo: await paintPortrait({ seed: OMAR }) })).body;
    const add = async (photo: Buffer) =>
      app.ask('POST', `/api/children/${child._id}/photos`, { token: family.token, form: { photo } });
    expect(await add(await paintPortrait({ seed: OMAR, light: 0.7, turn: -3 }))).toMatchObject({
      status: 201,
      body: { photos: 2 },
    });
    expect(await add(await paintPortrait({ seed: SALMA }))).toMatchObject({
      status: 422,
      body: { code: 'another_face' },
    });
    expect((await add(await paintPortrait({ seed: OMAR }))).body.code).toBe('photo_already_added');
    await app.confirmChild(child._id);
    expect((await check(await paintPortrait({ seed: OMAR, light: 0.9 })))[0]?.match?.childId).toBe(child._id);
  });
});

describe('checking faces', () => {
  test('each face with its box in the photo as sent, its child or null; none: []', async () => {
    const { child } = (await create(family, staff, { photo: await paintPortrait({ seed: SALMA }) })).body;
    const faces = await check(await paintTwoFaces(SALMA, OMAR));
    expect(faces).toHaveLength(2);
    const [left, right] = faces.sort((a, b) => a.box[0] - b.box[0]);
    expect(left?.match?.childId).toBe(child._id);
    expect(right?.match).toBeNull();
    // 640 × 480, heads at 0.28 and 0.72 of the width.
    for (const [face, x] of [
      [left, 0.28 * 640],
      [right, 0.72 * 640],
    ] as const) {
      const [bx = 0, by = 0, width = 0, height = 0] = face?.box ?? [];
      expect(bx + width / 2).toBeGreaterThan(x - 40);
      expect(bx + width / 2).toBeLessThan(x + 40);
      expect(by).toBeGreaterThanOrEqual(0);
      expect(by + height).toBeLessThanOrEqual(480);
      expect(width).toBeGreaterThan(80);
    }
    expect(await check(await paintEmptyRoom())).toEqual([]);
  });

  test('the guide says what is wrong before the photo is taken', async () => {
    const guide = async (image: Buffer) =>
      (await app.ask('POST', '/api/face-guide', { token: family.token, form: { image } }))
        .body as unknown as {
        advice: string;
        width: number;
        height: number;
      };
    expect(await guide(await paintPortrait({ seed: ALI }))).toMatchObject({
      advice: 'ready',
      width: 640,
      height: 640,
    });
    expect((await guide(await paintEmptyRoom())).advice).toBe('no_face');
    expect((await guide(await paintSmallFace(ALI))).advice).toBe('face_too_small');
  });
});

describe('the photo that is kept', () => {
  test('is an upright JPEG of at most 1024 px without any metadata', async () => {
    const people = [{ seed: ALI, x: 0.5, y: 0.46, head: 0.5 }];
    // Stored rotated, with an orientation tag, as by phones.
    const photo = await paintScene({ width: 1200, height: 1600, people })
      .rotate(270)
      .withExif({ IFD0: { Copyright: 'SECRET-METADATA' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(jpegSegments(photo)).toMatchObject({ width: 1600, height: 1200 });
    expect(photo.includes('SECRET-METADATA')).toBe(true);
    const { child } = (await create(family, family.token, { photo })).body;
    await app.confirmChild(child._id);
    const kept = await keptPhoto(child.photo);
    const { width, height, markers } = jpegSegments(kept);
    expect({ width, height }).toEqual({ width: 768, height: 1024 });
    // No EXIF, XMP, colour profile, comment or Photoshop block; only JFIF (APP0) is allowed.
    expect(markers.filter((marker) => (marker >= 0xe1 && marker <= 0xef) || marker === 0xfe)).toEqual([]);
    expect(kept.includes('SECRET-METADATA')).toBe(false);
    // Upright: the face is where it was painted.
    const [face] = await check(kept);
    expect(face?.match?.childId).toBe(child._id);
  });

  test('is never enlarged, and never the bytes that were sent', async () => {
    const photo = await paintScene({
      width: 400,
      height: 400,
      people: [{ seed: ALI, x: 0.5, y: 0.46, head: 0.62 }],
    })
      .jpeg()
      .toBuffer();
    const { child } = (await create(family, family.token, { photo })).body;
    const kept = await keptPhoto(child.photo);
    expect(jpegSegments(kept)).toMatchObject({ width: 400, height: 400 });
    expect(kept.equals(photo)).toBe(false);
  });

  test('of a parent is made anew too, also where no face is in it', async () => {
    const { parent } = await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
      token: family.token,
      form: { photo: await paintEmptyRoom() },
    });
    expect(jpegSegments(await keptPhoto(parent.photo))).toMatchObject({ width: 640, height: 480 });
  });
});

test('six families that register at once are all registered, and each child is found', async () => {
  const photos = await Promise.all(chosenSeeds.slice(0, 6).map((seed) => paintPortrait({ seed }, 400)));
  const answers = await Promise.all(photos.map((photo) => create(family, family.token, { photo })));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
  for (const { body } of answers) await app.confirmChild(body.child._id);
  const found = await Promise.all(photos.map(async (photo) => (await check(photo))[0]?.match?.childId));
  expect(found).toEqual(answers.map(({ body }) => body.child._id));
});

test('the engine is killed: 503 in clear words, the desk goes on, and it is back without a restart of the server', async () => {
  const photo = await paintPortrait({ seed: ALI });
  const { child } = (await create(family, staff, { photo })).body;
  const pid = supervisor.pid();
  process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => supervisor.address()).toBeNull();
  for (const answer of [await register(photo), await create(other, staff, { photo })])
    expect(answer).toMatchObject({
      status: 503,
      body: {
        code: 'face_engine_unavailable',
        message: 'Face recognition is starting. Please try again in a moment.',
      },
    });
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token: staff });
  expect((await app.app.inject('/readyz')).statusCode).toBe(503);
  await expect
    .poll(async () => (await app.app.inject('/readyz')).statusCode, { timeout: 240_000, interval: 100 })
    .toBe(200);
  expect(supervisor.pid()).not.toBe(pid);
  // The restarted engine has the enrolled faces again.
  expect((await check(photo))[0]?.match?.childId).toBe(child._id);
  expect(engineLog.lines.some((line) => line.includes('the face engine ended'))).toBe(true);
}, 90_000);

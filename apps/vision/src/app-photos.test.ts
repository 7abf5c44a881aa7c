import { distanceOf } from '@haris/contract/face-distance';
import { visionEnrolAnswerSchema, visionPaths } from '@haris/contract/vision';
import {
  paintBlurredFace,
  paintBrightFace,
  paintClearGlasses,
  paintCutOffFace,
  paintDarkFace,
  paintDrawing,
  paintEmptyRoom,
  paintHalfDarkFace,
  paintMaskedFace,
  paintMirroredGlasses,
  paintPatternedMask,
  paintSmallFace,
  paintSunglasses,
  paintTwoFaces,
  paintUpsideDownFace,
} from '@haris/painter/bad-photos';
import {
  makeAnimatedWebp,
  makeFlatJpeg,
  makeFlatPng,
  makeFlatWebp,
  makeNoiseJpeg,
} from '@haris/painter/huge-photos';
import { paintPortrait, paintScene } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { createLogger } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildVisionApp } from './app.ts';
import { EnrolledFaces } from './faces/enrolled.ts';
import type { Recognizer } from './faces/recognizer.ts';
import { Seat } from './live/seat.ts';
import { loadTestRecognizer } from './testing/engine.ts';

const TOKEN = 'a-token-of-the-tests';
const [seed, otherSeed] = chosenSeeds;
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

function paintPoorly(look: { exposure?: number; blur?: number }): Promise<Buffer> {
  const people = [{ seed, x: 0.5, y: 0.48, head: 0.62 }];
  return paintScene({ width: 640, height: 480, people, ...look })
    .png()
    .toBuffer();
}

function paintPlainWall(): Promise<Buffer> {
  return paintScene({ width: 640, height: 480, people: [], room: ['#ffffff', '#223344'] })
    .png()
    .toBuffer();
}

async function enrol(body: Buffer) {
  const { status, json } = await post(visionPaths.enrol, body);
  expect(json).not.toHaveProperty('code');
  expect(status).toBe(200);
  return visionEnrolAnswerSchema.parse(json);
}

describe('enrol', () => {
  it('answers the face of a good photo, and the same numbers for the same bytes', async () => {
    const photo = await paintPortrait({ seed });
    const [first, second] = [await enrol(photo), await enrol(photo)];
    expect(second).toEqual(first);
    expect(first.quality).toBeGreaterThan(0.3);
    expect(first.photo).toMatchObject({ width: 640, height: 640 });
    const kept = await sharp(Buffer.from(first.photo.jpeg, 'base64')).metadata();
    expect(kept).toMatchObject({ format: 'jpeg', width: 640, height: 640, space: 'srgb' });
    expect(kept).not.toHaveProperty('exif');
    expect(kept).not.toHaveProperty('icc');
  });

  it.each([
    ['no_face', () => paintEmptyRoom()],
    ['many_faces', () => paintTwoFaces(seed, otherSeed)],
    ['face_too_small', () => paintSmallFace(seed)],
    ['face_cut_off', () => paintCutOffFace(seed)],
    ['photo_too_dark', () => paintDarkFace(seed)],
    ['photo_blurred', () => paintBlurredFace(seed)],
    ['face_upside_down', () => paintUpsideDownFace(seed)],
    ['face_unevenly_lit', () => paintHalfDarkFace(seed)],
    ['eyes_covered', () => paintSunglasses(seed)],
    ['eyes_covered', () => paintMirroredGlasses(seed)],
    ['mouth_covered', () => paintMaskedFace(seed)],
    ['mouth_covered', () => paintPatternedMask(otherSeed)],
    ['not_a_photo', () => paintDrawing()],
    ['unreadable_photo', async () => Buffer.from('no picture at all')],
    // The photo is so bad that no face is found.
    ['photo_too_dark', () => paintPoorly({ exposure: 0.01 })],
    ['photo_blurred', () => paintPoorly({ blur: 20 })],
    ['no_face', () => paintPlainWall()],
  ])('refuses %s', async (code, paint) => {
    const { status, json } = await post(visionPaths.enrol, await paint());
    expect(json.code).toBe(code);
    expect(status).toBe(422);
    expect(json.message).toMatch(/^[A-Z].*\.$/);
  });

  it.each([
    ['clear glasses', () => paintClearGlasses(seed)],
    ['clear glasses, another', () => paintClearGlasses(otherSeed)],
    ['light that washes it out', () => paintBrightFace(otherSeed)],
  ])('takes a face with %s', async (_what, paint) => {
    await enrol(await paint());
  });

  it('takes a face of 90 px in a large photo, and refuses one of 70 px as too small', async () => {
    const paint = (head: number) =>
      paintScene({ width: 1280, height: 720, people: [{ seed, x: 0.4, y: 0.5, head }] })
        .jpeg({ quality: 92 })
        .toBuffer();
    const { box } = await enrol(await paint(0.16));
    expect(box[2]).toBeGreaterThanOrEqual(80);
    expect(box[2]).toBeLessThan(110);
    expect((await post(visionPaths.enrol, await paint(0.115))).json.code).toBe('face_too_small');
  });

  it('finds the box where the face was painted', async () => {
    const boxAt = async (x: number, y: number) => {
      const scene = paintScene({ width: 1000, height: 700, people: [{ seed, x, y, head: 0.4 }] });
      return (await enrol(await scene.png().toBuffer())).box;
    };
    const [left, top, width, height] = await boxAt(0.3, 0.4);
    // The head is 280 px high around (300, 280); the box holds the eyes, the nose and the mouth.
    expect(width).toBeGreaterThan(120);
    expect(width).toBeLessThan(280);
    expect(height / width).toBeCloseTo(1, 1);
    expect(Math.abs(left + width / 2 - 300)).toBeLessThan(15);
    expect(top).toBeGreaterThan(280 - 140);
    expect(top + height).toBeGreaterThan(280 + 84);
    const moved = await boxAt(0.65, 0.55);
    expect(Math.abs(moved[0] - left - 350)).toBeLessThan(20);
    expect(Math.abs(moved[1] - top - 105)).toBeLessThan(20);
  });

  it('turns a photo upright as its EXIF says before anything else', async () => {
    const upright = await paintScene({
      width: 800,
      height: 600,
      people: [{ seed, x: 0.35, y: 0.5, head: 0.6 }],
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    // Orientation 6: the camera was held upright, the picture lies on its side.
    const lying = await sharp(upright)
      .rotate(-90)
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer();
    expect(await sharp(lying).metadata()).toMatchObject({ width: 600, height: 800, orientation: 6 });
    const [a, b] = [await enrol(upright), await enrol(lying)];
    expect(b.photo).toMatchObject({ width: 800, height: 600 });
    for (const i of [0, 1, 2, 3] as const) expect(Math.abs(a.box[i] - b.box[i])).toBeLessThan(5);
    expect(distanceOf(a.encoding, b.encoding)).toBeLessThan(0.1);
  });

  it('answers boxes in pixels of the photo as sent, however large, and keeps it at 1024', async () => {
    const scene = paintScene({ width: 4000, height: 3000, people: [{ seed, x: 0.5, y: 0.5, head: 0.6 }] });
    const { box, photo } = await enrol(await scene.jpeg({ quality: 80 }).toBuffer());
    expect(photo).toMatchObject({ width: 1024, height: 768 });
    expect(Math.abs(box[0] + box[2] / 2 - 2000)).toBeLessThan(80);
    expect(box[2]).toBeGreaterThan(700);
  });

  it('makes nearly the same encoding of a photo in another format or size, but not of another photo', async () => {
    const painted = paintScene({ width: 1280, height: 960, people: [{ seed, x: 0.5, y: 0.48, head: 0.6 }] });
    const png = await painted.png().toBuffer();
    const { encoding } = await enrol(png);
    const again = [
      await sharp(png).jpeg({ quality: 90 }).toBuffer(),
      await sharp(png).webp({ quality: 80 }).toBuffer(),
      await sharp(png).resize(1024).jpeg({ quality: 90 }).toBuffer(),
      await sharp(png).resize(640).jpeg({ quality: 90 }).toBuffer(),
    ];
    for (const photo of again) expect(distanceOf((await enrol(photo)).encoding, encoding)).toBeLessThan(0.15);
    expect(
      distanceOf((await enrol(await paintPortrait({ seed: otherSeed }))).encoding, encoding),
    ).toBeGreaterThan(0.6);
  });
});

describe('the stored photo', () => {
  const normalize = async (body: Buffer) => {
    const { status, json } = await post(visionPaths.normalize, body);
    expect(status).toBe(200);
    return Buffer.from(json.jpeg, 'base64');
  };

  it('of noise has 400 kB at most, in its whole size', async () => {
    const noise = await makeNoiseJpeg(1024, 1024);
    expect(noise.length).toBeGreaterThan(1_500_000);
    const stored = await normalize(noise);
    expect(stored.length).toBeLessThanOrEqual(400_000);
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', width: 1024, height: 1024 });
  });

  it('of a camera has the best quality', async () => {
    const scene = paintScene({ width: 1024, height: 1024, people: [{ seed, x: 0.5, y: 0.48, head: 0.6 }] });
    const png = await scene.png().toBuffer();
    const best = await sharp(png).removeAlpha().jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
    expect((await normalize(png)).equals(best)).toBe(true);
    expect(Buffer.from((await enrol(png)).photo.jpeg, 'base64').equals(best)).toBe(true);
  });
});

describe('photos that cannot be read', () => {
  const call = (body: Buffer) => post(visionPaths.normalize, body);

  it('refuses broken and cut bytes of every type', async () => {
    const portrait = sharp(await paintPortrait({ seed }, 320));
    for (const bytes of [
      await portrait.clone().jpeg().toBuffer(),
      await portrait.clone().png().toBuffer(),
      await portrait.clone().webp().toBuffer(),
    ]) {
      expect((await call(bytes)).status).toBe(200);
      expect((await call(bytes.subarray(0, bytes.length / 2))).json.code).toBe('unreadable_photo');
      expect((await call(bytes.subarray(0, 40))).json.code).toBe('unreadable_photo');
    }
  });

  it('refuses other formats that could be read', async () => {
    const portrait = sharp(await paintPortrait({ seed }, 320));
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const bytes of [
      await portrait.clone().gif().toBuffer(),
      await portrait.clone().tiff().toBuffer(),
      svg,
    ])
      expect((await call(bytes)).json.code).toBe('unreadable_photo');
  });

  it.each([
    ['a PNG one pixel wide', () => makeFlatPng(1, 40_000_000)],
    ['a PNG one pixel high', () => makeFlatPng(40_000_000, 1)],
    ['a PNG just over the longest side', () => makeFlatPng(1, 12_001, { bits: 8 })],
    ['an interlaced PNG', () => makeFlatPng(6_400, 6_400, { interlaced: true })],
    ['a PNG of 16 bits that takes twice the memory', () => makeFlatPng(5_000, 5_000)],
    ['a WebP with a huge canvas', async () => makeFlatWebp(16_383, 16_383)],
    ['a WebP of many frames', async () => makeAnimatedWebp(2_000, 2_000, 11)],
    ['a progressive JPEG with a long side', () => makeFlatJpeg(65_500, 600)],
  ])('refuses %s by its header', async (_what, make) => {
    const bytes = await make();
    expect(bytes.length).toBeLessThan(500_000);
    const before = process.resourceUsage().maxRSS;
    expect(await call(bytes)).toMatchObject({ status: 422, json: { code: 'unreadable_photo' } });
    // Kilobytes: memory did not grow, so the photo was not decoded.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(40_000);
  });

  it('takes the largest photos that a camera makes, of every type', async () => {
    for (const bytes of [
      await makeFlatPng(6_324, 6_324, { bits: 8 }),
      await makeFlatPng(4_470, 4_470, { interlaced: true }),
      await makeFlatJpeg(8_000, 5_000),
      makeFlatWebp(12_000, 3_333),
    ])
      expect((await call(bytes)).status).toBe(200);
  });

  it('refuses more than 40 million pixels, however few bytes they take', async () => {
    const flat = { width: 8000, height: 5001, channels: 3 as const, background: '#888' };
    const bytes = await sharp({ create: flat }).png({ compressionLevel: 9 }).toBuffer();
    expect(bytes.length).toBeLessThan(1_000_000);
    expect((await call(bytes)).json.code).toBe('unreadable_photo');
  });

  it('refuses an empty body, and reads grey and transparent pictures', async () => {
    expect((await call(Buffer.alloc(0))).json.code).toBe('unreadable_photo');
    const portrait = sharp(await paintPortrait({ seed }, 320));
    const grey = await portrait.clone().toColourspace('b-w').png().toBuffer();
    expect((await sharp(grey).metadata()).channels).toBe(1);
    expect((await post(visionPaths.enrol, grey)).status).toBe(200);
    const clear = await portrait.clone().ensureAlpha(0.9).png().toBuffer();
    expect((await post(visionPaths.enrol, clear)).status).toBe(200);
  });

  it('answers 413 for more than 9 MB', async () => {
    expect(await call(Buffer.alloc(10 * 1024 * 1024))).toMatchObject({
      status: 413,
      json: { code: 'bad_request' },
    });
  });
});

describe('guide', () => {
  it('advises what enrol would say, with the box', async () => {
    const good = await post(visionPaths.guide, await paintPortrait({ seed }));
    expect(good).toMatchObject({ status: 200, json: { advice: 'ready', width: 640, height: 640 } });
    expect(good.json.box).toHaveLength(4);
    const none = await post(visionPaths.guide, await paintEmptyRoom());
    expect(none.json).toMatchObject({ advice: 'no_face', box: null });
    const masked = await post(visionPaths.guide, await paintMaskedFace(seed));
    expect(masked.json.advice).toBe('mouth_covered');
    const two = await post(visionPaths.guide, await paintTwoFaces(seed, otherSeed));
    expect(two.json.advice).toBe('many_faces');
    expect(two.json.box).toHaveLength(4);
  });
});

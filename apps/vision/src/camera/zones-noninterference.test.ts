/**
 * Nothing behind a privacy zone leaves a camera's process. Two cameras whose pictures differ only inside the zones get
 * the same random orders, and while the zones are set everything that leaves is the same, byte for byte. Unlike a test
 * that looks at colours, this needs no threshold, no faces process and no real clock.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Zone } from '@haris/contract/http/cameras';
import type { VisionView } from '@haris/contract/vision-live';
import { type Random, seeded } from '@haris/painter/random';
import { Frame, Log } from 'node-av';
import { AV_LOG_QUIET, AV_PIX_FMT_YUV420P, AVCOL_RANGE_JPEG } from 'node-av/constants';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Box } from '../picture/region.ts';
import type { CameraNote, Subscription } from '../process/messages.ts';
import type { Analysis, LiveFace } from '../recognition/live.ts';
import { Pipeline } from './pipeline.ts';

/** Sides of at most 1280: larger pictures are shrunk before their zones are filled, which mixes pixels at the edge. */
type Size = readonly [width: number, height: number];
type Note = Extract<CameraNote, { type: 'frame' | 'pictures' }>;

/** What the faces process or one viewer gets, with everything that is said about it. */
interface Output {
  readonly kind: (typeof KINDS)[number];
  /** Whether zones were set when it left. */
  readonly isCovered: boolean;
  readonly about: object;
  readonly bytes: Uint8Array | undefined;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Every way out; `blind`: of a picture in which nobody looked for faces. */
const KINDS = ['frame', 'whole', 'composed', 'composed blind', 'coarse', 'coarse blind', 'sharp'] as const;
/** So many with each of the lists of zones. */
const SEEDS_EACH = 10;
const STEPS = 150;
const START = Date.UTC(2026, 0, 1);

const ZONES: readonly Zone[][] = [
  [
    [
      [0.38, 0.2],
      [0.62, 0.2],
      [0.62, 0.55],
      [0.38, 0.55],
    ],
    [
      [0.8, 0],
      [1, 0],
      [1, 0.3],
    ],
  ],
  [
    [
      [0.1, 0.5],
      [0.4, 0.4],
      [0.5, 0.9],
      [0.2, 1],
    ],
  ],
];

const whole: VisionView = { kind: 'whole' };
const family: VisionView = { kind: 'only', childIds: ['amal'] };
const VIEWERS: readonly Subscription[] = [
  { subscription: 1, view: whole, format: 'layers', maxFps: 30 },
  { subscription: 2, view: whole, format: 'jpeg', maxFps: 10 },
  { subscription: 3, view: family, format: 'layers', maxFps: 30 },
  { subscription: 4, view: family, format: 'jpeg', maxFps: 30 },
];

// As in a camera's process: the library warns of a form of pixels that is meant.
Log.setLevel(AV_LOG_QUIET);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it('lets nothing of a zone out of pictures of one size', () => {
  expectNothingLeaves([[320, 180]]);
});

it('lets nothing of a zone out while the size of the pictures changes', () => {
  expectNothingLeaves([
    [320, 180],
    [240, 240],
    [322, 182],
  ]);
});

function expectNothingLeaves(sizes: readonly Size[]): void {
  const leaks: string[] = [];
  const covered: Output['kind'][] = [];
  const control: Output['kind'][] = [];
  for (const [n, zones] of ZONES.entries()) {
    const [dark, bright] = [drawPictures(sizes, zones, 0), drawPictures(sizes, zones, 1)];
    for (let seed = n * SEEDS_EACH; seed < (n + 1) * SEEDS_EACH; seed++) {
      const outputs = play(seed, zones, dark);
      const others = play(seed, zones, bright);
      expect(others.map(nameOf), `seed ${seed}`).toEqual(outputs.map(nameOf));
      for (const [i, output] of outputs.entries()) {
        const isSame = isDeepStrictEqual(output, others[i]);
        if (output.isCovered) covered.push(output.kind);
        else if (!isSame) control.push(output.kind);
        if (output.isCovered && !isSame) leaks.push(`seed ${seed}, output ${i}: ${output.kind}`);
      }
    }
  }
  expect(leaks).toEqual([]);
  // Each way out was tried with zones, and without them it tells the cameras apart: else the line above says nothing.
  for (const kind of KINDS) {
    expect(covered.filter((other) => other === kind).length, `${kind} with zones`).toBeGreaterThan(10);
    expect(control.filter((other) => other === kind).length, `${kind} without zones`).toBeGreaterThan(10);
  }
}

const nameOf = ({ kind, isCovered }: Output): string => `${kind} ${isCovered}`;

/** Everything that leaves a pipeline to which random things happen. */
function play(seed: number, zones: Zone[], pictures: readonly [Picture, ...Picture[]]): Output[] {
  vi.setSystemTime(START);
  const random = seeded(seed);
  const outputs: Output[] = [];
  let frame: Extract<Note, { type: 'frame' }> | null = null;
  let isCovered = false;
  let isAnswer = false;
  const pipeline = new Pipeline((note) => {
    if (note.type === 'frame') frame = note;
    outputs.push(...outputsOf(note, isCovered, isAnswer));
  });

  const add = (): void => addPicture(pipeline, random.pick(pictures));
  const answer = (): void => {
    if (!frame) return;
    isAnswer = true;
    pipeline.order({ type: 'analysed', seq: frame.seq, analysis: imagine(random, frame) });
    isAnswer = false;
  };
  const next = (): void => {
    if (frame) pipeline.order({ type: 'next', seq: frame.seq });
  };
  const take = (): void => {
    for (const { subscription } of VIEWERS)
      if (random.chance(0.5)) pipeline.order({ type: 'taken', subscription });
  };
  const watch = (): void => {
    const subscriptions = VIEWERS.filter(() => random.chance(0.8));
    pipeline.order({ type: 'subscriptions', subscriptions });
  };
  const recognise = (): void => pipeline.order({ type: 'recognition', up: random.chance(0.8) });
  // Both ways and many times: what was made before the zones were set again must not leave after it.
  const cover = (): void => {
    isCovered = !isCovered;
    pipeline.order({ type: 'zones', zones: isCovered ? zones : [] });
  };
  // As often as they stand here.
  const often = [add, add, add, add, add, add, add, add, answer, answer, answer, next, next] as const;
  const happenings = [...often, take, take, take, take, cover, watch, recognise] as const;

  if (random.chance(0.3)) cover();
  pipeline.order({ type: 'recognition', up: true });
  pipeline.order({ type: 'subscriptions', subscriptions: VIEWERS });
  for (let step = 0; step < STEPS; step++) {
    // Now and then so long that the faces process counts as late.
    const pause = random.between(0, random.chance(0.1) ? 1_500 : 60);
    vi.setSystemTime(Date.now() + Math.floor(pause));
    random.pick(happenings)();
  }
  pipeline.close();
  return outputs;
}

function* outputsOf(note: Note, isCovered: boolean, isAnswer: boolean): Generator<Output> {
  if (note.type === 'frame') {
    const { pixels, ...about } = note;
    yield { kind: 'frame', isCovered, about, bytes: pixels };
    return;
  }
  const { layers: jpegs, pictures, ...header } = note;
  for (const { layers, ...picture } of pictures)
    for (const { index, ...layer } of layers) {
      const kind = kindOf(picture.subscription, layer.childId, isAnswer);
      yield { kind, isCovered, about: { ...header, ...picture, ...layer }, bytes: jpegs[index] };
    }
}

function kindOf(subscription: number, childId: string | undefined, isAnswer: boolean): Output['kind'] {
  if (childId !== undefined) return 'sharp';
  const viewer = VIEWERS.find((other) => other.subscription === subscription);
  if (viewer?.view.kind === 'whole') return 'whole';
  const kind = viewer?.format === 'jpeg' ? 'composed' : 'coarse';
  return isAnswer ? kind : `${kind} blind`;
}

/** Two of each size. */
function drawPictures(sizes: readonly Size[], zones: readonly Zone[], camera: 0 | 1) {
  const pictures = [...sizes, ...sizes].map((size, i) => drawPicture(i, size, zones, camera));
  return pictures as [Picture, ...Picture[]];
}

/** Noise, within the zones dark for one camera and bright for the other: a trace of that survives a mean too. */
function drawPicture(seed: number, [width, height]: Size, zones: readonly Zone[], camera: 0 | 1): Picture {
  const noise = seeded(seed);
  const luma = width * height;
  const data = Buffer.alloc((luma * 3) / 2);
  for (let i = 0; i < data.length; i++) data[i] = noise.between(40, 200);
  const hide = (at: number): void => {
    data[at] = noise.between(128 * camera, 128 * camera + 128);
  };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!zones.some((zone) => isWithin(zone, (x + 0.5) / width, (y + 0.5) / height))) continue;
      const colour = luma + (y >> 1) * (width / 2) + (x >> 1);
      for (const at of [y * width + x, colour, colour + luma / 4]) hide(at);
    }
  return { width, height, data };
}

/** Not taken from the code that fills the zones, so that what it leaves out is seen. */
function isWithin(zone: Zone, x: number, y: number): boolean {
  let isInside = false;
  for (const [i, [ax, ay]] of zone.entries()) {
    const [bx, by] = zone[(i + 1) % zone.length] ?? [ax, ay];
    if (ay <= y !== by <= y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  }
  return isInside;
}

function addPicture(pipeline: Pipeline, { width, height, data }: Picture): void {
  const timeBase = { num: 1, den: 1000 };
  const frame = Frame.fromVideoBuffer(data, { width, height, format: AV_PIX_FMT_YUV420P, timeBase });
  frame.colorRange = AVCOL_RANGE_JPEG;
  try {
    pipeline.add(frame, Date.now());
  } finally {
    frame.free();
  }
}

/** Faces anywhere: beside the zones too, with a sharp region that reaches into them. */
function imagine(random: Random, { width, height }: { width: number; height: number }): Analysis {
  const place = (): Box => {
    const side = Math.round(width * random.between(0.1, 0.18));
    const x = Math.round(width * random.between(0.1, 0.8));
    return { x, y: Math.round(height * random.between(0.1, 0.5)), width: side, height: side };
  };
  const own = faceOf('amal', place(), random.chance(0.3));
  const faces = random.chance(0.5) ? [own] : [own, faceOf(null, place(), false)];
  return { faces, expected: random.chance(0.3) ? [place()] : [] };
}

function faceOf(childId: string | null, box: Box, crowded: boolean): LiveFace {
  const subject = childId === null ? null : ({ kind: 'child', id: childId } as const);
  return { box, subject, showable: childId !== null, crowded };
}

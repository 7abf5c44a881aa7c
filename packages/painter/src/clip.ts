/**
 * Video of painted people who walk through a room, with the ground truth of their positions: for the demo, the tests
 * and the benches. Nobody in it exists.
 */
import { rename } from 'node:fs/promises';
import { Encoder, Frame, Log, Muxer, Scaler } from 'node-av';
import {
  AV_LOG_ERROR,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
} from 'node-av/constants';
import sharp from 'sharp';
import { drawPerson } from './drawing.ts';
import { featuresOf } from './features.ts';
import { paintScene } from './portrait.ts';
import { seeded } from './random.ts';

/**
 * Oscillation around `middle` by `swing`, `times` times per clip, starting at `phase` (0–1). Fractions of the
 * picture.
 */
export interface Sway {
  readonly middle: number;
  readonly swing?: number;
  readonly times?: number;
  readonly phase?: number;
}

export interface Walker {
  readonly seed: number;
  /** The head's middle, as fractions of width and height; outside 0–1 it is out of the picture. */
  readonly x: Sway;
  readonly y: Sway;
  /** The head's height, as a fraction of the picture's. */
  readonly head: number;
}

export interface Clip {
  /** Pixels, even. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Number of frames. The last leads into the first. */
  readonly frames: number;
  /** From back to front. */
  readonly people: readonly Walker[];
}

/** A head in a picture: its middle and its height in pixels, origin top left. */
export interface HeadTruth {
  readonly seed: number;
  readonly x: number;
  readonly y: number;
  readonly head: number;
}

/** Turns of the head, from -1 to 1, in steps so that each is drawn only once. */
const TURNS = [-0.5, -0.25, 0, 0.25, 0.5] as const;
/** Extent of a drawn person, in head heights from the head's middle. */
const SPRITE = { left: 1.05, up: 0.8, width: 2.1, height: 3.6 } as const;
/** Largest difference from sensor noise, of 255. */
const NOISE = 3;

function swayAt({ middle, swing = 0, times = 1, phase = 0 }: Sway, part: number): number {
  return middle + swing * Math.sin(2 * Math.PI * (times * part + phase));
}

/** Heads in frame `frame`, without those outside the picture. */
export function findHeads({ width, height, frames, people }: Clip, frame: number): HeadTruth[] {
  return people
    .map(({ seed, x, y, head }) => ({
      seed,
      x: swayAt(x, frame / frames) * width,
      y: swayAt(y, frame / frames) * height,
      head: head * height,
    }))
    .filter(
      ({ x, y, head }) => x > -head / 2 && x < width + head / 2 && y > -head / 2 && y < height + head / 2,
    );
}

interface Sprite {
  /** RGBA. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

async function paintSprite(seed: number, turn: number, head: number): Promise<Sprite> {
  const width = Math.ceil(SPRITE.width * head);
  const height = Math.ceil(SPRITE.height * head);
  const features = featuresOf(seed);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<g transform="translate(${SPRITE.left * head} ${SPRITE.up * head}) scale(${head})">
<path d="M-0.55 1.3 L-0.5 2.75 L-0.08 2.75 L0 1.7 L0.08 2.75 L0.5 2.75 L0.55 1.3 Z" fill="#4a5568"/>
${drawPerson(features, { turn, lean: 0, light: 1, side: 0 }, 'p')}</g></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .blur(0.6)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function draw(room: Buffer, width: number, height: number, sprite: Sprite, left: number, top: number): void {
  for (let y = Math.max(0, -top); y < sprite.height && top + y < height; y++)
    for (let x = Math.max(0, -left); x < sprite.width && left + x < width; x++) {
      const from = (y * sprite.width + x) * 4;
      const cover = sprite.data[from + 3] as number;
      if (cover === 0) continue;
      const to = ((top + y) * width + left + x) * 3;
      for (let c = 0; c < 3; c++) {
        const below = room[to + c] as number;
        room[to + c] = below + (((sprite.data[from + c] as number) - below) * cover) / 255;
      }
    }
}

/** The frames of the clip in order, RGB; each buffer belongs to the caller. */
export async function* paintClip(clip: Clip): AsyncGenerator<Buffer> {
  const { width, height, frames, people } = clip;
  const room = await paintScene({ width, height, people: [], toys: true }).raw().toBuffer();
  const sprites = new Map<string, Sprite>();
  for (const { seed, head } of people)
    for (const turn of TURNS)
      sprites.set(`${seed} ${head} ${turn}`, await paintSprite(seed, turn, head * height));
  const random = seeded(1);
  const noise = Int8Array.from({ length: width * height * 3 }, () =>
    Math.round(random.between(-NOISE, NOISE)),
  );
  for (let frame = 0; frame < frames; frame++) {
    const picture = Buffer.from(room);
    for (const { seed, x, y, head } of people) {
      const before = swayAt(x, (frame - 1) / frames);
      const speed = ((swayAt(x, frame / frames) - before) * width) / (head * height);
      // A head turns in its direction of movement.
      const wanted = Math.max(-0.5, Math.min(0.5, speed * 8));
      const turn = TURNS.reduce((best, step) =>
        Math.abs(step - wanted) < Math.abs(best - wanted) ? step : best,
      );
      const sprite = sprites.get(`${seed} ${head} ${turn}`);
      if (!sprite) continue;
      const left = Math.round(swayAt(x, frame / frames) * width - SPRITE.left * head * height);
      const top = Math.round(swayAt(y, frame / frames) * height - SPRITE.up * head * height);
      draw(picture, width, height, sprite, left, top);
    }
    const clamped = new Uint8ClampedArray(picture.buffer, picture.byteOffset, picture.length);
    let grain = Math.floor(random.between(0, noise.length));
    for (let i = 0; i < clamped.length; i++) {
      clamped[i] = (clamped[i] as number) + (noise[grain] as number);
      grain = grain + 1 === noise.length ? 0 : grain + 1;
    }
    yield picture;
  }
}

/**
 * Writes the clip as H.264, or as H.265 if `file` ends in `.h265`. Like a camera's stream it has no B frames and a
 * keyframe every two seconds. Other endings are `.mp4`, `.ts` and `.h264`. The file appears only once it is complete.
 */
export async function writeClip(clip: Clip, file: string): Promise<void> {
  const { width, height, fps } = clip;
  // Silences the encoder's statistics.
  Log.setLevel(AV_LOG_ERROR);
  const ending = file.slice(file.lastIndexOf('.'));
  const unfinished = `${file.slice(0, -ending.length)}.unfinished-${process.pid}${ending}`;
  const isH265 = ending === '.h265';
  const encoder = await Encoder.create(isH265 ? FF_ENCODER_LIBX265 : FF_ENCODER_LIBX264, {
    gopSize: fps * 2,
    maxBFrames: 0,
    threadCount: 2,
    options: {
      preset: isH265 ? 'ultrafast' : 'veryfast',
      crf: 23,
      tune: 'zerolatency',
      // x265 bypasses the library's log.
      ...(isH265 && { 'x265-params': 'log-level=none' }),
    },
  });
  const muxer = await Muxer.open(unfinished);
  const stream = muxer.addStream(encoder);
  const scaler = new Scaler();
  const size = { width, height, timeBase: { num: 1, den: fps } };
  let at = 0n;
  for await (const picture of paintClip(clip)) {
    const painted = Frame.fromVideoBuffer(picture, { ...size, format: AV_PIX_FMT_RGB24 });
    const planes = scaler.toBufferSync(painted, { format: 'yuv420p' });
    painted.free();
    const frame = Frame.fromVideoBuffer(planes, { ...size, format: AV_PIX_FMT_YUV420P, pts: at++ });
    for (const packet of await encoder.encodeAll(frame)) await muxer.writePacket(packet, stream);
    frame.free();
  }
  for (const packet of await encoder.encodeAll(null)) await muxer.writePacket(packet, stream);
  await muxer.close();
  encoder.close();
  scaler.close();
  await rename(unfinished, file);
}

/** The videos of `bench/vision.ts` with the true positions of the people: a painted clip, and photos that move. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clip, findHeads, paintClip } from '@haris/painter/clip';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import sharp from 'sharp';
import type { createRecognizer } from '../apps/vision/src/faces/recognizer.ts';

type Recognizer = ReturnType<typeof createRecognizer>;

const WIDTH = 1280;
const HEIGHT = 720;
const FPS = 15;
const SECONDS = 20;

/** A person in a picture: the middle of the face, in pixels. */
interface Truth {
  readonly subjectId: string;
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  /** False for a stranger: any name is wrong. */
  readonly known: boolean;
  /** Whether another face covers or touches it, so that no name is expected. */
  readonly hidden: boolean;
}

export interface Show {
  readonly title: string;
  readonly entries: readonly { readonly subjectId: string; readonly encodings: number[][] }[];
  readonly frames: AsyncIterable<{ readonly pixels: Buffer; readonly truth: readonly Truth[] }>;
}

const [first, second, third, fourth, fifth] = chosenSeeds;
/** Five children who walk to and fro; two of them pass each other. */
export const clip: Clip = {
  width: WIDTH,
  height: HEIGHT,
  fps: FPS,
  frames: FPS * SECONDS,
  people: [
    {
      seed: first,
      x: { middle: 0.1, swing: 0.05, times: 3 },
      y: { middle: 0.35, swing: 0.02, times: 8 },
      head: 0.16,
    },
    { seed: second, x: { middle: 0.32, swing: 0.08, times: 3, phase: 0.3 }, y: { middle: 0.4 }, head: 0.2 },
    { seed: third, x: { middle: 0.55, swing: 0.06, times: 4, phase: 0.6 }, y: { middle: 0.33 }, head: 0.14 },
    { seed: fourth, x: { middle: 0.78, swing: 0.12, times: 2 }, y: { middle: 0.36 }, head: 0.15 },
    { seed: fifth, x: { middle: 0.8, swing: 0.12, times: 2, phase: 0.5 }, y: { middle: 0.46 }, head: 0.22 },
  ],
};

async function* paintedFrames(): Show['frames'] {
  let frame = 0;
  for await (const pixels of paintClip(clip)) {
    const heads = findHeads(clip, frame++);
    const truth = heads.map(({ seed, x, y, head }): Truth => {
      // Later ones are drawn over earlier ones.
      const hidden = heads.some(
        (other) => other.seed !== seed && Math.hypot(other.x - x, other.y - y) < (other.head + head) * 0.55,
      );
      return { subjectId: String(seed), x, y: y + head * 0.08, reach: head * 0.35, known: true, hidden };
    });
    yield { pixels, truth };
  }
}

export async function painted(recognizer: Recognizer): Promise<Show> {
  const entries = [];
  for (const { seed } of clip.people)
    entries.push({
      subjectId: String(seed),
      encodings: [(await recognizer.enrol(await paintPortrait({ seed }))).encoding],
    });
  return { title: 'painted children', entries, frames: paintedFrames() };
}

/** The photos of each person except the first three, which are enrolled; the last person is a stranger. */
export async function photographed(recognizer: Recognizer, folder: string): Promise<Show | null> {
  if (!existsSync(folder)) return null;
  const people = readdirSync(folder)
    .sort()
    .map((name) => ({ name, files: readdirSync(join(folder, name)).sort() }))
    .filter(({ files }) => files.length >= 6)
    .slice(0, 5);
  const entries: { subjectId: string; encodings: number[][] }[] = [];
  const shown: {
    name: string;
    photos: { data: Buffer; side: number; x: number; y: number; face: number }[];
  }[] = [];
  for (const { name, files } of people) {
    const read = (file: string): Buffer => readFileSync(join(folder, name, file));
    const isStranger = shown.length === people.length - 1;
    if (!isStranger) {
      const encodings: number[][] = [];
      for (const file of files.slice(0, 3)) encodings.push((await recognizer.enrol(read(file))).encoding);
      entries.push({ subjectId: name, encodings });
    }
    const photos = [];
    for (const file of files.slice(3, 9)) {
      const found = await recognizer.findFaces(read(file));
      const face = found.toSorted((a, b) => b.box[2] - a.box[2])[0]?.box;
      if (!face) continue;
      // Scales faces to 90 pixels width within their photo, so that the background keeps its look.
      const { width = 250 } = await sharp(read(file)).metadata();
      const side = Math.round((width * 90) / face[2]);
      const data = await sharp(read(file)).resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer();
      const scale = side / width;
      const [x, y] = [(face[0] + face[2] / 2) * scale, (face[1] + face[3] / 2) * scale];
      photos.push({ data, side, x, y, face: face[2] * scale });
    }
    shown.push({ name, photos });
  }

  async function* frames(): Show['frames'] {
    for (let frame = 0; frame < FPS * SECONDS; frame++) {
      const pixels = Buffer.alloc(WIDTH * HEIGHT * 3, 150);
      const truth: Truth[] = [];
      for (const [i, { name, photos }] of shown.entries()) {
        // A different photo of the same person every four seconds.
        const photo = photos[Math.floor(frame / (FPS * 4)) % photos.length];
        if (!photo) continue;
        const angle = (2 * Math.PI * frame) / (FPS * 7) + i;
        const left = Math.round((i + 0.5) * (WIDTH / shown.length) - photo.x + 12 * Math.sin(angle));
        const top = Math.round(HEIGHT * 0.45 - photo.y + 40 * Math.cos(angle * 0.7));
        // Only the person's own column, because photos overlap at their edges.
        const from = Math.max(0, left, Math.round(i * (WIDTH / shown.length)));
        const to = Math.min(WIDTH, left + photo.side, Math.round((i + 1) * (WIDTH / shown.length)));
        for (let y = Math.max(0, top); y < Math.min(HEIGHT, top + photo.side); y++) {
          const source = ((y - top) * photo.side + from - left) * 3;
          photo.data.copy(pixels, (y * WIDTH + from) * 3, source, source + (to - from) * 3);
        }
        const isKnown = entries.some(({ subjectId }) => subjectId === name);
        const [x, y] = [left + photo.x, top + photo.y];
        truth.push({ subjectId: name, x, y, reach: photo.face / 2, known: isKnown, hidden: false });
      }
      yield { pixels, truth };
    }
  }
  return { title: `photos of ${entries.length} people and a stranger`, entries, frames: frames() };
}

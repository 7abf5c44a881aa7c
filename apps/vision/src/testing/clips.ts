/** Clips for the tests, painted once and kept in `.cache/clips`; their names change with their content. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clip, writeClip } from '@haris/painter/clip';
import { chosenSeeds } from '@haris/painter/seeds';

const folder = join(import.meta.dirname, '../../../../.cache/clips');
const painter = join(import.meta.dirname, '../../../../packages/painter/src');
const [first, second, third] = chosenSeeds;

/** Three children, each in a separate part of the room. */
export const apartClip: Clip = {
  width: 640,
  height: 360,
  fps: 10,
  frames: 60,
  people: [
    { seed: first, x: { middle: 0.17, swing: 0.05 }, y: { middle: 0.4, swing: 0.02, times: 2 }, head: 0.26 },
    { seed: second, x: { middle: 0.5, swing: 0.05, phase: 0.3 }, y: { middle: 0.38 }, head: 0.28 },
    { seed: third, x: { middle: 0.83, swing: 0.05, phase: 0.6 }, y: { middle: 0.42 }, head: 0.24 },
  ],
};

/** Three children who walk past one another, before and behind. */
export const crossingClip: Clip = {
  width: 640,
  height: 360,
  fps: 10,
  frames: 120,
  people: [
    { seed: third, x: { middle: 0.5, swing: 0.4, phase: 0.25 }, y: { middle: 0.36 }, head: 0.24 },
    { seed: first, x: { middle: 0.35, swing: 0.2 }, y: { middle: 0.4, swing: 0.02, times: 3 }, head: 0.28 },
    { seed: second, x: { middle: 0.68, swing: 0.22, phase: 0.6 }, y: { middle: 0.46 }, head: 0.34 },
  ],
};

const making = new Map<string, Promise<string>>();

/** The path of the clip as a file with this extension. Parallel tests may call this for the same clip. */
export function makeClip(clip: Clip, ending: 'mp4' | 'ts' | 'h264' | 'h265'): Promise<string> {
  const key = JSON.stringify([clip, ending]);
  const made = making.get(key) ?? writeOnce(clip, ending);
  making.set(key, made);
  return made;
}

async function writeOnce(clip: Clip, ending: 'mp4' | 'ts' | 'h264' | 'h265'): Promise<string> {
  const sources = await Promise.all(
    ['clip.ts', 'drawing.ts', 'features.ts'].map((name) => readFile(join(painter, name), 'utf8')),
  );
  const name = createHash('sha256')
    .update(JSON.stringify([clip, sources]))
    .digest('hex')
    .slice(0, 16);
  const file = join(folder, `${name}.${ending}`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  await writeClip(clip, file);
  return file;
}

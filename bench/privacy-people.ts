/**
 * The people of `bench/privacy.ts`, painted or from photos, and their positions in the room. Uses no network except
 * the eye.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paintPortrait } from '@haris/painter/portrait';
import type { Eye } from '../apps/vision/src/testing/eye.ts';
import { cutHead, type Head, type Place } from '../apps/vision/src/testing/heads.ts';

/** The coarse room has the same number of pixels for every camera resolution. */
export const [WIDTH, HEIGHT] = [640, 360];
/** Face widths as fractions of the picture's height: from the far end of a hall to right in front of the camera. */
const SIZES = [0.06, 0.09, 0.13, 0.18, 0.25, 0.35, 0.5];
interface Person {
  readonly id: string;
  readonly known: Float32Array;
  /** From portraits other than the enrolled one. */
  readonly heads: readonly Head[];
}

export interface Cast {
  readonly title: string;
  readonly people: readonly Person[];
  /** Encodings of people who appear in no picture. */
  readonly strangers: readonly Float32Array[];
}

let state = 7;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

export async function paintCast(eye: Eye): Promise<Cast> {
  const people: Person[] = [];
  const strangers: Float32Array[] = [];
  for (let i = 0; i < 48; i++) {
    const seed = 1_000_003 * (i + 7);
    const front = await cutHead(eye, `painted ${i}`, await paintPortrait({ seed }));
    if (!front) continue;
    if (i >= 24) {
      strangers.push(front.encoding);
      continue;
    }
    const heads: Head[] = [];
    for (const pose of [{ turn: 0.3, light: 0.9 }, { turn: -0.3, side: 0.3 }, { lean: 5 }]) {
      const head = await cutHead(eye, `painted ${i}`, await paintPortrait({ seed, ...pose }));
      if (head) heads.push(head);
    }
    people.push({ id: `painted ${i}`, known: front.encoding, heads });
  }
  return { title: `${people.length} painted children`, people, strangers };
}

/** Null if there are no photos. */
export async function readCast(eye: Eye, folder: string): Promise<Cast | null> {
  if (!existsSync(join(folder, 'lfw'))) return null;
  const groups: string[][] = readdirSync(join(folder, 'lfw'))
    .sort()
    .map((name) =>
      readdirSync(join(folder, 'lfw', name))
        .sort()
        .map((file) => join(folder, 'lfw', name, file)),
    );
  const leaders = new Map<string, string>();
  const leaderOf = (file: string): string => {
    const next = leaders.get(file) ?? file;
    return next === file ? file : leaderOf(next);
  };
  const list = join(folder, 'pairs', 'pairs.csv');
  const pairs = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n').slice(1) : [];
  for (const line of pairs) {
    const [a = '', b = '', same] = line.trim().split(',');
    for (const file of [a, b]) leaders.set(file, leaders.get(file) ?? file);
    if (same === '1') leaders.set(leaderOf(a), leaderOf(b));
  }
  const byLeader = new Map<string, string[]>();
  // Skips photos that belong to no pair: they show several people.
  const alone = existsSync(list)
    ? readdirSync(join(folder, 'pairs')).filter((file) => file.endsWith('.jpg') && !leaders.has(file))
    : [];
  groups.push(...alone.map((file) => [join(folder, 'pairs', file)]));
  for (const file of leaders.keys())
    byLeader.set(leaderOf(file), [...(byLeader.get(leaderOf(file)) ?? []), join(folder, 'pairs', file)]);
  groups.push(...byLeader.values());
  const people: Person[] = [];
  const strangers: Float32Array[] = [];
  for (const [i, files] of groups.entries()) {
    const heads: Head[] = [];
    for (const file of files) {
      const head = await cutHead(eye, `photo ${i}`, readFileSync(file));
      if (head) heads.push(head);
    }
    const [first, ...others] = heads;
    if (first && others.length > 0) people.push({ id: `photo ${i}`, known: first.encoding, heads: others });
    else if (first) strangers.push(first.encoding);
  }
  return { title: `photos of ${people.length} people`, people, strangers };
}

/** Three to six people of mixed sizes who walk to and fro, each in a separate part of the room. */
export function makeScene(cast: Cast, scene: number): (picture: number) => Place[] {
  const count = 3 + (scene % 4);
  const shuffled = cast.people
    .map((_, i) => cast.people[(i + scene * count) % cast.people.length] as Person)
    .slice(0, count);
  const places = shuffled.map((person, i) => {
    const head = person.heads[Math.floor(random() * person.heads.length)] as Head;
    const width = (SIZES[Math.floor(random() * SIZES.length)] ?? 0.1) * HEIGHT;
    const x = ((i + 0.5) / count) * WIDTH + (random() - 0.5) * 40;
    const y = Math.max(width * 0.6, Math.min(HEIGHT - width * 0.6, (0.3 + 0.4 * random()) * HEIGHT));
    return { head, width, x, y, speed: 0.3 + random(), phase: random() * 6 };
  });
  // Nearer people are drawn in front.
  places.sort((a, b) => a.width - b.width);
  return (picture) =>
    places.map(({ head, width, x, y, speed, phase }) => ({
      head,
      width,
      x: x + width * 0.35 * Math.sin(speed * picture * 0.3 + phase),
      y: y + width * 0.1 * Math.cos(speed * picture * 0.4 + phase),
    }));
}

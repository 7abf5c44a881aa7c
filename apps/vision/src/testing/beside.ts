/** Measures how much of other children's faces is sharp in a family's picture, on a painted clip with known truth. */
import { isChild } from '@haris/contract/subject';
import { type Clip, findHeads, type HeadTruth, paintClip } from '@haris/painter/clip';
import { featuresOf } from '@haris/painter/features';
import { paintPortrait } from '@haris/painter/portrait';
import { FEATHER, findSharpPlaces, type SharpPlace } from '../camera/privacy.ts';
import type { Networks } from '../faces/networks.ts';
import { createRecognizer } from '../faces/recognizer.ts';
import type { Box } from '../picture/region.ts';
import { type Analysis, LiveRecognizer } from '../recognition/live.ts';

/** Result for the family of one child. */
export interface Watched {
  readonly seed: number;
  readonly pictures: number;
  /** Number of pictures in which the child is sharp, and of those that show only its face sharp. */
  readonly sharp: number;
  readonly faceAlone: number;
  /** The largest part of any other child's face that is sharp in a picture, 0–1. */
  readonly most: number;
  /** Pictures in which more than a tenth of another's face is sharp. */
  readonly overTenth: number;
}

/** A clip in which a child stands behind another one for seconds at a time, its face visible to varying degrees. */
export const lurkingClip = ([front, behind]: readonly [number, number]): Clip => ({
  width: 640,
  height: 360,
  fps: 10,
  frames: 200,
  people: [
    { seed: behind, x: { middle: 0.72, swing: 0.2, phase: 0.25 }, y: { middle: 0.42 }, head: 0.26 },
    { seed: front, x: { middle: 0.5, swing: 0.02 }, y: { middle: 0.4 }, head: 0.3 },
  ],
});

const BEGAN = 1_700_000_000_000;
/** Distance between sampled points of a face. Pixels. */
const STEP = 2;

/** Analyses every `every`th picture of the clip like a camera whose children are all inside and watched. */
export async function watchClip(networks: Networks, clip: Clip, every: number): Promise<Watched[]> {
  const recognizer = createRecognizer(networks);
  const entries = [];
  for (const { seed } of clip.people)
    entries.push({
      subject: { kind: 'child' as const, id: String(seed) },
      encodings: [(await recognizer.enrol(await paintPortrait({ seed }))).encoding],
    });
  const live = new LiveRecognizer(networks, () => {});
  const inside = entries.map(({ subject }) => subject.id);
  live.setGallery(entries);
  live.setRules({ threshold: 0.5, margin: 0.05, inside });
  const watched = new Set(inside);
  const families = clip.people.map(({ seed }) => ({
    seed,
    pictures: 0,
    sharp: 0,
    faceAlone: 0,
    most: 0,
    overTenth: 0,
  }));
  let frame = -1;
  for await (const data of paintClip(clip)) {
    if (++frame % every !== 0) continue;
    const pixels = { data, width: clip.width, height: clip.height };
    let analysis: Analysis = { faces: [], expected: [] };
    await live.analyse(
      { cameraId: 'hall', at: BEGAN + (frame / clip.fps) * 1_000, pixels, watched },
      (answer) => {
        analysis = answer;
      },
    );
    const heads = findHeads(clip, frame);
    for (const family of families) {
      family.pictures++;
      const id = String(family.seed);
      const places = findSharpPlaces(analysis, [id], clip);
      if (places.length === 0) continue;
      family.sharp++;
      if (analysis.faces.some(({ subject, crowded }) => isChild(subject, id) && crowded)) family.faceAlone++;
      const others = heads.filter(({ seed }) => seed !== family.seed);
      const most = Math.max(0, ...others.map((other) => sharpPartOf(other, heads, places, clip)));
      family.most = Math.max(family.most, most);
      if (most > 0.1) family.overTenth++;
    }
  }
  return families;
}

/** The fraction of a face that is sharp and not covered by another head. `heads`: from the back to the front. */
function sharpPartOf(
  face: HeadTruth,
  heads: readonly HeadTruth[],
  places: readonly SharpPlace[],
  { width, height }: Clip,
): number {
  const before = heads.slice(heads.indexOf(face) + 1);
  const half = halfWidthOf(face);
  let [all, sharp] = [0, 0];
  for (let y = face.y - face.head / 2; y < face.y + face.head / 2; y += STEP)
    for (let x = face.x - half; x < face.x + half; x += STEP) {
      if (!isInHead(face, x, y)) continue;
      all++;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      if (before.some((one) => covers(one, x, y))) continue;
      if (places.some((place) => isSharp(place, x, y))) sharp++;
    }
  return sharp / all;
}

const halfWidthOf = ({ seed, head }: HeadTruth): number => (featuresOf(seed).headWidth / 2) * head;

function isInHead(head: HeadTruth, x: number, y: number): boolean {
  return Math.hypot((x - head.x) / halfWidthOf(head), (y - head.y) / (head.head / 2)) < 1;
}

/** Whether a point lies in a person's head or shoulders. */
function covers(one: HeadTruth, x: number, y: number): boolean {
  return isInHead(one, x, y) || (y > one.y + one.head * 0.7 && Math.abs(x - one.x) < one.head * 0.8);
}

/** Whether a point is sharp. The edge is the middle of the fade, where the coarse room makes up half of the picture. */
function isSharp({ box, hidden }: SharpPlace, x: number, y: number): boolean {
  const fade = (FEATHER * box.width) / 2;
  const holds = (place: Box, edge: number): boolean =>
    x >= place.x + edge &&
    y >= place.y + edge &&
    x <= place.x + place.width - edge &&
    y <= place.y + place.height - edge;
  return holds(box, fade) && !hidden.some((place) => holds(place, 0));
}

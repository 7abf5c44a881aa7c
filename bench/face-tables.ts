/**
 * Tables of `npm run bench:faces`: which changed photos are refused, who is accepted with one, three and five photos, and how
 * often a new child leads to a question.
 */
import { distanceOf, distanceToPerson } from '@haris/contract/face-distance';
import type { Aligner } from '../apps/vision/src/faces/align.ts';
import type { Detector } from '../apps/vision/src/faces/detector.ts';
import { FaceProblemError, type Recognizer } from '../apps/vision/src/faces/recognizer.ts';
import { readPhoto } from '../apps/vision/src/picture/photo.ts';
import { Pyramid } from '../apps/vision/src/picture/pixels.ts';
import { badFaces, goodFaces } from './bad-faces.ts';

export type Photos = ReadonlyMap<string, Buffer>;

async function findRefusal(recognizer: Recognizer, photo: Buffer): Promise<string | null> {
  try {
    await recognizer.enrol(photo);
    return null;
  } catch (error) {
    if (!(error instanceof FaceProblemError)) throw error;
    return error.problem;
  }
}

/**
 * Changes every enrollable photo in each way, and prints how many are refused and why: all of the spoiled ones should be,
 * and none with glasses or in bright light.
 */
export async function printRefusals(
  photos: Photos,
  { recognizer, detector, aligner }: { recognizer: Recognizer; detector: Detector; aligner: Aligner },
): Promise<void> {
  const table: Record<string, Record<string, string>> = {};
  for (const [title, spoil] of Object.entries({ ...badFaces, ...goodFaces })) {
    const reasons = new Map<string, number>();
    let [index, refused] = [0, 0];
    for (const bytes of photos.values()) {
      if (await findRefusal(recognizer, bytes)) continue;
      const { pixels } = await readPhoto(bytes);
      const pyramid = new Pyramid(pixels);
      const [face] = await detector.detect(pyramid);
      if (!face) continue;
      const landmarks = await aligner.findLandmarks(pyramid, face);
      const problem = await findRefusal(recognizer, await spoil({ pixels, landmarks }, index++));
      if (!problem) continue;
      refused++;
      reasons.set(problem, (reasons.get(problem) ?? 0) + 1);
    }
    const why = [...reasons].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
    table[title in goodFaces ? `good: ${title}` : title] = {
      refused: `${refused} of ${index}`,
      of20: ((20 * refused) / index).toFixed(1),
      why: why.join(', '),
    };
  }
  console.table(table);
}

const ROUNDS = 200;

/**
 * Prints who passes a threshold when people have one, three or five photos: every other photo of the same person, and
 * every photo of everybody else, compared with randomly chosen sets of photos (the same in every run). `people`:
 * encodings of each person.
 */
export function printByPhotos(
  people: ReadonlyMap<string, readonly ArrayLike<number>[]>,
  thresholds: readonly number[],
): void {
  const table: Record<string, Record<string, string>> = {};
  for (const count of [1, 3, 5]) {
    const own: number[] = [];
    const strangers: number[] = [];
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (const [name, encodings] of people) {
      if (encodings.length <= count) continue;
      for (let round = 0; round < ROUNDS; round++) {
        const shuffled = encodings
          .map((encoding) => ({ encoding, at: random() }))
          .sort((a, b) => a.at - b.at)
          .map(({ encoding }) => encoding);
        const known = shuffled.slice(0, count);
        for (const probe of shuffled.slice(count)) own.push(distanceToPerson(known, probe));
        for (const [other, faces] of people)
          if (other !== name) for (const probe of faces) strangers.push(distanceToPerson(known, probe));
      }
    }
    const share = (values: readonly number[], below: number): string =>
      `${((100 * values.filter((value) => value < below).length) / values.length).toFixed(3)} %`;
    for (const at of thresholds)
      table[`${count} photo${count > 1 ? 's' : ''}, under ${at.toFixed(2)}`] = {
        own: share(own, at),
        strangers: share(strangers, at),
        comparisons: `${own.length} and ${strangers.length}`,
      };
  }
  console.table(table);
}

/** Children in the house that a new child comes to. */
const HOUSE = 100;
const QUESTIONS = [0.5, 0.51, 0.52, 0.55, 0.6] as const;

/**
 * Prints how often staff are asked about a new child in a house of {@link HOUSE} others with one photo each, by the distance
 * up to which they are asked, and how often a second account of a child would lead to the question. For each photo, the
 * part of everybody else's photos that is near enough stands for each child of the house.
 */
export function printHouse(people: ReadonlyMap<string, readonly ArrayLike<number>[]>): void {
  const table: Record<string, Record<string, string>> = {};
  for (const below of QUESTIONS) {
    let [photos, asked, pairs, near, again, found] = [0, 0, 0, 0, 0, 0];
    for (const [name, own] of people)
      for (const face of own) {
        const others = [...people].flatMap(([other, faces]) => (other === name ? [] : faces));
        const close = others.filter((other) => distanceOf(other, face) < below).length;
        photos++;
        pairs += others.length;
        near += close;
        asked += 1 - (1 - close / others.length) ** HOUSE;
        const same = own.filter((other) => other !== face);
        again += same.length;
        found += same.filter((other) => distanceOf(other, face) < below).length;
      }
    const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;
    table[`asked below ${below.toFixed(2)}`] = {
      'new children asked about': percent(asked / photos),
      'pairs of strangers': percent(near / pairs),
      'second accounts found': percent(found / again),
    };
  }
  console.table(table);
}

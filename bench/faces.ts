/**
 * Measures how well and how fast faces are found and told apart: `npm run bench:faces`. Reads labelled photos from
 * the given folder or ../shared/faces; without one it paints portraits, which say nothing about real faces.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { distanceOf } from '@haris/contract/face-distance';
import { paintPortrait } from '@haris/painter/portrait';
import { createAligner } from '../apps/vision/src/faces/align.ts';
import { createDetector } from '../apps/vision/src/faces/detector.ts';
import { createEmbedder } from '../apps/vision/src/faces/embedder.ts';
import { ensureModels } from '../apps/vision/src/faces/models/export.ts';
import { defaultModelsDir, getModel } from '../apps/vision/src/faces/models/model-files.ts';
import { loadNetwork } from '../apps/vision/src/faces/network.ts';
import { FaceProblemError, loadRecognizer } from '../apps/vision/src/faces/recognizer.ts';
import { readPhoto } from '../apps/vision/src/picture/photo.ts';
import { Pyramid } from '../apps/vision/src/picture/pixels.ts';
import { printByPhotos, printHouse, printRefusals } from './face-tables.ts';
import { quantile } from './quantile.ts';

interface Labelled {
  readonly title: string;
  readonly photos: ReadonlyMap<string, Buffer>;
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly same: boolean }[];
}

const root = join(import.meta.dirname, '..');
const folder = process.argv[2] ?? join(root, '../shared/faces');
const thresholds = [0.5, 0.55, 0.6] as const;

function readPeople(dir: string): Labelled {
  const photos = new Map<string, Buffer>();
  for (const person of readdirSync(dir))
    for (const file of readdirSync(join(dir, person)))
      if (/\.(jpe?g|png|webp)$/i.test(file))
        photos.set(`${person}/${file}`, readFileSync(join(dir, person, file)));
  return { title: `${basename(dir)}/`, photos, pairs: allPairs([...photos.keys()]) };
}

/** Every pair of `person/photo` names. */
function allPairs(names: readonly string[]): Labelled['pairs'] {
  return names.flatMap((a, i) =>
    names.slice(i + 1).map((b) => ({ a, b, same: a.split('/')[0] === b.split('/')[0] })),
  );
}

function readPairs(dir: string): Labelled {
  const photos = new Map<string, Buffer>();
  for (const file of readdirSync(dir))
    if (/\.(jpe?g|png|webp)$/i.test(file)) photos.set(file, readFileSync(join(dir, file)));
  const [, ...lines] = readFileSync(join(dir, 'pairs.csv'), 'utf8').trim().split('\n');
  const pairs = lines.map((line) => {
    const [a = '', b = '', same] = line.trim().split(',');
    return { a, b, same: same === '1' };
  });
  return { title: `${basename(dir)}/`, photos, pairs };
}

async function paintPeople(): Promise<Labelled> {
  const photos = new Map<string, Buffer>();
  const poses = [{}, { turn: 0.6, light: 0.8 }, { turn: -0.5, side: 0.6 }, { lean: 5, side: -0.6 }];
  for (let seed = 1; seed <= 12; seed++)
    for (const [i, pose] of poses.entries())
      photos.set(`${seed}/${i}`, await paintPortrait({ seed, ...pose }, 320));
  return { title: 'painted portraits', photos, pairs: allPairs([...photos.keys()]) };
}

const findSets = async (): Promise<Labelled[]> => {
  const sets: Labelled[] = [];
  if (existsSync(join(folder, 'lfw'))) sets.push(readPeople(join(folder, 'lfw')));
  if (existsSync(join(folder, 'pairs/pairs.csv'))) sets.push(readPairs(join(folder, 'pairs')));
  if (sets.length > 0) return sets;
  console.log(
    `${folder} is not there: painted portraits instead. Their figures say nothing of real faces.\n`,
  );
  return [await paintPeople()];
};

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
const partBelow = (values: readonly number[], limit: number): number =>
  values.filter((value) => value < limit).length / values.length;

/** Probability that a same-person pair is nearer than a different-person pair; a tie counts half. */
function areaUnderCurve(same: readonly number[], different: readonly number[]): number {
  let wins = 0;
  for (const s of same) for (const d of different) wins += s < d ? 1 : s === d ? 0.5 : 0;
  return wins / (same.length * different.length);
}

/** Fraction of same-person pairs accepted at the widest threshold that accepts at most `rate` of the others. */
function trueAcceptRate(same: readonly number[], different: readonly number[], rate: number): number {
  return partBelow(same, quantile(different, rate));
}

function bestAccuracy(
  same: readonly number[],
  different: readonly number[],
): { accuracy: number; at: number } {
  let best = { accuracy: 0, at: 0 };
  for (const at of ascending([...same, ...different])) {
    const right = partBelow(same, at) * same.length + (1 - partBelow(different, at)) * different.length;
    const accuracy = right / (same.length + different.length);
    if (accuracy > best.accuracy) best = { accuracy, at };
  }
  return best;
}

await ensureModels(defaultModelsDir);
const detector = createDetector(await loadNetwork(getModel(defaultModelsDir, 'detection')));
const aligner = createAligner(await loadNetwork(getModel(defaultModelsDir, 'landmarks')));
const embedder = createEmbedder(await loadNetwork(getModel(defaultModelsDir, 'recognition')));
const recognizer = await loadRecognizer(defaultModelsDir);
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, one thread for the networks\n`);

for (const { title, photos, pairs } of await findSets()) {
  const encodings = new Map<string, Float32Array>();
  const times = {
    read: [] as number[],
    detect: [] as number[],
    encode: [] as number[],
    all: [] as number[],
    guide: [] as number[],
  };
  const refusals = new Map<string, string[]>();
  for (const [name, bytes] of photos) {
    // Runs twice and times the second run, because the first one pays for initialisation.
    for (const timed of [false, true]) {
      const start = performance.now();
      const photo = await readPhoto(bytes);
      const read = performance.now();
      const pyramid = new Pyramid(photo.pixels);
      const faces = await detector.detect(pyramid);
      const detected = performance.now();
      const largest = faces.reduce<(typeof faces)[number] | undefined>(
        (best, face) => (best && best.width >= face.width ? best : face),
        undefined,
      );
      if (!largest) break;
      const encoding = await embedder.encode(pyramid, await aligner.findLandmarks(pyramid, largest));
      const encoded = performance.now();
      if (!timed) continue;
      encodings.set(name, encoding);
      times.read.push(read - start);
      times.detect.push(detected - read);
      times.encode.push(encoded - detected);
      times.all.push(encoded - start);
      const asked = performance.now();
      await recognizer.guide(bytes);
      times.guide.push(performance.now() - asked);
    }
    try {
      await recognizer.enrol(bytes);
    } catch (error) {
      if (!(error instanceof FaceProblemError)) throw error;
      refusals.set(error.problem, [...(refusals.get(error.problem) ?? []), name]);
    }
  }

  // A pair with an undetected face counts as two different people.
  const measured = pairs.map(({ a, b, same }) => {
    const [first, second] = [encodings.get(a), encodings.get(b)];
    return { same, distance: first && second ? distanceOf(first, second) : Number.POSITIVE_INFINITY };
  });
  const same = measured.filter((pair) => pair.same).map((pair) => pair.distance);
  const different = measured.filter((pair) => !pair.same).map((pair) => pair.distance);
  const best = bestAccuracy(same, different);
  const median = (values: readonly number[]): string => `${quantile(values, 0.5).toFixed(1)} ms`;

  console.log(
    `${title}: ${photos.size} photos, ${same.length} pairs of one person, ${different.length} of two`,
  );
  console.table({
    'faces found': `${encodings.size} of ${photos.size} (${percent(encodings.size / photos.size)})`,
    'ROC AUC': areaUnderCurve(same, different).toFixed(5),
    'true accepts at 0.1 % false': percent(trueAcceptRate(same, different, 0.001)),
    'true accepts at 1 % false': percent(trueAcceptRate(same, different, 0.01)),
    'best accuracy': `${percent(best.accuracy)} at ${best.at.toFixed(3)}`,
    ...Object.fromEntries(
      thresholds.map((at) => [
        `accepted under ${at.toFixed(2)}`,
        `${percent(partBelow(same, at))} of one person, ${percent(partBelow(different, at))} of two`,
      ]),
    ),
    'reading (median)': median(times.read),
    'detection (median)': median(times.detect),
    'alignment and encoding (median)': median(times.encode),
    'in all (median)': median(times.all),
    'capture guide (mean)': `${(times.guide.reduce((sum, ms) => sum + ms, 0) / times.guide.length).toFixed(1)} ms`,
    'accepted for enrolment': `${photos.size - [...refusals.values()].flat().length} of ${photos.size}`,
  });
  for (const [problem, names] of refusals)
    console.log(`refused, ${problem}: ${names.length} (${names.join(', ')})`);
  console.log('');
  console.log('The photos that may be enrolled, spoiled: how many are refused then');
  await printRefusals(photos, { recognizer, detector, aligner });
  const people = peopleOf(pairs, encodings);
  if (people.size > 1) {
    console.log('Compared with one, three and five photos of a person, by the mean of the distances');
    printByPhotos(people, thresholds);
    console.log('A new child in a house of 100 others');
    printHouse(people);
  }
}

/** Encodings by person: photos in a same-person pair belong together. */
function peopleOf(
  pairs: Labelled['pairs'],
  encodings: ReadonlyMap<string, Float32Array>,
): Map<string, Float32Array[]> {
  const personOf = new Map<string, string>();
  const find = (name: string): string => {
    const next = personOf.get(name) ?? name;
    return next === name ? name : find(next);
  };
  for (const { a, b, same } of pairs) if (same) personOf.set(find(a), find(b));
  const people = new Map<string, Float32Array[]>();
  // Skips photos in no pair: it is unknown whom they show.
  for (const name of new Set(pairs.flatMap(({ a, b }) => [a, b]))) {
    const encoding = encodings.get(name);
    if (encoding) people.set(find(name), [...(people.get(find(name)) ?? []), encoding]);
  }
  return people;
}

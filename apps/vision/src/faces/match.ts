/** Finds the subject of an encoding in a gallery. Pure. */
import {
  distanceOf,
  distanceToNearestPhoto,
  distanceToPerson,
  namedBelow,
} from '@haris/contract/face-distance';
import { type Subject, subjectKey } from '@haris/contract/subject';
import type { VisionGallery } from '@haris/contract/vision';

/** One look at a face. A better look has more weight; only the ratio of the weights counts. */
export interface Look {
  readonly encoding: ArrayLike<number>;
  readonly weight: number;
}

/** A face of which there is only one look. */
export function once(encoding: ArrayLike<number>): readonly Look[] {
  return [{ encoding, weight: 1 }];
}

/**
 * `distance` is the mean of the Euclidean distances from each look at the face to each of the subject's photos; smaller is
 * nearer.
 */
export interface Near {
  readonly subject: Subject;
  readonly distance: number;
  /** Encodings of the subject's photos. */
  readonly photos: readonly ArrayLike<number>[];
}

interface Entry {
  readonly subject: Subject;
  readonly encodings: readonly Float64Array[];
  /** Mean of the encodings. Its distance from the mean of the looks is never more than the subject's distance. */
  readonly middle: Float64Array;
}

/** The enrolled faces, ready to be compared. */
export type Gallery = readonly Entry[];

/** Merges entries of the same subject. */
export function createGallery(entries: VisionGallery['entries']): Gallery {
  const bySubject = new Map<string, { subject: Subject; encodings: Float64Array[] }>();
  for (const { subject, encodings } of entries) {
    const key = subjectKey(subject);
    const mine = bySubject.get(key) ?? { subject, encodings: [] };
    bySubject.set(key, mine);
    for (const encoding of encodings) mine.encodings.push(Float64Array.from(encoding));
  }
  return [...bySubject.values()].map((entry) => ({
    ...entry,
    middle: meanOf(entry.encodings.flatMap(once)),
  }));
}

function meanOf(looks: readonly Look[]): Float64Array {
  const total = looks.reduce((sum, { weight }) => sum + weight, 0);
  const mean = new Float64Array(looks[0]?.encoding.length ?? 0);
  for (const { encoding, weight } of looks)
    for (let i = 0; i < mean.length; i++)
      mean[i] = (mean[i] as number) + ((encoding[i] as number) * weight) / total;
  return mean;
}

/** Mean distance of the looks from a person's photos. The mean look is unsuitable, as is the mean photo. */
function distanceOfLooks(looks: readonly Look[], photos: readonly ArrayLike<number>[]): number {
  let sum = 0;
  let total = 0;
  for (const { encoding, weight } of looks) {
    sum += weight * distanceToPerson(photos, encoding);
    total += weight;
  }
  return sum / total;
}

/** Rounding may overstate the distance of the middle by this much. */
const ROUNDING = 1e-9;

/** Subjects nearer than `maxDistance`, nearest first, without those whose id is in `exclude`. */
export function findNearest(
  gallery: Gallery,
  looks: readonly Look[],
  maxDistance: number,
  exclude: ReadonlySet<string> = new Set(),
): Near[] {
  const found: Near[] = [];
  const seen = meanOf(looks);
  for (const { subject, encodings, middle } of gallery) {
    if (exclude.has(subject.id)) continue;
    // One distance rules out most subjects, however many photos and looks there are.
    if (distanceOf(middle, seen) >= maxDistance + ROUNDING) continue;
    const distance = distanceOfLooks(looks, encodings);
    if (distance < maxDistance) found.push({ subject, distance, photos: encodings });
  }
  return found.sort((a, b) => a.distance - b.distance || (a.subject.id < b.subject.id ? -1 : 1));
}

/**
 * The subjects of {@link findNearest} for a person who looks at their photos: the one with the nearest photo first. With
 * several photos the right subject is first more often than by the mean, which only decides who is named.
 */
export function listNearest(
  gallery: Gallery,
  encoding: ArrayLike<number>,
  maxDistance: number,
  exclude?: ReadonlySet<string>,
): Near[] {
  return findNearest(gallery, once(encoding), maxDistance, exclude)
    .map((near) => ({ near, nearest: distanceToNearestPhoto(near.photos, encoding) }))
    .sort((a, b) => a.nearest - b.nearest)
    .map(({ near }) => near);
}

/** Whether a face at this distance may have the subject's name. */
function isNamed({ distance, photos }: Near, threshold: number): boolean {
  return distance < namedBelow(photos.length, threshold);
}

/**
 * Returns the nearest subject if it lies under its threshold (`namedBelow`) and the second nearest at least `margin` further
 * away, else null (unknown). Two people who look alike are better unknown than mistaken for each other.
 */
export function findMatch(
  gallery: Gallery,
  looks: readonly Look[],
  threshold: number,
  margin: number,
): Near | null {
  const [best, second] = findNearest(gallery, looks, threshold + margin);
  if (!best || !isNamed(best, threshold)) return null;
  if (second && second.distance - best.distance < margin) return null;
  return best;
}

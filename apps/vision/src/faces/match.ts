/** Decides whose face an encoding is, from encodings and ids alone. Pure. */
import { distanceOf, distanceToPerson } from '@haris/contract/face-distance';

export interface Enrolment {
  readonly childId: string;
  /** One or more encodings of 128 floats each. */
  readonly encodings: readonly (readonly number[])[];
}

/** `distance` is the mean of the Euclidean distances to the child's photos; smaller is nearer. */
export interface Near {
  readonly childId: string;
  readonly distance: number;
}

interface Entry {
  readonly childId: string;
  readonly encodings: readonly Float64Array[];
  /** Nothing lies nearer to the child than to this point: the mean of distances is never under the distance to the mean. */
  readonly middle: Float64Array;
}

/** The enrolled faces, ready to be compared. */
export type Gallery = readonly Entry[];

export function createGallery(enrolments: readonly Enrolment[]): Gallery {
  const byChild = new Map<string, Float64Array[]>();
  for (const { childId, encodings } of enrolments) {
    const mine = byChild.get(childId) ?? [];
    byChild.set(childId, mine);
    for (const encoding of encodings) mine.push(Float64Array.from(encoding));
  }
  return [...byChild].map(([childId, encodings]) => ({ childId, encodings, middle: middleOf(encodings) }));
}

function middleOf(encodings: readonly Float64Array[]): Float64Array {
  const middle = new Float64Array(encodings[0]?.length ?? 0);
  for (const encoding of encodings)
    encoding.forEach((value, i) => {
      middle[i] = (middle[i] as number) + value / encodings.length;
    });
  return middle;
}

/** Rounding may put the middle this much further away than it is. */
const ROUNDING = 1e-9;

/** Children nearer than `maxDistance`, nearest first, but those in `exclude`. */
export function findNearest(
  gallery: Gallery,
  encoding: ArrayLike<number>,
  maxDistance: number,
  exclude: ReadonlySet<string> = new Set(),
): Near[] {
  const found: Near[] = [];
  for (const { childId, encodings, middle } of gallery) {
    if (exclude.has(childId)) continue;
    // One distance rules out most children, however many photos each has.
    const least = distanceOf(middle, encoding);
    if (least >= maxDistance + ROUNDING) continue;
    const distance = encodings.length === 1 ? least : distanceToPerson(encodings, encoding);
    if (distance < maxDistance) found.push({ childId, distance });
  }
  return found.sort((a, b) => a.distance - b.distance || (a.childId < b.childId ? -1 : 1));
}

/**
 * The child whose face it is, or null (unknown): the nearest one lies under `threshold`, and the second nearest at
 * least `margin` further away. Two children who look alike are better both unknown than mistaken.
 */
export function findMatch(
  gallery: Gallery,
  encoding: ArrayLike<number>,
  threshold: number,
  margin: number,
): Near | null {
  const [best, second] = findNearest(gallery, encoding, threshold + margin);
  if (!best || best.distance >= threshold) return null;
  if (second && second.distance - best.distance < margin) return null;
  return best;
}

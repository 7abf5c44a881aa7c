/** Decides whose face an encoding is, from encodings and ids alone. Pure. */

export interface Enrolment {
  readonly childId: string;
  /** One or more encodings of 128 floats each. */
  readonly encodings: readonly (readonly number[])[];
}

/** `distance` is Euclidean, from the mean of the child's encodings; smaller is nearer. */
export interface Near {
  readonly childId: string;
  readonly distance: number;
}

interface Entry {
  readonly childId: string;
  readonly mean: Float64Array;
}

/** The enrolled faces, ready to be compared. Several encodings of a child are averaged: better than one (measured). */
export type Gallery = readonly Entry[];

export function createGallery(enrolments: readonly Enrolment[]): Gallery {
  const byChild = new Map<string, (readonly number[])[]>();
  for (const { childId, encodings } of enrolments)
    byChild.set(childId, [...(byChild.get(childId) ?? []), ...encodings]);
  return [...byChild].map(([childId, encodings]) => {
    const mean = new Float64Array(encodings[0]?.length ?? 0);
    for (const encoding of encodings)
      encoding.forEach((value, i) => {
        mean[i] = (mean[i] ?? 0) + value / encodings.length;
      });
    return { childId, mean };
  });
}

/** Euclidean distance of two encodings of the same length. */
export function distanceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return Math.sqrt(sum);
}

/** Children nearer than `maxDistance`, nearest first, but those in `exclude`. */
export function findNearest(
  gallery: Gallery,
  encoding: ArrayLike<number>,
  maxDistance: number,
  exclude: ReadonlySet<string> = new Set(),
): Near[] {
  return gallery
    .filter(({ childId }) => !exclude.has(childId))
    .map(({ childId, mean }) => ({ childId, distance: distanceOf(mean, encoding) }))
    .filter(({ distance }) => distance < maxDistance)
    .sort((a, b) => a.distance - b.distance || (a.childId < b.childId ? -1 : 1));
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
  const [best, second] = findNearest(gallery, encoding, Number.POSITIVE_INFINITY);
  if (!best || best.distance >= threshold) return null;
  if (second && second.distance - best.distance < margin) return null;
  return best;
}

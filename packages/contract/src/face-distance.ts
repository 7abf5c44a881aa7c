/** Distance between faces. The only place that compares encodings; callers apply their own thresholds. */

/** Euclidean distance between two encodings of the same length. */
export function distanceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  return Math.sqrt(sum);
}

/**
 * Distance between a face and a person with one or more photos: the mean of the distances to each photo. The distance
 * to the mean encoding is unsuitable: it shrinks with every photo, even for strangers, so no single threshold would
 * fit everyone.
 */
export function distanceToPerson(photos: readonly ArrayLike<number>[], face: ArrayLike<number>): number {
  let sum = 0;
  for (const photo of photos) sum += distanceOf(photo, face);
  return sum / photos.length;
}

/** How far apart faces are. The one place that compares encodings; knows no threshold. */

/** Euclidean distance of two encodings of the same length. */
export function distanceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  return Math.sqrt(sum);
}

/**
 * Distance of a face from a person of one or more photos: the mean of the distances to each of them. Not the distance to
 * the mean encoding: that shrinks with every photo, also for strangers, so that one threshold could not hold for all.
 */
export function distanceToPerson(photos: readonly ArrayLike<number>[], face: ArrayLike<number>): number {
  let sum = 0;
  for (const photo of photos) sum += distanceOf(photo, face);
  return sum / photos.length;
}

/** Finds the subject of an encoding in a gallery. Pure. */
import { distanceOf, distanceToPerson } from '@haris/contract/face-distance';
import { type Subject, subjectKey } from '@haris/contract/subject';
import type { VisionGallery } from '@haris/contract/vision';

/** `distance` is the mean of the Euclidean distances to the subject's photos; smaller is nearer. */
export interface Near {
  readonly subject: Subject;
  readonly distance: number;
}

interface Entry {
  readonly subject: Subject;
  readonly encodings: readonly Float64Array[];
  /** Mean of the encodings. Its distance from a face is never more than the subject's distance. */
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
  return [...bySubject.values()].map((entry) => ({ ...entry, middle: middleOf(entry.encodings) }));
}

function middleOf(encodings: readonly Float64Array[]): Float64Array {
  const middle = new Float64Array(encodings[0]?.length ?? 0);
  for (const encoding of encodings)
    encoding.forEach((value, i) => {
      middle[i] = (middle[i] as number) + value / encodings.length;
    });
  return middle;
}

/** Rounding may overstate the distance of the middle by this much. */
const ROUNDING = 1e-9;

/** Subjects nearer than `maxDistance`, nearest first, without those whose id is in `exclude`. */
export function findNearest(
  gallery: Gallery,
  encoding: ArrayLike<number>,
  maxDistance: number,
  exclude: ReadonlySet<string> = new Set(),
): Near[] {
  const found: Near[] = [];
  for (const { subject, encodings, middle } of gallery) {
    if (exclude.has(subject.id)) continue;
    // One distance rules out most subjects, however many photos each has.
    const least = distanceOf(middle, encoding);
    if (least >= maxDistance + ROUNDING) continue;
    const distance = encodings.length === 1 ? least : distanceToPerson(encodings, encoding);
    if (distance < maxDistance) found.push({ subject, distance });
  }
  return found.sort((a, b) => a.distance - b.distance || (a.subject.id < b.subject.id ? -1 : 1));
}

/**
 * Returns the nearest subject if it lies under `threshold` and the second nearest at least `margin` further away, else null
 * (unknown). Two people who look alike are better unknown than mistaken for each other.
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

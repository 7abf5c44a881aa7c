import { distanceOf, ONE_PHOTO_THRESHOLD } from '@haris/contract/face-distance';
import type { Subject } from '@haris/contract/subject';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGallery, findMatch, findNearest, listNearest, once } from './match.ts';

const LENGTH = 8;
const child = (id: string): Subject => ({ kind: 'child', id });
const encoding = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
  minLength: LENGTH,
  maxLength: LENGTH,
});
const enrolments = fc.uniqueArray(
  fc.record({ subject: fc.uuid().map(child), encodings: fc.array(encoding, { minLength: 1, maxLength: 4 }) }),
  { selector: ({ subject }) => subject.id, maxLength: 8 },
);
const limit = fc.double({ min: 0.01, max: 2, noNaN: true });

/** Independent reference: the mean of the Euclidean distances to each photo. */
function meanOfDistances(encodings: number[][], to: number[]): number {
  const distances = encodings.map((one) => Math.hypot(...to.map((value, i) => (one[i] ?? 0) - value)));
  return distances.reduce((a, b) => a + b) / distances.length;
}

const point = (x: number, y = 0): number[] => [x, y];

describe('findMatch', () => {
  it('names exactly the child that is under the threshold and ahead by the margin', () => {
    fc.assert(
      fc.property(enrolments, encoding, limit, limit, (children, face, threshold, margin) => {
        const match = findMatch(createGallery(children), once(face), threshold, margin);
        const distances = children
          .map(({ subject, encodings }) => ({
            id: subject.id,
            distance: meanOfDistances(encodings, face),
            below: encodings.length === 1 ? Math.min(threshold, ONE_PHOTO_THRESHOLD) : threshold,
          }))
          .sort((a, b) => a.distance - b.distance);
        const [best, second] = distances;
        // Distances on the very edge may fall on either side by rounding.
        const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;
        if (best && near(best.distance, best.below)) return;
        if (best && second && near(second.distance - best.distance, margin)) return;
        const named =
          best && best.distance < best.below && (!second || second.distance - best.distance >= margin);
        expect(match?.subject.id ?? null).toBe(named ? best.id : null);
        if (match && best) expect(match.distance).toBeCloseTo(best.distance, 9);
      }),
      { numRuns: 500 },
    );
  });

  it('names the exact face in a gallery of one, and nobody in an empty gallery', () => {
    const gallery = createGallery([{ subject: child('a'), encodings: [point(1)] }]);
    expect(findMatch(gallery, once(point(1)), 0.5, 0.05)).toMatchObject({ subject: child('a'), distance: 0 });
    expect(findMatch(createGallery([]), once(point(1)), 0.5, 0.05)).toBeNull();
  });

  it('names nobody at the threshold itself', () => {
    const gallery = createGallery([{ subject: child('a'), encodings: [point(0), point(0)] }]);
    expect(findMatch(gallery, once(point(0.5)), 0.5, 0)).toBeNull();
    expect(findMatch(gallery, once(point(0.499)), 0.5, 0)?.subject.id).toBe('a');
  });

  it('names a child known by one photo only when nearer still', () => {
    const gallery = createGallery([{ subject: child('a'), encodings: [point(0)] }]);
    expect(findMatch(gallery, once(point(0.461)), 0.5, 0.05)).toBeNull();
    expect(findMatch(gallery, once(point(0.459)), 0.5, 0.05)?.subject.id).toBe('a');
    // A stricter setting holds as it is, a looser one does not reach the child.
    expect(findMatch(gallery, once(point(0.41)), 0.4, 0.05)).toBeNull();
    expect(findMatch(gallery, once(point(0.461)), 0.6, 0.05)).toBeNull();
    // Nor does the next nearest get the name instead.
    const beside = createGallery([
      { subject: child('a'), encodings: [point(0)] },
      { subject: child('b'), encodings: [point(0.965), point(0.965)] },
    ]);
    expect(findMatch(beside, once(point(0.47)), 0.6, 0.02)).toBeNull();
  });

  it('judges several looks by the mean of their distances, better looks more', () => {
    const gallery = createGallery([{ subject: child('a'), encodings: [point(0), point(0)] }]);
    const looks = (weight: number) => [
      { encoding: point(0, 0.6), weight },
      { encoding: point(0, -0.3), weight: 1 },
    ];
    // Their mean lies 0.15 away, and no look does.
    expect(findMatch(gallery, looks(1), 0.44, 0.05)).toBeNull();
    expect(findMatch(gallery, looks(1), 0.46, 0.05)?.distance).toBeCloseTo(0.45, 9);
    expect(findMatch(gallery, looks(0.5), 0.46, 0.05)?.distance).toBeCloseTo(0.4, 9);
  });

  it('names nobody between two children who look alike, however near', () => {
    const gallery = createGallery([
      { subject: child('a'), encodings: [point(0)] },
      { subject: child('b'), encodings: [point(0.1)] },
    ]);
    expect(findMatch(gallery, once(point(0.04)), 0.5, 0.05)).toBeNull();
    expect(findMatch(gallery, once(point(0.01)), 0.5, 0.05)?.subject.id).toBe('a');
  });

  it('compares by the mean of the distances to the photos, also when they come in several entries', () => {
    const gallery = createGallery([
      { subject: child('a'), encodings: [point(0, 0.4)] },
      { subject: child('a'), encodings: [point(0, -0.4)] },
    ]);
    // It lies in their very middle, which no photo of the child shows.
    expect(findMatch(gallery, once(point(0)), 0.4, 0.05)).toBeNull();
    expect(findMatch(gallery, once(point(0)), 0.41, 0.05)).toMatchObject({
      subject: child('a'),
      distance: 0.4,
    });
  });
});

describe('findNearest', () => {
  const gallery = createGallery([
    { subject: child('far'), encodings: [point(0.9)] },
    { subject: child('near'), encodings: [point(0.1)] },
    { subject: child('middle'), encodings: [point(0.4)] },
  ]);

  it('lists the nearest first and only those nearer than asked', () => {
    const ids = findNearest(gallery, once(point(0)), 0.9).map(({ subject }) => subject.id);
    expect(ids).toEqual(['near', 'middle']);
  });

  it('leaves out the children named', () => {
    const ids = findNearest(gallery, once(point(0)), 2, new Set(['near'])).map(({ subject }) => subject.id);
    expect(ids).toEqual(['middle', 'far']);
  });
});

it('lists those nearer than asked for by the mean, the one with the nearest photo first', () => {
  const gallery = createGallery([
    { subject: child('one'), encodings: [point(0.3)] },
    { subject: child('two'), encodings: [point(0.1), point(0.7)] },
    { subject: child('far'), encodings: [point(0.05), point(1.5)] },
  ]);
  expect(findNearest(gallery, once(point(0)), 0.6).map(({ subject }) => subject.id)).toEqual(['one', 'two']);
  const listed = listNearest(gallery, point(0), 0.6);
  expect(listed.map(({ subject }) => subject.id)).toEqual(['two', 'one']);
  expect(listed[0]?.distance).toBeCloseTo(0.4, 9);
});

it('a distance is the same in both directions and null to itself', () => {
  fc.assert(
    fc.property(encoding, encoding, (a, b) => {
      expect(distanceOf(a, b)).toBe(distanceOf(b, a));
      expect(distanceOf(a, a)).toBe(0);
    }),
  );
});

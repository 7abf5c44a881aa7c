import { distanceOf } from '@haris/contract/face-distance';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGallery, findMatch, findNearest } from './match.ts';

const LENGTH = 8;
const encoding = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
  minLength: LENGTH,
  maxLength: LENGTH,
});
const enrolments = fc.uniqueArray(
  fc.record({ childId: fc.uuid(), encodings: fc.array(encoding, { minLength: 1, maxLength: 4 }) }),
  { selector: (enrolment) => enrolment.childId, maxLength: 8 },
);
const limit = fc.double({ min: 0.01, max: 2, noNaN: true });

/** Written apart from the product: the root of the summed squares to each photo, and the mean of these. */
function meanOfDistances(encodings: number[][], to: number[]): number {
  const distances = encodings.map((one) => Math.hypot(...to.map((value, i) => (one[i] ?? 0) - value)));
  return distances.reduce((a, b) => a + b) / distances.length;
}

const point = (x: number, y = 0): number[] => [x, y];

describe('findMatch', () => {
  it('names exactly the child that is under the threshold and ahead by the margin', () => {
    fc.assert(
      fc.property(enrolments, encoding, limit, limit, (children, face, threshold, margin) => {
        const match = findMatch(createGallery(children), face, threshold, margin);
        const distances = children
          .map(({ childId, encodings }) => ({ childId, distance: meanOfDistances(encodings, face) }))
          .sort((a, b) => a.distance - b.distance);
        const [best, second] = distances;
        // Distances on the very edge may fall on either side by rounding.
        const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;
        if (best && near(best.distance, threshold)) return;
        if (best && second && near(second.distance - best.distance, margin)) return;
        const named =
          best && best.distance < threshold && (!second || second.distance - best.distance >= margin);
        expect(match?.childId ?? null).toBe(named ? best.childId : null);
        if (match && best) expect(match.distance).toBeCloseTo(best.distance, 9);
      }),
      { numRuns: 500 },
    );
  });

  it('names the exact face in a gallery of one, and nobody in an empty gallery', () => {
    const gallery = createGallery([{ childId: 'a', encodings: [point(1)] }]);
    expect(findMatch(gallery, point(1), 0.5, 0.05)).toEqual({ childId: 'a', distance: 0 });
    expect(findMatch(createGallery([]), point(1), 0.5, 0.05)).toBeNull();
  });

  it('names nobody at the threshold itself', () => {
    const gallery = createGallery([{ childId: 'a', encodings: [point(0)] }]);
    expect(findMatch(gallery, point(0.5), 0.5, 0)).toBeNull();
    expect(findMatch(gallery, point(0.499), 0.5, 0)?.childId).toBe('a');
  });

  it('names nobody between two children who look alike, however near', () => {
    const gallery = createGallery([
      { childId: 'a', encodings: [point(0)] },
      { childId: 'b', encodings: [point(0.1)] },
    ]);
    expect(findMatch(gallery, point(0.04), 0.5, 0.05)).toBeNull();
    expect(findMatch(gallery, point(0.01), 0.5, 0.05)?.childId).toBe('a');
  });

  it('compares by the mean of the distances to the photos, also when they come in several entries', () => {
    const gallery = createGallery([
      { childId: 'a', encodings: [point(0, 0.4)] },
      { childId: 'a', encodings: [point(0, -0.4)] },
    ]);
    // It lies in their very middle, which no photo of the child shows.
    expect(findMatch(gallery, point(0), 0.4, 0.05)).toBeNull();
    expect(findMatch(gallery, point(0), 0.41, 0.05)).toEqual({ childId: 'a', distance: 0.4 });
  });
});

describe('findNearest', () => {
  const gallery = createGallery([
    { childId: 'far', encodings: [point(0.9)] },
    { childId: 'near', encodings: [point(0.1)] },
    { childId: 'middle', encodings: [point(0.4)] },
  ]);

  it('lists the nearest first and only those nearer than asked', () => {
    const ids = findNearest(gallery, point(0), 0.9).map(({ childId }) => childId);
    expect(ids).toEqual(['near', 'middle']);
  });

  it('leaves out the children named', () => {
    const ids = findNearest(gallery, point(0), 2, new Set(['near'])).map(({ childId }) => childId);
    expect(ids).toEqual(['middle', 'far']);
  });
});

it('a distance is the same in both directions and null to itself', () => {
  fc.assert(
    fc.property(encoding, encoding, (a, b) => {
      expect(distanceOf(a, b)).toBe(distanceOf(b, a));
      expect(distanceOf(a, a)).toBe(0);
    }),
  );
});

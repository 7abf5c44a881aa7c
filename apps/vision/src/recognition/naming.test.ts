import type { Subject } from '@haris/contract/subject';
import { expect, it } from 'vitest';
import { createGallery } from '../faces/match.ts';
import { confidenceOf, Evidence, type Rules } from './naming.ts';

const child = (id: string): Subject => ({ kind: 'child', id });

/** A point on a line: distances are differences. */
const at = (x: number): Float32Array => Float32Array.from({ length: 128 }, (_, i) => (i === 0 ? x : 0));
const rules = (people: Record<string, number>, threshold = 0.5, margin = 0.05): Rules => ({
  gallery: createGallery(
    Object.entries(people).map(([id, x]) => ({ subject: child(id), encodings: [[...at(x)]] })),
  ),
  threshold,
  margin,
});
const two = rules({ amal: 0, badr: 1 });

function see(encodings: readonly number[], known = two): Evidence {
  const evidence = new Evidence();
  for (const x of encodings) evidence.add(at(x), 0.8, known);
  return evidence;
}

it('names after three encodings that agree, not before', () => {
  expect(see([0.1, 0.1]).match).toBeNull();
  expect(see([0.1, 0.1]).isDecided).toBe(false);
  expect(see([0.1, 0.1, 0.1]).match).toMatchObject({ subject: child('amal') });
});

it('names nobody at the threshold, within the margin, or when the encodings disagree', () => {
  expect(see([-0.5, -0.5, -0.5]).match).toBeNull();
  expect(see([-0.5, -0.5, -0.5]).isDecided).toBe(true);
  expect(see([0.1, 0.1, 0.1], rules({ amal: 0, twin: 0.2 })).match).toBeNull();
  expect(see([0.1, 0.9, 0.1]).match).toBeNull();
  expect(see([0.1, 0.1, 0.1], rules({})).match).toBeNull();
});

it('needs more than seven of ten encodings to agree: three of four name, three of five do not', () => {
  const unsure = -0.57;
  // The mean is always within the threshold; the number of single encodings within it decides.
  expect(see([0.1, 0.1, unsure, 0.1]).match).toMatchObject({ subject: child('amal') });
  expect(see([0.1, unsure, 0.1, unsure]).match).toBeNull();
  expect(see([0.1, unsure, 0.1, unsure, 0.1]).match).toBeNull();
});

it('takes the name away with the first encoding that speaks against it, and needs three again', () => {
  const evidence = see([0.1, 0.1, 0.1, 0.1]);
  evidence.add(at(0.95), 0.8, two);
  expect(evidence.match).toBeNull();
  evidence.add(at(0.95), 0.8, two);
  expect(evidence.match).toBeNull();
  evidence.add(at(0.95), 0.8, two);
  expect(evidence.match).toMatchObject({ subject: child('badr') });
});

it('compares with every photo of a person: nobody is named for lying in the middle of them', () => {
  const several: Rules = {
    ...two,
    gallery: createGallery([
      { subject: child('amal'), encodings: [[...at(-0.4)], [...at(0.4)], [...at(0.6)]] },
      { subject: child('badr'), encodings: [[...at(1.6)]] },
    ]),
  };
  // 0.2 from the mean of the photos, 0.467 from them in the mean.
  expect(see([0, 0, 0], several).match).toMatchObject({ subject: child('amal') });
  expect(see([0, 0], several).match).toBeNull();
  // 0.4 from the mean of the photos, 0.533 from them in the mean.
  expect(see([-0.2, -0.2, -0.2], several).match).toBeNull();
});

it('names a person known by one photo only when nearer still', () => {
  expect(see([-0.47, -0.47, -0.47]).match).toBeNull();
  expect(see([-0.45, -0.45, -0.45]).match).toMatchObject({ subject: child('amal') });
  const gallery = createGallery([{ subject: child('amal'), encodings: [[...at(0)], [...at(0)]] }]);
  expect(see([-0.47, -0.47, -0.47], { ...two, gallery }).match).toMatchObject({ subject: child('amal') });
});

it('names nobody for lying in the middle of different looks at a stranger', () => {
  // Each look is 0.48 away, and their mean 0.16.
  expect(see([0.48, -0.48, 0.48], rules({ amal: 0 })).match).toBeNull();
  expect(see([0.44, -0.44, 0.44], rules({ amal: 0 })).match?.distance).toBeCloseTo(0.44, 5);
});

it('keeps the faces of a named track that were seen best', () => {
  const evidence = see([0.1, 0.1, 0.1, 0.1, 0.1]);
  evidence.add(at(0.5), 0.3, two);
  expect(evidence.match?.distance).toBeGreaterThan(0.11);
  evidence.add(at(0.1), 0.8, two);
  expect(evidence.match?.distance).toBeCloseTo(0.1, 5);
});

it('an unknown face can become a known one', () => {
  const evidence = see([-0.7, -0.7, -0.7, -0.7, -0.7, -0.7]);
  for (let i = 0; i < 6; i++) evidence.add(at(0.05), 0.8, two);
  expect(evidence.match).toMatchObject({ subject: child('amal') });
});

it('is judged anew when the known faces change', () => {
  const evidence = see([0.1, 0.1, 0.1]);
  evidence.judge(rules({ badr: 1 }));
  expect(evidence.match).toBeNull();
  evidence.judge(rules({ celia: 0.1 }));
  expect(evidence.match).toMatchObject({ subject: child('celia') });
});

it('is sure at the enrolled face and not at the threshold', () => {
  expect(confidenceOf(0, 0.5)).toBe(1);
  expect(confidenceOf(0.25, 0.5)).toBeCloseTo(0.5);
  expect(confidenceOf(0.6, 0.5)).toBe(0);
});

it('tells an adult from a child of the same id', () => {
  const gallery = createGallery([
    { subject: { kind: 'parent', id: 'amal' }, encodings: [[...at(0)]] },
    { subject: child('amal'), encodings: [[...at(1)]] },
  ]);
  expect(see([0.1, 0.1, 0.1], { ...two, gallery }).match?.subject).toEqual({ kind: 'parent', id: 'amal' });
  expect(see([0.9, 0.9, 0.9], { ...two, gallery }).match?.subject).toEqual(child('amal'));
  // One encoding fits each subject, so the encodings do not agree on one subject.
  expect(see([0.1, 0.9, 0.1], { ...two, gallery }).match).toBeNull();
});

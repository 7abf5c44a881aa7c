import { expect, it } from 'vitest';
import type { Box } from '../picture/region.ts';
import type { Analysis, LiveFace } from '../recognition/live.ts';
import { findSharpPlaces } from './privacy.ts';

const size = { width: 640, height: 360 };

const face = (childId: string | null, x: number, more: Partial<LiveFace> = {}): LiveFace => ({
  box: { x, y: 120, width: 60, height: 60 },
  subject: childId === null ? null : { kind: 'child', id: childId },
  showable: childId !== null,
  crowded: false,
  ...more,
});

/** Whether a point is sharp in this family's picture. */
function seen(faces: LiveFace[], family: string[], expected: Box[] = []) {
  const analysis: Analysis = { faces, expected };
  const places = findSharpPlaces(analysis, family, size);
  const holds = (box: Box, x: number, y: number): boolean =>
    x > box.x && y > box.y && x < box.x + box.width && y < box.y + box.height;
  return (x: number, y: number): boolean =>
    places.some(({ box, hidden }) => holds(box, x, y) && !hidden.some((place) => holds(place, x, y)));
}

it('shows head and shoulders, and nothing beside the head', () => {
  const isSharp = seen([face('amal', 300)], ['amal']);
  expect(isSharp(330, 150)).toBe(true);
  expect(isSharp(330, 90)).toBe(true);
  expect([isSharp(275, 210), isSharp(385, 210)]).toEqual([true, true]);
  expect([isSharp(285, 150), isSharp(375, 150), isSharp(285, 90)]).toEqual([false, false, false]);
});

it('shows the face alone where somebody may be behind it', () => {
  const isSharp = seen([face('amal', 300, { crowded: true })], ['amal']);
  expect(isSharp(330, 150)).toBe(true);
  expect([isSharp(275, 210), isSharp(330, 210), isSharp(330, 90)]).toEqual([false, false, false]);
});

it('shows both children of a family who stand beside one another', () => {
  const isSharp = seen([face('amal', 300), face('badr', 375)], ['amal', 'badr']);
  expect([isSharp(330, 150), isSharp(405, 150)]).toEqual([true, true]);
  // Not in the layer that lies under the other's either.
  const [first] = findSharpPlaces(
    { faces: [face('amal', 300), face('badr', 375)], expected: [] },
    ['amal', 'badr'],
    size,
  );
  expect(
    first?.hidden.some(
      ({ x, y, width, height }) => x < 390 && 390 < x + width && y < 150 && 150 < y + height,
    ),
  ).toBe(false);
});

it('shows nothing of others, of a place where one is expected, of a face before the own head, nor without a name', () => {
  const isSharp = seen(
    [face('amal', 300), face('badr', 400)],
    ['amal'],
    [{ x: 250, y: 190, width: 60, height: 60 }],
  );
  expect([isSharp(330, 150), isSharp(385, 205), isSharp(290, 210)]).toEqual([true, false, false]);
  expect(seen([face('amal', 300), face(null, 340)], ['amal'])(310, 150)).toBe(false);
  expect(seen([face(null, 300)], ['amal'])(330, 150)).toBe(false);
  expect(seen([face('amal', 300, { showable: false })], ['amal'])(330, 150)).toBe(false);
});

it('shows no adult sharp, whatever their id', () => {
  const adult = face('amal', 300, { subject: { kind: 'parent', id: 'amal' } });
  expect(seen([adult], ['amal'])(330, 150)).toBe(false);
});

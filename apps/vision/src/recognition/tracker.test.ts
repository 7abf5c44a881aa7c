import { expect, it } from 'vitest';
import type { Detection } from '../faces/detector.ts';
import { Tracker } from './tracker.ts';

const face = (x: number, y: number, width = 60, score = 0.9): Detection => ({
  x,
  y,
  width,
  height: width,
  score,
  points: [],
});

function startTracker() {
  let count = 0;
  const tracker = new Tracker(() => ({ id: ++count }));
  const idAt = (x: number): number | undefined =>
    tracker.tracks.find(({ box }) => Math.abs(box.x - x) < 15)?.own.id;
  return { tracker, idAt };
}

it('follows a face that walks, also over pictures in which it is not found', () => {
  const { tracker, idAt } = startTracker();
  for (let i = 0; i < 5; i++) tracker.update([face(100 + i * 20, 50)], i * 100);
  expect(idAt(180)).toBe(1);
  // In the gap the face is expected further on, where it is then found again.
  tracker.update([], 500);
  expect(tracker.tracks[0]?.detection).toBeNull();
  expect(tracker.tracks[0]?.box.x).toBeGreaterThan(190);
  tracker.update([face(220, 50)], 600);
  expect(idAt(220)).toBe(1);
  expect(tracker.tracks[0]).toMatchObject({ jumped: false, mixed: false });
});

it('ends a face that stays away, and begins none with a doubtful or tiny one', () => {
  const { tracker } = startTracker();
  tracker.update([face(100, 50), face(300, 50, 60, 0.4), face(500, 50, 20)], 0);
  expect(tracker.tracks).toHaveLength(1);
  expect(tracker.update([], 900)).toEqual([]);
  expect(tracker.update([], 1_100).map(({ own }) => own)).toEqual([{ id: 1 }]);
  expect(tracker.tracks).toEqual([]);
});

it('continues a known face with a doubtful find', () => {
  const { tracker } = startTracker();
  tracker.update([face(100, 50)], 0);
  tracker.update([face(104, 50, 60, 0.35)], 200);
  expect(tracker.tracks[0]?.detection?.score).toBe(0.35);
});

it('says when a face is somewhere else than expected, or comes back after a gap', () => {
  const { tracker } = startTracker();
  for (let i = 0; i < 3; i++) tracker.update([face(100, 50)], i * 100);
  tracker.update([face(134, 50)], 300);
  expect(tracker.tracks[0]?.jumped).toBe(true);
  tracker.update([face(134, 50)], 400);
  expect(tracker.tracks[0]?.jumped).toBe(false);
  tracker.update([], 700);
  tracker.update([face(136, 50)], 1_000);
  expect(tracker.tracks[0]?.jumped).toBe(true);
});

it('calls two faces mixed that cross, and knows them apart before and after by place alone', () => {
  const { tracker } = startTracker();
  const mixed: boolean[] = [];
  for (let i = 0; i <= 20; i++) {
    const [a, b] = [face(100 + i * 15, 50), face(400 - i * 15, 60)];
    // While one hides the other, only the one in front is found.
    const hidden = Math.abs(a.x - b.x) < 40;
    tracker.update(hidden ? [a] : [a, b], i * 100);
    mixed.push(tracker.tracks.some((track) => track.mixed));
  }
  expect(mixed.slice(0, 6)).not.toContain(true);
  expect(mixed.slice(9, 12)).toContain(true);
  expect(mixed.at(-1)).toBe(false);
  expect(tracker.tracks).toHaveLength(2);
});

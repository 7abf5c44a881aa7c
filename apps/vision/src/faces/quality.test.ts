import { expect, it } from 'vitest';
import { Pyramid } from '../picture/pixels.ts';
import type { Detection } from './detector.ts';
import { findProblem } from './quality.ts';

const frame = { width: 400, height: 400, sentScale: 1 };
const pyramid = new Pyramid({ data: Buffer.alloc(400 * 400 * 3, 200), width: 400, height: 400 });
const face = (more: Partial<Detection> = {}): Detection => ({
  x: 100,
  y: 100,
  width: 100,
  height: 100,
  score: 0.95,
  points: [],
  ...more,
});
/** No face is wide enough for this limit, so any other problem found was checked before the width. */
const problemOf = (...faces: Detection[]) => findProblem(pyramid, faces, frame, 1_000);

it('a second face counts from 65 of 100 of the first one’s width and a score of 0.7', () => {
  const second = (width: number, score: number) => face({ x: 250, width, height: width, score });
  expect(problemOf(face(), second(65, 0.7))).toBe('many_faces');
  expect(problemOf(face(), second(64, 0.95))).toBe('face_too_small');
  expect(problemOf(face(), second(100, 0.69))).toBe('face_too_small');
  expect(problemOf(face(), second(20, 0.95), second(80, 0.8))).toBe('many_faces');
});

it('a smaller face counts where it stands nearer the middle, so that it looks like the enrolled one', () => {
  const atEdge = face({ x: 290, y: 20 });
  const second = (width: number, x: number, y = x) => face({ x, y, width, height: width });
  expect(problemOf(atEdge, second(40, 180))).toBe('many_faces');
  expect(problemOf(atEdge, second(39, 180))).toBe('face_too_small');
  expect(problemOf(atEdge, second(40, 0, 350))).toBe('face_too_small');
  expect(problemOf(face({ x: 150, y: 150 }), second(60, 0))).toBe('face_too_small');
});

it('a face may reach over the edge by 2 of 100 of its width, at each side', () => {
  for (const [within, over] of [
    [{ x: -2 }, { x: -2.1 }],
    [{ y: -2 }, { y: -2.1 }],
    [{ x: 302 }, { x: 302.1 }],
    [{ y: 302 }, { y: 302.1 }],
  ]) {
    expect(problemOf(face(within))).toBe('face_too_small');
    expect(problemOf(face(over))).toBe('face_cut_off');
  }
});

it('the width is that of the photo as sent', () => {
  const sent = { ...frame, sentScale: 2 };
  expect(findProblem(pyramid, [face()], sent, 201)).toBe('face_too_small');
  expect(findProblem(pyramid, [face()], sent, 200)).not.toBe('face_too_small');
});

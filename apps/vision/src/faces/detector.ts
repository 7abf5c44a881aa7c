/**
 * Finds faces with BlazeFace 256. Boxes and points are pixels of the picture that is searched, origin top left; a box
 * may reach over the picture's edge. Source of the anchors and the decoding: @vladmandic/human `src/face/blazeface.ts`.
 */
import { drawPiece, type Pyramid } from '../picture/pixels.ts';
import type { Network } from './network.ts';

export interface Detection {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** 0.5–1; from 0.3 in live pictures. */
  readonly score: number;
  /** Eye on the picture's left, eye on its right, nose, mouth, ear on the left, ear on the right. */
  readonly points: readonly (readonly [number, number])[];
}

/** A square of the picture in its pixels. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

export interface Detector {
  /** Faces of the picture, most prominent (width × score) first. Misses faces under some 10 % of its longest side. */
  detect(pyramid: Pyramid): Promise<Detection[]>;
  /** As `detect`, and looks again more closely, part by part: finds faces from 4 % of the longest side on. */
  detectSmall(pyramid: Pyramid): Promise<Detection[]>;
  /**
   * Faces of a live picture and of `squares` of it, which are looked at more closely. Meant to hide faces: it answers
   * doubtful ones too, small ones, and two that lie one over the other as two.
   */
  detectLive(pyramid: Pyramid, squares: readonly Square[]): Promise<Detection[]>;
}

const INPUT = 256;
const MIN_SCORE = 0.5;
/** From here on a face in a live picture is hidden: half of these are no faces, which only costs some sharpness. */
const LIVE_MIN_SCORE = 0.3;
/** Smaller ones are not matched by the networks (measured: 17 px and less are found in one of seven). Pixels. */
const LIVE_MIN_WIDTH = 12;
/**
 * In live pictures two faces that lie one over the other must stay two: only nearly equal boxes are one, or those whose
 * eyes and nose lie in the same place (the network's boxes tremble more than its points). Part of the larger width.
 */
const LIVE_SAME_FACE_OVERLAP = 0.5;
const LIVE_SAME_FACE_DISTANCE = 0.3;
/** What is taken for a face within a face (a mouth, an ornament) is no wider than this part of it. */
const FEATURE_WIDTH = 0.6;
/** Two boxes that share more than this of their union are one face. */
const SAME_FACE_OVERLAP = 0.3;
/** Boxes under this are noise more often than faces (measured: 29 wrong ones on a picture of 108 faces of 21 px). */
const MIN_WIDTH = 24;
/** Parts are searched as if the picture were this long, and overlap by two fifths so that no face falls between them. */
const CLOSE_LONGEST_SIDE = 640;
const PART_STEP = 0.6;
/**
 * In parts, only small faces that are quite sure count: on 63 portraits every further face found in parts was a false
 * one, all of them under this score or over this part of the part's side (the whole picture shows larger ones anyway).
 */
const CLOSE_MIN_SCORE = 0.7;
const CLOSE_MAX_WIDTH = 0.35;

/** A grid of cells with several anchors each, all in the cell's centre. */
const grids = [
  { scores: 'scores16', boxes: 'boxes16', cells: 16, anchors: 2 },
  { scores: 'scores8', boxes: 'boxes8', cells: 8, anchors: 6 },
] as const;
const VALUES_PER_BOX = 16;

export function createDetector(network: Network): Detector {
  const input = new Float32Array(3 * INPUT * INPUT);

  /** Searches the square of 256 × scale picture pixels whose top left corner is (left, top). */
  async function detectIn(
    pyramid: Pyramid,
    left: number,
    top: number,
    scale: number,
    minScore = MIN_SCORE,
  ): Promise<Detection[]> {
    drawPiece(pyramid, { a: scale, b: 0, tx: left, ty: top }, INPUT, input);
    const outputs = await network.run(input, [1, 3, INPUT, INPUT]);
    const found: Detection[] = [];
    for (const grid of grids) {
      const scores = outputs[grid.scores];
      const boxes = outputs[grid.boxes];
      if (!scores || !boxes) throw new Error('the detection network answered something else');
      const cell = INPUT / grid.cells;
      for (let i = 0; i < scores.length; i++) {
        const score = 1 / (1 + Math.exp(-(scores[i] ?? 0)));
        if (score < minScore) continue;
        const index = Math.floor(i / grid.anchors);
        const anchorX = ((index % grid.cells) + 0.5) * cell;
        const anchorY = (Math.floor(index / grid.cells) + 0.5) * cell;
        const value = (at: number): number => boxes[i * VALUES_PER_BOX + at] ?? 0;
        const width = value(2) * scale;
        const height = value(3) * scale;
        const x = left + (anchorX + value(0)) * scale - width / 2;
        const y = top + (anchorY + value(1)) * scale - height / 2;
        const points = Array.from({ length: 6 }, (_, p): [number, number] => [
          left + (anchorX + value(4 + p * 2)) * scale,
          top + (anchorY + value(5 + p * 2)) * scale,
        ]);
        found.push({ x, y, width, height, score, points });
      }
    }
    return found;
  }

  function searchWhole(pyramid: Pyramid, minScore?: number): Promise<Detection[]> {
    const { width, height } = pyramid.full;
    // Never enlarged: the network misses faces of pictures that were.
    const scale = Math.max(1, Math.max(width, height) / INPUT);
    const side = INPUT * scale;
    return detectIn(pyramid, (width - side) / 2, (height - side) / 2, scale, minScore);
  }

  async function detectWhole(pyramid: Pyramid): Promise<Detection[]> {
    return mergeSame(await searchWhole(pyramid));
  }

  async function detectInParts(pyramid: Pyramid): Promise<Detection[]> {
    const { width, height } = pyramid.full;
    const found: Detection[] = [];
    for (const { left, top, side } of coverWithSquares(width, height)) {
      const faces = mergeSame(await detectIn(pyramid, left, top, side / INPUT));
      const isWhole = (face: Detection): boolean =>
        (left <= 0 || face.x >= left) &&
        (top <= 0 || face.y >= top) &&
        (left + side >= width || face.x + face.width <= left + side) &&
        (top + side >= height || face.y + face.height <= top + side);
      const isSmall = (face: Detection): boolean => face.width <= CLOSE_MAX_WIDTH * side;
      found.push(...faces.filter((face) => face.score >= CLOSE_MIN_SCORE && isSmall(face) && isWhole(face)));
    }
    return found;
  }

  const finish = (faces: Detection[]): Detection[] =>
    faces.filter((face) => face.width >= MIN_WIDTH).sort((a, b) => b.width * b.score - a.width * a.score);

  return {
    async detect(pyramid) {
      return finish(await detectWhole(pyramid));
    },
    async detectSmall(pyramid) {
      const faces = await detectWhole(pyramid);
      if (Math.max(pyramid.full.width, pyramid.full.height) <= INPUT) return finish(faces);
      const closer = mergeSame(await detectInParts(pyramid));
      // What the whole picture showed is kept as it is; parts add what lies in none of it.
      return finish([...faces, ...closer.filter((face) => !faces.some((known) => isPartOf(face, known)))]);
    },
    async detectLive(pyramid, squares) {
      const faces = mergeSame(await searchWhole(pyramid, LIVE_MIN_SCORE), isEqualLive);
      for (const { left, top, side } of squares) {
        const found = await detectIn(pyramid, left, top, Math.max(1, side / INPUT), LIVE_MIN_SCORE);
        for (const face of mergeSame(found, isEqualLive)) {
          const known = faces.findIndex((other) => isSameLive(face, other));
          const other = faces[known];
          if (!other) faces.push(face);
          // The closer look places a face better, but not one that its edge cuts.
          else if (face.score >= other.score && isEqualLive(face, other)) faces[known] = face;
        }
      }
      return faces
        .filter((face) => face.width >= LIVE_MIN_WIDTH)
        .sort((a, b) => b.width * b.score - a.width * a.score);
    },
  };
}

/** Squares that together cover a picture of this size, so close that small faces (see `detectSmall`) are found. Pixels. */
export function coverWithSquares(width: number, height: number): Square[] {
  const side = INPUT * Math.max(1, Math.max(width, height) / CLOSE_LONGEST_SIDE);
  return partStarts(height, side).flatMap((top) =>
    partStarts(width, side).map((left) => ({ left, top, side })),
  );
}

/** Where parts of `side` start along `length`, evenly, the first at 0; one centred part where one is enough. */
function partStarts(length: number, side: number): number[] {
  if (length <= side) return [(length - side) / 2];
  const steps = Math.ceil((length - side) / (side * PART_STEP));
  return Array.from({ length: steps + 1 }, (_, i) => ((length - side) * i) / steps);
}

/** Whether two boxes are one face, or one is a piece of the other. */
function isPartOf(a: Detection, b: Detection): boolean {
  const shared = sharedArea(a, b);
  return shared > 0.5 * Math.min(a.width * a.height, b.width * b.height) || overlap(a, b) > SAME_FACE_OVERLAP;
}

/** Whether a box of a closer look is the same face as a known one, or a feature of it that was taken for a face. */
function isSameLive(face: Detection, known: Detection): boolean {
  if (isEqualLive(face, known)) return true;
  const area = face.width * face.height;
  // A surer one is a face of its own, in a box that was taken for one face and holds several.
  const isFeature = face.score < known.score && face.width < FEATURE_WIDTH * known.width;
  return isFeature && sharedArea(face, known) > 0.9 * area;
}

function isEqualLive(a: Detection, b: Detection): boolean {
  if (overlap(a, b) > LIVE_SAME_FACE_OVERLAP) return true;
  const [ax, ay] = middleOf(a);
  const [bx, by] = middleOf(b);
  return Math.hypot(ax - bx, ay - by) < LIVE_SAME_FACE_DISTANCE * Math.max(a.width, b.width);
}

/** Between the eyes and the nose. */
function middleOf({ points: [left, right, nose], x, y }: Detection): readonly [number, number] {
  if (!left || !right || !nose) return [x, y];
  return [(left[0] + right[0] + 2 * nose[0]) / 4, (left[1] + right[1] + 2 * nose[1]) / 4];
}

const isEqual = (a: Detection, b: Detection): boolean => overlap(a, b) > SAME_FACE_OVERLAP;

function sharedArea(a: Area, b: Area): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Intersection over union of two boxes, 0–1. */
export function overlap(a: Area, b: Area): number {
  const shared = sharedArea(a, b);
  return shared / (a.width * a.height + b.width * b.height - shared);
}

/** Keeps one of several boxes of the same face: their mean by score, which trembles less than the best of them. */
function mergeSame(found: readonly Detection[], isSame = isEqual): Detection[] {
  const left = [...found].sort((a, b) => b.score - a.score);
  const kept: Detection[] = [];
  for (let best = left.shift(); best; best = left.shift()) {
    const group = [best];
    for (let i = left.length - 1; i >= 0; i--) {
      const other = left[i];
      if (!other || !isSame(best, other)) continue;
      group.push(other);
      left.splice(i, 1);
    }
    kept.push(mean(group, best.score));
  }
  return kept;
}

function mean(group: readonly Detection[], score: number): Detection {
  const total = group.reduce((sum, face) => sum + face.score, 0);
  const average = (read: (face: Detection) => number): number =>
    group.reduce((sum, face) => sum + read(face) * face.score, 0) / total;
  return {
    x: average((face) => face.x),
    y: average((face) => face.y),
    width: average((face) => face.width),
    height: average((face) => face.height),
    score,
    points: Array.from({ length: 6 }, (_, p): [number, number] => [
      average((face) => face.points[p]?.[0] ?? 0),
      average((face) => face.points[p]?.[1] ?? 0),
    ]),
  };
}

/**
 * Finds faces with BlazeFace 256. Boxes and points are pixels of the searched picture, origin top left; a box may reach
 * over the picture's edge. Source of the anchors and the decoding: https://github.com/vladmandic/human (`blazeface.ts`).
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
  /** Finds faces, most prominent (width × score) first. Misses faces under some 10 % of the picture's longest side. */
  detect(pyramid: Pyramid): Promise<Detection[]>;
  /** Like `detect`, but also searches parts more closely; finds faces from 4 % of the longest side. */
  detectSmall(pyramid: Pyramid): Promise<Detection[]>;
  /**
   * Finds faces in a frame, with a closer search in `squares`. Meant for hiding faces: it also returns doubtful and small
   * faces, and keeps two overlapping faces separate.
   */
  detectLive(pyramid: Pyramid, squares: readonly Square[]): Promise<Detection[]>;
}

const INPUT = 256;
const MIN_SCORE = 0.5;
/** Least score of a face to hide in a frame. Half of the detections near it are false, which only costs sharpness. */
const LIVE_MIN_SCORE = 0.3;
/** The networks cannot match narrower faces (measured: one of seven faces up to 17 px is found). Pixels. */
const LIVE_MIN_WIDTH = 12;
/**
 * Overlapping faces in a frame must stay separate: two boxes are one face only if they are nearly equal, or if eyes and
 * nose lie in the same place (the network's boxes vary more than its points). The distance is a fraction of the larger width.
 */
const LIVE_SAME_FACE_OVERLAP = 0.5;
const LIVE_SAME_FACE_DISTANCE = 0.3;
/** A false face inside a face (a mouth, an ornament) is at most this fraction of the face's width. */
const FEATURE_WIDTH = 0.6;
/** Two boxes that share more than this of their union are one face. */
const SAME_FACE_OVERLAP = 0.3;
/** Narrower boxes are noise more often than faces (measured: 29 false ones in a picture of 108 faces of 21 px). */
const MIN_WIDTH = 24;
/** Parts are searched at the scale of a picture this long, and overlap by two fifths so that no small face is cut. */
const CLOSE_LONGEST_SIDE = 640;
const PART_STEP = 0.6;
/**
 * In parts only small faces with a high score count. On 63 portraits every additional face found in parts was false, and
 * had a lower score or a larger share of the part's side (the search of the whole picture finds larger ones anyway).
 */
const CLOSE_MIN_SCORE = 0.7;
const CLOSE_MAX_WIDTH = 0.35;

/** The network's output grids; each cell has several anchors in its centre. */
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
    return readFaces(outputs, { left, top, scale }, minScore);
  }

  function searchWhole(pyramid: Pyramid, minScore?: number): Promise<Detection[]> {
    const { width, height } = pyramid.full;
    // Never enlarge the picture: the network misses faces in enlarged pictures.
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
      // Faces found in the whole picture stay unchanged; the parts only add faces elsewhere.
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
          // The closer look places a face better, unless its edge cuts the face.
          else if (face.score >= other.score && isEqualLive(face, other)) faces[known] = face;
        }
      }
      return faces
        .filter((face) => face.width >= LIVE_MIN_WIDTH)
        .sort((a, b) => b.width * b.score - a.width * a.score);
    },
  };
}

/** Decodes the network's outputs into faces, in pixels of the picture. */
function readFaces(
  outputs: Awaited<ReturnType<Network['run']>>,
  { left, top, scale }: { readonly left: number; readonly top: number; readonly scale: number },
  minScore: number,
): Detection[] {
  const found: Detection[] = [];
  for (const grid of grids) {
    const scores = outputs[grid.scores];
    const boxes = outputs[grid.boxes];
    if (!scores || !boxes) throw new Error('the detection network has other outputs');
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

/** Squares that cover a picture of this size, small enough to find small faces (see `detectSmall`). Pixels. */
export function coverWithSquares(width: number, height: number): Square[] {
  const side = INPUT * Math.max(1, Math.max(width, height) / CLOSE_LONGEST_SIDE);
  return partStarts(height, side).flatMap((top) =>
    partStarts(width, side).map((left) => ({ left, top, side })),
  );
}

/** Starts of parts of `side` along `length`, evenly spaced from 0; one centred part where one is enough. */
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

/** Whether a box of a closer look is the same face as a known one, or a feature of it mistaken for a face. */
function isSameLive(face: Detection, known: Detection): boolean {
  if (isEqualLive(face, known)) return true;
  const area = face.width * face.height;
  // A box with a higher score is a face of its own, inside a box that covers several faces.
  const isFeature = face.score < known.score && face.width < FEATURE_WIDTH * known.width;
  return isFeature && sharedArea(face, known) > 0.9 * area;
}

function isEqualLive(a: Detection, b: Detection): boolean {
  if (overlap(a, b) > LIVE_SAME_FACE_OVERLAP) return true;
  const [ax, ay] = middleOf(a);
  const [bx, by] = middleOf(b);
  return Math.hypot(ax - bx, ay - by) < LIVE_SAME_FACE_DISTANCE * Math.max(a.width, b.width);
}

/** The point between the eyes and the nose. */
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

/** Merges boxes of the same face into their score-weighted mean, which varies less than the best box. */
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

/** Measures light, contrast and colour of the parts of one face: eyes, cheeks, mouth, nose. */
import { drawPiece, type Pyramid } from '../picture/pixels.ts';
import { CHIP_SIZE, type Landmarks, placeChip } from './align.ts';
import type { Detection } from './detector.ts';

type Point = readonly [number, number];

/** Distance between two points, in their unit. */
export function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(ax - bx, ay - by);
}

/** The middle of the points `from` to `to`, both included. */
export function middle(points: Landmarks, from: number, to: number): Point {
  let [x, y] = [0, 0];
  for (const [px, py] of points.slice(from, to + 1)) {
    x += px;
    y += py;
  }
  return [x / (to - from + 1), y / (to - from + 1)];
}

/** Faces are judged at the width of the smallest that may be enrolled, as in `quality.ts`. Pixels. */
const JUDGED_WIDTH = 80;

/** Fineness along four directions: energy of the second difference over the first. Motion blur lowers one direction. */
export function finenessByDirection(pyramid: Pyramid, face: Detection) {
  const size = JUDGED_WIDTH;
  const luma = drawLuma(pyramid, { a: face.width / size, b: 0, tx: face.x, ty: face.y }, size).luma;
  const directions = [1, size, size + 1, size - 1].map((step) => {
    let bend = 0;
    let slope = 0;
    for (let y = 10; y < size - 10; y++)
      for (let x = 10; x < size - 10; x++) {
        const at = y * size + x;
        const [before, here, after] = [luma[at - step] ?? 0, luma[at] ?? 0, luma[at + step] ?? 0];
        bend += (2 * here - before - after) ** 2;
        slope += ((after - before) / 2) ** 2;
      }
    // An even surface has no gradient and does not count as sharp.
    return slope > 0 ? bend / slope : 0;
  });
  const least = Math.min(...directions);
  return { leastFineness: least, finenessRatio: Math.max(...directions) / (least + 1e-6) };
}

/** Luma and colour (CbCr) of a square piece, row by row. */
interface Drawn {
  readonly luma: Float32Array;
  readonly cb: Float32Array;
  readonly cr: Float32Array;
}

/** Holds the colours of a drawn piece until its luma is computed. */
const colours = new Float32Array(3 * CHIP_SIZE * CHIP_SIZE);

function drawLuma(pyramid: Pyramid, place: Parameters<typeof drawPiece>[1], size: number): Drawn {
  const count = size * size;
  const planes = colours.subarray(0, 3 * count);
  drawPiece(pyramid, place, size, planes);
  const drawn = { luma: new Float32Array(count), cb: new Float32Array(count), cr: new Float32Array(count) };
  for (let i = 0; i < count; i++) {
    const [red, green, blue] = [planes[i] ?? 0, planes[count + i] ?? 0, planes[2 * count + i] ?? 0];
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    drawn.luma[i] = luma;
    drawn.cb[i] = 0.564 * (blue - luma);
    drawn.cr[i] = 0.713 * (red - luma);
  }
  return drawn;
}

/** Left, right, top and bottom in pixels of the chip. */
type Area = readonly [number, number, number, number];

/** Measures the parts of a face for `Visibility`, on the upright chip of its landmarks. */
export function lookAtChip(pyramid: Pyramid, landmarks: Landmarks) {
  const place = placeChip(landmarks);
  const { luma, cb, cr } = drawLuma(pyramid, place, CHIP_SIZE);
  const points = landmarks.map(([x, y]): Point => {
    const [dx, dy] = [x - place.tx, y - place.ty];
    const scale = place.a ** 2 + place.b ** 2;
    return [(place.a * dx + place.b * dy) / scale, (place.a * dy - place.b * dx) / scale];
  });
  const left = middle(points, 36, 41);
  const right = middle(points, 42, 47);
  const [midX, midY] = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
  const [mouthX, mouthY] = middle(points, 48, 59);
  const [, noseY] = points[30] ?? [midX, midY];
  const unit = distance(left, right);
  const around = (x: number, y: number, l: number, r: number, t: number, b: number): Area => [
    x + l * unit,
    x + r * unit,
    y + t * unit,
    y + b * unit,
  ];
  const rank = (plane: Float32Array, area: Area, part: number): number => rankIn(plane, [area], part);

  const leftSkin = around(...left, -0.25, 0.2, 0.45, 0.75);
  const rightSkin = around(...right, -0.2, 0.25, 0.45, 0.75);
  const leftCheek = rank(luma, leftSkin, 0.5) + 1;
  const rightCheek = rank(luma, rightSkin, 0.5) + 1;
  const leftEye = around(...left, -0.3, 0.3, -0.2, 0.2);
  const rightEye = around(...right, -0.3, 0.3, -0.2, 0.2);
  const leftHalf =
    rank(luma, [left[0] - 0.3 * unit, midX - 0.1 * unit, left[1] - 0.1 * unit, mouthY + 0.2 * unit], 0.8) + 1;
  const rightHalf =
    rank(luma, [midX + 0.1 * unit, right[0] + 0.3 * unit, right[1] - 0.1 * unit, mouthY + 0.2 * unit], 0.8) +
    1;
  const mouth = around(mouthX, mouthY, -0.4, 0.4, -0.22, 0.22);
  const light = rank(luma, mouth, 0.95);
  const brow = [around(midX, midY, -0.35, 0.35, -0.75, -0.45), around(midX, midY, -0.12, 0.12, -0.35, -0.1)];
  const nose: Area = [left[0] - 0.2 * unit, right[0] + 0.2 * unit, noseY - 0.1 * unit, noseY + 0.2 * unit];
  const tint = (plane: Float32Array): number => rank(plane, nose, 0.5) - rankIn(plane, brow, 0.5);
  const tintOfEye = (eye: Area, skin: Area): number =>
    Math.hypot(rank(cb, eye, 0.5) - rank(cb, skin, 0.5), rank(cr, eye, 0.5) - rank(cr, skin, 0.5));
  return {
    eyesBright: Math.max(rank(luma, leftEye, 0.75) / leftCheek, rank(luma, rightEye, 0.75) / rightCheek),
    eyesContrast: Math.max(spread(luma, leftEye) / leftCheek, spread(luma, rightEye) / rightCheek),
    eyesTint: Math.min(tintOfEye(leftEye, leftSkin), tintOfEye(rightEye, rightSkin)),
    mouthContrast: (light - rank(luma, mouth, 0.05)) / (light + 1),
    noseTint: Math.hypot(tint(cb), tint(cr)),
    unevenness: Math.min(ratio(leftCheek, rightCheek), ratio(leftHalf, rightHalf)),
    ...flatnessOf(luma),
  };
}

const ratio = (a: number, b: number): number => Math.max(a / b, b / a);

/** The values of a plane in `areas`, without the parts outside the chip. */
function valuesIn(plane: Float32Array, areas: readonly Area[]): Float32Array {
  const within = (value: number): number => Math.min(CHIP_SIZE, Math.max(0, Math.round(value)));
  const rows: Float32Array[] = [];
  for (const [left, right, top, bottom] of areas)
    for (let row = within(top) * CHIP_SIZE; row < within(bottom) * CHIP_SIZE; row += CHIP_SIZE)
      rows.push(plane.subarray(row + within(left), row + within(right)));
  const values = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const row of rows) {
    values.set(row, at);
    at += row.length;
  }
  return values;
}

/** The value below which the fraction `part` (0–1) of the areas' values lies; 0 if all areas lie outside the chip. */
function rankIn(plane: Float32Array, areas: readonly Area[], part: number): number {
  const values = valuesIn(plane, areas);
  const rank = Math.min(values.length - 1, Math.floor(values.length * part));
  return rank < 0 ? 0 : select(values, rank);
}

/** The value that sorting would put at `rank`, without sorting (Hoare's selection). Reorders `values`. */
function select(values: Float32Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[rank] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while ((values[j] as number) > pivot) j--;
      if (i > j) break;
      const held = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = held;
    }
    if (j < rank) low = i;
    if (i > rank) high = j;
  }
  return values[rank] as number;
}

function spread(plane: Float32Array, area: Area): number {
  const values = valuesIn(plane, [area]);
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / (values.length || 1);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / (values.length || 1));
}

/** The part of the chip that shows the face and little else. */
const FACE_AREA: Area = [30, 120, 25, 125];
/** A gradient below this counts as flat. Luma per pixel. */
const NO_GRADIENT = 0.75;

function flatnessOf(luma: Float32Array): { commonLevels: number; flatness: number } {
  const levels = new Array<number>(256).fill(0);
  const [left, right, top, bottom] = FACE_AREA;
  let flat = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = y * CHIP_SIZE + x;
      const level = Math.min(255, Math.floor(luma[at] ?? 0));
      levels[level] = (levels[level] ?? 0) + 1;
      const dx = (luma[at + 1] ?? 0) - (luma[at - 1] ?? 0);
      const dy = (luma[at + CHIP_SIZE] ?? 0) - (luma[at - CHIP_SIZE] ?? 0);
      if (dx * dx + dy * dy < 4 * NO_GRADIENT ** 2) flat++;
    }
  const count = (right - left) * (bottom - top);
  const common = levels.sort((a, b) => b - a).slice(0, 8);
  return { commonLevels: common.reduce((sum, n) => sum + n, 0) / count, flatness: flat / count };
}

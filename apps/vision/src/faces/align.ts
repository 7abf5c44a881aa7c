/**
 * Places a face upright: 68 landmarks, and from them the picture piece ("chip") that the recognition network was
 * trained on. Source of the placing: dlib 19.24 `get_face_chip_details` (size 150, padding 0.25), Boost licence.
 */
import { drawPiece, type Pyramid, type Similarity } from '../picture/pixels.ts';
import type { Detection } from './detector.ts';
import type { Network } from './network.ts';

/** 68 points [x, y] in pixels of the picture, in the order of iBUG 300-W. */
export type Landmarks = readonly (readonly [number, number])[];

/** Side of the chip in pixels. */
export const CHIP_SIZE = 150;
const CHIP_PADDING = 0.25;

const LANDMARK_INPUT = 112;
/** Side of the square that is searched for landmarks, in widths of the detector's box; measured: 1.3 to 1.5 are alike. */
const SQUARE_SIDE = 1.4;
/** The box ends above the chin, so the square's centre lies below the box's, by this fraction of the square's side. */
const SQUARE_SHIFT = 0.05;

/** Mean positions of the points 27–54 and 60–64 (nose, eyes, upper lip) in a face square, 0–1, from dlib. */
const MEAN_SHAPE: readonly (readonly [point: number, x: number, y: number])[] = [
  [27, 0.490127, 0.203352],
  [28, 0.490127, 0.307009],
  [29, 0.490127, 0.409805],
  [30, 0.490127, 0.515625],
  [31, 0.36688, 0.587326],
  [32, 0.426036, 0.609345],
  [33, 0.490127, 0.628106],
  [34, 0.554217, 0.609345],
  [35, 0.613373, 0.587326],
  [36, 0.121737, 0.216423],
  [37, 0.187122, 0.178758],
  [38, 0.265825, 0.179852],
  [39, 0.334606, 0.231733],
  [40, 0.260918, 0.245099],
  [41, 0.182743, 0.244077],
  [42, 0.645647, 0.231733],
  [43, 0.714428, 0.179852],
  [44, 0.793132, 0.178758],
  [45, 0.858516, 0.216423],
  [46, 0.79751, 0.244077],
  [47, 0.719335, 0.245099],
  [48, 0.254149, 0.780233],
  [49, 0.340985, 0.745405],
  [50, 0.428858, 0.727388],
  [51, 0.490127, 0.742578],
  [52, 0.551395, 0.727388],
  [53, 0.639268, 0.745405],
  [54, 0.726104, 0.780233],
  [60, 0.290379, 0.784792],
  [61, 0.428096, 0.778746],
  [62, 0.490127, 0.785343],
  [63, 0.552157, 0.778746],
  [64, 0.689874, 0.784792],
];

export interface Aligner {
  /** Throws unless the network returns 68 points. */
  findLandmarks(pyramid: Pyramid, face: Detection): Promise<Landmarks>;
}

export function createAligner(network: Network): Aligner {
  const input = new Float32Array(3 * LANDMARK_INPUT * LANDMARK_INPUT);
  return {
    async findLandmarks(pyramid, face) {
      const square = squareAround(face);
      drawPiece(pyramid, square, LANDMARK_INPUT, input);
      const { points } = await network.run(input, [1, 3, LANDMARK_INPUT, LANDMARK_INPUT]);
      if (points?.length !== 136) throw new Error('the landmark network answered something else');
      return Array.from({ length: 68 }, (_, i) => {
        const x = (points[i * 2] ?? 0) * LANDMARK_INPUT;
        const y = (points[i * 2 + 1] ?? 0) * LANDMARK_INPUT;
        return [square.a * x - square.b * y + square.tx, square.b * x + square.a * y + square.ty] as const;
      });
    },
  };
}

/** The square around a face, turned so that its eyes lie level. */
function squareAround({ x, y, width, height, points }: Detection): Similarity {
  const [left, right] = points;
  const roll = left && right ? Math.atan2(right[1] - left[1], right[0] - left[0]) : 0;
  const side = Math.max(width, height) * SQUARE_SIDE;
  const scale = side / LANDMARK_INPUT;
  const a = Math.cos(roll) * scale;
  const b = Math.sin(roll) * scale;
  const centreX = x + width / 2 - Math.sin(roll) * SQUARE_SHIFT * side;
  const centreY = y + height / 2 + Math.cos(roll) * SQUARE_SHIFT * side;
  const half = LANDMARK_INPUT / 2;
  return { a, b, tx: centreX - a * half + b * half, ty: centreY - b * half - a * half };
}

/**
 * The chip's position in the picture: the similarity transform that fits the mean shape to the landmarks (least
 * squares).
 */
export function placeChip(landmarks: Landmarks): Similarity {
  let fromX = 0;
  let fromY = 0;
  let toX = 0;
  let toY = 0;
  const pairs = MEAN_SHAPE.map(([index, x, y]) => {
    const [px, py] = landmarks[index] ?? [0, 0];
    const cx = (CHIP_SIZE * (CHIP_PADDING + x)) / (2 * CHIP_PADDING + 1);
    const cy = (CHIP_SIZE * (CHIP_PADDING + y)) / (2 * CHIP_PADDING + 1);
    fromX += cx;
    fromY += cy;
    toX += px;
    toY += py;
    return [cx, cy, px, py] as const;
  });
  fromX /= pairs.length;
  fromY /= pairs.length;
  toX /= pairs.length;
  toY /= pairs.length;
  let along = 0;
  let across = 0;
  let spread = 0;
  for (const [cx, cy, px, py] of pairs) {
    const dx = cx - fromX;
    const dy = cy - fromY;
    along += dx * (px - toX) + dy * (py - toY);
    across += dx * (py - toY) - dy * (px - toX);
    spread += dx * dx + dy * dy;
  }
  const a = along / spread;
  const b = across / spread;
  return { a, b, tx: toX - a * fromX + b * fromY, ty: toY - b * fromX - a * fromY };
}

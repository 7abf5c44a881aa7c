/**
 * Judges whether a face can be told apart from others: upright, not covered, evenly lit, sharp in every direction, and not
 * a flat drawing. Limits are measured on degraded photos of real faces (`npm run bench:faces`).
 */
import { type Pixels, Pyramid } from '../picture/pixels.ts';
import type { Aligner, Landmarks } from './align.ts';
import type { Detection, Detector } from './detector.ts';
import { distance, finenessByDirection, lookAtChip, middle } from './face-patches.ts';

export type VisibilityProblem =
  | 'photo_blurred'
  | 'face_upside_down'
  | 'face_unevenly_lit'
  | 'eyes_covered'
  | 'mouth_covered'
  | 'not_a_photo';

/** Measures of a face. Good photos: 110 photos of 5 LFW people and others, unchanged and in nine worse versions. */
export interface Visibility {
  /** Score of the face in the photo turned by 180° less its score in the photo: −1 to 1. */
  readonly turnedGain: number;
  /**
   * How far landmarks move when their search square moves by 8 % or is scaled by 10–15 %: mean over the points of the eyes or
   * the mouth, in eye distances. The network guesses covered parts, and its guesses move.
   */
  readonly eyesUnsteady: number;
  readonly mouthUnsteady: number;
  /** Brightest quarter around the brighter eye over the cheek below it. Deep-set eyes 0.5, skin 1, dark glass 0.1. */
  readonly eyesBright: number;
  /** Standard deviation of the luma around an eye over its cheek, the larger of both eyes. Plain skin has little. */
  readonly eyesContrast: number;
  /** Range from the 5th to the 95th percentile of the luma around the mouth, as a fraction of the 95th. */
  readonly mouthContrast: number;
  /** Colour distance (CbCr) between the height of the nose and the forehead. A mask reaches the nose, a beard does not. */
  readonly noseTint: number;
  /** Brighter over darker cheek, or brighter over darker half of the face, whichever is smaller; at least 1. */
  readonly unevenness: number;
  /** Fraction of the face on its eight commonest luma levels, and fraction without a gradient. */
  readonly commonLevels: number;
  readonly flatness: number;
  /** Fineness as in `quality.ts`, but along rows, columns and diagonals: the least, and the largest over the least. */
  readonly leastFineness: number;
  readonly finenessRatio: number;
}

/** Upside down: at least 0.08 and 0.09. Good photos: up to 0.06, and then unsteady by 0.05 at most. */
const TURNED_GAIN = 0.05;
const TURNED_UNSTEADY = 0.08;
const TURNED_EYES_UNSTEADY = 0.05;
/** Dark glasses up to 0.49; good photos from 0.53. */
const EYES_DARK = 0.5;
/** A hand over the eyes: contrast mostly under 0.12 and never over 0.20 where unsteady; good photos from 0.12, steady to 0.06. */
const EYES_FLAT = 0.115;
const EYES_FLAT_UNSTEADY = 0.2;
const EYES_UNSTEADY = 0.05;
/** Masks and hands up to 0.32; good photos from 0.29, unsteady to 0.05. Both must agree. */
const MOUTH_FLAT = 0.3;
const MOUTH_UNSTEADY = 0.035;
const MOUTH_FLAT_UNSTEADY = 0.4;
const MOUTH_VERY_UNSTEADY = 0.065;
/** Masks mostly over 17; good photos to 17, overexposed ones to 45, but those are steady and show a mouth. */
const NOSE_TINT = 17;
const NOSE_TINT_UNSTEADY = 0.04;
const NOSE_TINT_MOUTH = 0.5;
/** Half in the dark (a fifth of the light or less) from 2.8; good photos and halves with 55 % of the light to 2.35. */
const UNEVEN = 2.6;
/** Flat drawings from 0.80 and 0.60; overexposed photos to 0.71 and 0.46. */
const DRAWN_LEVELS = 0.75;
const DRAWN_FLATNESS = 0.55;
/**
 * Motion by a third of the eyes' distance: fineness mostly under 0.3, and over 2.8 times finer across than along. Good
 * photos from 0.32; the ratio of blurred ones reaches 2.7.
 */
const SMEARED = 0.3;
const SMEARED_ONE_WAY = 0.45;
const ONE_WAY = 2.8;

export function findVisibilityProblem(seen: Visibility): VisibilityProblem | null {
  if (
    seen.turnedGain > TURNED_GAIN &&
    seen.mouthUnsteady > TURNED_UNSTEADY &&
    seen.eyesUnsteady > TURNED_EYES_UNSTEADY
  )
    return 'face_upside_down';
  if (seen.commonLevels > DRAWN_LEVELS && seen.flatness > DRAWN_FLATNESS) return 'not_a_photo';
  if (seen.leastFineness < SMEARED || (seen.leastFineness < SMEARED_ONE_WAY && seen.finenessRatio > ONE_WAY))
    return 'photo_blurred';
  if (seen.unevenness > UNEVEN) return 'face_unevenly_lit';
  // A mask that shines makes the eyes look dark, so the mouth is asked first.
  if (
    (seen.mouthContrast < MOUTH_FLAT && seen.mouthUnsteady > MOUTH_UNSTEADY) ||
    (seen.mouthContrast < MOUTH_FLAT_UNSTEADY && seen.mouthUnsteady > MOUTH_VERY_UNSTEADY) ||
    (seen.noseTint > NOSE_TINT &&
      seen.mouthUnsteady > NOSE_TINT_UNSTEADY &&
      seen.mouthContrast < NOSE_TINT_MOUTH)
  )
    return 'mouth_covered';
  if (
    seen.eyesBright < EYES_DARK ||
    seen.eyesContrast < EYES_FLAT ||
    (seen.eyesContrast < EYES_FLAT_UNSTEADY && seen.eyesUnsteady > EYES_UNSTEADY)
  )
    return 'eyes_covered';
  return null;
}

export interface Inspector {
  /** Measures a face that was found in `pyramid`; takes some 35 ms. */
  inspect(pyramid: Pyramid, face: Detection): Promise<Visibility>;
}

/** Offsets (x, y in face widths) and size factors of the squares in which landmarks are searched again. */
const TREMORS = [
  [0.08, 0, 1],
  [-0.08, 0, 1],
  [0, 0.08, 1],
  [0, -0.08, 1],
  [0, 0, 1.15],
  [0, 0, 0.9],
] as const;

export function createInspector(detector: Detector, aligner: Aligner): Inspector {
  async function gainWhenTurned(pyramid: Pyramid, face: Detection): Promise<number> {
    const { width, height } = pyramid.full;
    const x = width - face.x - face.width / 2;
    const y = height - face.y - face.height / 2;
    const found = await detector.detect(new Pyramid(turn(pyramid.full)));
    const same = found.filter(
      (other) => Math.hypot(other.x + other.width / 2 - x, other.y + other.height / 2 - y) < face.width / 2,
    );
    return Math.max(0, ...same.map(({ score }) => score)) - face.score;
  }

  async function unsteadiness(pyramid: Pyramid, face: Detection, landmarks: Landmarks) {
    const unit = distance(middle(landmarks, 36, 41), middle(landmarks, 42, 47));
    let eyes = 0;
    let mouth = 0;
    for (const [dx, dy, size] of TREMORS) {
      const [width, height] = [face.width * size, face.height * size];
      const moved = await aligner.findLandmarks(pyramid, {
        ...face,
        x: face.x + dx * face.width + (face.width - width) / 2,
        y: face.y + dy * face.width + (face.height - height) / 2,
        width,
        height,
      });
      eyes += meanMove(landmarks, moved, 36, 47);
      mouth += meanMove(landmarks, moved, 48, 67);
    }
    return { eyes: eyes / unit / TREMORS.length, mouth: mouth / unit / TREMORS.length };
  }

  return {
    async inspect(pyramid, face) {
      const landmarks = await aligner.findLandmarks(pyramid, face);
      const { eyes, mouth } = await unsteadiness(pyramid, face, landmarks);
      return {
        turnedGain: await gainWhenTurned(pyramid, face),
        eyesUnsteady: eyes,
        mouthUnsteady: mouth,
        ...finenessByDirection(pyramid, face),
        ...lookAtChip(pyramid, landmarks),
      };
    },
  };
}

function meanMove(a: Landmarks, b: Landmarks, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += distance(a[i] ?? [0, 0], b[i] ?? [0, 0]);
  return sum / (to - from + 1);
}

function turn({ data, width, height }: Pixels): Pixels {
  const turned = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 3)
    for (let c = 0; c < 3; c++) turned[data.length - 3 - i + c] = data[i + c] as number;
  return { data: turned, width, height };
}

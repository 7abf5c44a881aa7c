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
  /** The detector's score of the face, 0–1. */
  readonly score: number;
  /** Largest distance between the detector's and the landmark network's eyes, nose and mouth, in eye distances. */
  readonly disagreement: number;
  /** Score of the face in the photo turned by 180° less its score in the photo: −1 to 1; −1 where it was not turned. */
  readonly turnedGain: number;
  /**
   * How far landmarks move when their search square moves by 8 % or is scaled by 10–15 %: mean over the points of the eyes or
   * the mouth, in eye distances. The network guesses covered parts, and its guesses move. 0 where nothing speaks for it.
   */
  readonly eyesUnsteady: number;
  readonly mouthUnsteady: number;
  /** Brightest quarter around the brighter eye over the cheek below it. Deep-set eyes 0.5, skin 1, dark glass 0.1. */
  readonly eyesBright: number;
  /** Standard deviation of the luma around an eye over its cheek, the larger of both eyes. Plain skin has little. */
  readonly eyesContrast: number;
  /** Colour distance (CbCr) between an eye and its cheek, the smaller of both eyes. Eyelids have the skin's colour. */
  readonly eyesTint: number;
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

/**
 * Steadiness is measured only where something speaks for a covered or turned face, because it costs most: a low score, two
 * networks that disagree, or an eye or mouth without contrast. 74 % of the good photos need none of it, and of 625 covered
 * and turned ones none would pass for the lack of it.
 */
const SURE_SCORE = 0.83;
const AGREED = 0.1;
/** Two movements tell most steady faces: all are measured only if 1.6 times the mean of two would be refused. */
const DOUBT = 1.6;

/** Upside down: at least 0.08 and 0.09. Good photos: up to 0.06, and then unsteady by 0.05 at most. */
const TURNED_GAIN = 0.05;
const TURNED_UNSTEADY = 0.08;
const TURNED_EYES_UNSTEADY = 0.05;
/** Dark glasses up to 0.42; good photos from 0.53. */
const EYES_DARK = 0.5;
/**
 * A hand over the eyes: contrast mostly under 0.12 and never over 0.20 where unsteady, from 0.046 on. Washed-out photos
 * have as little contrast, but are steady; clear glasses have more.
 */
const EYES_FLAT = 0.115;
const EYES_FLAT_UNSTEADY = 0.2;
const EYES_STEADY = 0.03;
const EYES_UNSTEADY = 0.05;
/**
 * Mirrored glasses: much contrast, and either brighter than the cheek and of another colour, or far brighter (silver). Good
 * photos with that contrast and light, also with clear glasses, differ by 17 in colour at most, and reach 1.55 in light.
 */
const EYES_MIRROR_CONTRAST = 0.27;
const EYES_MIRROR_BRIGHT = 1.05;
const EYES_MIRROR_TINT = 25;
const EYES_MIRROR_VERY_BRIGHT = 1.6;
/** Masks and hands up to 0.32; good photos from 0.29, unsteady to 0.05. Both must agree. */
const MOUTH_FLAT = 0.3;
const MOUTH_UNSTEADY = 0.035;
const MOUTH_FLAT_UNSTEADY = 0.4;
const MOUTH_VERY_UNSTEADY = 0.065;
/** A pattern has contrast, but no mouth: 84 % of patterned masks are less steady than this; good photos to 0.069. */
const MOUTH_LOST = 0.08;
/** Masks mostly over 17; good photos to 17, overexposed ones to 45, but those are steady or show a mouth. */
const NOSE_TINT = 17;
const NOSE_TINT_UNSTEADY = 0.04;
const NOSE_TINT_MOUTH = 0.5;
const NOSE_TINT_VERY_UNSTEADY = 0.06;
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
  // A mask that shines makes the eyes look dark, so the mouth is asked first; a hand over the eyes unsettles the mouth.
  if (isMouthCovered(seen)) return 'mouth_covered';
  if (areEyesCovered(seen)) return 'eyes_covered';
  return seen.mouthUnsteady > MOUTH_LOST ? 'mouth_covered' : null;
}

function isMouthCovered({ mouthContrast, mouthUnsteady, noseTint }: Visibility): boolean {
  return (
    (mouthContrast < MOUTH_FLAT && mouthUnsteady > MOUTH_UNSTEADY) ||
    (mouthContrast < MOUTH_FLAT_UNSTEADY && mouthUnsteady > MOUTH_VERY_UNSTEADY) ||
    (noseTint > NOSE_TINT &&
      mouthUnsteady > (mouthContrast < NOSE_TINT_MOUTH ? NOSE_TINT_UNSTEADY : NOSE_TINT_VERY_UNSTEADY))
  );
}

function areEyesCovered({ eyesBright, eyesContrast, eyesTint, eyesUnsteady }: Visibility): boolean {
  return (
    eyesBright < EYES_DARK ||
    (eyesContrast < EYES_FLAT && eyesUnsteady > EYES_STEADY) ||
    (eyesContrast < EYES_FLAT_UNSTEADY && eyesUnsteady > EYES_UNSTEADY) ||
    (eyesContrast > EYES_MIRROR_CONTRAST &&
      ((eyesBright > EYES_MIRROR_BRIGHT && eyesTint > EYES_MIRROR_TINT) ||
        eyesBright > EYES_MIRROR_VERY_BRIGHT))
  );
}

/** Whether the face has to be measured for steadiness. */
function isDoubtful(seen: Visibility): boolean {
  return (
    seen.score < SURE_SCORE ||
    seen.disagreement > AGREED ||
    seen.mouthContrast < MOUTH_FLAT_UNSTEADY ||
    seen.noseTint > NOSE_TINT ||
    seen.eyesContrast < EYES_FLAT
  );
}

export interface Inspector {
  /** Measures a face that was found in `pyramid`; takes some 6 ms, and up to 35 ms if something speaks against it. */
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
/** Up and down. */
const FEW_TREMORS = TREMORS.slice(2, 4);

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

  async function unsteadiness(
    pyramid: Pyramid,
    face: Detection,
    landmarks: Landmarks,
    tremors: readonly (typeof TREMORS)[number][],
  ): Promise<Pick<Visibility, 'eyesUnsteady' | 'mouthUnsteady'>> {
    let eyes = 0;
    let mouth = 0;
    for (const [dx, dy, size] of tremors) {
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
    const unit = eyeDistance(landmarks) * tremors.length;
    return { eyesUnsteady: eyes / unit, mouthUnsteady: mouth / unit };
  }

  return {
    async inspect(pyramid, face) {
      const landmarks = await aligner.findLandmarks(pyramid, face);
      const still: Visibility = {
        score: face.score,
        disagreement: disagreementOf(face, landmarks),
        turnedGain: -1,
        eyesUnsteady: 0,
        mouthUnsteady: 0,
        ...finenessByDirection(pyramid, face),
        ...lookAtChip(pyramid, landmarks),
      };
      if (!isDoubtful(still)) return still;
      const few = await unsteadiness(pyramid, face, landmarks, FEW_TREMORS);
      const doubted = {
        ...still,
        eyesUnsteady: few.eyesUnsteady * DOUBT,
        mouthUnsteady: few.mouthUnsteady * DOUBT,
      };
      if (findVisibilityProblem(doubted) === null) return { ...still, ...few };
      const seen = { ...still, ...(await unsteadiness(pyramid, face, landmarks, TREMORS)) };
      const mayBeTurned = seen.mouthUnsteady > TURNED_UNSTEADY && seen.eyesUnsteady > TURNED_EYES_UNSTEADY;
      return mayBeTurned ? { ...seen, turnedGain: await gainWhenTurned(pyramid, face) } : seen;
    },
  };
}

function eyeDistance(landmarks: Landmarks): number {
  return distance(middle(landmarks, 36, 41), middle(landmarks, 42, 47));
}

/** The detector's points lie this far from the landmarks in the mean over good photos; in eye distances, right and down. */
const USUAL_OFFSET = [0.02, 0.033] as const;

function disagreementOf({ points }: Detection, landmarks: Landmarks): number {
  const unit = eyeDistance(landmarks);
  const parts = [
    middle(landmarks, 36, 41),
    middle(landmarks, 42, 47),
    middle(landmarks, 30, 30),
    middle(landmarks, 48, 59),
  ];
  return Math.max(
    ...parts.map(([x, y], i) => {
      const [px, py] = points[i] ?? [x, y];
      return Math.hypot((px - x) / unit - USUAL_OFFSET[0], (py - y) / unit - USUAL_OFFSET[1]);
    }),
  );
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

/** Judges whether a detected face is good enough to be enrolled. Limits are measured. */
import { drawPiece, type Pyramid } from '../picture/pixels.ts';
import type { Detection } from './detector.ts';
import type { VisibilityProblem } from './visibility.ts';

export type FaceProblem =
  | 'no_face'
  | 'many_faces'
  | 'face_too_small'
  | 'face_cut_off'
  | 'photo_too_dark'
  | VisibilityProblem;

/** Faces are judged at this width in pixels, the smallest that may be enrolled, so that they are never enlarged. */
const JUDGED_WIDTH = 80;

/**
 * Least width, as a part of the first face's, and least score of a second face that counts. Measured on LFW: bystanders
 * reach 0.61 of the width; the main faces score at least 0.77, half-hidden ones beside them under 0.7.
 */
const SECOND_FACE_WIDTH = 0.65;
const SECOND_FACE_SCORE = 0.7;
/**
 * Least width, as a part of the first face's, of a second face that counts because it stands nearer the middle of the
 * photo: who compares the photo with the child takes that face for the enrolled one. None of 109 portraits of LFW and of
 * deepface has such a face. A face printed on a shirt is usually smaller.
 */
const MIDDLE_FACE_WIDTH = 0.4;

/**
 * Maximum part of a box beyond the photo's edge, in widths of the box. Measured on LFW photos that were cut: the box
 * reaches over by what was cut off, ± 0.03.
 */
const CUT_OFF_REACH = 0.02;

/**
 * A face is too dark if its brightest tenth begins below this luma (0–255). LFW: never below 138; the same photos with a
 * quarter of the light: never above 56. The mean is not used, because skin may be dark in good light.
 */
const DARK_LUMA = 64;

/**
 * Least fineness: energy of the Laplacian over energy of the gradient, so without contrast. LFW: never under 0.68; the
 * same photos blurred with a sigma of 2.5 px (2.3 % of the face) never over 0.31, their encodings then 0.30 away.
 */
const BLURRED_FINENESS = 0.35;

/**
 * A photo without a detected face counts as dark or blurred only if it clearly is, because it may show no child at
 * all. Measured in its middle: LFW blurred with 8 px has a fineness under 0.11 and a gradient over 16, a smooth
 * background a gradient under 10; LFW with a tenth of the light stays under 26.
 */
const WHOLE_WIDTH = 128;
const WHOLE_DARK_LUMA = 26;
const WHOLE_BLURRED_FINENESS = 0.12;
const WHOLE_MIN_GRADIENT = 12;

/** Visual measures of a face or a photo, from its pixels. */
export interface Look {
  /** 90th percentile of the luma in the oval, 0–255. */
  readonly bright: number;
  /** Energy of the Laplacian over that of the gradient: 0 (blurred) to about 4. */
  readonly fineness: number;
  /** Mean of the squared gradient, in squared luma per pixel. */
  readonly gradient: number;
}

/** Measures a face of any size. */
export function lookAt(pyramid: Pyramid, face: Detection): Look {
  return lookAtSquare(pyramid, face.x, face.y, face.width, JUDGED_WIDTH);
}

function lookAtMiddle(pyramid: Pyramid): Look {
  const { width, height } = pyramid.full;
  const side = Math.min(width, height);
  return lookAtSquare(pyramid, (width - side) / 2, (height - side) / 2, side, WHOLE_WIDTH);
}

/** Measures a square of the picture as if it were `size` pixels wide. */
function lookAtSquare(pyramid: Pyramid, left: number, top: number, width: number, size: number): Look {
  const pixels = new Float32Array(3 * size * size);
  drawPiece(pyramid, { a: width / size, b: 0, tx: left, ty: top }, size, pixels);
  const luma = Float32Array.from({ length: size * size }, (_, i) => {
    const [red = 0, green = 0, blue = 0] = [pixels[i], pixels[size * size + i], pixels[2 * size * size + i]];
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  });
  const at = (x: number, y: number): number => luma[y * size + x] ?? 0;
  // Measure only the oval: a bright window behind a dark face must not count.
  const oval = new Float32Array(size * size);
  let inside = 0;
  let laplacian = 0;
  let gradient = 0;
  for (let y = 1; y < size - 1; y++)
    for (let x = 1; x < size - 1; x++) {
      const dx = at(x + 1, y) - at(x - 1, y);
      const dy = at(x, y + 1) - at(x, y - 1);
      const bend = 4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      laplacian += bend * bend;
      gradient += (dx * dx + dy * dy) / 4;
      if ((x + 0.5 - size / 2) ** 2 + (y + 0.5 - size / 2) ** 2 < (size * 0.45) ** 2)
        oval[inside++] = at(x, y);
    }
  oval.subarray(0, inside).sort();
  return {
    bright: oval[Math.floor(inside * 0.9)] ?? 0,
    // An even surface has no gradient and does not count as sharp.
    fineness: gradient > 0 ? laplacian / gradient : 0,
    gradient: gradient / (size - 2) ** 2,
  };
}

/** Size of the searched photo, and the scale from its pixels to those of the photo as sent. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly sentScale: number;
}

/**
 * Returns the first problem that makes a photo unsuitable for enrolment, or null. `faces`: most prominent first.
 * `minWidth`: pixels of the photo as sent.
 */
export function findProblem(
  pyramid: Pyramid,
  faces: readonly Detection[],
  frame: Frame,
  minWidth: number,
): FaceProblem | null {
  const [face, ...others] = faces;
  if (!face) return whyNoFace(lookAtMiddle(pyramid));
  const fromMiddle = ({ x, y, width, height }: Detection): number =>
    Math.hypot(x + (width - frame.width) / 2, y + (height - frame.height) / 2);
  const counts = (other: Detection): boolean =>
    other.score >= SECOND_FACE_SCORE &&
    (other.width >= SECOND_FACE_WIDTH * face.width ||
      (other.width >= MIDDLE_FACE_WIDTH * face.width && fromMiddle(other) < fromMiddle(face)));
  if (others.some(counts)) return 'many_faces';
  const reach = CUT_OFF_REACH * face.width;
  if (
    face.x < -reach ||
    face.y < -reach ||
    face.x + face.width > frame.width + reach ||
    face.y + face.height > frame.height + reach
  )
    return 'face_cut_off';
  // Checked after the edge, because the box of a cut-off face is too narrow.
  if (face.width * frame.sentScale < minWidth) return 'face_too_small';
  const { bright, fineness } = lookAt(pyramid, face);
  if (bright < DARK_LUMA) return 'photo_too_dark';
  if (fineness < BLURRED_FINENESS) return 'photo_blurred';
  return null;
}

function whyNoFace({ bright, fineness, gradient }: Look): FaceProblem {
  if (bright < WHOLE_DARK_LUMA) return 'photo_too_dark';
  if (gradient > WHOLE_MIN_GRADIENT && fineness < WHOLE_BLURRED_FINENESS) return 'photo_blurred';
  return 'no_face';
}

/** Rates a face from 0 to 1: the geometric mean of size, light, sharpness and frontality. */
export function rateFace(face: Detection, look: Look, frame: Frame): number {
  const part = (value: number, from: number, to: number): number =>
    Math.min(1, Math.max(0.05, (value - from) / (to - from)));
  const size = part(face.width * frame.sentScale, 40, 200);
  const light = part(look.bright, 32, 140);
  const sharpness = part(look.fineness, 0.2, 1.2);
  return (size * light * sharpness * frontality(face)) ** 0.25;
}

/** 1: the nose lies midway between the eyes; 0.05: it lies under one of them. */
function frontality({ points }: Detection): number {
  const [left, right, nose] = points;
  if (!left || !right || !nose) return 0.05;
  const [dx, dy] = [right[0] - left[0], right[1] - left[1]];
  const along = ((nose[0] - left[0]) * dx + (nose[1] - left[1]) * dy) / (dx * dx + dy * dy || 1);
  return Math.min(1, Math.max(0.05, 1 - 2 * Math.abs(along - 0.5)));
}

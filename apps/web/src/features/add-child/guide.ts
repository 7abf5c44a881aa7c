/** Derives the advice for taking a photo. Pure: camera, calls and texts are elsewhere. */
import { ENROL_FACE_MIN_WIDTH } from '@haris/contract/constants';
import type { childRoutes } from '@haris/contract/http/children';
import type { AnswerOf } from '../../calls/http.ts';

/** `ready`, or the next thing to change. */
export type Advice =
  | 'ready'
  | 'checking'
  | 'look'
  | 'oneFace'
  | 'closer'
  | 'inside'
  | 'still'
  | 'light'
  | 'turnUpright'
  | 'evenLight'
  | 'showEyes'
  | 'showMouth'
  | 'realFace';

export type FaceAnswer = AnswerOf<typeof childRoutes.guideFace>;

/** Measured on this device. */
export interface LocalMeasures {
  /** Mean luma of the middle of the picture, 0–255. */
  brightness: number;
  /** Mean change of luma since the previous frame, 0–255. */
  motion: number;
}

/** Faces in darker pictures are not found reliably; the server's own limit applies to the face itself. */
const DARK_BELOW = 42;
/** A webcam's noise stays under 4; a turning head goes over 15. */
const MOVING_ABOVE = 11;
/**
 * Smallest comfortable width of a face, as a share of the picture's width. Narrower faces are valid but make a poor
 * photo.
 */
const COMFORTABLE_SHARE = 0.12;
/** Largest distance between the middles of face and picture, as a share of the picture's side: the oval. */
const OVAL_REACH = { x: 0.2, y: 0.24 };

/**
 * Returns the advice for a frame. `face` is the server's response for the small picture, null before the first.
 * `captureWidth` is the width in pixels of the final photo, to which the minimum face width of 80 px applies.
 */
export function decideAdvice(face: FaceAnswer | null, local: LocalMeasures, captureWidth: number): Advice {
  if (local.brightness < DARK_BELOW) return 'light';
  if (face === null) return 'checking';
  const problem = adviceOfFace(face, captureWidth);
  if (problem !== 'ready') return problem;
  return local.motion > MOVING_ABOVE ? 'still' : 'ready';
}

function adviceOfFace(face: FaceAnswer, captureWidth: number): Advice {
  switch (face.advice) {
    case 'no_face':
    case 'unreadable_photo':
      return 'look';
    case 'many_faces':
      return 'oneFace';
    case 'face_cut_off':
      return 'inside';
    case 'photo_too_dark':
      return 'light';
    case 'photo_blurred':
      return 'still';
    case 'face_upside_down':
      return 'turnUpright';
    case 'face_unevenly_lit':
      return 'evenLight';
    case 'eyes_covered':
      return 'showEyes';
    case 'mouth_covered':
      return 'showMouth';
    case 'not_a_photo':
      return 'realFace';
    case 'face_too_small':
    case 'ready':
      return face.box === null ? 'look' : adviceOfBox(face.box, face, captureWidth);
  }
}

/** Judges the face's size again, because the server measured the small picture and the photo is larger. */
function adviceOfBox(
  [x, y, width, height]: NonNullable<FaceAnswer['box']>,
  picture: { width: number; height: number },
  captureWidth: number,
): Advice {
  const widthInPhoto = (width / picture.width) * captureWidth;
  if (widthInPhoto < ENROL_FACE_MIN_WIDTH || width / picture.width < COMFORTABLE_SHARE) return 'closer';
  const crossesEdge = x <= 0 || y <= 0 || x + width >= picture.width || y + height >= picture.height;
  const awayX = Math.abs((x + width / 2) / picture.width - 0.5);
  const awayY = Math.abs((y + height / 2) / picture.height - 0.5);
  return crossesEdge || awayX > OVAL_REACH.x || awayY > OVAL_REACH.y ? 'inside' : 'ready';
}

/**
 * Measures brightness and motion of a frame. `luma` has one byte per pixel, row by row, `width` pixels each; `previous`
 * is the previous frame in the same size, or null. Only the middle half of each side counts, because movement behind
 * the child does not matter.
 */
export function measureFrame(luma: Uint8Array, previous: Uint8Array | null, width: number): LocalMeasures {
  const height = luma.length / width;
  let sum = 0;
  let change = 0;
  let count = 0;
  for (let row = Math.floor(height / 4); row < (height * 3) / 4; row++) {
    for (let column = Math.floor(width / 4); column < (width * 3) / 4; column++) {
      const at = row * width + column;
      const value = luma[at] ?? 0;
      sum += value;
      change += Math.abs(value - (previous?.[at] ?? value));
      count++;
    }
  }
  return count === 0 ? { brightness: 0, motion: 0 } : { brightness: sum / count, motion: change / count };
}

/** Converts RGBA bytes to luma (Rec. 601), one byte per pixel. */
export function toLuma(rgba: Uint8ClampedArray): Uint8Array {
  const luma = new Uint8Array(rgba.length / 4);
  for (let pixel = 0; pixel < luma.length; pixel++) {
    const at = pixel * 4;
    luma[pixel] = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
  }
  return luma;
}

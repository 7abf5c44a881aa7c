/**
 * Judges the face in a photo that is to become a child's: this encoding's and, where staff enrol it, nobody else's. A
 * parent's photo is compared with nobody: what a parent is answered cannot depend on other families (decision 026).
 */

import { distanceOf } from '@haris/contract/face-distance';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Near } from '../../vision/gallery.ts';
import { askAbout, findResemblance } from '../../vision/resemblance.ts';

/**
 * The same photo, written anew in another format or size, lies below this distance from itself; another photo of the
 * same person mostly lies above. Measured: docs/decisions/006-faces.md.
 */
export const SAME_PHOTO_DISTANCE = 0.17;

export interface JudgedFace {
  readonly enrolled: VisionEnrolAnswer;
  /** Revision of the gallery that the judgement is about. */
  readonly revision: number;
  /** Children that look like this one without being refused, nearest first. */
  readonly lookalikes: readonly Near[];
}

export interface FaceQuestion {
  readonly photo: Buffer;
  readonly encoding: readonly number[] | undefined;
  /** Family that the child belongs to. */
  readonly parentId: string;
  /** The child itself, when it gets a new photo. */
  readonly childId: string | null;
  /** Staff have seen the candidates and say that it is another child. */
  readonly confirmed: boolean;
}

/**
 * For staff: judges what the face engine found in the photo against who else is enrolled.
 * Throws `face_already_registered` with the candidates until confirmed, `encoding_mismatch` (422), 503.
 */
export async function judgeFace(
  context: Context,
  question: FaceQuestion,
  enrolled: VisionEnrolAnswer,
): Promise<JudgedFace> {
  const { parentId, childId } = question;
  const found = await findResemblance(context, enrolled.encoding, { parentId, childId, adult: null });
  if (!question.confirmed) await askAbout(context, found.questions, found.adults);
  refuseMismatch(question.encoding, enrolled);
  return { enrolled, revision: found.revision, lookalikes: found.nearest };
}

/** Throws `encoding_mismatch` where an encoding came along that is not this photo's. */
export function refuseMismatch(encoding: readonly number[] | undefined, enrolled: VisionEnrolAnswer): void {
  if (encoding && distanceOf(encoding, enrolled.encoding) > SAME_PHOTO_DISTANCE)
    throw new AppError('encoding_mismatch');
}

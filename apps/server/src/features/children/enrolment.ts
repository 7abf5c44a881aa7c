/**
 * Judges the face in a new photo of a child: it must match the encoding in the call and, if staff enrol it, no other
 * person. A parent's photo is not compared with others, so that the response cannot depend on other families (decision 026).
 */

import { distanceOf } from '@haris/contract/face-distance';
import type { NearChild, VisionEnrolAnswer } from '@haris/contract/vision';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { askAbout, findResemblance } from '../../vision/resemblance.ts';

/**
 * Limit below which two encodings are of the same photo, possibly in another format or size; two photos of one person are
 * usually further apart. Measured: docs/decisions/006-faces.md.
 */
export const SAME_PHOTO_DISTANCE = 0.17;

export interface JudgedFace {
  readonly enrolled: VisionEnrolAnswer;
  /** Revision of the gallery that the face was compared with. */
  readonly revision: number;
  /** Children who resemble this one but do not prevent the enrolment, nearest first. */
  readonly lookalikes: readonly NearChild[];
}

export interface FaceQuestion {
  readonly photo: Buffer;
  readonly encoding: readonly number[] | undefined;
  /** Parent of the child. */
  readonly parentId: string;
  /** The child, if already registered; null for a new child. */
  readonly childId: string | null;
  /** Whether staff have seen the candidates and confirmed that this is a different child. */
  readonly confirmed: boolean;
}

/**
 * Compares the face in a photo that staff enrol with all enrolled faces.
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

/** Throws `encoding_mismatch` if the encoding in the call is not of this photo. */
export function refuseMismatch(encoding: readonly number[] | undefined, enrolled: VisionEnrolAnswer): void {
  if (encoding && distanceOf(encoding, enrolled.encoding) > SAME_PHOTO_DISTANCE)
    throw new AppError('encoding_mismatch');
}

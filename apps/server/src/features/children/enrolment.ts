/** Judges the face in a photo that is to become a child's: readable, one, this encoding's, and nobody else's. */

import type { FaceCandidate } from '@haris/contract/errors';
import { distanceOf } from '@haris/contract/face-distance';
import { photoPath } from '@haris/contract/http/photos';
import type { Settings } from '@haris/contract/objects';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { readSettings } from '../../db/settings.ts';
import type { Near } from '../../vision/gallery.ts';

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

/** A distance as a similarity from 0 to 1. */
export function similarityOf(distance: number): number {
  return Math.max(0, Math.min(1, 1 - distance));
}

/**
 * Judges what the face engine found in the photo against who else is enrolled.
 * Throws `face_already_registered` (409: to a parent for another family's child, without a
 * word about it; to staff with the candidates, until confirmed), `encoding_mismatch` (422), 503.
 */
export async function judgeFace(
  context: Context,
  actor: Actor,
  question: FaceQuestion,
  enrolled: VisionEnrolAnswer,
): Promise<JudgedFace> {
  const settings = await readSettings(context.db, context.config);
  const { revision, nearest } = await context.gallery.nearest(
    enrolled.encoding,
    Math.max(settings.questionThreshold, settings.duplicateThreshold),
    question.childId === null ? [] : [question.childId],
  );
  await refuseRegistered(context, actor, question, nearest, settings);
  refuseMismatch(question, enrolled);
  return { enrolled, revision, lookalikes: nearest };
}

/** Throws `encoding_mismatch` where an encoding came along that is not this photo's. */
export function refuseMismatch(question: FaceQuestion, enrolled: VisionEnrolAnswer): void {
  if (question.encoding && distanceOf(question.encoding, enrolled.encoding) > SAME_PHOTO_DISTANCE)
    throw new AppError('encoding_mismatch');
}

/** Throws `face_already_registered` where one of the near faces is somebody else's. */
export async function refuseRegistered(
  context: Context,
  actor: Actor,
  question: FaceQuestion,
  nearest: readonly Near[],
  settings: Settings,
): Promise<void> {
  if (actor.kind === 'admin') {
    if (nearest.length === 0 || question.confirmed) return;
    // A sibling who looks alike is told with the answer; the question is about what may be the same child.
    const siblings: Near[] = [];
    const others: Near[] = [];
    for (const near of nearest) {
      const child = await findChild(context.db, near.childId);
      if (!child) continue;
      const sibling = child.parent_id === question.parentId;
      if (near.distance >= (sibling ? settings.recognitionThreshold : settings.questionThreshold)) continue;
      (sibling ? siblings : others).push(near);
    }
    if (siblings.length + others.length === 0) return;
    throw new AppError('face_already_registered', {
      message: 'This face looks like a child who is already registered. Is it another child?',
      // However many siblings look alike, they never push another family's child out of the question.
      candidates: await presentCandidates(context, [...others, ...siblings]),
    });
  }
  for (const near of nearest) {
    if (near.distance >= settings.duplicateThreshold) continue;
    const child = await findChild(context.db, near.childId);
    if (child && child.parent_id !== question.parentId) throw new AppError('face_already_registered');
  }
}

/** More faces than these nobody compares. */
const SHOWN_CANDIDATES = 10;

/** Candidates as staff see them; children deleted meanwhile are left out. */
export async function presentCandidates(
  context: Context,
  nearest: readonly Near[],
): Promise<FaceCandidate[]> {
  const candidates: FaceCandidate[] = [];
  for (const { childId, distance } of nearest.slice(0, SHOWN_CANDIDATES)) {
    const child = await findChild(context.db, childId);
    if (child)
      candidates.push({
        childId,
        name: child.name,
        parentName: child.parent_name,
        photo: child.photo_id && photoPath(child.photo_id),
        similarity: similarityOf(distance),
      });
  }
  return candidates;
}

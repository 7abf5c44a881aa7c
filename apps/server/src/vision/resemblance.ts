/** Finds enrolled people who look like a face. Only staff are asked about them, with photos and names. */
import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { namedBelow } from '@haris/contract/face-distance';
import { photoPath } from '@haris/contract/http/photos';
import type { Settings } from '@haris/contract/objects';
import type { NearChild } from '@haris/contract/vision';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import type { AdultAccount } from '../db/adult-faces.ts';
import { findChildrenByIds } from '../db/children.ts';
import { countEncodingsOf } from '../db/face-encodings.ts';
import { readSettings } from '../db/settings.ts';
import { findAdultsNear } from './adults.ts';

/** A distance as a similarity from 0 to 1. */
export function similarityOf(distance: number): number {
  return Math.max(0, Math.min(1, 1 - distance));
}

/** Claimed owner of the face; the face is not compared with the owner's photos. */
export interface Whose {
  /** Parent of the child: staff are asked about siblings only at a greater resemblance than about strangers. */
  readonly parentId: string | null;
  readonly childId: string | null;
  readonly adult: AdultAccount | null;
}

export interface Question extends NearChild {
  readonly isSibling: boolean;
}

export interface Resemblance {
  /** Revision of the compared gallery. */
  readonly revision: number;
  /** All children within reach, nearest first. */
  readonly nearest: readonly NearChild[];
  /** Children among `nearest` about whom staff must be asked, other families' first. */
  readonly questions: readonly Question[];
  readonly adults: readonly AdultCandidate[];
}

export interface Comparison {
  /** Minimum distance up to which `nearest` lists children. */
  readonly reach?: number;
  /**
   * Staff hold the photo beside the child, which answers who it is. They are asked only about children whom cameras could
   * take for this one, or this one for them. `photos`: how many the child will then be known by.
   */
  readonly besideChild?: { readonly photos: number };
}

/** Compares a face with all enrolled faces. Throws 503. */
export async function findResemblance(
  context: Context,
  encoding: readonly number[],
  whose: Whose,
  { reach = 0, besideChild }: Comparison = {},
): Promise<Resemblance> {
  const settings = await readSettings(context.db, context.config);
  const exclude = whose.childId === null ? [] : [whose.childId];
  const most = Math.max(askedBelow(settings), reach);
  const { revision, nearest } = await context.gallery.nearest([...encoding], most, exclude);
  const below = besideChild
    ? await mistakenBelow(context, settings, nearest, besideChild.photos)
    : () => askedBelow(settings);
  const adults = await findAdultsNear(context, encoding, settings.recognitionThreshold, whose.adult);
  return {
    revision,
    nearest,
    questions: await questionsOf(context, nearest, whose.parentId, { ...settings, below }),
    adults: adults.map(({ distance, photoId, ...adult }) => ({
      ...adult,
      photo: photoId && photoPath(photoId),
      similarity: similarityOf(distance),
    })),
  };
}

/** Distance below which staff are asked about another family's child. */
export function askedBelow(settings: Settings): number {
  return Math.max(settings.questionThreshold, settings.duplicateThreshold);
}

/**
 * Distance below which cameras could take one child for the other, or name neither: less if both are known by a single
 * photo.
 */
async function mistakenBelow(
  { db }: Context,
  { recognitionThreshold, recognitionMargin }: Settings,
  nearest: readonly NearChild[],
  ownPhotos: number,
): Promise<(childId: string) => number> {
  const photos = await countEncodingsOf(
    db,
    nearest.map(({ childId }) => childId),
  );
  return (childId) =>
    namedBelow(Math.max(photos.get(childId) ?? 1, ownPhotos), recognitionThreshold) + recognitionMargin;
}

/**
 * Children that may be the same child. A sibling counts only if cameras would mistake one for the other. Siblings never
 * displace another family's child.
 */
async function questionsOf(
  context: Context,
  nearest: readonly NearChild[],
  parentId: string | null,
  {
    below,
    recognitionThreshold,
  }: { readonly below: (childId: string) => number; readonly recognitionThreshold: number },
): Promise<readonly Question[]> {
  const children = await findChildrenByIds(
    context.db,
    nearest.map(({ childId }) => childId),
  );
  const parentOf = new Map(children.map((child) => [child.id, child.parent_id]));
  const questions: Question[] = [];
  for (const near of nearest) {
    const parent = parentOf.get(near.childId);
    if (parent === undefined) continue;
    const isSibling = parent === parentId;
    if (near.distance < (isSibling ? recognitionThreshold : below(near.childId)))
      questions.push({ ...near, isSibling });
  }
  return questionsInOrder(questions);
}

/** Each child once, at its nearest: other families' children first, then siblings, each by distance. */
export function questionsInOrder(questions: readonly Question[]): readonly Question[] {
  const ordered = questions.toSorted(
    (one, other) => Number(one.isSibling) - Number(other.isSibling) || one.distance - other.distance,
  );
  return [
    ...new Map(ordered.toReversed().map((question) => [question.childId, question])).values(),
  ].toReversed();
}

/** Throws `face_already_registered` with all candidates, if there are any. */
export async function askAbout(
  context: Context,
  questions: readonly NearChild[],
  adults: readonly AdultCandidate[],
): Promise<void> {
  if (questions.length === 0 && adults.length === 0) return;
  throw new AppError('face_already_registered', {
    message: 'This face looks like a child who is already registered. Is it another child?',
    candidates: await presentCandidates(context, questions),
    ...(adults.length > 0 ? { adults: [...adults] } : {}),
  });
}

/** Maximum number of faces that staff compare. */
const SHOWN_CANDIDATES = 10;

/** Presents candidates to staff, without children deleted meanwhile. */
export async function presentCandidates(
  context: Context,
  nearest: readonly NearChild[],
): Promise<FaceCandidate[]> {
  const shown = nearest.slice(0, SHOWN_CANDIDATES);
  const children = await findChildrenByIds(
    context.db,
    shown.map(({ childId }) => childId),
  );
  const byId = new Map(children.map((child) => [child.id, child]));
  return shown.flatMap(({ childId, distance }) => {
    const child = byId.get(childId);
    return child
      ? {
          childId,
          name: child.name,
          parentName: child.parent_name,
          photo: child.photo_id && photoPath(child.photo_id),
          similarity: similarityOf(distance),
        }
      : [];
  });
}

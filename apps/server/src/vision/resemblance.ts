/** Finds enrolled people who look like a face. Only staff are asked about them, with photos and names. */
import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { photoPath } from '@haris/contract/http/photos';
import type { Settings } from '@haris/contract/objects';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findChildrenByIds } from '../db/children.ts';
import { readSettings } from '../db/settings.ts';
import { type AdultAccount, findAdultsNear } from './adults.ts';
import type { Near } from './gallery.ts';

/** A distance as a similarity from 0 to 1. */
export function similarityOf(distance: number): number {
  return Math.max(0, Math.min(1, 1 - distance));
}

/** Whose face it is said to be: that child's own photos, and that adult's own, are no question. */
export interface Whose {
  /** Family that it belongs to; siblings may look more alike than strangers before anybody asks. */
  readonly parentId: string | null;
  readonly childId: string | null;
  readonly adult: AdultAccount | null;
}

export interface Resemblance {
  /** Revision of the gallery that this is about. */
  readonly revision: number;
  /** Children that look alike at all, nearest first. */
  readonly nearest: readonly Near[];
  /** Of these, whom staff must be asked about: other families' first. */
  readonly questions: readonly Near[];
  readonly adults: readonly AdultCandidate[];
}

/** Compares a face with every enrolled one; `nearest` reaches at least as far as staff are asked about. Throws 503. */
export async function findResemblance(
  context: Context,
  encoding: readonly number[],
  whose: Whose,
  reach = 0,
): Promise<Resemblance> {
  const settings = await readSettings(context.db, context.config);
  const exclude = whose.childId === null ? [] : [whose.childId];
  const most = Math.max(askedBelow(settings), reach);
  const { revision, nearest } = await context.gallery.nearest([...encoding], most, exclude);
  const adults = await findAdultsNear(context, encoding, settings.recognitionThreshold, whose.adult);
  return {
    revision,
    nearest,
    questions: await questionsOf(context, nearest, whose.parentId, settings),
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
 * Those of the near that may be the same child. A sibling is one only where cameras would take the two for one another;
 * however many siblings look alike, they never push another family's child out of the question.
 */
async function questionsOf(
  context: Context,
  nearest: readonly Near[],
  parentId: string | null,
  settings: Settings,
): Promise<readonly Near[]> {
  const children = await findChildrenByIds(
    context.db,
    nearest.map(({ childId }) => childId),
  );
  const parentOf = new Map(children.map((child) => [child.id, child.parent_id]));
  const siblings: Near[] = [];
  const others: Near[] = [];
  for (const near of nearest) {
    const parent = parentOf.get(near.childId);
    if (parent === undefined) continue;
    const isSibling = parent === parentId;
    if (near.distance < (isSibling ? settings.recognitionThreshold : askedBelow(settings)))
      (isSibling ? siblings : others).push(near);
  }
  return [...others, ...siblings];
}

/** Throws `face_already_registered` with all of them where there is anybody to ask about. */
export async function askAbout(
  context: Context,
  questions: readonly Near[],
  adults: readonly AdultCandidate[],
): Promise<void> {
  if (questions.length === 0 && adults.length === 0) return;
  throw new AppError('face_already_registered', {
    message: 'This face looks like a child who is already registered. Is it another child?',
    candidates: await presentCandidates(context, questions),
    ...(adults.length > 0 ? { adults: [...adults] } : {}),
  });
}

/** The most faces that staff are asked to compare. */
const SHOWN_CANDIDATES = 10;

/** Candidates as staff see them; children deleted meanwhile are left out. */
export async function presentCandidates(
  context: Context,
  nearest: readonly Near[],
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

/** Adults whom the cameras may recognise: only who asks for it, by a photo of the own account, until it is taken back. */
import type { Recognition, RecognitionProblem } from '@haris/contract/http/recognition';
import { photoProblemSchema, type VisionEnrolAnswer } from '@haris/contract/vision';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { takeAdmin } from '../../db/admins.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { findParent, takeParent } from '../../db/parents.ts';
import { openPhoto } from '../../db/photos.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import {
  type AdultAccount,
  dropAdultFace,
  findAdultState,
  keepAdultFace,
  keepAdultProblem,
} from '../../vision/adults.ts';
import { advanceGallery } from '../../vision/gallery.ts';
import { countRecognition } from './limits.ts';

/** Sentences for an adult where the catalogue's speak of a child. */
const SENTENCES: Partial<Record<RecognitionProblem, string>> = {
  many_faces: 'More than one face was found. Please use a photo of you alone.',
  face_already_registered: 'This face looks like a child who is registered. Please use a photo of you.',
};

export async function findRecognition(context: Context, account: AdultAccount): Promise<Recognition> {
  const state = await findAdultState(context.db, account);
  const since = state?.since ?? null;
  return {
    on: since !== null,
    since: since === null ? null : toMoment(since),
    problem: state?.problem ?? null,
  };
}

/**
 * Lets the cameras recognise the parent who asks, by the photo of the account. Nothing happens where they do already.
 * Throws 404, `no_photo`, `too_many_attempts`, what a photo may be refused for, 503.
 */
export async function recogniseParent(context: Context, actor: Actor): Promise<void> {
  const account = { kind: 'parent', id: actor.id } as const;
  if ((await findRecognition(context, account)).on) return;
  const parent = await findParent(context.db, actor.id);
  if (!parent) throw new AppError('not_found');
  const photoId = parent.photo_id;
  const owner = { owner_kind: 'parent', owner_id: actor.id, parent_id: actor.id } as const;
  const photo = photoId === null ? undefined : await openPhoto(context.db, context, photoId, owner);
  if (!photo) throw new AppError('no_photo');
  await countRecognition(context, account);
  const enrolled = await enrolAdult(context, photo);
  await inTransaction(context.db, async (tx) => {
    const taken = await takeParent(tx.trx, actor.id);
    if (!taken) throw new AppError('not_found');
    // Another photo came meanwhile: this is not the account's any more.
    if (taken.photo_id !== photoId) throw new AppError('unavailable');
    if ((await findAdultState(tx.trx, account))?.since != null) return;
    await keepAndTell(context, tx, actor, enrolled);
    await context.events.append(tx, { type: 'parent.updated', parentId: actor.id });
  });
}

/**
 * Lets the cameras recognise the member of staff who asks, by this photo, which is not kept. Another photo replaces the
 * first. Throws 404, `too_many_attempts`, what a photo may be refused for, 503.
 */
export async function recogniseStaff(context: Context, actor: Actor, photo: Buffer): Promise<void> {
  await countRecognition(context, { kind: 'admin', id: actor.id });
  const enrolled = await enrolAdult(context, photo);
  await inTransaction(context.db, async (tx) => {
    if (!(await takeAdmin(tx.trx, actor.id))) throw new AppError('not_found');
    await keepAndTell(context, tx, actor, enrolled);
    await context.wakeup.raise(tx);
  });
}

async function keepAndTell(
  context: Context,
  tx: Tx,
  actor: Actor,
  enrolled: VisionEnrolAnswer,
): Promise<void> {
  const account = { kind: actor.kind, id: actor.id };
  await keepAdultFace(context, tx.trx, account, enrolled, context.clock.now());
  await advanceGallery(tx.trx);
  await context.audit.append(tx, { actor, action: `${actor.kind}.recognition_on`, subject: account });
}

/** Erases what the cameras recognise an adult by. Nothing happens where there is nothing. Throws 404. */
export async function forgetAdult(context: Context, actor: Actor, account: AdultAccount): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const take = account.kind === 'admin' ? takeAdmin : takeParent;
    if (!(await take(tx.trx, account.id))) throw new AppError('not_found');
    if (!(await dropAdultFace(tx.trx, account, context.clock.now()))) return;
    await advanceGallery(tx.trx);
    await context.audit.append(tx, { actor, action: `${account.kind}.recognition_off`, subject: account });
    if (account.kind === 'parent')
      await context.events.append(tx, { type: 'parent.updated', parentId: account.id });
    else await context.wakeup.raise(tx);
  });
  await eraseDestroyedKeys(context);
  await context.erasures.update();
}

/** A new photo for a parent's account. */
export interface NewPhoto {
  /** As it is kept. */
  readonly jpeg: Buffer;
  /** What the cameras will know the parent by; null where they do not, or cannot by this photo. */
  readonly enrolled: VisionEnrolAnswer | null;
  /** Why they cannot. */
  readonly problem: RecognitionProblem | null;
}

/** Looks for a face only where the parent asked to be recognised. Throws `unreadable_photo`, 503. */
export async function readNewPhoto(context: Context, parentId: string, photo: Buffer): Promise<NewPhoto> {
  let problem: RecognitionProblem | null = null;
  if ((await findRecognition(context, { kind: 'parent', id: parentId })).on) {
    try {
      const enrolled = await enrolAdult(context, photo);
      return { jpeg: Buffer.from(enrolled.photo.jpeg, 'base64'), enrolled, problem };
    } catch (error) {
      problem = problemOf(error);
      if (problem === null) throw error;
    }
  }
  const { jpeg } = await context.vision.normalize(photo);
  return { jpeg: Buffer.from(jpeg, 'base64'), enrolled: null, problem };
}

/**
 * With the transaction that gives a parent a new photo: who is recognised is from then on recognised by it, or, where it
 * cannot be used, not any more. Answers whether anything was erased, as {@link dropAdultFace}.
 */
export async function followPhoto(
  context: Context,
  tx: Tx,
  actor: Actor,
  parentId: string,
  { enrolled, problem }: NewPhoto,
): Promise<boolean> {
  const account = { kind: 'parent', id: parentId } as const;
  const state = await findAdultState(tx.trx, account);
  if (!state) return false;
  if (state.since === null) return dropAdultFace(tx.trx, account, context.clock.now());
  // Switched on while the photo was looked at, without a look for the face.
  if (!enrolled && problem === null) throw new AppError('unavailable');
  if (enrolled) await keepAdultFace(context, tx.trx, account, enrolled, state.since);
  else await keepAdultProblem(tx.trx, account, problem ?? 'no_face', context.clock.now());
  await advanceGallery(tx.trx);
  if (!enrolled)
    await context.audit.append(tx, {
      actor,
      action: 'parent.recognition_off',
      subject: account,
      details: { because: problem },
    });
  return true;
}

/**
 * The one face of a photo. A child's face under an adult's name would make the child unknown to the cameras: that is refused.
 * Throws what a photo may be refused for, 503.
 */
async function enrolAdult(context: Context, photo: Buffer): Promise<VisionEnrolAnswer> {
  try {
    const enrolled = await context.vision.enrol(photo);
    const { recognitionThreshold } = await readSettings(context.db, context.config);
    const { nearest } = await context.gallery.nearest(enrolled.encoding, recognitionThreshold, []);
    if (nearest.length > 0) throw new AppError('face_already_registered');
    return enrolled;
  } catch (error) {
    const message = error instanceof AppError && SENTENCES[error.code as RecognitionProblem];
    throw message ? new AppError(error.code, { message }) : error;
  }
}

/** Why a photo cannot be used although it can be kept; null for any other failure. */
function problemOf(error: unknown): RecognitionProblem | null {
  if (!(error instanceof AppError) || error.code === 'unreadable_photo') return null;
  if (error.code === 'face_already_registered') return error.code;
  return photoProblemSchema.safeParse(error.code).data ?? null;
}

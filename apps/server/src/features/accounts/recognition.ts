/** Adults whom the cameras may recognise: only who asks for it, by a photo of the own account, until it is taken back. */
import type { Recognition, RecognitionProblem } from '@haris/contract/http/recognition';
import { photoProblemSchema, type VisionAsker, type VisionEnrolAnswer } from '@haris/contract/vision';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { takeAdmin } from '../../db/admins.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { findParent, takeParent } from '../../db/parents.ts';
import { openPhoto } from '../../db/photos.ts';
import { findProposals } from '../../db/proposals.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { admitFace } from '../../proposals/limits.ts';
import { proposeForAccount, withdraw } from '../../proposals/propose.ts';
import {
  type AdultAccount,
  dropAdultFace,
  findAdultState,
  keepAdultFace,
  keepAdultProblem,
} from '../../vision/adults.ts';
import { askerOf } from '../../vision/client.ts';
import { advanceGallery } from '../../vision/gallery.ts';
import { countRecognition } from './limits.ts';

export async function findRecognition(context: Context, account: AdultAccount): Promise<Recognition> {
  const state = await findAdultState(context.db, account);
  const since = state?.since ?? null;
  const waiting =
    account.kind === 'parent' && (await findProposals(context.db, { kind: 'parent', id: account.id }));
  return {
    on: since !== null,
    since: since === null ? null : toMoment(since),
    problem: state?.problem ?? null,
    pending: waiting !== false && waiting.some(({ field }) => field === 'recognition'),
  };
}

/**
 * Asks for the parent that the cameras may recognise the face in the photo of the account; they do once staff have
 * confirmed it. The face is compared with nobody before that, so that the answer tells nothing about other families.
 * Nothing happens where they do already, or where it waits. Throws 404, `no_photo`, `too_many_attempts`, what a photo may
 * be refused for, 503.
 */
export async function recogniseParent(context: Context, actor: Actor): Promise<void> {
  const account = { kind: 'parent', id: actor.id } as const;
  const state = await findRecognition(context, account);
  if (state.on || state.pending) return;
  const photoId = await shownPhoto(context.db, actor.id);
  const owner = { owner_kind: 'parent', owner_id: actor.id, parent_id: actor.id } as const;
  const photo = photoId === null ? undefined : await openPhoto(context.db, context, photoId, owner);
  if (!photo) throw new AppError('no_photo');
  await admitFace(context, actor, 'recognition', null);
  const face = await findAdultFace(context, photo);
  await inTransaction(context.db, async (tx) => {
    if (!(await takeParent(tx.trx, actor.id))) throw new AppError('not_found');
    // Another photo came meanwhile: this is not the account's any more.
    if ((await shownPhoto(tx.trx, actor.id)) !== photoId) throw new AppError('unavailable');
    await proposeForAccount(context, tx, actor, { recognition: { face, problem: null } });
  });
}

/** The photo that the parent sees: one that waits for staff, else the confirmed one. Throws 404. */
async function shownPhoto(
  db: Kysely<Database> | Transaction<Database>,
  parentId: string,
): Promise<string | null> {
  const parent = await findParent(db, parentId);
  if (!parent) throw new AppError('not_found');
  const waiting = await findProposals(db, { kind: 'parent', id: parentId });
  return waiting.find(({ field }) => field === 'photo')?.photo_id ?? parent.photo_id;
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
    const hadFace = await dropAdultFace(tx.trx, account, context.clock.now());
    const asked = account.kind === 'parent' && (await withdrawRecognition(tx, account.id));
    if (!hadFace && !asked) return;
    if (hadFace) await advanceGallery(tx.trx);
    await context.audit.append(tx, { actor, action: `${account.kind}.recognition_off`, subject: account });
    if (account.kind === 'parent')
      await context.events.append(tx, { type: 'parent.updated', parentId: account.id });
    else await context.wakeup.raise(tx);
  });
  await eraseDestroyedKeys(context);
  await context.erasures.update();
}

/** Drops what waits for staff; answers whether anything did. */
async function withdrawRecognition(tx: Tx, parentId: string): Promise<boolean> {
  const subject = { kind: 'parent', id: parentId } as const;
  const waiting = await findProposals(tx.trx, subject);
  if (!waiting.some(({ field }) => field === 'recognition')) return false;
  await withdraw(tx, subject, ['recognition']);
  return true;
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

/**
 * Looks for a face only where the parent asked to be recognised. What staff send is compared with the children, what the
 * parent sends with nobody. Throws `unreadable_photo`, 503.
 */
export async function readNewPhoto(
  context: Context,
  actor: Actor,
  parentId: string,
  photo: Buffer,
): Promise<NewPhoto> {
  let problem: RecognitionProblem | null = null;
  const { on, pending } = await findRecognition(context, { kind: 'parent', id: parentId });
  if (on || pending) {
    try {
      const look = actor.kind === 'admin' ? enrolAdult : findAdultFace;
      const enrolled = await look(context, photo);
      return { jpeg: Buffer.from(enrolled.photo.jpeg, 'base64'), enrolled, problem };
    } catch (error) {
      problem = problemOf(error);
      if (problem === null) throw error;
    }
  }
  const { jpeg } = await context.vision.normalize(photo, askerOf(actor));
  return { jpeg: Buffer.from(jpeg, 'base64'), enrolled: null, problem };
}

/**
 * With the transaction that gives a parent a new photo at the desk: who is recognised is from then on recognised by it, or,
 * where it cannot be used, not any more. Answers whether anything was erased, as {@link dropAdultFace}.
 */
export async function followPhoto(
  context: Context,
  tx: Tx,
  actor: Actor,
  parentId: string,
  { enrolled, problem }: NewPhoto,
): Promise<boolean> {
  const account = { kind: 'parent', id: parentId } as const;
  const asked = await withdrawRecognition(tx, parentId);
  const state = await findAdultState(tx.trx, account);
  if (!state && !asked) return false;
  if (state && state.since === null && !asked) return dropAdultFace(tx.trx, account, context.clock.now());
  // Switched on while the photo was looked at, without a look for the face.
  if (!enrolled && problem === null) throw new AppError('unavailable');
  const now = context.clock.now();
  if (enrolled) await keepAdultFace(context, tx.trx, account, enrolled, state?.since ?? now);
  else await keepAdultProblem(tx.trx, account, problem ?? 'no_face', now);
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
 * The same for a photo that the parent sends: what the cameras are to know the parent by waits for staff, and what they
 * know stays until then. Undefined where the parent did not ask to be recognised.
 */
export async function recognitionBy(
  tx: Tx,
  parentId: string,
  { enrolled, problem }: NewPhoto,
): Promise<{ face: VisionEnrolAnswer | null; problem: RecognitionProblem | null } | undefined> {
  const account = { kind: 'parent', id: parentId } as const;
  const waiting = await findProposals(tx.trx, account);
  const isOn = (await findAdultState(tx.trx, account))?.since != null;
  if (!isOn && !waiting.some(({ field }) => field === 'recognition')) return undefined;
  // Switched on while the photo was looked at, without a look for the face.
  if (!enrolled && problem === null) throw new AppError('unavailable');
  return { face: enrolled, problem };
}

/**
 * For staff: the one face of a photo. A child's face under an adult's name would make the child unknown to the cameras:
 * that is refused. Throws what a photo may be refused for, `face_already_registered`, 503.
 */
async function enrolAdult(context: Context, photo: Buffer): Promise<VisionEnrolAnswer> {
  const enrolled = await findAdultFace(context, photo, 'staff');
  const { recognitionThreshold } = await readSettings(context.db, context.config);
  const { nearest } = await context.gallery.nearest(enrolled.encoding, recognitionThreshold, []);
  if (nearest.length > 0)
    throw new AppError('face_already_registered', {
      message: 'This face looks like a child who is registered. Please use a photo of you.',
    });
  return enrolled;
}

/** The one face of a photo, compared with nobody. Throws what a photo may be refused for, 503. */
async function findAdultFace(
  context: Context,
  photo: Buffer,
  asker: VisionAsker = 'public',
): Promise<VisionEnrolAnswer> {
  try {
    return await context.vision.enrol(photo, asker);
  } catch (error) {
    // The catalogue's sentence speaks of a child.
    if (error instanceof AppError && error.code === 'many_faces')
      throw new AppError('many_faces', {
        message: 'More than one face was found. Please use a photo of you alone.',
      });
    throw error;
  }
}

/** Why a photo cannot be used although it can be kept; null for any other failure. */
function problemOf(error: unknown): RecognitionProblem | null {
  if (!(error instanceof AppError) || error.code === 'unreadable_photo') return null;
  if (error.code === 'face_already_registered') return error.code;
  return photoProblemSchema.safeParse(error.code).data ?? null;
}

/** Recognition of adults by the cameras: only with their consent, which they give in their own account and can withdraw. */
import type { Recognition, RecognitionProblem } from '@haris/contract/http/recognition';
import { photoProblemSchema, type VisionEnrolAnswer } from '@haris/contract/vision';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import {
  type AdultAccount,
  dropAdultFace,
  findAdultState,
  keepAdultFace,
  keepAdultProblem,
} from '../../db/adult-faces.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { advanceGallery } from '../../db/gallery.ts';
import { findParent, lockParent } from '../../db/parents.ts';
import { openPhoto } from '../../db/photos.ts';
import { findProposals } from '../../db/proposals.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { lockStaffMember } from '../../db/staff.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { withFaceCounted } from '../../proposals/limits.ts';
import { proposeForAccount, withdraw } from '../../proposals/propose.ts';
import { askerOf, type PhotoAsker, STAFF } from '../../vision/client.ts';
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
 * Proposes that the cameras recognise the parent by the account's photo, which starts when staff confirm the proposal.
 * Until then the face is not compared with any other, so that the response reveals nothing about other families. Does
 * nothing if recognition is on, or if a proposal is pending. Throws 404, `no_photo`, `too_many_attempts`, the refusals of
 * a photo, 503.
 */
export async function recogniseParent(context: Context, actor: Actor): Promise<void> {
  const account = { kind: 'parent', id: actor.id } as const;
  const state = await findRecognition(context, account);
  if (state.on || state.pending) return;
  const photoId = await shownPhoto(context.db, actor.id);
  const owner = { owner_kind: 'parent', owner_id: actor.id, parent_id: actor.id } as const;
  const photo = photoId === null ? undefined : await openPhoto(context.db, context, photoId, owner);
  if (!photo) throw new AppError('no_photo');
  const face = await withFaceCounted(context, actor, 'recognition', null, () =>
    findAdultFace(context, photo, askerOf(actor)),
  );
  await inTransaction(context.db, async (tx) => {
    if (!(await lockParent(tx.trx, actor.id))) throw new AppError('not_found');
    // The account's photo was replaced meanwhile.
    if ((await shownPhoto(tx.trx, actor.id)) !== photoId) throw new AppError('unavailable');
    await proposeForAccount(context, tx, actor, { recognition: { face, problem: null } });
  });
}

/** Id of the photo that the parent sees: the proposed photo if there is one, else the confirmed photo. Throws 404. */
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
 * Lets the cameras recognise the actor by this photo. Stores only its encoding, which replaces an earlier one. Throws
 * 404, `too_many_attempts`, the refusals of a photo, 503.
 */
export async function recogniseStaff(context: Context, actor: Actor, photo: Buffer): Promise<void> {
  await countRecognition(context, { kind: 'admin', id: actor.id });
  const enrolled = await enrolAdult(context, photo);
  await inTransaction(context.db, async (tx) => {
    if (!(await lockStaffMember(tx.trx, actor.id))) throw new AppError('not_found');
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

/** Erases an adult's encoding and proposal for recognition, if there are any. Throws 404. */
export async function forgetAdult(context: Context, actor: Actor, account: AdultAccount): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const take = account.kind === 'admin' ? lockStaffMember : lockParent;
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

/** Withdraws the proposal for recognition; returns whether there was one. */
async function withdrawRecognition(tx: Tx, parentId: string): Promise<boolean> {
  const subject = { kind: 'parent', id: parentId } as const;
  const waiting = await findProposals(tx.trx, subject);
  if (!waiting.some(({ field }) => field === 'recognition')) return false;
  await withdraw(tx, subject, ['recognition']);
  return true;
}

/** A new photo for a parent's account. */
export interface NewPhoto {
  /** The normalized photo. */
  readonly jpeg: Buffer;
  /** Encoding for the cameras; null if recognition is off, or if the photo cannot be used. */
  readonly enrolled: VisionEnrolAnswer | null;
  /** Why the photo cannot be used. */
  readonly problem: RecognitionProblem | null;
}

/**
 * Normalizes a photo, and looks for a face only if the parent chose recognition. The face is compared with the children
 * if the photo is from staff, and with no other face if it is from the parent. Throws `unreadable_photo`, 503.
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
      const enrolled =
        actor.kind === 'admin'
          ? await enrolAdult(context, photo)
          : await findAdultFace(context, photo, askerOf(actor));
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
 * Updates recognition in the transaction in which staff replace a parent's photo: it uses the new photo, or ends if that
 * photo is unusable. Returns whether anything was erased, like {@link dropAdultFace}.
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
  // Recognition was switched on while the photo was read, so no face was looked for.
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
 * Returns the proposal for recognition by a new photo from the parent; the current encoding stays until staff decide.
 * Returns undefined if the parent did not choose recognition.
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
  // Recognition was switched on while the photo was read, so no face was looked for.
  if (!enrolled && problem === null) throw new AppError('unavailable');
  return { face: enrolled, problem };
}

/**
 * Finds the only face in a photo that staff use. Refuses a child's face: enrolled under an adult's name, it would stop
 * the cameras from recognising the child. Throws the refusals of a photo, `face_already_registered`, 503.
 */
async function enrolAdult(context: Context, photo: Buffer): Promise<VisionEnrolAnswer> {
  const enrolled = await findAdultFace(context, photo, STAFF);
  const { recognitionThreshold } = await readSettings(context.db, context.config);
  const { nearest } = await context.gallery.nearest(enrolled.encoding, recognitionThreshold, []);
  if (nearest.length > 0)
    throw new AppError('face_already_registered', {
      message: 'This face looks like a child who is registered. Please use a photo of you.',
    });
  return enrolled;
}

/** Finds the only face in a photo, without comparing it with others. Throws the refusals of a photo, 503. */
async function findAdultFace(context: Context, photo: Buffer, asker: PhotoAsker): Promise<VisionEnrolAnswer> {
  try {
    return await context.vision.enrol(photo, asker);
  } catch (error) {
    // The standard message is about a child.
    if (error instanceof AppError && error.code === 'many_faces')
      throw new AppError('many_faces', {
        message: 'More than one face was found. Please use a photo of you alone.',
      });
    throw error;
  }
}

/** Why a photo can be kept but not used for recognition; null for any other failure. */
function problemOf(error: unknown): RecognitionProblem | null {
  if (!(error instanceof AppError) || error.code === 'unreadable_photo') return null;
  if (error.code === 'face_already_registered') return error.code;
  return photoProblemSchema.safeParse(error.code).data ?? null;
}

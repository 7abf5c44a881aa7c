/** Rate limits for faces and changes sent by a parent, and audit rows for the faces. */
import { createHash } from 'node:crypto';
import { FACE_CALLS_PER_DAY, FACE_TRIES_PER_DAY } from '@haris/contract/constants';
import type { ErrorCode } from '@haris/contract/errors';
import { photoProblemSchema } from '@haris/contract/vision';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { lockParent } from '../db/parents.ts';
import type { FamilyChange } from '../db/schema/people.ts';
import { countHit, HITS_KEPT_MS, type Limit, secondsUntilRoom, takeBackHit } from '../db/throttle.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';

/** Changes per parent and day: each adds an event, an audit row and perhaps a mail. */
const CHANGES_PER_DAY = 40;

/**
 * Mails about changes per account, hour and kind of change; further changes go with the next mail. Kinds count apart, so
 * that letters in a name do not hold back the mail about a photo or about who may pick up.
 */
const MAILS_PER_HOUR = 3;
const HOUR_MS = 3_600_000;
const mailKinds: Record<FamilyChange, 'name' | 'look' | 'pick-up' | 'rejection'> = {
  own_name: 'name',
  child_name: 'name',
  child_birth_date: 'name',
  own_photo: 'look',
  own_phone: 'look',
  child_photo: 'look',
  child_photos: 'look',
  collector: 'pick-up',
  pass: 'pick-up',
  child_photo_rejected: 'rejection',
  child_name_rejected: 'rejection',
  child_birth_date_rejected: 'rejection',
  child_photos_rejected: 'rejection',
};

/** Calls with which a parent can send a face. */
export type FaceCall = 'register' | 'create' | 'update' | 'photos' | 'recognition';

function limitOf(
  context: Context,
  scope: string,
  text: string,
  most: number,
  windowMs = HITS_KEPT_MS,
): Limit {
  return { scope, key: context.vault.mac('throttle', text), most, windowMs };
}

/** Failures before the engine read a face from the photo. */
const withoutFace: ReadonlySet<string> = new Set<ErrorCode>([
  ...photoProblemSchema.options,
  'face_engine_unavailable',
  'photos_busy',
]);

/**
 * Runs `work` with a face sent by a parent, which is counted and audited before the face engine gets it; staff are not
 * limited. A photo without a usable face is a try, but not a face. The web app sends the photo of `/register-child` again
 * with the new child; that second call is not counted.
 * Throws `too_many_attempts`, the first refusal of a day being audited, and what `work` throws.
 */
export async function withFaceCounted<T>(
  context: Context,
  actor: Actor,
  call: FaceCall,
  photo: Uint8Array | null,
  work: () => Promise<T>,
): Promise<T> {
  if (actor.kind === 'admin') return work();
  const faces = limitOf(context, 'face day', actor.id, FACE_CALLS_PER_DAY);
  const tries = limitOf(context, 'face tries', actor.id, FACE_TRIES_PER_DAY);
  const sameFace = photo && `${actor.id} ${createHash('sha256').update(photo).digest('hex')}`;
  const announced = limitOf(context, 'face announced', sameFace ?? '', 1);
  const refused = limitOf(context, 'face refused', actor.id, 1);
  const subject = { kind: 'parent', id: actor.id } as const;
  const offered = { actor, action: 'face.offered', subject, details: { call } } as const;
  const wasAnnounced = await inTransaction(context.db, async (tx): Promise<boolean | AppError> => {
    // Lock the parent, so that two simultaneous photos cannot both take the last place within the limit.
    if (!(await lockParent(tx.trx, actor.id))) throw new AppError('not_found');
    const { trx } = tx;
    const now = context.clock.now();
    if (sameFace && call !== 'register' && (await takeBackHit(trx, announced, now))) {
      await context.audit.append(tx, offered);
      return true;
    }
    const retryAfter = await secondsUntilRoom(trx, [faces, tries], now);
    if (retryAfter !== null) {
      if ((await secondsUntilRoom(trx, [refused], now)) === null) {
        await countHit(trx, [refused], now);
        await context.audit.append(tx, { ...offered, action: 'face.limit_reached' });
      }
      return new AppError('too_many_attempts', { retryAfter });
    }
    await countHit(trx, call === 'register' ? [faces, tries, announced] : [faces, tries], now);
    await context.audit.append(tx, offered);
    return false;
  });
  if (wasAnnounced instanceof AppError) throw wasAnnounced;
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && withoutFace.has(error.code))
      await inTransaction(context.db, async ({ trx }) => {
        if (!(await lockParent(trx, actor.id))) return;
        const now = context.clock.now();
        if (wasAnnounced) return countHit(trx, [announced], now);
        await takeBackHit(trx, faces, now);
        if (call === 'register') await takeBackHit(trx, announced, now);
      });
    throw error;
  }
}

/** Counts a change by a parent in its transaction; staff are not limited. Throws `too_many_attempts`. */
export async function countChange(context: Context, tx: Tx, actor: Actor): Promise<void> {
  if (actor.kind === 'admin') return;
  const now = context.clock.now();
  const limit = limitOf(context, 'family change', actor.id, CHANGES_PER_DAY);
  const retryAfter = await secondsUntilRoom(tx.trx, [limit], now);
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  await countHit(tx.trx, [limit], now);
}

/** The limits of these changes that allow a mail to this account now; empty if none does. The caller counts the mail. */
export async function findRoomForMail(
  context: Context,
  tx: Tx,
  parentId: string,
  changes: readonly FamilyChange[],
): Promise<readonly Limit[]> {
  const now = context.clock.now();
  const allowing: Limit[] = [];
  for (const kind of new Set(changes.map((change) => mailKinds[change]))) {
    const limit = limitOf(context, `change mail ${kind}`, parentId, MAILS_PER_HOUR, HOUR_MS);
    if ((await secondsUntilRoom(tx.trx, [limit], now)) === null) allowing.push(limit);
  }
  return allowing;
}

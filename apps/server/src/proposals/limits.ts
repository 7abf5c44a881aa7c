/** Rate limits for faces and changes sent by a parent, and audit rows for the faces. */
import { createHash } from 'node:crypto';
import { FACE_CALLS_PER_DAY } from '@haris/contract/constants';
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

/**
 * Counts and audits a face sent by a parent, before the face engine gets it; staff are not limited. The web app sends the
 * photo of `/register-child` again with the new child; that second call is not counted.
 * Throws `too_many_attempts`; the first refusal of a day is audited.
 */
export async function admitFace(
  context: Context,
  actor: Actor,
  call: FaceCall,
  photo: Uint8Array | null,
): Promise<void> {
  if (actor.kind === 'admin') return;
  const now = context.clock.now();
  const limit = limitOf(context, 'face day', actor.id, FACE_CALLS_PER_DAY);
  const sameFace = photo && `${actor.id} ${createHash('sha256').update(photo).digest('hex')}`;
  const announced = limitOf(context, 'face announced', sameFace ?? '', 1);
  const refused = limitOf(context, 'face refused', actor.id, 1);
  const subject = { kind: 'parent', id: actor.id } as const;
  const retryAfter = await inTransaction(context.db, async (tx) => {
    // Lock the parent, so that two simultaneous photos cannot both take the last place within the limit.
    if (!(await lockParent(tx.trx, actor.id))) throw new AppError('not_found');
    const { trx } = tx;
    if (sameFace && call !== 'register' && (await takeBackHit(trx, announced, now))) {
      await context.audit.append(tx, { actor, action: 'face.offered', subject, details: { call } });
      return null;
    }
    const wait = await secondsUntilRoom(trx, [limit], now);
    if (wait === null) {
      await countHit(trx, call === 'register' ? [limit, announced] : [limit], now);
      await context.audit.append(tx, { actor, action: 'face.offered', subject, details: { call } });
    } else if ((await secondsUntilRoom(trx, [refused], now)) === null) {
      await countHit(trx, [refused], now);
      await context.audit.append(tx, { actor, action: 'face.limit_reached', subject, details: { call } });
    }
    return wait;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
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

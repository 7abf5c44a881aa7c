/** Rate limits for faces and changes sent by a parent, and audit rows for the faces. */
import { createHash } from 'node:crypto';
import { FACE_CALLS_PER_DAY } from '@haris/contract/constants';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { lockParent } from '../db/parents.ts';
import { countHit, HITS_KEPT_MS, type Limit, secondsUntilRoom, takeBackHit } from '../db/throttle.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';

/** Changes per parent and day: each adds an event, an audit row and perhaps a mail. */
const CHANGES_PER_DAY = 40;

/** Mails about changes per account and hour; further changes appear in the audit log only. */
const MAILS_PER_HOUR = 3;

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

/** Whether the limit allows a mail about a change to this account now; if so, counts the mail. */
export async function mayMail(context: Context, tx: Tx, parentId: string): Promise<boolean> {
  const now = context.clock.now();
  const limit = limitOf(context, 'change mail', parentId, MAILS_PER_HOUR, 3_600_000);
  if ((await secondsUntilRoom(tx.trx, [limit], now)) !== null) return false;
  await countHit(tx.trx, [limit], now);
  return true;
}

/** How many faces and changes a parent may send in a day; each photo of a face leaves an audit row, refused or not. */
import { createHash } from 'node:crypto';
import { FACE_CALLS_PER_DAY } from '@haris/contract/constants';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { takeParent } from '../db/parents.ts';
import { countHit, HITS_KEPT_MS, type Limit, secondsUntilRoom } from '../db/throttle.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';

/** Changes of names, phone or photos that a parent may make in a day: each is an event, an audit row and perhaps a mail. */
const CHANGES_PER_DAY = 40;

/** Mails about changes that one account gets in an hour; what is changed beyond them stands in the audit log. */
const MAILS_PER_HOUR = 3;

/** Calls that a parent can send a face to. */
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
 * Counts a face that a parent sends, and writes it down, before anything looks at it; staff are not counted. The photo that
 * `/register-child` was sent comes a second time with the child that it becomes, which is not counted again.
 * Throws `too_many_attempts`; of a day's refusals one is written down.
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
    // One after the other, so that two photos cannot both count as the tenth.
    if (!(await takeParent(tx.trx, actor.id))) throw new AppError('not_found');
    const { trx } = tx;
    if (sameFace && call !== 'register' && (await useUp(tx, announced, now))) {
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

/** Takes back one count; false where there is none. */
async function useUp({ trx }: Tx, { scope, key, windowMs }: Limit, now: number): Promise<boolean> {
  const row = await trx
    .selectFrom('throttle_hits')
    .select('id')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('at', '>', now - windowMs)
    .executeTakeFirst();
  if (row) await trx.deleteFrom('throttle_hits').where('id', '=', row.id).execute();
  return row !== undefined;
}

/** Counts a change that a parent makes, with its transaction; staff are not counted. Throws `too_many_attempts`. */
export async function countChange(context: Context, tx: Tx, actor: Actor): Promise<void> {
  if (actor.kind === 'admin') return;
  const now = context.clock.now();
  const limit = limitOf(context, 'family change', actor.id, CHANGES_PER_DAY);
  const retryAfter = await secondsUntilRoom(tx.trx, [limit], now);
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  await countHit(tx.trx, [limit], now);
}

/** Whether one more mail about a change may go to this account now; counts it. */
export async function mayMail(context: Context, tx: Tx, parentId: string): Promise<boolean> {
  const now = context.clock.now();
  const limit = limitOf(context, 'change mail', parentId, MAILS_PER_HOUR, 3_600_000);
  if ((await secondsUntilRoom(tx.trx, [limit], now)) !== null) return false;
  await countHit(tx.trx, [limit], now);
  return true;
}

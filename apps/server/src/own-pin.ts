/** Setting the own PIN for a tablet: hashed, under a session that is still valid, a few times a day. Knows no rule of a tablet. */
import { COMMON_PIN } from '@haris/contract/fields';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import type { Context } from './context.ts';
import { findSessionByHash } from './db/sessions.ts';
import { countHit, type Limit, secondsUntilRoom } from './db/throttle.ts';
import { inTransaction, type Tx } from './db/transaction.ts';
import { DAY_MS } from './device-tries.ts';
import { hashPassword } from './vault/passwords.ts';

/** New PINs per account and day. */
const PINS_PER_DAY = 5;

/** What PINs of one kind of tablet have of their own. */
export interface PinRules<Owner> {
  /** Name of the limit of new PINs. */
  readonly scope: 'kiosk pin' | 'staff pin';
  /** The PIN as it is hashed: keyed, so that a copy of the database alone does not allow guessing. */
  readonly peppered: string;
  /** Locks the owner's row until the transaction ends. Throws if it is gone. */
  lock(tx: Tx): Promise<Owner>;
  /** Whether others could guess the PIN from what they know of its owner. Throws if the owner cannot have one. */
  isGuessable(owner: Owner): boolean;
  /** Stores it and tells its owner. */
  store(tx: Tx, owner: Owner, row: { readonly pin_hash: string; readonly set_at: number }): Promise<void>;
}

/** Returns when it was set (milliseconds). Throws `unauthenticated`; 400 for a guessable PIN; `too_many_attempts`. */
export async function setOwnPin<Owner>(
  context: Context,
  actor: Actor,
  { scope, peppered, lock, isGuessable, store }: PinRules<Owner>,
): Promise<number> {
  const { clock, vault } = context;
  const key = vault.mac('throttle', actor.id);
  const limit: Limit = { scope, key, most: PINS_PER_DAY, windowMs: DAY_MS };
  const pin_hash = await hashPassword(peppered);
  const set_at = clock.now();
  const retryAfter = await inTransaction(context.db, async (tx) => {
    const owner = await lock(tx);
    // The password may have ended in the meantime, and with it the session and its proof.
    if (
      !(await findSessionByHash(tx.trx, vault, actor.session, set_at, {
        facility: actor.facility,
        seen: false,
      }))
    )
      throw new AppError('unauthenticated');
    if (isGuessable(owner))
      throw new AppError('invalid_request', { message: COMMON_PIN, fields: { pin: COMMON_PIN } });
    const seconds = await secondsUntilRoom(tx.trx, [limit], set_at);
    if (seconds !== null) return seconds;
    await countHit(tx.trx, [limit], set_at);
    await store(tx, owner, { pin_hash, set_at });
    return null;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  await context.mails.settled();
  return set_at;
}

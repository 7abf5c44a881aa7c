/** Limits how many mails somebody else can cause to be sent to one address. */
import type { Context } from '../context.ts';
import { countHit, type Limit, secondsUntilRoom } from '../db/throttle.ts';
import type { Tx } from '../db/transaction.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Most mails per hour and per day that strangers can cause to be sent to one address. */
const MAILS_PER_HOUR = 6;
const MAILS_PER_DAY = 20;

/**
 * Counts a link to be mailed to an address, and returns whether it may be sent. Requests from a device or network where the
 * account has signed in are counted separately: a stranger must not use up the links that the owner needs.
 */
export async function mayMail(
  context: Context,
  tx: Tx,
  email: string,
  from: 'owner' | 'stranger',
): Promise<boolean> {
  const now = context.clock.now();
  const key = context.vault.mac('throttle', email);
  const scope = `mail ${from}`;
  const limits: Limit[] = [
    { scope: `${scope} hour`, key, most: MAILS_PER_HOUR, windowMs: HOUR_MS },
    { scope: `${scope} day`, key, most: MAILS_PER_DAY, windowMs: DAY_MS },
  ];
  if ((await secondsUntilRoom(tx.trx, limits, now)) !== null) return false;
  await countHit(tx.trx, limits, now);
  return true;
}

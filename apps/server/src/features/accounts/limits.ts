/** How often what costs work, or sends mail to a stranger's address, may be asked for. */
import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import type { Tx } from '../../db/transaction.ts';
import { networkOf } from '../../http/network.ts';
import type { AdultAccount } from '../../vision/adults.ts';
import { createTurns } from './turns.ts';

const takeTurn = createTurns();

/** Registrations from one address within the throttle's window: a whole nursery on opening day behind one router. */
const REGISTRATIONS_PER_ADDRESS = 300;

/**
 * Forms with a photo that one network may send within the throttle's window without being staff. A photo is read into
 * memory and decoded before the form can be refused, so that they are counted apart and before they are read.
 */
const PHOTO_FORMS_PER_ADDRESS = 60;

/** Changes of e-mail that a parent may ask for within the throttle's window. */
const EMAIL_CHANGES_PER_PARENT = 3;

/** Faces that one account may have looked at within the throttle's window. */
const RECOGNITIONS_PER_ACCOUNT = 20;

/** Registrations from outside the staff. */
export function registrationLimit(context: Context, address: string): Limit {
  return {
    scope: 'register address',
    key: context.vault.mac('throttle', networkOf(address)),
    most: REGISTRATIONS_PER_ADDRESS,
    windowMs: THROTTLE_WINDOW_MS,
  };
}

/** Counts a form with a photo that comes from outside the staff, before it is read. Throws `too_many_attempts`. */
export async function admitPhotoForm(context: Context, origin: Origin): Promise<void> {
  const { db, clock, vault } = context;
  const limit: Limit = {
    scope: 'photo form address',
    key: vault.mac('throttle', networkOf(origin.address)),
    most: PHOTO_FORMS_PER_ADDRESS,
    windowMs: THROTTLE_WINDOW_MS,
  };
  // A hundred that come at once are counted one after the other.
  await takeTurn(limit.key, async () => {
    await countOne(db, limit, clock.now());
  });
}

/** Each change of address sends a mail to an address that the parent names: only so many. Throws `too_many_attempts`. */
export async function countEmailChange(context: Context, tx: Tx, id: string): Promise<void> {
  const limit: Limit = {
    scope: 'email change',
    key: context.vault.mac('throttle', id),
    most: EMAIL_CHANGES_PER_PARENT,
    windowMs: THROTTLE_WINDOW_MS,
  };
  await countOne(tx.trx, limit, context.clock.now());
}

/** Counts a photo by which an account asks to be recognised, before it is looked at. Throws `too_many_attempts`. */
export async function countRecognition(
  { db, clock, vault }: Context,
  { kind, id }: AdultAccount,
): Promise<void> {
  const limit: Limit = {
    scope: 'recognition',
    key: vault.mac('throttle', `${kind} ${id}`),
    most: RECOGNITIONS_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  };
  await countOne(db, limit, clock.now());
}

async function countOne(db: Parameters<typeof countHit>[0], limit: Limit, now: number): Promise<void> {
  const retryAfter = await secondsUntilRoom(db, [limit], now);
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  await countHit(db, [limit], now);
}

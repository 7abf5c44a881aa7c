/** How often what costs work, or sends mail to a stranger's address, may be asked for. */
import { SIGN_INS_PER_ACCOUNT, THROTTLE_WINDOW_MS, UNVERIFIED_SIGN_INS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { isDeskNetwork, isKnownDevice, isKnownNetwork, type Place } from '../../db/known-places.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { networkMac } from '../../http/device.ts';
import { networkOf } from '../../http/network.ts';
import type { AdultAccount } from '../../vision/adults.ts';
import { createTurns } from './turns.ts';

const takeTurn = createTurns();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Registrations within the throttle's window: from any network, and from a desk's, which is a whole nursery on opening day. */
const REGISTRATIONS_PER_NETWORK = 60;
const REGISTRATIONS_AT_DESK = 300;

/**
 * Forms with a photo that one network may send within the throttle's window without being staff. A photo is read into
 * memory and decoded before the form can be refused, so that they are counted apart and before they are read.
 */
const PHOTO_FORMS_PER_ADDRESS = 60;

/** Changes of e-mail that a parent may ask for within the throttle's window. */
const EMAIL_CHANGES_PER_PARENT = 3;

/** Codes for the desk that one account may make within the throttle's window. */
const DESK_CODES_PER_ACCOUNT = 10;

/** Faces that one account may have looked at within the throttle's window. */
const RECOGNITIONS_PER_ACCOUNT = 20;

/** Changes of the own profile in a day: with a photo, and of any kind. Each is a row of the audit log for good. */
const PHOTO_CHANGES_PER_DAY = 10;
const PROFILE_CHANGES_PER_DAY = 50;

/** Mails that strangers may have sent to one address, in an hour and in a day. */
const MAILS_PER_HOUR = 6;
const MAILS_PER_DAY = 20;

/** Counts a registration from outside the staff. Throws `too_many_attempts`. */
export async function countRegistration(context: Context, { address }: Origin): Promise<void> {
  const key = networkMac(context, address);
  const isDesk = await isDeskNetwork(context.db, key, context.clock.now());
  await countInTurn(context, {
    scope: 'register address',
    key,
    most: isDesk ? REGISTRATIONS_AT_DESK : REGISTRATIONS_PER_NETWORK,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts a right sign-in: each is a session, and of staff a row of the audit log. Throws `too_many_attempts`. */
export async function countSignIn(context: Context, kind: AccountKind, id: string): Promise<void> {
  await countInTurn(context, {
    scope: `signed in ${kind}`,
    key: context.vault.mac('throttle', id),
    most: SIGN_INS_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts the right password of an account that is not verified. Throws `too_many_attempts`. */
export async function countUnverified(context: Context, kind: AccountKind, id: string): Promise<void> {
  await countInTurn(context, {
    scope: `unverified ${kind}`,
    key: context.vault.mac('throttle', id),
    most: UNVERIFIED_SIGN_INS,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts a code for the desk. Throws `too_many_attempts`. */
export async function countDeskCode(context: Context, id: string): Promise<void> {
  await countInTurn(context, {
    scope: 'desk code',
    key: context.vault.mac('throttle', id),
    most: DESK_CODES_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts a change that somebody makes of the own profile. Throws `too_many_attempts`. */
export async function countProfileChange(
  context: Context,
  { kind, id }: { kind: AccountKind; id: string },
  { photo }: { photo: boolean },
): Promise<void> {
  const key = context.vault.mac('throttle', `${kind} ${id}`);
  await countInTurn(context, { scope: 'profile', key, most: PROFILE_CHANGES_PER_DAY, windowMs: DAY_MS });
  if (photo)
    await countInTurn(context, { scope: 'own photo', key, most: PHOTO_CHANGES_PER_DAY, windowMs: DAY_MS });
}

/** Whether the account has signed in on this device or from this network. */
export async function isOwnPlace(
  { trx }: Tx,
  account: { kind: AccountKind; id: string },
  { device, network }: Place,
  now: number,
): Promise<boolean> {
  if (device !== null && (await isKnownDevice(trx, account, device, now))) return true;
  return isKnownNetwork(trx, account, network, now);
}

/**
 * Counts a link that somebody has mailed to an address; answers whether it may go. Those that are asked for from where the
 * account has signed in count apart: a stranger must not use up the links that its owner needs.
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

/** Counts one try; tries on this server are counted one after the other. Throws `too_many_attempts`. */
async function countInTurn(context: Context, limit: Limit): Promise<void> {
  await takeTurn(`${limit.scope} ${limit.key}`, () =>
    inTransaction(context.db, (tx) => countOne(tx.trx, limit, context.clock.now())),
  );
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
export async function countEmailChange(context: Context, tx: Tx, id: string, email: string): Promise<void> {
  const limit: Limit = {
    scope: 'email change',
    key: context.vault.mac('throttle', id),
    most: EMAIL_CHANGES_PER_PARENT,
    windowMs: THROTTLE_WINDOW_MS,
  };
  await countOne(tx.trx, limit, context.clock.now());
  if (!(await mayMail(context, tx, email, 'stranger')))
    throw new AppError('too_many_attempts', { retryAfter: HOUR_MS / 1000 });
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

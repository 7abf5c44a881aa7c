/** Rate limits of requests that cost work, or that send mail to somebody's address. */
import { SIGN_INS_PER_ACCOUNT, THROTTLE_WINDOW_MS, UNVERIFIED_SIGN_INS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import { createKeyedMutex } from '@haris/runtime/limiter';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AdultAccount } from '../../db/adult-faces.ts';
import { isDeskNetwork, isKnownDevice, isKnownNetwork, type Place } from '../../db/known-places.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { networkMac } from '../../http/device.ts';
import { networkOf } from '../../http/network.ts';
import { mayMail } from '../../mail/mail-limits.ts';

const mutex = createKeyedMutex();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Registrations per window from one network. A desk's network has a higher limit: a whole nursery registers on opening day. */
const REGISTRATIONS_PER_NETWORK = 60;
const REGISTRATIONS_AT_DESK = 300;

/** Calls that name no account (identity provider, passkey, dead key) per window from one network, and from a desk's. */
const NAMELESS_PER_NETWORK = 60;
const NAMELESS_AT_DESK = 300;

/**
 * Forms with a photo per network and window, except from staff. The server must load and decode a photo before it can
 * refuse the form, so these forms are counted separately, before they are read.
 */
const PHOTO_FORMS_PER_ADDRESS = 60;

/** Forms that one counts as if the engine gave its photo up: for eight seconds nobody else's photo was read. */
const LATE_PHOTO_COUNTS = 10;

/** Changes of e-mail per parent and window. */
const EMAIL_CHANGES_PER_PARENT = 3;

/** Desk codes per account and window. */
const DESK_CODES_PER_ACCOUNT = 10;

/** Reads of the page that waits for the desk, per account and window: one every five seconds, and some more. */
const WAITING_READS_PER_ACCOUNT = 240;

/** Photos for recognition per account and window. */
const RECOGNITIONS_PER_ACCOUNT = 20;

/** Changes of a person's own profile per day: with a photo, and in total. Each adds a permanent audit row. */
const PHOTO_CHANGES_PER_DAY = 10;
const PROFILE_CHANGES_PER_DAY = 50;

/** Counts a registration by a visitor. Throws `too_many_attempts`. */
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

/** Counts an attempt at the identity provider: each adds a row, and asks the provider. Throws `too_many_attempts`. */
export function countOidc(context: Context, origin: Origin): Promise<void> {
  return countByNetwork(context, 'oidc network', origin);
}

/** Counts a sign-in with only a passkey, because it stores a row before the account is known. Throws `too_many_attempts`. */
export function countPasskeySignIn(context: Context, origin: Origin): Promise<void> {
  return countByNetwork(context, 'passkey network', origin);
}

async function countByNetwork(context: Context, scope: string, { address }: Origin): Promise<void> {
  const key = networkMac(context, address);
  const isDesk = await isDeskNetwork(context.db, key, context.clock.now());
  const most = isDesk ? NAMELESS_AT_DESK : NAMELESS_PER_NETWORK;
  await countInTurn(context, { scope, key, most, windowMs: THROTTLE_WINDOW_MS });
}

/** Counts a successful sign-in, because each adds a session and, for staff, an audit row. Throws `too_many_attempts`. */
export async function countSignIn(context: Context, kind: AccountKind, id: string): Promise<void> {
  await countInTurn(context, {
    scope: `signed in ${kind}`,
    key: context.vault.mac('throttle', id),
    most: SIGN_INS_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts a correct password for an unverified account. Throws `too_many_attempts`. */
export async function countUnverified(context: Context, kind: AccountKind, id: string): Promise<void> {
  await countInTurn(context, {
    scope: `unverified ${kind}`,
    key: context.vault.mac('throttle', id),
    most: UNVERIFIED_SIGN_INS,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts a desk code. Throws `too_many_attempts`. */
export async function countDeskCode(context: Context, id: string): Promise<void> {
  await countInTurn(context, {
    scope: 'desk code',
    key: context.vault.mac('throttle', id),
    most: DESK_CODES_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts a read with the live key of a registration. Throws `too_many_attempts`. */
export async function countLiveKey(context: Context, id: string): Promise<void> {
  await countInTurn(context, {
    scope: 'browser key',
    key: context.vault.mac('throttle', id),
    most: WAITING_READS_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  });
}

/** Counts a read with a key of nobody; an honest page makes one, after its key has ended. Throws `too_many_attempts`. */
export function countDeadKey(context: Context, origin: Origin): Promise<void> {
  return countByNetwork(context, 'dead key network', origin);
}

/** Counts a change of the caller's profile. Throws `too_many_attempts`. */
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

/** Counts one attempt, after earlier attempts with the same key. Throws `too_many_attempts`. */
async function countInTurn(context: Context, limit: Limit): Promise<void> {
  await mutex(`${limit.scope} ${limit.key}`, () =>
    inTransaction(context.db, (tx) => countOne(tx.trx, limit, context.clock.now())),
  );
}

/** Counts a form with a photo from a visitor or parent, before it is read. Throws `too_many_attempts`. */
export async function admitPhotoForm(context: Context, origin: Origin): Promise<void> {
  const limit = photoForms(context, origin);
  // Simultaneous forms are counted one after the other.
  await mutex(limit.key, async () => {
    await countOne(context.db, limit, context.clock.now());
  });
}

/** Counts a photo that took all its time, whose form is counted already. */
export async function countLatePhoto(context: Context, origin: Origin): Promise<void> {
  const limit = photoForms(context, origin);
  await countHit(context.db, Array(LATE_PHOTO_COUNTS - 1).fill(limit), context.clock.now());
}

function photoForms({ vault }: Context, { address }: Origin): Limit {
  return {
    scope: 'photo form address',
    key: vault.mac('throttle', networkOf(address)),
    most: PHOTO_FORMS_PER_ADDRESS,
    windowMs: THROTTLE_WINDOW_MS,
  };
}

/** Counts a change of e-mail, because it sends mail to an address of the parent's choice. Throws `too_many_attempts`. */
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

/** Counts a photo for recognition, before it is analysed. Throws `too_many_attempts`. */
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

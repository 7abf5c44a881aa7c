/**
 * What limits a try to sign in (contract §3). A device or a desk that is known has a budget of its own, so that nobody can
 * lock out a person or a house by failing elsewhere.
 */
import {
  LOGIN_FAILURES_ANYWHERE,
  LOGIN_FAILURES_AT_DESK,
  LOGIN_FAILURES_PER_ACCOUNT,
  LOGIN_FAILURES_PER_ADDRESS,
  SLOWED_LOGIN_MS,
  THROTTLE_WINDOW_MS,
} from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { isDeskNetwork, isKnownDevice, isKnownNetwork, type Place } from '../../db/known-places.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import type { Tx } from '../../db/transaction.ts';

const DAY_MS = 24 * 3_600_000;

export interface SignInTry {
  readonly kind: AccountKind;
  /** As typed, lower-cased. */
  readonly email: string;
  /** Null where there is no such account. */
  readonly accountId: string | null;
  readonly place: Place;
}

export interface SignInBudget {
  /** Tries with the same keys take turns. */
  readonly turns: readonly string[];
  /** The try is refused while one of them is full; a failure counts against each. */
  readonly limits: readonly Limit[];
  /** Failures of the account from anywhere; null where the try does not count among them. */
  readonly anywhere: Limit | null;
  /** One try a minute, once `anywhere` is full; null where the account has signed in from here. */
  readonly slowed: Limit | null;
}

function anywhereLimit(context: Context, kind: AccountKind, email: string): Limit {
  return {
    scope: `login ${kind} anywhere`,
    key: context.vault.mac('throttle', email),
    most: LOGIN_FAILURES_ANYWHERE,
    windowMs: DAY_MS,
  };
}

/** All tries from one network, whichever account; those at a desk are counted apart, by kind of account. */
function networkLimit(kind: AccountKind, key: string, isDesk: boolean, isKnown: boolean): Limit {
  const windowMs = THROTTLE_WINDOW_MS;
  if (!isDesk) return { scope: 'login network', key, most: LOGIN_FAILURES_PER_ADDRESS, windowMs };
  return isKnown
    ? { scope: `login ${kind} known at desk`, key, most: LOGIN_FAILURES_AT_DESK, windowMs }
    : { scope: `login ${kind} at desk`, key, most: LOGIN_FAILURES_PER_ADDRESS, windowMs };
}

export async function budgetOf(context: Context, asked: SignInTry): Promise<SignInBudget> {
  const { db, clock, vault } = context;
  const { kind, email, place } = asked;
  const now = clock.now();
  // The same queries if there is no such account, so that the time does not show it.
  const account = { kind, id: asked.accountId ?? '' };
  if (place.device !== null && (await isKnownDevice(db, account, place.device, now))) {
    const limit: Limit = {
      scope: `login ${kind} device`,
      key: vault.mac('throttle', `${email}\n${place.device}`),
      most: LOGIN_FAILURES_PER_ACCOUNT,
      windowMs: THROTTLE_WINDOW_MS,
    };
    return { turns: [`${limit.scope} ${limit.key}`], limits: [limit], anywhere: null, slowed: null };
  }
  const isKnown = await isKnownNetwork(db, account, place.network, now);
  const anywhere = anywhereLimit(context, kind, email);
  const pair: Limit = {
    scope: `login ${kind}`,
    key: vault.mac('throttle', `${email}\n${place.network}`),
    most: LOGIN_FAILURES_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  };
  const isDesk = await isDeskNetwork(db, place.network, now);
  const network = networkLimit(kind, place.network, isDesk, isKnown);
  return {
    turns: [`network ${place.network}`, ...(isKnown ? [] : [`${anywhere.scope} ${anywhere.key}`])],
    limits: [pair, network],
    anywhere,
    slowed: isKnown
      ? null
      : { scope: `login ${kind} slowed`, key: anywhere.key, most: 1, windowMs: SLOWED_LOGIN_MS },
  };
}

/** Allows a try, or throws `too_many_attempts`. */
export async function admitTry(context: Context, budget: SignInBudget): Promise<void> {
  const { db, clock } = context;
  const { limits, anywhere, slowed } = budget;
  const refuse = (retryAfter: number | null): void => {
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  };
  refuse(await secondsUntilRoom(db, limits, clock.now()));
  if (!anywhere || !slowed || (await secondsUntilRoom(db, [anywhere], clock.now())) === null) return;
  refuse(await secondsUntilRoom(db, [slowed], clock.now()));
  await countHit(db, [slowed], clock.now());
}

export async function countFailure(context: Context, tx: Tx, budget: SignInBudget): Promise<void> {
  const { limits, anywhere } = budget;
  await countHit(tx.trx, anywhere ? [...limits, anywhere] : limits, context.clock.now());
}

/** The owner of the e-mail has set a new password: the failures with the old one count no more. */
export async function forgetFailures(
  context: Context,
  { trx }: Tx,
  kind: AccountKind,
  email: string,
): Promise<void> {
  const { scope, key } = anywhereLimit(context, kind, email);
  await trx.deleteFrom('throttle_hits').where('scope', '=', scope).where('key', '=', key).execute();
}

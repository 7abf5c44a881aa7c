/**
 * Rate limits of sign-in attempts (contract §3). A known device or desk has its own budget, so that failures elsewhere
 * cannot lock out a person or a facility.
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
import { countHit, forgetHits, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import type { Tx } from '../../db/transaction.ts';

const DAY_MS = 24 * 3_600_000;

export interface SignInTry {
  readonly kind: AccountKind;
  /** Typed e-mail in lower case. */
  readonly email: string;
  /** Null if there is no such account. */
  readonly accountId: string | null;
  readonly place: Place;
}

export interface SignInBudget {
  /** Attempts that share a key run one after the other. */
  readonly turns: readonly string[];
  /** Limits that a failure counts against; the attempt is refused while any of them is full. */
  readonly limits: readonly Limit[];
  /** Limit on failures for this account from all places together; null if the attempt does not count against it. */
  readonly anywhere: Limit | null;
  /** Limit of one attempt a minute once `anywhere` is full; null if the account has signed in from this place. */
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

/** Limit on attempts from one network for all accounts together. At a desk, each account kind has its own limit. */
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
  // Run the same queries if the account does not exist, so that the response time does not reveal it.
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

/** Allows an attempt, or throws `too_many_attempts`. */
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

/** Clears the counted failures of an account after its owner has reset the password. */
export async function forgetFailures(
  context: Context,
  { trx }: Tx,
  kind: AccountKind,
  email: string,
): Promise<void> {
  const { scope, key } = anywhereLimit(context, kind, email);
  await forgetHits(trx, scope, key);
}

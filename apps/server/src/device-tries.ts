/** Rate limits for PINs and codes tried at a paired device. A try is counted before it is checked (decisions 038, 045). */
import { AppError } from './app-error.ts';
import type { Context } from './context.ts';
import { lockKiosk } from './db/kiosks.ts';
import {
  countHit,
  countHitsSince,
  forgetHits,
  type Limit,
  secondsUntilRoom,
  takeBackHit,
} from './db/throttle.ts';
import { inTransaction, type Tx } from './db/transaction.ts';

export const MINUTE_MS = 60_000;
export const QUARTER_MS = 15 * MINUTE_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Number of failures at a device within 15 minutes that makes Haris warn the desk. */
export const WARN_FROM_FAILURES = 5;

/** At most `[most, windowMs]`, for each pair. */
export type Steps = readonly (readonly [number, number])[];

const DEVICE_SCOPE = 'kiosk failures';

export function limitsOf(scope: string, key: string, steps: Steps): Limit[] {
  return steps.map(([most, windowMs]) => ({ scope, key, most, windowMs }));
}

function deviceKey({ vault }: Context, deviceId: string): string {
  return vault.mac('throttle', `kiosk ${deviceId}`);
}

/** The limits that a try counts against. */
export interface TryLimits {
  /** Failures of everybody at the device. */
  readonly perDevice: Steps;
  /** Failures of one person or family at the device; empty if nobody is named. */
  readonly perPerson: readonly Limit[];
  /** All tries, also successful ones. */
  readonly tries: readonly Limit[];
}

/** A try that was counted: one limit per scope, to take back. */
export interface Counted {
  readonly failures: readonly Limit[];
}

/**
 * Counts a try as failed until {@link takeBackTry} says otherwise, so that simultaneous tries cannot all pass. Throws
 * `too_many_attempts`; `unauthenticated` if the device was removed.
 */
export async function countTry(
  context: Context,
  deviceId: string,
  { perDevice, perPerson, tries }: TryLimits,
): Promise<Counted> {
  const { clock } = context;
  const device = limitsOf(DEVICE_SCOPE, deviceKey(context, deviceId), perDevice);
  const failures = [perPerson[0], device[0]].filter((limit): limit is Limit => limit !== undefined);
  const retryAfter = await inTransaction(context.db, async ({ trx }) => {
    // Simultaneous tries at one device wait here, on all servers.
    if (!(await lockKiosk(trx, deviceId))) throw new AppError('unauthenticated');
    const seconds = await secondsUntilRoom(trx, [...perPerson, ...device, ...tries], clock.now());
    if (seconds === null) await countHit(trx, [...failures, ...tries], clock.now());
    return seconds;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  return { failures };
}

/** Takes back the failure that {@link countTry} counted. The try still counts against the limit of all tries. */
export async function takeBackTry(context: Context, { trx }: Tx, { failures }: Counted): Promise<void> {
  for (const limit of failures) await takeBackHit(trx, { ...limit, windowMs: DAY_MS }, context.clock.now());
}

/** Failed tries at a device in the last 15 minutes. */
export async function countFailures(context: Context, deviceId: string): Promise<number> {
  const since = context.clock.now() - QUARTER_MS;
  return countHitsSince(context.db, DEVICE_SCOPE, deviceKey(context, deviceId), since);
}

/** Clears the failures at a device that staff have paired again. Failures per person remain. */
export async function forgetTries(context: Context, { trx }: Tx, deviceId: string): Promise<void> {
  await forgetHits(trx, DEVICE_SCOPE, deviceKey(context, deviceId));
}

/** Checks the answer of a second factor: a passkey, a code of an app, or a recovery code (decision 041). */
import { FACTOR_FAILURES_PER_DAY } from '@haris/contract/constants';
import type { PasskeyAnswer } from '@haris/contract/http/factors';
import { createKeyedMutex } from '@haris/runtime/limiter';
import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server';
import { verify } from 'otplib';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Account } from '../../db/accounts.ts';
import type { SecondFactorRow } from '../../db/schema.ts';
import { findFactors, useAppStep, usePasskeyCounter, useRecoveryCode } from '../../db/second-factors.ts';
import { countHit, forgetHits, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import type { Tx } from '../../db/transaction.ts';

/** Clocks of phones differ by up to this much. Seconds. */
const APP_TOLERANCE_S = 30;

const mutex = createKeyedMutex();

/** Loaded on first use: most installations start without passkeys, and the library has warnings and 40 modules to load. */
export const webauthn = () => import('@simplewebauthn/server');

/** The answer to a request for a second factor; exactly one field is set. */
export interface FactorAnswer {
  readonly passkey?: PasskeyAnswer | undefined;
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** The relying party of passkeys: the host of the public address, and that address. */
export function relyingPartyOf(context: Context): { id: string; origin: string } {
  const { hostname, origin } = new URL(context.publicUrl());
  return { id: hostname, origin };
}

/** Context under which an app's secret is sealed. */
export function secretContext(factorId: string): string {
  return `authenticator app ${factorId}`;
}

/** How passkeys name their person: not by the account's id, which need not be on a key that somebody finds. */
export function passkeyUserOf({ vault }: Pick<Context, 'vault'>, { kind, id }: Account): Buffer<ArrayBuffer> {
  return Buffer.from(vault.mac('passkey user', `${kind} ${id}`), 'hex');
}

/** Keyed hash of a recovery code. */
export function recoveryCodeMac(context: Context, { kind, id }: Account, code: string): string {
  return context.vault.mac('recovery code', `${kind} ${id} ${code}`);
}

function dailyLimit(context: Pick<Context, 'vault'>, { kind, id }: Account): Limit {
  return {
    scope: 'second factor',
    key: context.vault.mac('throttle', `${kind} ${id}`),
    most: FACTOR_FAILURES_PER_DAY,
    windowMs: 24 * 3_600_000,
  };
}

/** Runs `work` while no other answer for this account is checked. Throws `too_many_attempts` beyond the daily limit. */
export async function inFactorTurn<T>(
  context: Context,
  account: Account,
  work: () => Promise<T>,
): Promise<T> {
  const limit = dailyLimit(context, account);
  return mutex(limit.key, async () => {
    const retryAfter = await secondsUntilRoom(context.db, [limit], context.clock.now());
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    return work();
  });
}

/** Counts a wrong answer against the account's day. */
export async function countWrongAnswer(context: Context, tx: Tx, account: Account): Promise<void> {
  await countHit(tx.trx, [dailyLimit(context, account)], context.clock.now());
}

/** Forgets the wrong answers of an account whose factors were removed: they were guesses at those. */
export async function forgetWrongAnswers(
  context: Pick<Context, 'vault'>,
  { trx }: Tx,
  account: Account,
): Promise<void> {
  const { scope, key } = dailyLimit(context, account);
  await forgetHits(trx, scope, key);
}

/** Options for the browser to sign this challenge with one of the account's passkeys; undefined if it has none. */
export async function passkeyOptions(
  context: Context,
  factors: readonly SecondFactorRow[],
  challenge: string,
): Promise<Record<string, unknown> | undefined> {
  const passkeys = factors.filter((factor) => factor.kind === 'passkey');
  if (passkeys.length === 0) return undefined;
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(context).id,
    challenge: Buffer.from(challenge, 'base64url'),
    allowCredentials: passkeys.map((factor) => ({
      id: factor.credential_id ?? '',
      transports: transportsOf(factor),
    })),
    userVerification: 'preferred',
  });
  return { ...options };
}

function transportsOf(factor: SecondFactorRow): AuthenticatorTransport[] {
  return JSON.parse(factor.transports ?? '[]') as AuthenticatorTransport[];
}

/**
 * Whether the answer is right for this account. Uses up what works once: the code's time step, the recovery code, the
 * passkey's counter. `challenge`: the one that a passkey signs.
 */
export async function acceptsAnswer(
  context: Context,
  tx: Tx,
  account: Account,
  answer: FactorAnswer,
  challenge: string | undefined,
): Promise<boolean> {
  const factors = await findFactors(tx.trx, account);
  if (answer.passkey !== undefined)
    return (
      challenge !== undefined &&
      acceptsPasskey(context, tx, factors, answer.passkey, { challenge, isAlone: false })
    );
  if (answer.code !== undefined) return acceptsCode(context, tx, factors, answer.code);
  if (answer.recoveryCode !== undefined && factors.length > 0)
    return useRecoveryCode(tx.trx, account, recoveryCodeMac(context, account, answer.recoveryCode));
  return false;
}

async function acceptsCode(
  context: Context,
  tx: Tx,
  factors: readonly SecondFactorRow[],
  code: string,
): Promise<boolean> {
  for (const factor of factors) {
    if (factor.kind !== 'app') continue;
    const step = await stepOfCode(context, factor, code);
    if (step !== null && (await useAppStep(tx.trx, factor.id, step, context.clock.now()))) return true;
  }
  return false;
}

/** The time step at which this app shows the code now; null if it does not. */
export async function stepOfCode(
  context: Context,
  factor: SecondFactorRow,
  code: string,
): Promise<number | null> {
  if (factor.secret_sealed === null) return null;
  const secret = context.vault.open(secretContext(factor.id), factor.secret_sealed).toString('utf8');
  const result = await verify({
    secret,
    token: code,
    epoch: Math.floor(context.clock.now() / 1000),
    epochTolerance: APP_TOLERANCE_S,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

/** The challenge that a passkey signs. `isAlone`: the passkey is the only factor, so it must have verified the person. */
interface PasskeyQuestion {
  readonly challenge: string;
  readonly isAlone: boolean;
}

/** Whether one of these passkeys gave this answer. Uses up its counter. */
export async function acceptsPasskey(
  context: Context,
  tx: Tx,
  factors: readonly SecondFactorRow[],
  answer: PasskeyAnswer,
  question: PasskeyQuestion,
): Promise<boolean> {
  const factor = factors.find((one) => one.kind === 'passkey' && one.credential_id === answer.id);
  if (!factor?.public_key) return false;
  const counter = await verifiedCounter(context, factor, factor.public_key, answer, question);
  return counter !== null && usePasskeyCounter(tx.trx, factor.id, counter, context.clock.now());
}

/** The counter of a passkey's answer; null if the answer does not fit. */
async function verifiedCounter(
  context: Context,
  factor: SecondFactorRow,
  publicKey: Uint8Array,
  answer: PasskeyAnswer,
  { challenge, isAlone }: PasskeyQuestion,
): Promise<number | null> {
  const { id, origin } = relyingPartyOf(context);
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // The schema checked the shape; the library checks the content.
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: isAlone,
      credential: {
        id: answer.id,
        publicKey: new Uint8Array(publicKey),
        counter: factor.counter ?? 0,
        transports: transportsOf(factor),
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    // The library throws for everything that does not fit: another challenge, origin, host or counter.
    context.log.info({ reason: error instanceof Error ? error.name : 'unknown' }, 'a passkey was refused');
    return null;
  }
}

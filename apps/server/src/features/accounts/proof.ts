/** Proof of a session's user by password or second factor, with a limit on wrong attempts. */
import { PROOF_FAILURES_PER_SESSION, THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import type { ProofMethod } from '@haris/contract/errors';
import type { ProofBody } from '@haris/contract/http/session';
import { createKeyedMutex } from '@haris/runtime/limiter';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAccount } from '../../db/accounts.ts';
import { createChallenge, tryChallenge, useChallenge } from '../../db/factor-challenges.ts';
import { findFactors } from '../../db/second-factors.ts';
import { proveSession, raiseSession } from '../../db/sessions.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { proofMethodsOf } from '../../http/proof.ts';
import { passwordMatches } from '../../vault/passwords.ts';
import { acceptsAnswer, countWrongAnswer, inFactorTurn, passkeyOptions } from './factor-answers.ts';

const mutex = createKeyedMutex();

/** While the last proof is younger than this, a new one is not recorded: a loop must not fill the audit log. Milliseconds. */
const PROVED_JUST_NOW_MS = 60_000;

/**
 * Limit on wrong passwords per session. A stolen token cannot lock out the owner's other devices, and cannot raise the
 * limit with a second session.
 */
function limitOf({ vault }: Context, { kind, id, session }: Actor): Limit {
  return {
    scope: 'proof',
    key: vault.mac('throttle', `${kind} ${id} ${session}`),
    most: PROOF_FAILURES_PER_SESSION,
    windowMs: THROTTLE_WINDOW_MS,
  };
}

/**
 * Checks the password of the actor's account, and returns its stored hash.
 * Throws `too_many_attempts`; `wrong_password`, after counting the failure and appending it to the audit log.
 */
export async function checkOwnPassword(context: Context, actor: Actor, password: string): Promise<string> {
  const { db, clock } = context;
  const limit = limitOf(context, actor);
  // One attempt per session at a time: a hundred sent at once must not all pass before the first is counted.
  return mutex(limit.key, async () => {
    const retryAfter = await secondsUntilRoom(db, [limit], clock.now());
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    const account = await findAccount(db, actor);
    const stored = account?.password_hash;
    if ((await passwordMatches(stored, password)) && stored) return stored;
    await inTransaction(db, async (tx) => {
      await countHit(tx.trx, [limit], clock.now());
      await recordProof(context, tx, actor, 'proof_failed');
    });
    throw new AppError('wrong_password');
  });
}

/** Appends a successful or failed proof to the audit log. */
export async function recordProof(
  context: Context,
  tx: Tx,
  actor: Actor,
  outcome: 'proved' | 'proof_failed',
): Promise<void> {
  const { kind, id } = actor;
  await context.audit.append(tx, { actor, action: `${kind}.${outcome}`, subject: { kind, id } });
}

/**
 * Marks the session as proved, by the caller's password or, if the account has a second factor, by that factor.
 * Throws `wrong_password`, `wrong_code`, `too_many_attempts`; `proof_required` with the methods for a password that is not
 * enough; `unauthenticated` if the session has ended meanwhile.
 */
export async function giveProof(context: Context, actor: Actor, proof: ProofBody): Promise<void> {
  const methods = await proofMethodsOf(context.db, actor);
  if (proof.password === undefined) return proveByFactor(context, actor, proof);
  if (!methods.includes('password')) throw new AppError('proof_required', { methods });
  await checkOwnPassword(context, actor, proof.password);
  const now = context.clock.now();
  if (Math.abs(now - actor.provedAt) < PROVED_JUST_NOW_MS) return;
  await inTransaction(context.db, async (tx) => {
    if (!(await proveSession(tx.trx, context.vault, actor.session, now)))
      throw new AppError('unauthenticated');
    await recordProof(context, tx, actor, 'proved');
  });
}

/** How the actor can prove; with a passkey, the options for the browser. */
export async function beginProof(
  context: Context,
  actor: Actor,
): Promise<{ methods: ProofMethod[]; challenge?: string; passkey?: Record<string, unknown> }> {
  const methods = await proofMethodsOf(context.db, actor);
  if (!methods.includes('passkey')) return { methods };
  const challenge = await inTransaction(context.db, (tx) =>
    createChallenge(
      tx.trx,
      context.vault,
      { purpose: 'proof', account: actor, binding: actor.session, codeMac: null },
      context.clock.now(),
    ),
  );
  const passkey = await passkeyOptions(context, await findFactors(context.db, actor), challenge);
  return { methods, challenge, ...(passkey === undefined ? {} : { passkey }) };
}

async function proveByFactor(
  context: Context,
  actor: Actor,
  { challenge, ...answer }: ProofBody,
): Promise<void> {
  const limit = limitOf(context, actor);
  await inFactorTurn(context, actor, async () => {
    const now = context.clock.now();
    const retryAfter = await secondsUntilRoom(context.db, [limit], now);
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    const asked =
      answer.passkey !== undefined && challenge !== undefined
        ? await tryChallenge(context.db, context.vault, challenge, 'proof', now)
        : undefined;
    const isRight = await inTransaction(context.db, async (tx) => {
      if (answer.passkey !== undefined) {
        if (asked?.binding !== actor.session || !(await useChallenge(tx.trx, asked.challenge_hash)))
          return false;
      }
      if (!(await acceptsAnswer(context, tx, actor, answer, challenge))) return false;
      if (!(await raiseSession(tx.trx, context.vault, actor.session, now)))
        throw new AppError('unauthenticated');
      await recordProof(context, tx, actor, 'proved');
      return true;
    });
    if (isRight) return;
    await inTransaction(context.db, async (tx) => {
      await countHit(tx.trx, [limit], now);
      await countWrongAnswer(context, tx, actor);
      await recordProof(context, tx, actor, 'proof_failed');
    });
    throw new AppError('wrong_code');
  });
}

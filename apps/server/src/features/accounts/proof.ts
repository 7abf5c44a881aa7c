/** Checks the password of whoever uses a session, with a limit on wrong ones. */
import { PROOF_FAILURES_PER_SESSION, THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAdmin } from '../../db/admins.ts';
import { findParent } from '../../db/parents.ts';
import { proveSession } from '../../db/sessions.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { passwordMatches } from './passwords.ts';
import { createTurns } from './turns.ts';

const takeTurn = createTurns();

/** A proof younger than this is not written again, so that proofs in a loop fill nothing. Milliseconds. */
const PROVED_JUST_NOW_MS = 60_000;

/**
 * Wrong passwords are counted by session: whoever holds a stolen token cannot lock the owner's other devices out, and
 * has no way to a second session.
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
 * Checks the password of the actor's account; answers the hash that it fits to.
 * Throws `too_many_attempts`, `wrong_password` (counted, and a row of the audit log).
 */
export async function checkOwnPassword(context: Context, actor: Actor, password: string): Promise<string> {
  const { db, clock } = context;
  const limit = limitOf(context, actor);
  // Tries of one session take turns: a hundred sent at once are judged one after the other.
  return takeTurn(limit.key, async () => {
    const retryAfter = await secondsUntilRoom(db, [limit], clock.now());
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    const account = await (actor.kind === 'admin' ? findAdmin(db, actor.id) : findParent(db, actor.id));
    const stored = account?.password_hash;
    if ((await passwordMatches(stored, password)) && stored) return stored;
    await inTransaction(db, async (tx) => {
      await countHit(tx.trx, [limit], clock.now());
      await recordProof(context, tx, actor, 'proof_failed');
    });
    throw new AppError('wrong_password');
  });
}

/** Notes in the audit log that a proof was given or failed. */
async function recordProof(
  context: Context,
  tx: Tx,
  actor: Actor,
  outcome: 'proved' | 'proof_failed',
): Promise<void> {
  const { kind, id } = actor;
  await context.audit.append(tx, { actor, action: `${kind}.${outcome}`, subject: { kind, id } });
}

/**
 * Proves with the own password who uses the session.
 * Throws `wrong_password`, `too_many_attempts`; `unauthenticated` where the session ended meanwhile.
 */
export async function giveProof(context: Context, actor: Actor, password: string): Promise<void> {
  await checkOwnPassword(context, actor, password);
  const now = context.clock.now();
  if (Math.abs(now - actor.provedAt) < PROVED_JUST_NOW_MS) return;
  await inTransaction(context.db, async (tx) => {
    if (!(await proveSession(tx.trx, actor.session, now))) throw new AppError('unauthenticated');
    await recordProof(context, tx, actor, 'proved');
  });
}

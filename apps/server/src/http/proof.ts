/** Checks that a session has a fresh proof (contract §6). */
import { PROOF_MS } from '@haris/contract/constants';
import { PROOF_METHODS } from '@haris/contract/errors';
import type { ProofRule } from '@haris/contract/http/route';
import type { Actor, Visitor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';

/** Two servers' clocks differ by less than this. A proof further in the future was made before a clock was set back. */
const CLOCK_SKEW_MS = 60_000;

/** Throws 403 `proof_required` unless the session has a fresh proof. */
export function requireProof({ clock }: Context, actor: Actor): void {
  const age = clock.now() - actor.provedAt;
  if (age < -CLOCK_SKEW_MS || age >= PROOF_MS)
    throw new AppError('proof_required', { methods: [...PROOF_METHODS] });
}

/** As {@link requireProof}, where the call's rule asks this caller for one before the body is read. */
export function requireProofOf(context: Context, rule: ProofRule | undefined, actor: Actor | Visitor): void {
  if (actor.kind === 'visitor') return;
  if (rule === 'always' || (rule === 'parent' && actor.kind === 'parent')) requireProof(context, actor);
}

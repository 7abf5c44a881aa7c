/** Checks that a session has a fresh proof (contract §6). */
import { PROOF_MS } from '@haris/contract/constants';
import type { ProofMethod } from '@haris/contract/errors';
import type { ProofRule } from '@haris/contract/http/route';
import type { Kysely, Transaction } from 'kysely';
import type { Actor, DeskDevice, KioskDevice, Visitor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/schema.ts';
import { findFactorKinds } from '../db/second-factors.ts';
import { hasPassword } from '../db/staff.ts';

/** Maximum clock difference between two servers. A proof further in the future was made before a clock was set back. */
const CLOCK_SKEW_MS = 60_000;

/**
 * How an account can prove who is using its session: with a second factor if it has one (decision 041), otherwise with the
 * password, or at the identity provider if it has none (decision 046).
 */
export async function proofMethodsOf(
  db: Kysely<Database> | Transaction<Database>,
  account: Pick<Actor, 'kind' | 'id'>,
): Promise<ProofMethod[]> {
  const kinds = await findFactorKinds(db, account);
  if (kinds.length > 0) return [...kinds, 'recovery'];
  return account.kind === 'admin' && !(await hasPassword(db, account.id)) ? ['oidc'] : ['password'];
}

/** Whether the session's last proof is still fresh. */
export function isProved({ clock }: Context, actor: Pick<Actor, 'provedAt'>): boolean {
  const age = clock.now() - actor.provedAt;
  return age >= -CLOCK_SKEW_MS && age < PROOF_MS;
}

/**
 * Throws 403 `proof_required` unless the session has a fresh proof. Inside a transaction `db` is that transaction: SQLite has
 * one connection.
 */
export async function requireProof(
  context: Context,
  actor: Pick<Actor, 'kind' | 'id' | 'provedAt'>,
  db: Kysely<Database> | Transaction<Database> = context.db,
): Promise<void> {
  if (isProved(context, actor)) return;
  throw new AppError('proof_required', { methods: await proofMethodsOf(db, actor) });
}

/** Like {@link requireProof}, if the route demands a proof of this actor before the body is read. */
export async function requireProofOf(
  context: Context,
  rule: ProofRule | undefined,
  actor: Actor | Visitor | KioskDevice | DeskDevice,
): Promise<void> {
  if (actor.kind !== 'admin' && actor.kind !== 'parent') return;
  if (isProofDue(rule, actor.kind)) await requireProof(context, actor);
}

/** Whether the route demands a proof of such an account. */
export function isProofDue(rule: ProofRule | undefined, kind: Actor['kind']): boolean {
  return rule === 'always' || (rule === 'parent' && kind === 'parent');
}

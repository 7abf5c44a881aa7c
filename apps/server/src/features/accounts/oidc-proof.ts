/** Proof of a session's user by signing in again at the identity provider (decision 046). */
import type { OidcAnswer } from '@haris/contract/http/oidc';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findLink, updateLink } from '../../db/oidc.ts';
import { proveSession } from '../../db/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { proofMethodsOf } from '../../http/proof.ts';
import { beginAttempt, finishAttempt } from './oidc-attempts.ts';
import { readLinked } from './oidc-links.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { recordProof } from './proof.ts';

/** Accepted difference between the provider's clock and ours. Milliseconds. */
const SKEW_MS = 60_000;

/** Throws `proof_required`, with the other methods, if the account has a password or second factor of its own. */
async function requireOidc(context: Context, actor: Actor): Promise<void> {
  const methods = await proofMethodsOf(context.db, actor);
  if (!methods.includes('oidc')) throw new AppError('proof_required', { methods });
}

/** The provider's address, and the value of the cookie. Throws `proof_required` and the errors of `beginAttempt`. */
export async function beginOidcProof(
  context: Context,
  provider: OidcProvider,
  actor: Actor,
): Promise<{ url: string; browser: string }> {
  await requireOidc(context, actor);
  return beginAttempt(context, provider, actor.origin, { session: actor.session, returnTo: null });
}

/**
 * Marks the session as proved if the person signed in again, after the question and as this account. Throws `oidc_failed`
 * and the errors of `finishAttempt`; `oidc_no_access` if the organisation has ended the access, which ends the sessions.
 */
export async function giveOidcProof(
  context: Context,
  provider: OidcProvider,
  actor: Actor,
  cookie: string,
  answer: OidcAnswer,
): Promise<void> {
  await requireOidc(context, actor);
  const { attempt, person } = await finishAttempt(context, provider, 'proof', cookie, answer);
  if (attempt.session_hash !== actor.session) throw new AppError('oidc_failed');
  const outcome = await inTransaction(context.db, async (tx) => {
    const link = await findLink(tx.trx, person.issuer, person.subject);
    const isOwn = link?.staff_id === actor.id && link.confirmed_at !== null;
    const isNew = person.authenticatedAt !== null && person.authenticatedAt >= attempt.created_at - SKEW_MS;
    if (!link || !isOwn || !isNew) {
      await recordProof(context, tx, actor, 'proof_failed');
      return 'oidc_failed';
    }
    const found = await readLinked(context, tx, provider, person, link, actor.origin);
    if ('refused' in found) return found.refused;
    if (!(await proveSession(tx.trx, context.vault, actor.session, context.clock.now())))
      return 'unauthenticated';
    await updateLink(tx.trx, link.id, { used_at: context.clock.now() });
    await recordProof(context, tx, actor, 'proved');
    return null;
  });
  if (outcome !== null) throw new AppError(outcome);
}

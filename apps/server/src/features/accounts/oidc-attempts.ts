/** Attempts to sign in or prove at the identity provider: from the question to the person who answers (decision 046). */
import { OIDC_PROOF_STATE } from '@haris/contract/constants';
import type { OidcAnswer } from '@haris/contract/http/oidc';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { createAttempt, type OidcAttemptRow, takeAttempt } from '../../db/oidc.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';
import { countOidc } from './limits.ts';
import type { OidcPerson } from './oidc-person.ts';
import type { AttemptSecrets, OidcProvider } from './oidc-provider.ts';

const sealContext = (stateHash: string): string => `oidc attempt ${stateHash}`;

/**
 * Begins an attempt: the provider's address, and the value of the cookie. `session`: the stored hash of the one to be
 * proven. Throws `too_many_attempts`, `oidc_unavailable`.
 */
export async function beginAttempt(
  context: Context,
  provider: OidcProvider,
  origin: Origin,
  { session, returnTo }: { readonly session: string | null; readonly returnTo: string | null },
): Promise<{ url: string; browser: string }> {
  await countOidc(context, origin);
  const isProof = session !== null;
  const state = `${isProof ? OIDC_PROOF_STATE : ''}${randomToken()}`;
  const browser = randomToken();
  const { url, issuer, secrets } = await provider.begin(state, { again: isProof });
  const plain = Buffer.from(JSON.stringify(secrets));
  await inTransaction(context.db, ({ trx }) =>
    createAttempt(
      trx,
      context.vault,
      {
        state,
        browser,
        purpose: isProof ? 'proof' : 'sign_in',
        session,
        issuer,
        secretsSealed: context.vault.seal(sealContext(hashToken(state)), plain),
        returnTo,
      },
      context.clock.now(),
    ),
  );
  return { url, browser };
}

/**
 * The person for whom the provider answered, and the attempt, which is used up whatever comes. Throws `oidc_failed` for an
 * attempt that is not of this browser, or the errors of the provider.
 */
export async function finishAttempt(
  context: Context,
  provider: OidcProvider,
  purpose: OidcAttemptRow['purpose'],
  browser: string,
  answer: OidcAnswer,
): Promise<{ attempt: OidcAttemptRow; person: OidcPerson }> {
  const attempt = await takeAttempt(
    context.db,
    context.vault,
    answer.state,
    browser,
    purpose,
    context.clock.now(),
  );
  if (!attempt) throw new AppError('oidc_failed');
  const secrets = JSON.parse(
    context.vault.open(sealContext(attempt.state_hash), attempt.secrets_sealed).toString('utf8'),
  ) as AttemptSecrets;
  return { attempt, person: await provider.finish(answer, attempt.issuer, secrets) };
}

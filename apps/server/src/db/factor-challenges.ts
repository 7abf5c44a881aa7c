/** Challenges of a second step: random, stored as hashes, used once, with a limit on tries (decision 041). */
import { FACTOR_CHALLENGE_MS, FACTOR_CHALLENGE_TRIES } from '@haris/contract/constants';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { hashToken, randomToken, type Vault } from '../vault/vault.ts';
import type { Account } from './accounts.ts';
import { believed, sealed } from './row-seals.ts';
import type { Database } from './schema.ts';

export type ChallengeRow = Selectable<Database['factor_challenges']>;

export interface NewChallenge {
  readonly purpose: ChallengeRow['purpose'];
  /** For the purpose `passkey` its id is empty, because the person is not known yet. */
  readonly account: Account;
  /** The answer is refused if this has changed; see `FactorChallengesTable`. */
  readonly binding: string;
  /** Keyed hash of a mailed code; null without one. */
  readonly codeMac: string | null;
  /** The link that was used if the first step took place at the identity provider. */
  readonly oidcLink?: string | null;
}

/** Creates a challenge, which WebAuthn also uses as its own, and ends older ones with the same purpose and binding. */
export async function createChallenge(
  trx: Transaction<Database>,
  vault: Vault,
  { purpose, account, binding, codeMac, oidcLink = null }: NewChallenge,
  now: number,
): Promise<string> {
  const challenge = randomToken();
  // Sign-ins keep older challenges, because two browsers may be signing in at once.
  if (purpose !== 'sign_in' && purpose !== 'passkey')
    await trx
      .deleteFrom('factor_challenges')
      .where('purpose', '=', purpose)
      .where('account_id', '=', account.id)
      .where('account_kind', '=', account.kind)
      .where('binding', '=', binding)
      .execute();
  await trx
    .insertInto('factor_challenges')
    .values({
      tries: 0,
      ...sealed(vault, 'factor_challenges', {
        challenge_hash: hashToken(challenge),
        purpose,
        account_kind: account.kind,
        account_id: account.id,
        binding,
        code_mac: codeMac,
        expires_at: now + FACTOR_CHALLENGE_MS,
        oidc_link: oidcLink,
      }),
    })
    .execute();
  return challenge;
}

/** Counts a try, and returns the challenge; undefined if it is unknown, has expired or has no tries left. */
export async function tryChallenge(
  db: Kysely<Database> | Transaction<Database>,
  vault: Vault,
  challenge: string,
  purpose: ChallengeRow['purpose'],
  now: number,
): Promise<ChallengeRow | undefined> {
  const row = await db
    .updateTable('factor_challenges')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('challenge_hash', '=', hashToken(challenge))
    .where('purpose', '=', purpose)
    .where('tries', '<', FACTOR_CHALLENGE_TRIES)
    .where('expires_at', '>', now)
    // If the clock was set back, the challenge would live longer than allowed.
    .where('expires_at', '<=', now + FACTOR_CHALLENGE_MS)
    .returningAll()
    .executeTakeFirst();
  return believed(vault, 'factor_challenges', row);
}

/** Uses a challenge up. Returns false if another request used it first. */
export async function useChallenge(trx: Transaction<Database>, hash: string): Promise<boolean> {
  const used = await trx
    .deleteFrom('factor_challenges')
    .where('challenge_hash', '=', hash)
    .returning('challenge_hash')
    .executeTakeFirst();
  return used !== undefined;
}

/** Deletes expired challenges. */
export async function deleteExpiredChallenges(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('factor_challenges').where('expires_at', '<=', now).execute();
}

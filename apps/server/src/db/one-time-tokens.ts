/** Links in mails: random, stored as hashes, used once, for one purpose and one address. */
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { hashToken, randomToken } from '../vault/vault.ts';
import type { Database } from './schema.ts';

export type Purpose = 'verify' | 'reset' | 'invitation' | 'disown';

export interface TokenSubject {
  readonly kind: AccountKind;
  readonly accountId: string;
  /** The address that the link is sent to, and proves. */
  readonly email: string;
}

/** Makes a link's token and ends the account's older ones of the same purpose. */
export async function createOneTimeToken(
  trx: Transaction<Database>,
  purpose: Purpose,
  subject: TokenSubject,
  now: number,
  lifetimeMs: number,
): Promise<string> {
  await endOneTimeTokens(trx, subject.kind, subject.accountId, [purpose]);
  const token = randomToken();
  await keepOneTimeToken(trx, token, purpose, subject, now, lifetimeMs);
  return token;
}

/** The token's row while it is valid, without using it up. */
export async function findOneTimeToken(
  db: Kysely<Database>,
  token: string,
  purposes: readonly Purpose[],
  now: number,
): Promise<({ purpose: Purpose } & TokenSubject) | undefined> {
  const row = await db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && { purpose: row.purpose, kind: row.kind, accountId: row.account_id, email: row.email };
}

/** Uses the token up: of two who try at once, one gets it. */
export async function useOneTimeToken(
  trx: Transaction<Database>,
  token: string,
  purposes: readonly Purpose[],
  now: number,
): Promise<({ purpose: Purpose } & TokenSubject) | undefined> {
  const row = await trx
    .deleteFrom('one_time_tokens')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row && { purpose: row.purpose, kind: row.kind, accountId: row.account_id, email: row.email };
}

/** Keeps a token that was used up for another purpose, for `lifetimeMs` from now. */
export async function keepOneTimeToken(
  trx: Transaction<Database>,
  token: string,
  purpose: Purpose,
  subject: TokenSubject,
  now: number,
  lifetimeMs: number,
): Promise<void> {
  await trx
    .insertInto('one_time_tokens')
    .values({
      token_hash: hashToken(token),
      purpose,
      kind: subject.kind,
      account_id: subject.accountId,
      email: subject.email,
      created_at: now,
      expires_at: now + lifetimeMs,
    })
    .execute();
}

export async function endOneTimeTokens(
  trx: Transaction<Database>,
  kind: AccountKind,
  accountId: string,
  purposes: readonly Purpose[],
): Promise<void> {
  await trx
    .deleteFrom('one_time_tokens')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('purpose', 'in', purposes)
    .execute();
}

/** When the newest link of a purpose was made, null when none is left. Milliseconds. */
export async function findNewestTokenTime(
  trx: Transaction<Database>,
  kind: AccountKind,
  accountId: string,
  purpose: Purpose,
): Promise<number | null> {
  const row = await trx
    .selectFrom('one_time_tokens')
    .select((eb) => eb.fn.max('created_at').as('newest'))
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row?.newest == null ? null : Number(row.newest);
}

/** One-time tokens: random, stored as hashes, each for one purpose and one address. All but `start` are of mailed links. */
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { hashToken, randomToken, type Vault } from '../vault/vault.ts';
import { believed, sealed } from './row-seals.ts';
import type { Database } from './schema.ts';

export type Purpose = 'verify' | 'reset' | 'invitation' | 'disown' | 'email_change' | 'start';

export interface TokenSubject {
  readonly kind: AccountKind;
  readonly accountId: string;
  /** The recipient of the link, which the link verifies. */
  readonly email: string;
}

/** Creates a token, and ends the account's older tokens of the same purpose. */
export async function createOneTimeToken(
  trx: Transaction<Database>,
  vault: Vault,
  purpose: Purpose,
  subject: TokenSubject,
  now: number,
  lifetimeMs: number,
): Promise<string> {
  await endOneTimeTokens(trx, subject.kind, subject.accountId, [purpose]);
  const token = randomToken();
  await keepOneTimeToken(trx, vault, token, purpose, subject, now, lifetimeMs);
  return token;
}

type TokenRow = Selectable<Database['one_time_tokens']>;

function subjectOf(
  vault: Vault,
  row: TokenRow | undefined,
): ({ purpose: Purpose } & TokenSubject) | undefined {
  const own = believed(vault, 'one_time_tokens', row);
  return own && { purpose: own.purpose, kind: own.kind, accountId: own.account_id, email: own.email };
}

/** Finds a valid token without using it up. */
export async function findOneTimeToken(
  db: Kysely<Database>,
  vault: Vault,
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
  return subjectOf(vault, row);
}

/** Uses up a valid token; of two concurrent requests, only one succeeds. */
export async function useOneTimeToken(
  trx: Transaction<Database>,
  vault: Vault,
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
  return subjectOf(vault, row);
}

/** Stores a used-up token again, for another purpose and for `lifetimeMs` from now. */
export async function keepOneTimeToken(
  trx: Transaction<Database>,
  vault: Vault,
  token: string,
  purpose: Purpose,
  subject: TokenSubject,
  now: number,
  lifetimeMs: number,
): Promise<void> {
  await trx
    .insertInto('one_time_tokens')
    .values(
      sealed(vault, 'one_time_tokens', {
        token_hash: hashToken(token),
        purpose,
        kind: subject.kind,
        account_id: subject.accountId,
        email: subject.email,
        created_at: now,
        expires_at: now + lifetimeMs,
      }),
    )
    .execute();
}

/** Gives an account's tokens of one purpose another one. They end when they would have. */
export async function changePurpose(
  trx: Transaction<Database>,
  vault: Vault,
  { kind, accountId }: Pick<TokenSubject, 'kind' | 'accountId'>,
  from: Purpose,
  to: Purpose,
): Promise<void> {
  const rows = await trx
    .deleteFrom('one_time_tokens')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('purpose', '=', from)
    .returningAll()
    .execute();
  for (const row of rows) {
    const own = believed(vault, 'one_time_tokens', row);
    if (own)
      await trx
        .insertInto('one_time_tokens')
        .values(sealed(vault, 'one_time_tokens', { ...own, purpose: to }))
        .execute();
  }
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

/**
 * Ends an account's links of a purpose that were mailed to another address than `email`. Returns whether there were any.
 */
export async function endOneTimeTokensElsewhere(
  trx: Transaction<Database>,
  { kind, accountId, email }: TokenSubject,
  purpose: Purpose,
): Promise<boolean> {
  const ended = await trx
    .deleteFrom('one_time_tokens')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('email', '!=', email)
    .returning('token_hash')
    .execute();
  return ended.length > 0;
}

/** Ends the links of a purpose, of all staff, that were mailed to another address than the account's. */
export async function endStaffTokensElsewhere(trx: Transaction<Database>, purpose: Purpose): Promise<void> {
  await trx
    .deleteFrom('one_time_tokens')
    .where('kind', '=', 'admin')
    .where('purpose', '=', purpose)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('staff')
            .select('staff.id')
            .whereRef('staff.id', '=', 'one_time_tokens.account_id')
            .whereRef('staff.email', '=', 'one_time_tokens.email'),
        ),
      ),
    )
    .execute();
}

/** The addresses to which valid links of a purpose were mailed, by account. */
export async function findTokenAddresses(
  db: Kysely<Database>,
  vault: Vault,
  kind: AccountKind,
  accountIds: readonly string[],
  purpose: Purpose,
  now: number,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('kind', '=', kind)
    .where('account_id', 'in', [...accountIds])
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const own = subjectOf(vault, row);
      return own ? [[own.accountId, own.email] as const] : [];
    }),
  );
}

/** Creation time of the newest token of a purpose, null if there is none. Milliseconds since 1970. */
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

/** Deletes expired tokens. */
export async function deleteExpiredTokens(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute();
}

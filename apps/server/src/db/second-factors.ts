/** Passkeys, authenticator apps and recovery codes of accounts (decision 041). */
import type { Kysely, Transaction } from 'kysely';
import { acrossFacilities } from '../facility.ts';
import type { Account } from './accounts.ts';
import type { Database, SecondFactorRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

function factorsOf(db: Reader, { kind, id }: Account) {
  return db.selectFrom('second_factors').where('account_id', '=', id).where('account_kind', '=', kind);
}

/** Confirmed factors, the oldest first. */
export async function findFactors(db: Reader, account: Account): Promise<SecondFactorRow[]> {
  return factorsOf(db, account)
    .selectAll()
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Kinds of the confirmed factors, passkeys first; empty if the account has none. */
export async function findFactorKinds(db: Reader, account: Account): Promise<SecondFactorRow['kind'][]> {
  const rows = await factorsOf(db, account)
    .select('kind')
    .distinct()
    .where('confirmed_at', 'is not', null)
    .execute();
  return rows.map(({ kind }) => kind).sort((a, b) => b.localeCompare(a));
}

/** Those of the accounts that have a confirmed factor. */
export async function findAccountsWithFactor(
  db: Reader,
  kind: Account['kind'],
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('second_factors')
    .select('account_id')
    .distinct()
    .where('account_kind', '=', kind)
    .where('account_id', 'in', ids)
    .where('confirmed_at', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

/**
 * Whether anybody on the staff of any facility would need a mailed code if a second factor were required. Those with a factor
 * of their own need none, nor those whose last sign-in at the identity provider (`issuer`; null without one) was with one
 * there. Of people who never signed in there nobody knows it, so they count. Whose access the organisation has ended does not
 * sign in at all.
 */
export async function isStaffWithoutFactor(db: Reader, issuer: string | null): Promise<boolean> {
  // An address is the same with and without the slash.
  const own = issuer?.replace(/\/$/, '');
  const issuers = own === undefined ? [''] : [own, `${own}/`];
  const row = await acrossFacilities(() =>
    db
      .selectFrom('staff')
      .select('staff.id')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('second_factors')
              .select('second_factors.id')
              .whereRef('second_factors.account_id', '=', 'staff.id')
              .where('second_factors.account_kind', '=', 'admin')
              .where('second_factors.confirmed_at', 'is not', null),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('oidc_links')
              .select('oidc_links.id')
              .whereRef('oidc_links.staff_id', '=', 'staff.id')
              .where('oidc_links.confirmed_at', 'is not', null)
              .where(({ eb, or, and }) =>
                or([
                  eb('oidc_links.ended_at', 'is not', null),
                  and([eb('oidc_links.used_factor', '=', 1), eb('oidc_links.issuer', 'in', issuers)]),
                ]),
              ),
          ),
        ),
      )
      .limit(1)
      .executeTakeFirst(),
  );
  return row !== undefined;
}

/** The passkey with this credential, of any account. */
export async function findPasskey(db: Reader, credentialId: string): Promise<SecondFactorRow | undefined> {
  return db
    .selectFrom('second_factors')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('kind', '=', 'passkey')
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** An authenticator app that waits for its first code. */
export async function findUnconfirmedApp(
  db: Reader,
  account: Account,
  id: string,
): Promise<SecondFactorRow | undefined> {
  return factorsOf(db, account)
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'app')
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
}

/** Adds an app that counts once confirmed, and drops others that never were. */
export async function insertApp(
  trx: Transaction<Database>,
  account: Account,
  app: {
    readonly id: string;
    readonly name: string;
    readonly sealed: Uint8Array;
    readonly createdAt: number;
  },
): Promise<void> {
  await trx
    .deleteFrom('second_factors')
    .where('account_id', '=', account.id)
    .where('account_kind', '=', account.kind)
    .where('confirmed_at', 'is', null)
    .execute();
  await trx
    .insertInto('second_factors')
    .values({
      id: app.id,
      account_kind: account.kind,
      account_id: account.id,
      kind: 'app',
      name: app.name,
      secret_sealed: app.sealed,
      created_at: app.createdAt,
    })
    .execute();
}

export interface NewPasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Adds a passkey. Rejects with a unique violation if an account has it already. */
export async function insertPasskey(
  trx: Transaction<Database>,
  account: Account,
  passkey: NewPasskeyRow,
): Promise<void> {
  await trx
    .insertInto('second_factors')
    .values({
      id: passkey.id,
      account_kind: account.kind,
      account_id: account.id,
      kind: 'passkey',
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      created_at: passkey.createdAt,
      confirmed_at: passkey.createdAt,
    })
    .execute();
}

/**
 * Records the use of an app's code. Returns false if its time step, or a newer one, was used before: of two equal codes at
 * once, one counts.
 */
export async function useAppStep(
  trx: Transaction<Database>,
  id: string,
  step: number,
  now: number,
): Promise<boolean> {
  const used = await trx
    .updateTable('second_factors')
    .set((eb) => ({
      last_step: step,
      last_used_at: now,
      confirmed_at: eb.fn.coalesce('confirmed_at', eb.val(now)),
    }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Records the use of a passkey. Returns false if it is gone, or if its counter did not advance since. */
export async function usePasskeyCounter(
  trx: Transaction<Database>,
  id: string,
  counter: number,
  now: number,
): Promise<boolean> {
  const used = await trx
    .updateTable('second_factors')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    // Most passkeys have no counter, which is 0 for ever.
    .where('counter', counter === 0 ? '=' : '<', counter)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Removes one confirmed factor. Returns it; undefined if there is none. */
export async function deleteFactor(
  trx: Transaction<Database>,
  { kind, id }: Account,
  factorId: string,
): Promise<SecondFactorRow | undefined> {
  return trx
    .deleteFrom('second_factors')
    .where('id', '=', factorId)
    .where('account_id', '=', id)
    .where('account_kind', '=', kind)
    .where('confirmed_at', 'is not', null)
    .returningAll()
    .executeTakeFirst();
}

/** Removes everything of an account: factors, recovery codes and challenges. Returns the number of confirmed factors. */
export async function deleteFactorsOf(trx: Transaction<Database>, { kind, id }: Account): Promise<number> {
  const gone = await trx
    .deleteFrom('second_factors')
    .where('account_id', '=', id)
    .where('account_kind', '=', kind)
    .returning('confirmed_at')
    .execute();
  await deleteRecoveryCodes(trx, { kind, id });
  await trx
    .deleteFrom('factor_challenges')
    .where('account_id', '=', id)
    .where('account_kind', '=', kind)
    .execute();
  return gone.filter((row) => row.confirmed_at !== null).length;
}

export async function deleteRecoveryCodes(trx: Transaction<Database>, { kind, id }: Account): Promise<void> {
  await trx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', id)
    .where('account_kind', '=', kind)
    .execute();
}

/** Replaces an account's recovery codes by these keyed hashes. */
export async function replaceRecoveryCodes(
  trx: Transaction<Database>,
  { kind, id }: Account,
  macs: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(trx, { kind, id });
  await trx
    .insertInto('recovery_codes')
    .values(macs.map((mac) => ({ code_mac: mac, account_kind: kind, account_id: id })))
    .execute();
}

/** Uses up a recovery code. Returns false if the account has no such code. */
export async function useRecoveryCode(
  trx: Transaction<Database>,
  { kind, id }: Account,
  mac: string,
): Promise<boolean> {
  const used = await trx
    .deleteFrom('recovery_codes')
    .where('code_mac', '=', mac)
    .where('account_id', '=', id)
    .where('account_kind', '=', kind)
    .returning('code_mac')
    .executeTakeFirst();
  return used !== undefined;
}

export async function countRecoveryCodes(db: Reader, { kind, id }: Account): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', id)
    .where('account_kind', '=', kind)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Links between staff and the people of an identity provider, and attempts to sign in or prove there (decision 046). */
import { randomUUID } from 'node:crypto';
import { OIDC_ATTEMPT_MS } from '@haris/contract/constants';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { hashToken, type Vault } from '../vault/vault.ts';
import { believed, sealed } from './row-seals.ts';
import type { Database, OidcLinkRow } from './schema.ts';

export type OidcAttemptRow = Selectable<Database['oidc_attempts']>;

export interface NewAttempt {
  readonly state: string;
  /** Value of the cookie. */
  readonly browser: string;
  readonly purpose: OidcAttemptRow['purpose'];
  readonly session: string | null;
  readonly issuer: string;
  readonly secretsSealed: Uint8Array;
  readonly returnTo: string | null;
}

export async function createAttempt(
  trx: Transaction<Database>,
  vault: Vault,
  { state, browser, purpose, session, issuer, secretsSealed, returnTo }: NewAttempt,
  now: number,
): Promise<void> {
  await trx
    .insertInto('oidc_attempts')
    .values({
      secrets_sealed: secretsSealed,
      ...sealed(vault, 'oidc_attempts', {
        state_hash: hashToken(state),
        browser_hash: hashToken(browser),
        purpose,
        session_hash: session,
        issuer,
        return_to: returnTo,
        created_at: now,
        expires_at: now + OIDC_ATTEMPT_MS,
      }),
    })
    .execute();
}

/**
 * Uses up the attempt of this browser; of two answers at once, one gets it. Undefined if it is unknown, was used, has
 * expired or belongs to another browser or purpose.
 */
export async function takeAttempt(
  db: Kysely<Database>,
  vault: Vault,
  state: string,
  browser: string,
  purpose: OidcAttemptRow['purpose'],
  now: number,
): Promise<OidcAttemptRow | undefined> {
  const row = await db
    .deleteFrom('oidc_attempts')
    .where('state_hash', '=', hashToken(state))
    .where('browser_hash', '=', hashToken(browser))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    // After the clock was set back, it would live longer than allowed.
    .where('expires_at', '<=', now + OIDC_ATTEMPT_MS)
    .returningAll()
    .executeTakeFirst();
  return believed(vault, 'oidc_attempts', row);
}

export async function deleteExpiredAttempts(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('oidc_attempts').where('expires_at', '<=', now).execute();
}

export async function findLink(
  trx: Transaction<Database>,
  issuer: string,
  subject: string,
): Promise<OidcLinkRow | undefined> {
  return trx
    .selectFrom('oidc_links')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

export async function findLinkById(trx: Transaction<Database>, id: string): Promise<OidcLinkRow | undefined> {
  return trx.selectFrom('oidc_links').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether the account is linked to somebody of this issuer, and the link counts or has ended. */
export async function hasConfirmedLink(
  trx: Transaction<Database>,
  issuer: string,
  staffId: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('oidc_links')
    .select('id')
    .where('issuer', '=', issuer)
    .where('staff_id', '=', staffId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the organisation has ended this person's right to sign in. */
export async function hasEndedLink(
  db: Kysely<Database> | Transaction<Database>,
  staffId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('oidc_links')
    .select('id')
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * When the person last signed in at a provider, by a link that counts, at `until` or before; null if never. Milliseconds since
 * 1970.
 */
export async function findLastOidcUse(
  db: Kysely<Database> | Transaction<Database>,
  staffId: string,
  until: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('oidc_links')
    .select('used_at')
    .where('staff_id', '=', staffId)
    .where('confirmed_at', 'is not', null)
    .where('ended_at', 'is', null)
    .where('used_at', '<=', until)
    .orderBy('used_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.used_at ?? null;
}

/**
 * Links a subject and an account, in place of links of either that were never confirmed. Rejects with a unique violation
 * if one of them was linked meanwhile.
 */
export async function createLink(
  trx: Transaction<Database>,
  link: Pick<OidcLinkRow, 'issuer' | 'subject' | 'staff_id' | 'created_at' | 'confirmed_at'>,
): Promise<OidcLinkRow> {
  await trx
    .deleteFrom('oidc_links')
    .where('issuer', '=', link.issuer)
    .where((eb) => eb.or([eb('subject', '=', link.subject), eb('staff_id', '=', link.staff_id)]))
    .where('confirmed_at', 'is', null)
    .execute();
  return trx
    .insertInto('oidc_links')
    .values({ id: randomUUID(), ended_at: null, ...link })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateLink(
  trx: Transaction<Database>,
  id: string,
  columns: Partial<Pick<OidcLinkRow, 'confirmed_at' | 'ended_at' | 'given' | 'used_at' | 'used_factor'>>,
): Promise<void> {
  await trx.updateTable('oidc_links').set(columns).where('id', '=', id).execute();
}

/** The links of an account that count or have ended, the oldest first. */
export async function findLinksOf(
  db: Kysely<Database> | Transaction<Database>,
  staffId: string,
): Promise<OidcLinkRow[]> {
  return db
    .selectFrom('oidc_links')
    .selectAll()
    .where('staff_id', '=', staffId)
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function deleteLink(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('oidc_links').where('id', '=', id).execute();
}

/** Deletes the links of an account that is erased. */
export async function deleteLinksOf(trx: Transaction<Database>, staffId: string): Promise<void> {
  await trx.deleteFrom('oidc_links').where('staff_id', '=', staffId).execute();
}

/** Staff whom only their organisation signs in must do so from time to time to go on at a desk tablet (decision 046). */
import { OIDC_DESK_MS } from '@haris/contract/constants';
import type { Kysely, Transaction } from 'kysely';
import { findLastOidcUse } from './db/oidc.ts';
import type { Database, StaffRow } from './db/schema.ts';

/** Clocks of several servers differ, and of one server it may be set back a little. */
const SKEW_MS = 60_000;

/**
 * Whether PIN and passkey of this person wait for a sign-in at the provider. Haris is not told when an account ends there, so
 * without a password here that sign-in alone says that the person still belongs to the organisation. One more than a minute in
 * the future, from before the clock was set back, does not count.
 */
export async function isOidcSignInDue(
  db: Kysely<Database> | Transaction<Database>,
  { id, password_hash }: Pick<StaffRow, 'id' | 'password_hash'>,
  now: number,
): Promise<boolean> {
  if (password_hash) return false;
  const usedAt = await findLastOidcUse(db, id, now + SKEW_MS);
  return usedAt === null || now - usedAt > OIDC_DESK_MS;
}

/** Accounts that somebody registered from outside and whose e-mail nobody has verified. Callers decide what to do with them. */
import { UNVERIFIED_KEPT_MS, VERIFY_LINK_MS } from '@haris/contract/constants';
import { type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';
import { isChildOf, isGuardianOrAsked } from './guardians/conditions.ts';
import { dropPhotos } from './photos.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

/** Photos that one registration deletes at most: an installation from before the limit may have many. */
const PHOTOS_AT_ONCE = 20;

/** Accounts of strangers: no staff member has made one, vouched for it, blocked it, put anything into it or named it as a guardian. */
function strangers(trx: Transaction<Database>): SelectQueryBuilder<Database, 'parents', object> {
  return (
    trx
      .selectFrom('parents')
      .where('email_verified', '=', 0)
      .where('made_by', '=', 'self')
      // Staff who enter something end the password, and mail the owner of the address a link.
      .where('password_hash', 'is not', null)
      .where('vouched_at', 'is', null)
      .where('disowned_at', 'is', null)
      .where('blocked_at', 'is', null)
      .where(({ not }) => not(isGuardianOrAsked(sql.ref<string>('parents.id'))))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('children')
              .select('children.id')
              .where(isChildOf(sql.ref('parents.id'))),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('proposals')
              .select('proposals.subject_id')
              .where('proposals.subject_kind', '=', 'parent')
              .whereRef('proposals.subject_id', '=', 'parents.id'),
          ),
        ),
      )
  );
}

/** Those whose week is over, and whose last link has ended, or could have ended since. */
function ended(trx: Transaction<Database>, now: number) {
  const weekAgo = now - UNVERIFIED_KEPT_MS;
  return strangers(trx)
    .select('parents.id')
    .where('parents.created_at', '<', weekAgo)
    .where((eb) =>
      eb.or([
        // Otherwise a sign-in a day would keep an account for ever.
        eb('parents.created_at', '<', weekAgo - VERIFY_LINK_MS),
        eb.not(
          eb.exists(
            eb
              .selectFrom('one_time_tokens')
              .select('one_time_tokens.token_hash')
              .where('one_time_tokens.kind', '=', 'parent')
              .where('one_time_tokens.purpose', '=', 'verify')
              .whereRef('one_time_tokens.account_id', '=', 'parents.id')
              .where('one_time_tokens.expires_at', '>', now),
          ),
        ),
      ]),
    );
}

/**
 * Locks at most `size` accounts that end now, the oldest first, and returns their ids. Call it for the whole organisation,
 * because children of other facilities count too. `now`: milliseconds since 1970.
 */
export async function lockEndedStrangers(
  trx: Transaction<Database>,
  dialect: Dialect,
  now: number,
  size: number,
): Promise<string[]> {
  const oldest = ended(trx, now).orderBy('parents.created_at').limit(size);
  if (dialect === 'sqlite') return (await oldest.execute()).map(({ id }) => id);
  const locked = (await oldest.forUpdate().skipLocked().execute()).map(({ id }) => id);
  if (locked.length === 0) return [];
  // Whoever held a row a moment ago may have verified it, or added a child.
  const still = await ended(trx, now).where('parents.id', 'in', locked).execute();
  return still.map(({ id }) => id);
}

/**
 * Deletes the photos of strangers except those of the `most` newest accounts with one; returns the ids of the others. Their
 * owners can send them again once they are verified. Call it for the whole organisation.
 */
export async function dropOldestStrangersPhotos(tx: Tx, dialect: Dialect, most: number): Promise<string[]> {
  const oldest = strangers(tx.trx)
    .select('parents.id')
    .where('parents.photo_id', 'is not', null)
    .orderBy('parents.created_at', 'desc')
    .orderBy('parents.id')
    .offset(most)
    .limit(PHOTOS_AT_ONCE);
  const found = await (dialect === 'postgres' ? oldest.forUpdate().skipLocked() : oldest).execute();
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await tx.trx.updateTable('parents').set({ photo_id: null }).where('id', 'in', ids).execute();
  for (const id of ids) await dropPhotos(tx, { kind: 'parent', id });
  return ids;
}

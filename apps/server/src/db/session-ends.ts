/** Ends sessions: one, those of an account or a tablet, and those whose time is over. */
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { deleteDeskTickets, endDeskTickets } from './desk-tickets.ts';
import { endPickupCodes } from './releases.ts';
import type { Database } from './schema.ts';
import { idlesOutAt } from './sessions.ts';

/** Ends the session at a desk tablet. */
export async function endSessionsAtDesk(trx: Transaction<Database>, deskId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('desk_id', '=', deskId).execute();
}

/**
 * Ends all staff sessions that no second factor has opened, or one that its account no longer has; also those at desk tablets, with their
 * tickets. `at`: milliseconds since 1970.
 */
export async function endStaffSessionsWithoutFactor(trx: Transaction<Database>, at: number): Promise<void> {
  await endDeskTickets(trx, 'all', at);
  await trx
    .deleteFrom('sessions')
    .where('kind', '=', 'admin')
    .where((eb) =>
      eb.or([
        eb('factor', '!=', 'second'),
        eb(
          'account_id',
          'not in',
          eb
            .selectFrom('second_factors')
            .select('second_factors.account_id')
            .where('account_kind', '=', 'admin')
            .where('confirmed_at', 'is not', null),
        ),
      ]),
    )
    .execute();
}

/** Ends a session, and the ticket of its sign-in for what happens later. `at`: milliseconds since 1970. */
export async function endSession(trx: Transaction<Database>, tokenHash: string, at: number): Promise<void> {
  await trx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
  await endDeskTickets(trx, { sessionHash: tokenHash }, at);
}

/** Ends every session of an account except `except` (a stored hash), for a new password or a deletion. */
export async function endSessionsOf(
  trx: Transaction<Database>,
  kind: AccountKind,
  accountId: string,
  except = '',
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('token_hash', '!=', except)
    .execute();
  if (kind === 'admin') await deleteDeskTickets(trx, { staffId: accountId });
  // A phone that lost its session must not derive pick-up codes any more.
  if (kind === 'parent') await endPickupCodes(trx, accountId);
}

/**
 * Ends the account's least recently used sessions, so that at most `kept` remain, and the tickets of their sign-ins for what happens later.
 * `at`: milliseconds since 1970.
 */
export async function endOldestSessions(
  trx: Transaction<Database>,
  kind: AccountKind,
  accountId: string,
  { kept, at }: { readonly kept: number; readonly at: number },
): Promise<void> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('token_hash', 'not in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('token_hash')
        .where('kind', '=', kind)
        .where('account_id', '=', accountId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .limit(kept),
    )
    .returning('token_hash')
    .execute();
  for (const { token_hash: sessionHash } of ended) await endDeskTickets(trx, { sessionHash }, at);
}

/** Deletes expired sessions and tickets. */
export async function deleteExpiredSessions(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('tickets').where('expires_at', '<=', now).execute();
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await db
    .deleteFrom('sessions')
    .where('kind', '=', 'admin')
    .where((eb) => eb(idlesOutAt(eb), '<=', now))
    .execute();
}

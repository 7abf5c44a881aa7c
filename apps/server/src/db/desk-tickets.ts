/** Tickets of desk tablets: what a tablet writes without a connection is in the name of who signed in there (decision 055). */
import { DESK_TICKET_MS } from '@haris/contract/http/desk';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { hashToken, randomToken, type Vault } from '../vault/vault.ts';
import { believed, sealed } from './row-seals.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;
export type DeskTicketRow = Selectable<Database['desk_tickets']>;

/** Creates the ticket of a sign-in and returns its token, which is stored as a hash alone. `now`: milliseconds since 1970. */
export async function createDeskTicket(
  trx: Transaction<Database>,
  vault: Vault,
  of: { readonly deskId: string; readonly staffId: string; readonly sessionHash: string },
  now: number,
): Promise<string> {
  const token = randomToken();
  const row = sealed(vault, 'desk_tickets', {
    token_hash: hashToken(token),
    desk_id: of.deskId,
    staff_id: of.staffId,
    session_hash: of.sessionHash,
    made_at: now,
    expires_at: now + DESK_TICKET_MS,
  });
  await trx
    .insertInto('desk_tickets')
    .values({ ...row, ended_at: null })
    .execute();
  return token;
}

/** The ticket of a tablet; undefined if the token is not one that this installation gave to this tablet. */
export async function findDeskTicket(
  db: Reader,
  vault: Vault,
  token: string,
  deskId: string,
): Promise<DeskTicketRow | undefined> {
  const row = await db
    .selectFrom('desk_tickets')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('desk_id', '=', deskId)
    .executeTakeFirst();
  return believed(vault, 'desk_tickets', row);
}

/**
 * The ticket of the newest sign-in at a tablet that has not expired, also if it has ended for what the tablet writes. `now`: milliseconds
 * since 1970.
 */
export async function findLastDeskTicket(
  db: Reader,
  vault: Vault,
  deskId: string,
  now: number,
): Promise<DeskTicketRow | undefined> {
  const row = await db
    .selectFrom('desk_tickets')
    .selectAll()
    .where('desk_id', '=', deskId)
    .where('expires_at', '>', now)
    // A sign-in ends all others there, so of two in one millisecond the one that is open is the newer.
    .orderBy(sql`case when ended_at is null then 0 else 1 end`)
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return believed(vault, 'desk_tickets', row);
}

/** Whose tickets end; `all`: everybody's; `here`: those of the tablets of the current facility. */
type Ended =
  | 'all'
  | 'here'
  | { readonly deskId: string }
  | { readonly staffId: string; readonly exceptSession: string }
  | { readonly sessionHash: string };

/** Ends tickets for what happens after `at`. What happened before still counts. */
export async function endDeskTickets(trx: Transaction<Database>, of: Ended, at: number): Promise<void> {
  let open = trx.updateTable('desk_tickets').set({ ended_at: at }).where('ended_at', 'is', null);
  if (of === 'all') open = open.where('expires_at', '>', at);
  else if (of === 'here') open = open.where('desk_id', 'in', (eb) => eb.selectFrom('kiosks').select('id'));
  else if ('deskId' in of) open = open.where('desk_id', '=', of.deskId);
  else if ('staffId' in of)
    open = open.where('staff_id', '=', of.staffId).where('session_hash', '!=', of.exceptSession);
  else open = open.where('session_hash', '=', of.sessionHash);
  await open.execute();
}

/** Deletes the tickets of a tablet or of a person: nothing that arrives with them has an effect. */
export async function deleteDeskTickets(
  trx: Transaction<Database>,
  of: { readonly deskId: string } | { readonly staffId: string },
): Promise<void> {
  const all = trx.deleteFrom('desk_tickets');
  await ('deskId' in of
    ? all.where('desk_id', '=', of.deskId)
    : all.where('staff_id', '=', of.staffId)
  ).execute();
}

/** Deletes tickets that expired before a moment (milliseconds since 1970). */
export async function deleteDeskTicketsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('desk_tickets').where('expires_at', '<', before).execute();
}

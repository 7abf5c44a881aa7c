/** Tickets: each opens one photo, video or socket once, on behalf of the session that requested it. Stored as hashes. */
import type { Kysely, Transaction } from 'kysely';
import { hashToken, randomToken, type Vault } from '../vault/vault.ts';
import { believed, sealed } from './row-seals.ts';
import type { Database, TicketRow } from './schema.ts';

export interface NewTicket {
  /** Hash of the session's token. */
  readonly session: string;
  readonly purpose: TicketRow['purpose'];
  /** A photo's id, `child <id>`, `camera <id>`; empty for sensors. */
  readonly subject: string;
  /** The facility at which the session worked; null for a parent of several facilities. */
  readonly facility: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Returns the ticket, which is stored only as a hash. */
export async function createTicket(
  trx: Transaction<Database>,
  vault: Vault,
  ticket: NewTicket,
): Promise<string> {
  const secret = randomToken();
  await trx
    .insertInto('tickets')
    .values(
      sealed(vault, 'tickets', {
        ticket_hash: hashToken(secret),
        session_hash: ticket.session,
        purpose: ticket.purpose,
        subject_id: ticket.subject,
        facility_id: ticket.facility,
        expires_at: ticket.expiresAt,
      }),
    )
    .execute();
  return secret;
}

/** Uses up a ticket, even an expired one. */
export async function takeTicket(
  db: Kysely<Database>,
  vault: Vault,
  secret: string,
): Promise<TicketRow | undefined> {
  const row = await db
    .deleteFrom('tickets')
    .where('ticket_hash', '=', hashToken(secret))
    .returningAll()
    .executeTakeFirst();
  return believed(vault, 'tickets', row);
}

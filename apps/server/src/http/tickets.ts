/** Uses tickets up: who asks, where the ticket stands in the query instead of a header. */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { hashToken } from '../vault/vault.ts';
import { claimsSession, identify, identifyBySessionHash } from './session.ts';

export type TicketPurpose = 'photo' | 'video' | 'sensors';

/** What a ticket of a purpose was given for: a photo's id, `child <id>`, `camera <id>`; empty for sensors. */
export interface UsedTicket {
  readonly actor: Actor;
  readonly subject: string;
}

/**
 * Uses a ticket up, whatever comes of it; null for any misuse, where its session is over, and beside the token of another
 * session: whoever is signed in has no use for somebody else's ticket.
 */
export async function useTicket(
  context: Context,
  purpose: TicketPurpose,
  ticket: unknown,
  request: FastifyRequest,
): Promise<UsedTicket | null> {
  if (typeof ticket !== 'string') return null;
  const row = await context.db
    .deleteFrom('tickets')
    .where('ticket_hash', '=', hashToken(ticket))
    .returningAll()
    .executeTakeFirst();
  if (row?.purpose !== purpose || row.expires_at <= context.clock.now()) return null;
  if (claimsSession(request) && (await identify(context, request))?.session !== row.session_hash) return null;
  const actor = await identifyBySessionHash(context, row.session_hash, request);
  return actor && { actor, subject: row.subject_id };
}

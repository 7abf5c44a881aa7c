/** Identifies the sender of a request by a ticket in its query, which replaces the header. */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { takeTicket } from '../db/tickets.ts';
import { acrossFacilities } from '../facility.ts';
import { claimsSession, identify, identifyBySessionHash } from './session.ts';

export type TicketPurpose = 'photo' | 'video' | 'sensors';

export interface UsedTicket {
  readonly actor: Actor;
  /** A photo's id, `child <id>`, `camera <id>`; empty for sensors. */
  readonly subject: string;
}

/**
 * Uses up a ticket, even if it is then refused. Null if it has expired, has another purpose or belongs to an ended
 * session, or if the request also has the bearer token of another session: a signed-in client needs no ticket of somebody
 * else.
 */
export async function useTicket(
  context: Context,
  purpose: TicketPurpose,
  ticket: unknown,
  request: FastifyRequest,
): Promise<UsedTicket | null> {
  if (typeof ticket !== 'string') return null;
  const row = await acrossFacilities(() => takeTicket(context.db, context.vault, ticket));
  if (row?.purpose !== purpose || row.expires_at <= context.clock.now()) return null;
  if (claimsSession(request) && (await identify(context, request))?.session !== row.session_hash) return null;
  const actor = await identifyBySessionHash(context, row.session_hash, request, row.facility_id);
  return actor && { actor, subject: row.subject_id };
}

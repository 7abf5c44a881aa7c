/** Finds out who sends a request from its bearer token. */
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from '../actor.ts';
import type { Context } from '../context.ts';
import { findSession, findSessionByHash, type LiveSession } from '../db/sessions.ts';

/** Where a request came from. */
export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, requestId: request.id };
}

/** The bearer token of the Authorization header, or null. */
function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer +([A-Za-z0-9_-]{20,200})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/**
 * Whether the request claims to be somebody's. A client that sends the header with every call has nothing, `null` or
 * `undefined` to put there before anyone has signed in.
 */
export function claimsSession(request: FastifyRequest): boolean {
  const claim = (request.headers.authorization ?? '')
    .trim()
    .replace(/^Bearer(?= |$)/i, '')
    .trim();
  return !['', 'null', 'undefined'].includes(claim);
}

function actorOf(session: LiveSession, origin: Origin): Actor {
  return {
    kind: session.kind,
    id: session.accountId,
    name: session.name,
    session: session.tokenHash,
    provedAt: session.provedAt,
    passwordSetBy: session.passwordSetBy,
    origin,
  };
}

/** Who sends the request: null without a token and with a dead one. */
export async function identify(context: Context, request: FastifyRequest): Promise<Actor | null> {
  const token = bearerToken(request);
  return token ? identifyByToken(context, token, request) : null;
}

/** Who sends the request, by a token that came another way than in the header (a WebSocket's sub-protocol). */
export async function identifyByToken(
  context: Context,
  token: string,
  request: FastifyRequest,
): Promise<Actor | null> {
  const session = await findSession(context.db, token, context.clock.now());
  return session ? actorOf(session, originOf(request)) : null;
}

/** Whose session a stored hash is (a ticket's), while it is alive. */
export async function identifyBySessionHash(
  context: Context,
  hash: string,
  request: FastifyRequest,
): Promise<Actor | null> {
  const session = await findSessionByHash(context.db, hash, context.clock.now(), false);
  return session ? actorOf(session, originOf(request)) : null;
}

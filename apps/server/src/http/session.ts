/** Identifies the sender of a request by its bearer token. */

import { FACILITY_HEADER } from '@haris/contract/constants';
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findSession, findSessionByHash, type LiveSession } from '../db/sessions.ts';
import { acrossFacilities } from '../facility.ts';

/** Address and id of a request. */
export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, requestId: request.id };
}

/** The bearer token of the Authorization header, or null. */
export function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer +([A-Za-z0-9_-]{20,200})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/**
 * Whether the request claims to have a session. Before sign-in, a client that always sends the header sends an empty
 * value, `null` or `undefined`.
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
    facility: session.facility,
    permissions: session.permissions,
    everywhere: session.everywhere,
    name: session.name,
    session: session.tokenHash,
    provedAt: session.provedAt,
    factor: session.factor,
    deskId: session.deskId,
    passwordSetBy: session.passwordSetBy,
    origin,
  };
}

/**
 * The actor of a request; null without a bearer token or with a dead one. A session that may only set up a second factor
 * counts as dead, unless `open` is `limited`.
 */
export async function identify(
  context: Context,
  request: FastifyRequest,
  open: 'full' | 'limited' = 'full',
): Promise<Actor | null> {
  const token = bearerToken(request);
  return token ? identifyByToken(context, token, request, open) : null;
}

/** Like {@link identify}, for a token from elsewhere than the header (a WebSocket's sub-protocol). */
export async function identifyByToken(
  context: Context,
  token: string,
  request: FastifyRequest,
  open: 'full' | 'limited' = 'full',
): Promise<Actor | null> {
  const asked = askedFacility(request);
  const session = await acrossFacilities(() =>
    findSession(context.db, context.vault, token, context.clock.now(), asked),
  );
  return session && (open === 'limited' || session.factor !== 'mail') ? admit(session, request) : null;
}

/** The actor of a live session by its stored hash, at the facility for which its ticket was issued. */
export async function identifyBySessionHash(
  context: Context,
  hash: string,
  request: FastifyRequest,
  facility: string | null,
): Promise<Actor | null> {
  const use = { facility, seen: false };
  const session = await acrossFacilities(() =>
    findSessionByHash(context.db, context.vault, hash, context.clock.now(), use),
  );
  return session && session.factor !== 'mail' ? admit(session, request) : null;
}

/** The facility that a client works at: by header, or in the address where a browser sends no header. */
function askedFacility(request: FastifyRequest): string | null {
  const { facility } = request.query as { facility?: unknown };
  const asked = request.headers[FACILITY_HEADER] ?? facility;
  // One that is malformed is asked for too, and unknown.
  return asked === undefined || asked === '' ? null : String(asked);
}

/** The actor of a session; from here on the request works at its facility. Throws 404 `unknown_facility`. */
function admit(session: LiveSession, request: FastifyRequest): Actor {
  if (session.kind === 'admin' && session.facility === null) throw new AppError('unknown_facility');
  enterFacility(request, session.facility);
  return actorOf(session, originOf(request));
}

/** From here on the request works at a facility; null: for the whole organisation. */
export function enterFacility(request: FastifyRequest, facility: string | null): void {
  request.facilityScope.scope = facility === null ? 'all' : { facility };
}

/**
 * The cookie that binds an attempt at the identity provider to the browser that began it: an answer that somebody else
 * began is worth nothing there. Scripts cannot read it.
 */
import { OIDC_ATTEMPT_MS } from '@haris/contract/constants';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { isSecure } from '../../http/secure.ts';

/** With the prefix, no neighbouring host of the same domain can set it. */
function nameOf(context: Context, request: FastifyRequest): string {
  return isSecure(context, request) ? '__Host-haris_oidc' : 'haris_oidc';
}

/** The value of the request's cookie; empty without one. */
export function readOidcCookie(context: Context, request: FastifyRequest): string {
  return parseCookie(request.headers.cookie ?? '')[nameOf(context, request)] ?? '';
}

/** Sets the cookie, or with an empty value removes it. */
export function setOidcCookie(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
): void {
  const cookie = stringifySetCookie({
    name: nameOf(context, request),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(context, request),
    maxAge: value === '' ? 0 : OIDC_ATTEMPT_MS / 1000,
  });
  reply.header('set-cookie', cookie);
}

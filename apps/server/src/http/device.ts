/**
 * The device cookie: a random, signed value by which a browser that signed in before is known again. It opens nothing; it
 * only keeps the limits for strangers away (contract §3) and tells who opened a mailed link (§6).
 */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Place } from '../db/known-places.ts';
import { hashToken, randomToken } from '../vault/vault.ts';
import { networkOf } from './network.ts';

const COOKIE = 'haris_device';
const KEPT_SECONDS = 180 * 24 * 3600;

function signatureOf(context: Context, id: string): string {
  return context.vault.mac('device cookie', id);
}

/** The id in the request's cookie, when its signature is ours. */
function readId(context: Context, request: FastifyRequest): string | null {
  const value = parseCookie(request.headers.cookie ?? '')[COOKIE] ?? '';
  const [, id = '', signature] = /^([A-Za-z0-9_-]{43})\.([0-9a-f]{64})$/.exec(value) ?? [];
  return signature !== undefined && signature === signatureOf(context, id) ? id : null;
}

/** Keyed hash of the network that an address belongs to. */
export function networkMac(context: Context, address: string): string {
  return context.vault.mac('throttle', networkOf(address));
}

/**
 * Who opens a mailed link, to be compared with who signs in later: a browser by its cookie; a program, which has no cookies
 * and no person's mail, by its network.
 */
export function openerOf(request: FastifyRequest, browser: Browser): string {
  const isBrowser = browser.place.device !== null || /^Mozilla\//.test(request.headers['user-agent'] ?? '');
  return isBrowser ? `device:${browser.known.device}` : `network:${browser.place.network}`;
}

export interface Browser {
  /** Where the request comes from. */
  readonly place: Place;
  /** The same, with the device that {@link Browser.remember} makes of a browser without the cookie. */
  readonly known: Place;
  /** Gives the cookie with this answer, or keeps the one that is there for longer. */
  remember(reply: FastifyReply): void;
}

/** What is known of the browser that sends the request. */
export function browserOf(context: Context, request: FastifyRequest): Browser {
  const network = networkMac(context, request.ip);
  const given = readId(context, request);
  const id = given ?? randomToken();
  return {
    place: { network, device: given === null ? null : hashToken(given) },
    known: { network, device: hashToken(id) },
    remember(reply) {
      const cookie = stringifySetCookie({
        name: COOKIE,
        value: `${id}.${signatureOf(context, id)}`,
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        // Behind a proxy the request itself may have come in plain.
        secure: request.protocol === 'https' || context.publicUrl().startsWith('https:'),
        maxAge: KEPT_SECONDS,
      });
      reply.header('set-cookie', cookie);
    },
  };
}

/**
 * The device cookie: a random, signed value that identifies a browser that has signed in before. It grants no access; it
 * exempts from the rate limits for strangers (contract §3) and identifies the opener of a mailed link (§6).
 */
import { describeDevice } from '@haris/contract/device-name';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Place } from '../db/known-places.ts';
import { hashToken, randomToken } from '../vault/vault.ts';
import { networkOf } from './network.ts';
import { isSecure } from './secure.ts';

const COOKIE = 'haris_device';
const KEPT_SECONDS = 180 * 24 * 3600;

function signatureOf(context: Context, id: string): string {
  return context.vault.mac('device cookie', id);
}

/** The id in the request's cookie, if its signature is valid. */
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
 * Identifies the opener of a mailed link, to compare with a later sign-in: a browser by its cookie; a program, which has no
 * cookies, by its network.
 */
export function openerOf(request: FastifyRequest, browser: Browser): string {
  const isBrowser = browser.place.device !== null || /^Mozilla\//.test(request.headers['user-agent'] ?? '');
  return isBrowser ? `device:${browser.known.device}` : `network:${browser.place.network}`;
}

export interface Browser {
  /** Device and network of the request. */
  readonly place: Place;
  /** The same; a browser without the cookie has the device that {@link Browser.remember} will set. */
  readonly known: Place;
  /** Name of browser and system; null if unknown. */
  readonly agent: string | null;
  /** Sets the cookie with this response, or extends the existing one. */
  remember(reply: FastifyReply): void;
}

/** Identifies the browser that sends the request. */
export function browserOf(context: Context, request: FastifyRequest): Browser {
  const network = networkMac(context, request.ip);
  const given = readId(context, request);
  const id = given ?? randomToken();
  return {
    place: { network, device: given === null ? null : hashToken(given) },
    known: { network, device: hashToken(id) },
    agent: describeDevice(request.headers['user-agent'] ?? ''),
    remember(reply) {
      const cookie = stringifySetCookie({
        name: COOKIE,
        value: `${id}.${signatureOf(context, id)}`,
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure(context, request),
        maxAge: KEPT_SECONDS,
      });
      reply.header('set-cookie', cookie);
    },
  };
}

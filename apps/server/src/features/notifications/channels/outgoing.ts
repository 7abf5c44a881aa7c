/**
 * Posts to addresses that others chose, without letting them reach internal addresses through this server (SSRF). Checks
 * every address that a name resolves to when the connection is made, so that it cannot change in between.
 */
import { lookup as lookupHost } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { mayReach, type Reach } from '../../../reach.ts';
import { DeliveryError } from './delivery-error.ts';

/** Time-out after which a push service or webhook counts as unreachable. Milliseconds. */
const ANSWER_WITHIN_MS = 15_000;
/** Maximum length of a response that is read. Bytes. */
const ANSWER_LIMIT = 64 * 1024;

/** The host of a URL; IPv6 without brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * Whether a post may go to a URL, judged by its text; names are checked when they are resolved. Pure. Node's URL
 * normalizes `127.1`, `0x7f.1` and `2130706433` to 127.0.0.1, so other notations do not bypass the check.
 */
export function isAllowedAddress(text: string, reach: Reach): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const host = hostOf(url);
  if (url.username !== '' || url.password !== '') return false;
  if (ipaddr.isValid(host) && !mayReach(host, reach)) return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && reach !== 'public';
}

/** `dns.lookup` that fails for forbidden addresses. */
function guardedLookup(reach: Reach, plain: boolean): LookupFunction {
  return (host, options, done) => {
    lookupHost(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      // One forbidden address among allowed ones is an attack. Without TLS a name must resolve to the facility's network.
      const fine = addresses.every(
        ({ address }) =>
          mayReach(address, reach) && !(plain && reach === 'house' && mayReach(address, 'public')),
      );
      if (!fine) return done(new DeliveryError('not_allowed'), []);
      const first = addresses[0];
      if (options.all) done(null, addresses);
      else done(null, first?.address ?? '', first?.family);
    });
  };
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly reach: Reach;
}

export interface Posted {
  readonly status: number;
  /** The pause before a retry that the receiver requests; null if it requests none. */
  readonly retryAfterMs: number | null;
}

/** Posts once, without following redirects. Throws {@link DeliveryError}. */
export function post({ url: text, headers, body, reach }: Post): Promise<Posted> {
  if (!isAllowedAddress(text, reach)) return Promise.reject(new DeliveryError('not_allowed'));
  const url = new URL(text);
  const plain = url.protocol === 'http:';
  const host = hostOf(url);
  if (plain && reach === 'house' && ipaddr.isValid(host) && mayReach(host, 'public'))
    return Promise.reject(new DeliveryError('not_allowed'));
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void =>
      reject(error instanceof DeliveryError ? error : new DeliveryError('unreachable', { cause: error }));
    const request = (plain ? requestHttp : requestHttps)(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': String(body.length) },
        lookup: guardedLookup(reach, plain),
        agent: false,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      },
      (answer) => {
        let read = 0;
        answer.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > ANSWER_LIMIT) answer.destroy();
        });
        answer.on('error', () => {});
        const seconds = Number(answer.headers['retry-after']);
        resolve({
          status: answer.statusCode ?? 0,
          retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null,
        });
      },
    );
    request.on('error', fail);
    request.end(body);
  });
}

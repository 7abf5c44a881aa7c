/**
 * Posts to an address that somebody else named, and never to one that they should not reach through us: every address that
 * a name leads to is judged when the connection is made, so that it cannot be another one by then.
 */
import { lookup as lookupHost } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { DeliveryError } from './delivery-error.ts';

/**
 * Where a post may go. `public`: https to addresses of the internet (a browser names its push service). `house`: also to
 * the house's own network, and there without TLS (staff name a program of theirs). `anywhere`: also to this machine.
 */
export type Reach = 'public' | 'house' | 'anywhere';

const HOUSE_RANGES = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
/** Where clouds keep the keys of a machine; they lie within ranges that are fine otherwise. */
const NEVER = new Set(['fd00:ec2::254', '100.100.100.200']);
/** A push service or webhook that says nothing for so long counts as not reachable. Milliseconds. */
const ANSWER_WITHIN_MS = 15_000;
/** More of an answer than this is not read. Bytes. */
const ANSWER_LIMIT = 64 * 1024;

/** The addresses of this machine's own network cards, as they are now. */
function ownAddresses(): Set<string> {
  const cards = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(cards.map(({ address }) => ipaddr.process(address.replace(/%.*$/, '')).toString()));
}

/**
 * Whether a post may go to an address of the network. Throws for what is no address. An address of this machine in the
 * house's network leads to this machine all the same.
 */
export function mayReach(address: string, reach: Reach, own: ReadonlySet<string> = ownAddresses()): boolean {
  if (reach === 'anywhere') return true;
  const parsed = ipaddr.process(address);
  if (own.has(parsed.toString())) return false;
  if (NEVER.has(parsed.toString())) return false;
  const range = parsed.range();
  return range === 'unicast' || (reach === 'house' && HOUSE_RANGES.has(range));
}

/** The host of an address as the network knows it: IPv6 without its brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * Whether an address is of a kind that a post may go to; names are judged when they are looked up. Pure. Node's URL reads
 * `127.1`, `0x7f.1` and `2130706433` as 127.0.0.1, so that no other way of writing slips through.
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

/** As `dns.lookup`, but an address that may not be reached ends it. */
function guardedLookup(reach: Reach, plain: boolean): LookupFunction {
  return (host, options, done) => {
    lookupHost(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      // One bad address among good ones is somebody's attempt; without TLS a name must lead into the house.
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
  /** What the other side asks to be given before the next try; null where it says nothing. */
  readonly retryAfterMs: number | null;
}

/** Posts once; redirects are not followed. Throws {@link DeliveryError}. */
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

/** Whether a host of a URL is this very machine: what is sent there never leaves it. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** `host` as a URL's hostname, IPv6 with or without brackets. A name other than `localhost` is never looked up: no. */
export function isOwnMachine(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  if (isIP(bare) === 0) return false;
  if (bare === '::1' || bare.startsWith('127.')) return true;
  return Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === bare));
}

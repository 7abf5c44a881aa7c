/** Whether the host of a URL is this machine, so that nothing sent there leaves it. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * `host` is a URL's hostname, IPv6 with or without brackets. False for any name other than `localhost`, without a
 * lookup.
 */
export function isOwnMachine(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  if (isIP(bare) === 0) return false;
  if (bare === '::1' || bare.startsWith('127.')) return true;
  return Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === bare));
}

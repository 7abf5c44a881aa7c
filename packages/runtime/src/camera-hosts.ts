/**
 * Network addresses that cannot be cameras. The server checks the addresses that staff enter; the face engine checks
 * the addresses to which it connects.
 */
import ipaddr from 'ipaddr.js';

/** Ranges without cameras. A link-local address may be a cloud's metadata service, which hands out keys. */
const REFUSED_RANGES = new Set([
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  // Other notations of an IPv4 address.
  'rfc6145',
  'rfc6052',
  '6to4',
  'teredo',
]);
const REFUSED_ADDRESSES = new Set(['fd00:ec2::254', '100.100.100.200']);

/**
 * Whether this IP address cannot be a camera. Staff may enter any machine of the facility's network; only ranges that
 * can hold no camera in any network are refused. Throws if it is not an IP address.
 */
export function isRefusedCameraAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  return REFUSED_RANGES.has(parsed.range()) || REFUSED_ADDRESSES.has(parsed.toString());
}

/** The usual form of an IP address, whatever its notation (`0x7f.1`, `[::1]`); null for a name. */
export function readIpAddress(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null;
}

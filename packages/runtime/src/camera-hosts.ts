/** Which addresses of a network no camera can have. The server judges what staff enter, the face engine what it connects to. */
import ipaddr from 'ipaddr.js';

/** Ranges that hold no cameras. A link-local address may be the metadata service of a cloud, which hands out keys. */
const REFUSED_RANGES = new Set([
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  // Other ways to write an IPv4 address.
  'rfc6145',
  'rfc6052',
  '6to4',
  'teredo',
]);
const REFUSED_ADDRESSES = new Set(['fd00:ec2::254', '100.100.100.200']);

/**
 * Whether no camera can have this IP address. Staff may name any machine of the house's network, that is what cameras are;
 * only what is no camera in any network is refused. Throws for what is no IP address.
 */
export function isRefusedCameraAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  return REFUSED_RANGES.has(parsed.range()) || REFUSED_ADDRESSES.has(parsed.toString());
}

/** The usual form of an IP address, however it is written (`0x7f.1`, `[::1]`); null for a name. */
export function readIpAddress(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null;
}

/** The network of an address, for rate limits. Knows no request. */
import ipaddr from 'ipaddr.js';

/**
 * The network of an address: an IPv4 address itself, also in IPv6 notation (`::ffff:192.0.2.1`); the /64 of an IPv6
 * address, because one household or machine owns all of it. Returns other texts unchanged.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipv6Network(parsed as ipaddr.IPv6, 4);
}

/** The rough network of an address, for display: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function roughNetworkOf(address: string): string | null {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return null;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.0/24`;
  return ipv6Network(parsed as ipaddr.IPv6, 3);
}

/** The first `groups` groups of 16 bits. */
function ipv6Network(address: ipaddr.IPv6, groups: number): string {
  const prefix = address.parts.slice(0, groups).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
}

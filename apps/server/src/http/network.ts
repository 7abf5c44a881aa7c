/** The network that an address belongs to: what throttles count by. Knows no request. */
import ipaddr from 'ipaddr.js';

/**
 * An IPv4 address as it is, also where it is written as IPv6 (`::ffff:192.0.2.1`); of an IPv6 address its /64: one
 * household or one machine has all of it, so that counting single addresses would count nobody. Other texts as they are.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipv6Network(parsed as ipaddr.IPv6, 4);
}

/** The region of the net that an address belongs to, for people to read: an IPv4 address's /24, an IPv6 address's /48. */
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

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
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`;
}

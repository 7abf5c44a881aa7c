/**
 * Decides which addresses chosen by people this server may connect to, so that nobody reaches internal services
 * through it (SSRF).
 */
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * Allowed destinations. `public`: https to internet addresses (a browser names its push service). `house`: also the
 * facility's own network, where TLS is optional (staff name a program of theirs). `anywhere`: also this machine.
 */
export type Reach = 'public' | 'house' | 'anywhere';

const HOUSE_RANGES = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
/** Metadata services of clouds, which hand out keys; their addresses are in ranges that are otherwise allowed. */
const NEVER = new Set(['fd00:ec2::254', '100.100.100.200', '168.63.129.16']);
/** The current addresses of this machine's network interfaces. */
function ownAddresses(): Set<string> {
  const cards = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(cards.map(({ address }) => ipaddr.process(address.replace(/%.*$/, '')).toString()));
}

/**
 * Whether a post may go to an IP address. Throws for other text. This machine's own address in the facility's network
 * counts as this machine.
 */
export function mayReach(address: string, reach: Reach, own: ReadonlySet<string> = ownAddresses()): boolean {
  if (reach === 'anywhere') return true;
  const parsed = ipaddr.process(address);
  if (own.has(parsed.toString())) return false;
  if (NEVER.has(parsed.toString())) return false;
  const range = parsed.range();
  return range === 'unicast' || (reach === 'house' && HOUSE_RANGES.has(range));
}

/** A host that may not be connected to, that no name server knows, or about which none answered in time. */
export class HostError extends Error {
  override name = 'HostError';
  readonly reason: 'not_allowed' | 'unknown' | 'no_answer';

  constructor(reason: HostError['reason']) {
    super(`a host is ${reason}`);
    this.reason = reason;
  }
}

/**
 * The IP address of a host. Connect to this address, not to the name: the name may have another address by then. Throws
 * {@link HostError}, even if only one of several addresses is forbidden. `signal` ends the wait for the name server,
 * which the person who chose the host may run.
 */
export async function findAllowedAddress(host: string, reach: Reach, signal: AbortSignal): Promise<string> {
  const found = ipaddr.isValid(host) ? [{ address: host }] : await findAddresses(host, signal);
  if (!found.every(({ address }) => mayReach(address, reach))) throw new HostError('not_allowed');
  const [first] = found;
  if (!first) throw new HostError('unknown');
  return first.address;
}

function findAddresses(host: string, signal: AbortSignal): Promise<{ address: string }[]> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new HostError('no_answer'));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    lookup(host, { all: true })
      .then(resolve, () => reject(new HostError('unknown')))
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

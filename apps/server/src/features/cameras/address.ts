/** Addresses of cameras: what may be shown of one, how a changed one keeps its password, and which hosts are refused. */
import { lookup } from 'node:dns/promises';
import type { CAMERA_KINDS } from '@haris/contract/http/cameras';
import { isRefusedCameraAddress, readIpAddress } from '@haris/runtime/camera-hosts';

export type CameraKind = (typeof CAMERA_KINDS)[number];

const MASK = '***';
/** Names under which cameras take user and password inside the path or the query. */
const SECRET =
  /([/?&;_#])((?:user(?:name)?|usr|login|pass(?:word|wd)?|pwd|psw|token|auth|key|secret)=)((?:(?!_[a-z]+=)[^&;#/])*)/gi;
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'rtsp:': '554',
  'rtsps:': '322',
  'http:': '80',
  'https:': '443',
};

function isNetworkAddress(kind: CameraKind): boolean {
  return kind === 'rtsp' || kind === 'mjpeg';
}

/** The address without user and password, and whether there are any. Never throws: what cannot be read is not shown. */
export function showAddress(
  kind: CameraKind,
  url: string | null,
): { url: string | null; hasCredentials: boolean } {
  if (url === null || !isNetworkAddress(kind)) return { url, hasCredentials: false };
  if (!URL.canParse(url)) return { url: MASK, hasCredentials: true };
  const shown = new URL(url);
  const inAuthority = shown.username !== '' || shown.password !== '';
  shown.username = '';
  shown.password = '';
  const masked = shown.href.replace(
    SECRET,
    (_whole, before: string, name: string) => `${before}${name}${MASK}`,
  );
  return { url: masked, hasCredentials: inAuthority || masked !== shown.href };
}

/** Whether two addresses are of the same program on the same machine: only then may a password go with the new one. */
function isSameTarget(a: URL, b: URL): boolean {
  const port = (url: URL): string => url.port || (DEFAULT_PORTS[url.protocol] ?? '');
  return (
    a.protocol === b.protocol && a.hostname.toLowerCase() === b.hostname.toLowerCase() && port(a) === port(b)
  );
}

/**
 * The address to keep: what was asked, with user and password of the kept one where the asked one has none and is for the
 * same host and port. Null where a masked password cannot be filled in. Both are addresses of their kind.
 */
export function completeAddress(kind: CameraKind, asked: string, kept: string | null): string | null {
  if (!isNetworkAddress(kind)) return asked;
  const url = new URL(asked);
  const before = kept !== null && URL.canParse(kept) ? new URL(kept) : null;
  const same = before !== null && isSameTarget(url, before) ? before : null;
  if (same && url.username === '' && url.password === '') {
    url.username = same.username;
    url.password = same.password;
  }
  const secrets = new Map(
    [...(same?.href.matchAll(SECRET) ?? [])].map(([, , name, value]) => [String(name).toLowerCase(), value]),
  );
  let missing = url.username === MASK || url.password === MASK;
  const filled = url.href.replace(SECRET, (whole, before: string, name: string, value: string) => {
    if (value !== MASK) return whole;
    const secret = secrets.get(name.toLowerCase());
    if (secret === undefined) missing = true;
    return `${before}${name}${secret ?? ''}`;
  });
  return missing ? null : filled;
}

const LOOKUP_WITHIN_MS = 2_000;

/**
 * Why the host of an address is refused, or null. A name is looked up; one that cannot be found now may be found later.
 * Staff may name any machine of the house's network, that is what cameras are; only what is no camera in any network is
 * refused. The name may lead elsewhere later: the face engine judges again what it connects to.
 */
export async function findHostProblem(kind: CameraKind, address: string): Promise<string | null> {
  if (!isNetworkAddress(kind)) return null;
  const host = new URL(address).hostname;
  const problem = 'No camera can have this address';
  const own = readIpAddress(host);
  if (own !== null) return isRefusedCameraAddress(own) ? problem : null;
  if (!/^[A-Za-z0-9_.-]+$/.test(host)) return 'The host of the address must be a name or an IP address';
  let late: NodeJS.Timeout | undefined;
  const found = await Promise.race([
    lookup(host, { all: true }).catch(() => []),
    new Promise<[]>((resolve) => {
      late = setTimeout(() => resolve([]), LOOKUP_WITHIN_MS);
    }),
  ]);
  clearTimeout(late);
  return found.some(({ address: one }) => isRefusedCameraAddress(one)) ? problem : null;
}

/** Handles addresses of cameras: masks their secrets, keeps the password of a changed address, and refuses dangerous hosts. */
import { lookup } from 'node:dns/promises';
import type { CAMERA_KINDS } from '@haris/contract/http/cameras';
import { isRefusedCameraAddress, readIpAddress } from '@haris/runtime/camera-hosts';

export type CameraKind = (typeof CAMERA_KINDS)[number];

const MASK = '***';
/** Names of user and password parameters in the path or query of camera addresses. */
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

/** Returns the address without user and password, and whether it has any. Masks an invalid address completely. */
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

/** Whether two addresses have the same scheme, host and port, so that the new address may take over the password. */
function isSameTarget(a: URL, b: URL): boolean {
  const port = (url: URL): string => url.port || (DEFAULT_PORTS[url.protocol] ?? '');
  return (
    a.protocol === b.protocol && a.hostname.toLowerCase() === b.hostname.toLowerCase() && port(a) === port(b)
  );
}

/**
 * Returns the new address for storing. If it has no user and password, and the same host and port as the stored address,
 * it takes over user and password. Returns null if a masked password cannot be filled in. Both are valid addresses.
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
 * Why the host of an address is refused; null if it is accepted. Staff may name any machine in the facility's network;
 * only addresses that no camera can have are refused. A host name is resolved; it is accepted if it does not resolve now.
 * It may resolve differently later, so the engine checks the address again when it connects.
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

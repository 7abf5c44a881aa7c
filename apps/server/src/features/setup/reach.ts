/** Addresses at which phones can reach this server, and a one-time code that checks one of them. */
import { X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { REACH_CODE_MS, type ReachAddress } from '@haris/contract/http/setup';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { covers, hostOf, isLoopback, listensToNetwork, opensOnlyHere } from '../../addresses.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockSettings } from '../../db/settings.ts';
import { readReachCode, writeReachCode, writeReachSeen } from '../../db/setup.ts';
import { inTransaction } from '../../db/transaction.ts';
import { originOf } from '../../http/session.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';

/** The address in mailed links, and whether no other device can open it. `PUBLIC_URL` changes it, at the next start. */
export function findLinkAddress({ publicUrl }: Pick<Context, 'publicUrl'>): {
  url: string;
  onlyHere: boolean;
} {
  const url = publicUrl();
  return { url, onlyHere: opensOnlyHere(url) };
}

/** The IPv4 addresses of this machine in its networks. */
function ownNetworkAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && isIPv4(address) && !address.startsWith('169.254.'))
    .map(({ address }) => address);
}

/** The host names in a certificate that other devices may know; a wildcard is none. */
function namesIn({ subjectAltName = '' }: X509Certificate): string[] {
  return subjectAltName
    .split(', ')
    .flatMap((entry) => /^DNS:([A-Za-z0-9.-]+)$/.exec(entry)?.[1] ?? [])
    .filter((name) => !isLoopback(name));
}

/** The hosts under which this machine answers in its networks, and whether browsers take its connection for secure. */
function ownHosts({ host, tls }: Context['config']): { host: string; secure: boolean }[] {
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  const hosts = isAnyAddress ? ownNetworkAddresses() : [host];
  if (tls === null) return hosts.map((own) => ({ host: own, secure: false }));
  const certificate = new X509Certificate(tls.cert);
  const covered = [...new Set([...namesIn(certificate), ...hosts.filter((own) => covers(certificate, own))])];
  // At any other a browser warns of the certificate, which people must not learn to dismiss.
  return covered.length > 0
    ? covered.map((own) => ({ host: own, secure: true }))
    : hosts.map((own) => ({ host: own, secure: false }));
}

/**
 * Addresses for phones, best first: `PUBLIC_URL`, then those of this machine in its networks if it listens there: with a
 * certificate of its own, the names and addresses for which that is. None of them is certain to work, because there may
 * be a firewall.
 */
export function findReachAddresses({
  config,
  publicUrl,
}: Pick<Context, 'config' | 'publicUrl'>): ReachAddress[] {
  const found: ReachAddress[] = [];
  const named = config.publicUrl;
  if (named !== null && !opensOnlyHere(named))
    found.push({ url: named, kind: 'public', secure: named.startsWith('https:') });
  if (!listensToNetwork(config.host)) return found;
  // Without PUBLIC_URL the address has the port that the server got.
  const port = named === null ? new URL(publicUrl()).port : String(config.port);
  const [scheme, usual] = config.tls === null ? ['http', '80'] : ['https', '443'];
  // People must not learn to dismiss a warning of the certificate where they need not.
  const hasSecure = found.some((one) => one.secure);
  for (const { host, secure } of ownHosts(config)) {
    if (config.tls !== null && !secure && hasSecure) continue;
    const place = `${host.includes(':') ? `[${host}]` : host}${port === usual || port === '' ? '' : `:${port}`}`;
    const url = `${scheme}://${place}`;
    if (url !== named) found.push({ url, kind: 'network', secure });
  }
  return found;
}

/** Creates the code that a phone opens; an older code stops working. `expiresAt`: milliseconds since 1970. */
export async function createReachCode(context: Context): Promise<{ code: string; expiresAt: number }> {
  const code = randomToken();
  const expiresAt = context.clock.now() + REACH_CODE_MS;
  await inTransaction(context.db, async (tx) => {
    await lockSettings(tx.trx);
    await writeReachCode(tx.trx, { hash: hashToken(code), expiresAt });
  });
  return { code, expiresAt };
}

/**
 * Confirms a code with the address that the phone used. This machine's own name proves nothing, so it leaves the code
 * usable. Throws `invalid_token`.
 */
export async function confirmReach(
  context: Context,
  actor: Actor | null,
  request: FastifyRequest,
  code: string,
): Promise<{ url: string; secure: boolean }> {
  const url = `${request.protocol}://${request.host}`;
  if (url.length > 300 || !URL.canParse(url)) throw new AppError('invalid_token');
  const secure = request.protocol === 'https';
  await inTransaction(context.db, async (tx) => {
    await lockSettings(tx.trx);
    const known = await readReachCode(tx.trx);
    const now = context.clock.now();
    if (known?.hash !== hashToken(code) || known.expiresAt <= now) throw new AppError('invalid_token');
    if (isLoopback(hostOf(url))) return;
    await writeReachCode(tx.trx, null);
    await writeReachSeen(tx.trx, { url, at: now });
    await context.audit.append(tx, {
      actor,
      origin: originOf(request),
      action: 'setup.reached',
      details: { secure },
    });
    await context.events.append(tx, { type: 'settings.updated' });
  });
  return { url, secure };
}

/** Addresses at which phones can reach this server, and a one-time code that checks one of them. */
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { REACH_CODE_MS, type ReachAddress } from '@haris/contract/http/setup';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { hostOf, isLoopback, listensToNetwork, opensOnlyHere } from '../../addresses.ts';
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

/**
 * Addresses for phones, best first: `PUBLIC_URL`, then those of this machine in its networks if it listens there. None
 * of them is certain to work, because there may be a firewall.
 */
export function findReachAddresses({
  config,
  publicUrl,
}: Pick<Context, 'config' | 'publicUrl'>): ReachAddress[] {
  const found: ReachAddress[] = [];
  const named = config.publicUrl;
  if (named !== null && !isLoopback(hostOf(named)))
    found.push({ url: named, kind: 'public', secure: named.startsWith('https:') });
  if (!listensToNetwork(config.host)) return found;
  // Without PUBLIC_URL the address has the port that the server got.
  const port = named === null ? new URL(publicUrl()).port : String(config.port);
  const isAnyAddress = config.host === '0.0.0.0' || config.host === '::';
  for (const address of isAnyAddress ? ownNetworkAddresses() : [config.host])
    found.push({
      url: `http://${address.includes(':') ? `[${address}]` : address}${port === '80' || port === '' ? '' : `:${port}`}`,
      kind: 'network',
      secure: false,
    });
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

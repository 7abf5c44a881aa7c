/** Live secrets of a stay: the slip's token and the guardian's pick-up code (decision 049). */
import { timingSafeEqual } from 'node:crypto';
import { PICKUP_CODE_PERIOD_S } from '@haris/contract/http/hand-over';
import { ScureBase32Plugin, verify } from 'otplib';
import type { StayToEnd } from '../db/releases.ts';
import type { Vault } from '../vault/vault.ts';

/** Whether a text is that of the QR code on the stay's slip: the entry id, which the parent knows too, and the token. */
export function isSlipCode({ unique_entry_id, slip_token }: StayToEnd, text: string): boolean {
  if (slip_token === null) return false;
  const expected = Buffer.from(`${unique_entry_id}.${slip_token}`);
  const given = Buffer.from(text.trim());
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const base32 = new ScureBase32Plugin();

/** The secret of a guardian's pick-up code in base32: 20 bytes derived from the master key and the epoch. */
export function pickupSecret(vault: Vault, parentId: string, epoch: string): string {
  const mac = Buffer.from(vault.mac('pick-up code', `${parentId} ${epoch}`), 'hex');
  return base32.encode(mac.subarray(0, 20));
}

/**
 * The step of a right code; null for a wrong one, or one of a step up to `after`. A code counts for its minute, the one
 * before and the one after. `now`: milliseconds since 1970.
 */
export async function stepOfCode(
  secret: string,
  code: string,
  now: number,
  after: number | null,
): Promise<number | null> {
  const result = await verify({
    secret,
    token: code,
    period: PICKUP_CODE_PERIOD_S,
    epoch: Math.floor(now / 1000),
    epochTolerance: PICKUP_CODE_PERIOD_S,
  });
  if (!result.valid || !('timeStep' in result)) return null;
  return after !== null && result.timeStep <= after ? null : result.timeStep;
}

/** Codes that make a device a camera or a kiosk: how they are made and read, and how many wrong ones are allowed. */
import { randomInt } from 'node:crypto';
import {
  LOGIN_FAILURES_PER_ADDRESS,
  PAIRING_CODE_LENGTH,
  THROTTLE_WINDOW_MS,
} from '@haris/contract/constants';
import { toAsciiDigits } from '@haris/contract/fields';
import type { Origin } from './actor.ts';
import type { Limit } from './db/throttle.ts';
import { networkOf } from './http/network.ts';
import type { Vault } from './vault/vault.ts';

/** Crockford's base 32: without I, L, O and U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new code of unpredictable letters and digits. */
export function newPairingCode(): string {
  return Array.from({ length: PAIRING_CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Normalizes a typed code: digits, case, spaces, and letters confused with digits. */
export function readPairingCode(typed: string): string {
  return toAsciiDigits(typed).toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

/** The limit of wrong codes from the network of an address. Cameras and kiosks are counted apart, by `scope`. */
export function pairingFailures(
  vault: Vault,
  scope: 'pairing' | 'kiosk pairing',
  { address }: Origin,
): Limit {
  return {
    scope,
    key: vault.mac('throttle', networkOf(address)),
    most: LOGIN_FAILURES_PER_ADDRESS,
    windowMs: THROTTLE_WINDOW_MS,
  };
}

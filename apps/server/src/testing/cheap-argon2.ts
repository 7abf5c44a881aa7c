/**
 * Replaces `@node-rs/argon2` in the server's tests: the same kind of hash at the lowest cost. A run creates thousands of
 * accounts, and hashing at the product's cost would take a third of its processor time. Programs started by tests use the
 * real library.
 */
import {
  hash as hashAtCost,
  type Options,
  verify as verifyHash,
} from '../../../../node_modules/@node-rs/argon2/index.js';

let verifications = 0;

export function verify(stored: string, password: string, options?: Options): Promise<boolean> {
  verifications++;
  return verifyHash(stored, password, options);
}

/** Number of passwords and PINs compared so far, for tests that a refusal does the same work as a success. */
export function countVerifications(): number {
  return verifications;
}

/** Lowest cost that the library accepts: KiB and rounds. */
const LOWEST = { memoryCost: 8, timeCost: 1 } as const;

/** Returns a hash that the library's `verify` accepts. */
export function hash(password: string, options: Options): Promise<string> {
  return hashAtCost(password, { ...options, ...LOWEST });
}

/** Returns a hash that takes about a second to verify, for tests of what happens meanwhile. */
export function hashSlowly(password: string): Promise<string> {
  return hashAtCost(password, { algorithm: 2, memoryCost: 19_456, timeCost: 60, parallelism: 1 });
}

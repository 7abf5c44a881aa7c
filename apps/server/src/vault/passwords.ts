/** Passwords as argon2id hashes (m = 19 MiB, t = 2, p = 1: OWASP's first choice; 23 ms here). */
import { hash, verify } from '@node-rs/argon2';

/** `Algorithm.Argon2id`; the library declares it as a const enum, which type stripping cannot see. */
const ARGON2ID = 2;

const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash as a PHC string with its own random salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), OPTIONS);
}

let decoy: Promise<string> | undefined;

/**
 * Whether a password matches a hash. Without a hash (no such account, or it has no password) it does the same work on a decoy and
 * returns false, so that the response time reveals nothing.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a decoy that nobody knows');
  const matches = await verify(stored || (await decoy), password.normalize('NFC'), OPTIONS);
  return stored ? matches : false;
}

/** Hashes bearer tokens, so that they can be compared in constant time. */
import { createHash } from 'node:crypto';

export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

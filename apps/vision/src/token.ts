/** The token of the server is compared by its hash: in the same time whatever is sent. */
import { createHash } from 'node:crypto';

export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

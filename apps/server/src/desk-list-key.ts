/** The key of the list that a desk tablet keeps for a time without a connection (decision 055). */
import type { Context } from './context.ts';

/**
 * 32 bytes, from the master key, the tablet and the hash of the ticket that one sign-in there was given. Nothing about it is stored, a restart
 * changes nothing, and the next sign-in has another one.
 */
export function deskListKey(
  { vault }: Pick<Context, 'vault'>,
  { desk_id, token_hash }: { readonly desk_id: string; readonly token_hash: string },
): Buffer {
  return vault.deriveKey(`desk list ${desk_id} ${token_hash}`);
}

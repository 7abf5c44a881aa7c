/** PINs of staff, as they are hashed. */
import type { Context } from './context.ts';

/** Keys the PIN before it is hashed, so that a copy of the database alone does not allow guessing. */
export function pepperedPin({ vault }: Pick<Context, 'vault'>, staffId: string, pin: string): string {
  return vault.mac('staff pin', `${staffId} ${pin}`);
}

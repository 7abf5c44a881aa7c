/** Deletes many rows in portions, so that nobody waits for all of them. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Rows of one statement. The embedded database answers nothing else meanwhile, and PostgreSQL ends a statement after ten
 * seconds.
 */
export const PORTION_ROWS = 5_000;

/** Calls `deletePortion`, which returns the number of rows it deleted, until it deletes fewer than `size`. */
export async function inPortions(
  deletePortion: () => Promise<bigint | number>,
  size = PORTION_ROWS,
): Promise<void> {
  for (;;) {
    const began = performance.now();
    if ((await deletePortion()) < size) return;
    // Others get as much time as the portion took.
    await sleep(performance.now() - began);
  }
}

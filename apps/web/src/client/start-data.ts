/** Starts what the screens behind a session need in pieces, each a task of its own, after the frame has been painted. */
import { framePainted, opensWithFrame } from './frame-paint.ts';

let started: Promise<void> | undefined;

async function start(): Promise<void> {
  // Fetched while the frame is painted.
  const pieces = import('./data-pieces.ts');
  pieces.catch(() => {});
  await framePainted();
  await (await pieces).startPieces();
}

/**
 * Ends once the calls and their schemas have been started; at once where the page opened without a frame, and whoever needs
 * them starts them. A part that could not be fetched is tried again next time.
 */
export function startData(): Promise<void> {
  if (!opensWithFrame) return Promise.resolve();
  started ??= start().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

/** Starts what the screens behind a session need in pieces, each a task of its own, after the frame has been painted. */
import { breathe, framePainted, opensWithFrame } from './frame-paint.ts';

let started: Promise<void> | undefined;

async function start(): Promise<void> {
  await framePainted();
  await import('./schema-engine.ts');
  await breathe();
  await import('./http.ts');
  await breathe();
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

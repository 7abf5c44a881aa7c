/**
 * Loads the code that screens behind a session need, after the frame has been painted; each slow part runs in its own
 * task.
 */
import { breathe } from './breathe.ts';
import { framePainted, opensWithFrame } from './frame-paint.ts';

let started: Promise<void> | undefined;

/** Loads the calls with their schemas once the frame has been painted; at once if the page opened without a frame. */
async function loadCalls(): Promise<void> {
  await framePainted();
  await import('../calls/http.ts');
}

/**
 * The first formatter of each kind loads the browser's data of the language, which takes ten times as long as further
 * ones.
 */
const FORMATTERS = ['count', 'countdown', 'timeOfDay'] as const;

async function start(): Promise<void> {
  // First the calls with their schemas, then the most common component of the library.
  await loadCalls();
  await breathe();
  await import('../ui/card.tsx');
  const { clockFormatOf } = await import('../countdown/clock-format.ts');
  for (const kind of FORMATTERS) {
    await breathe();
    clockFormatOf(document.documentElement.lang)[kind](0);
  }
}

/**
 * Resolves once the calls can be made: the session asks who this is while the rest loads. Or at once if the page opened
 * without a frame. Rejects if they cannot be loaded; the next call tries again.
 */
export function startCalls(): Promise<void> {
  return opensWithFrame ? loadCalls() : Promise.resolve();
}

/**
 * Resolves once the parts have loaded, or at once if the page opened without a frame; screens then load them on demand.
 * Failed parts are retried on the next call.
 */
export function startData(): Promise<void> {
  if (!opensWithFrame) return Promise.resolve();
  started ??= start().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

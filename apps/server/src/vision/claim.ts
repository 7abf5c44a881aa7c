/** Makes sure at the start that no other server controls the face engine that runs elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises';
import { visionPaths } from '@haris/contract/vision';
import type { Logger } from '@haris/runtime/log';
import { callVision, type VisionAddress } from './address.ts';

/** Another server controls the engine. `message` is for whoever starts this one. */
export class EngineTakenError extends Error {
  override name = 'EngineTakenError';

  constructor() {
    super(
      'VISION_URL is in use by another server. Give this server a face engine of its own (leave VISION_URL unset), or end the other server.',
    );
  }
}

/** The engine keeps the place of a server that was killed for some 20 s at most. */
const TRIES = 25;
const PAUSE_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;

/**
 * Resolves when this server controls the engine, and when the engine cannot be asked: it may come later. Rejects with
 * {@link EngineTakenError}.
 */
export async function claimEngine(address: VisionAddress, log: Logger): Promise<void> {
  for (let tries = 1; ; tries++) {
    const status = await callVision(address, visionPaths.claim, { method: 'POST' }, ANSWER_WITHIN_MS).then(
      (answer) => answer.status,
      () => null,
    );
    if (status !== 409) return;
    if (tries === 1) log.warn('another server controls the face engine: waiting for its end');
    if (tries === TRIES) throw new EngineTakenError();
    await sleep(PAUSE_MS);
  }
}

/** Checks at the start that this server may use a face engine on another machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { VISION_WIRE, visionPaths, visionProblemSchema } from '@haris/contract/vision';
import type { Logger } from '@haris/runtime/log';
import { z } from 'zod';
import { callVision, type VisionAddress } from './address.ts';

/** This server cannot use the engine. `message` is for the operator. */
export class EngineClaimError extends Error {
  override name = 'EngineClaimError';
}

/** Default time for which the engine stays reserved for a server that was killed. Milliseconds. */
const SEAT_KEPT_MS = 20_000;
/** Additional time to wait, for a busy machine. Milliseconds. */
const SLACK_MS = 5_000;
const PAUSE_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;

/** The part of the response that all engine versions have in common. Versions before 2 send no `wire`. */
const versionSchema = z.object({ status: z.literal('ok'), wire: z.number().default(1) });

/**
 * Resolves when this server controls the engine, or if the engine is unreachable, because it may start later. Rejects
 * with {@link EngineClaimError} if another server controls the engine, or if its version does not fit.
 */
export async function claimEngine(address: VisionAddress, log: Logger): Promise<void> {
  const began = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const answer = await ask(address, visionPaths.claim, 'POST');
    if (answer?.status !== 409) break;
    if (isFirst) log.warn('another server controls the face engine: waiting for its end');
    const problem = visionProblemSchema.safeParse(parseJson(answer.body));
    const keptMs = problem.data?.freeWithinMs ?? SEAT_KEPT_MS;
    if (performance.now() - began > keptMs + SLACK_MS)
      throw new EngineClaimError(
        'VISION_URL is in use by another server. Give this server a face engine of its own (leave VISION_URL unset), or end the other server.',
      );
    await sleep(PAUSE_MS);
  }
  const health = await ask(address, visionPaths.health, 'GET');
  if (health?.status !== 200) return;
  const version = versionSchema.safeParse(parseJson(health.body));
  if (version.success && version.data.wire !== VISION_WIRE)
    throw new EngineClaimError(
      'VISION_URL is a face engine of another version of Haris. Install the same version on both machines.',
    );
}

/** Returns null if the engine does not respond. */
function ask(
  address: VisionAddress,
  path: string,
  method: 'GET' | 'POST',
): Promise<{ status: number; body: Buffer } | null> {
  return callVision(address, path, { method }, ANSWER_WITHIN_MS).catch(() => null);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

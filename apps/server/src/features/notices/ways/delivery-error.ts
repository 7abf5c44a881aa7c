/** Why a notice could not be delivered on one way, and whether it makes sense to try again. */
import type { DeliveryFailure } from '@haris/contract/http/notices';

/** Trying again changes nothing about these. */
const FINAL: ReadonlySet<DeliveryFailure> = new Set(['gone', 'refused', 'not_allowed']);

export class DeliveryError extends Error {
  override name = 'DeliveryError';
  readonly reason: DeliveryFailure;
  readonly isFinal: boolean;
  /** What the other side asked to be given before the next try. Milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: DeliveryFailure,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(`a notice was not delivered: ${reason}`, { cause });
    this.reason = reason;
    this.isFinal = FINAL.has(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

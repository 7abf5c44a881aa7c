/** Why a channel could not deliver a notification, and whether a retry makes sense. */
import type { DeliveryFailure } from '@haris/contract/notifications';

/** Failures for which a retry is useless. */
const FINAL: ReadonlySet<DeliveryFailure> = new Set(['gone', 'refused', 'not_allowed']);

export class DeliveryError extends Error {
  override name = 'DeliveryError';
  readonly reason: DeliveryFailure;
  readonly isFinal: boolean;
  /** The pause that the receiver requested. Milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: DeliveryFailure,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(`a notification was not delivered: ${reason}`, { cause });
    this.reason = reason;
    this.isFinal = FINAL.has(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

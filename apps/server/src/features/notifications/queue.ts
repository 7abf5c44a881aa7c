/**
 * The queue of deliveries. If a server dies after sending and before recording it, another server sends the delivery
 * again; each channel's stable ids, tags and topics merge the two into one notification.
 */
import type { DeliveryChannel } from '@haris/contract/notifications';
import { backoffMs } from '@haris/runtime/backoff';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { openContent } from '../../db/notification-deliveries.ts';
import { claimDelivery, completeDelivery, failDelivery, retryDelivery } from '../../db/notification-queue.ts';
import type { NotificationDeliveryRow } from '../../db/schema.ts';
import { type DurableQueue, openQueue, type QueueAdapter } from '../../queue/queue.ts';
import type { Carrier } from './channels/carrier.ts';
import { DeliveryError } from './channels/delivery-error.ts';
import { mayStillSee } from './who-may-see.ts';

/** Interval for finding deliveries that wait for a retry or that another server left. Milliseconds. */
export const SWEEP_MS = 1_000;
/** Longer than any channel's time-out. */
const LEASE_MS = 120_000;
/** For the first two minutes no pause exceeds 15 s: a short outage of a push service must not delay an alarm. */
const EARLY_BACKOFF = { firstMs: 5_000, longestMs: 15_000 };
const EARLY_ATTEMPTS = 8;
const LATE_BACKOFF = { firstMs: 15_000, longestMs: 3_600_000 };
/** The last attempt is about three hours after the first. */
const MOST_ATTEMPTS = 18;
/** A test has few attempts, because somebody is waiting for its result. */
const MOST_ATTEMPTS_OF_TEST = 3;
/**
 * Older alarms, from a server that was off or from a backup, are not sent. Longer than a day of quiet hours and all
 * attempts.
 */
const OUTDATED_MS = 30 * 3_600_000;
/**
 * Separate limits per channel: a slow mail server must not delay an evacuation's pushes, nor one push service another.
 */
const AT_ONCE: Readonly<Record<DeliveryChannel, number>> = { push: 16, mail: 4, webhook: 1 };

/** The pause after the given number of attempts (1 or more). Milliseconds. */
export function retryPause(attempts: number): number {
  if (attempts <= EARLY_ATTEMPTS) return backoffMs(attempts, EARLY_BACKOFF);
  return backoffMs(attempts - EARLY_ATTEMPTS + 1, LATE_BACKOFF);
}

function isOutdated(row: NotificationDeliveryRow, now: number): boolean {
  return now - row.created_at > OUTDATED_MS;
}

function failureOf(error: unknown): DeliveryError {
  return error instanceof DeliveryError ? error : new DeliveryError('unreachable', { cause: error });
}

/** The content of a delivery; undefined if it cannot be opened. */
function findContent(vault: Context['vault'], row: NotificationDeliveryRow): unknown {
  try {
    return openContent(vault, row);
  } catch {
    return undefined;
  }
}

type Parts = Pick<Context, 'db' | 'vault' | 'clock' | 'log'>;

/** `onGivenUp` is called, outside any transaction, for each delivery that failed for good, with its content. */
export function openNotificationQueue(
  parts: Parts,
  carriers: Readonly<Record<DeliveryChannel, Carrier>>,
  onGivenUp: (row: NotificationDeliveryRow, content: unknown) => Promise<void>,
): DurableQueue {
  const { db, vault, clock } = parts;
  const adapter: QueueAdapter<NotificationDeliveryRow, DeliveryChannel> = {
    messages: { done: 'a notification was sent', failed: 'a notification was not sent' },
    claim: (channel, now, until) => claimDelivery(db, channel, now, until),
    async perform(row) {
      if (isOutdated(row, clock.now())) throw new DeliveryError('unreachable');
      if (!(await mayStillSee(db, row))) throw new DeliveryError('gone');
      await carriers[row.channel]({ row, content: openContent(vault, row) });
    },
    complete: ({ id }, now) => completeDelivery(db, id, now),
    pauseAfter(row, error, now) {
      const { isFinal, retryAfterMs } = failureOf(error);
      const most = row.phase === 'test' ? MOST_ATTEMPTS_OF_TEST : MOST_ATTEMPTS;
      if (isFinal || row.attempts >= most || isOutdated(row, now)) return null;
      return Math.min(Math.max(retryPause(row.attempts), retryAfterMs ?? 0), LATE_BACKOFF.longestMs);
    },
    retry: (row, error, at) => retryDelivery(db, row, failureOf(error).reason, at),
    async giveUp(row, error, now) {
      // The substitute first: if the server dies in between, there is one more attempt and nothing is lost.
      const content = isOutdated(row, now) ? undefined : findContent(vault, row);
      if (content !== undefined) await onGivenUp(row, content);
      await failDelivery(db, row, failureOf(error).reason, now);
      queue.kick();
    },
    describe: ({ id, channel, kind, attempts }) => ({ deliveryId: id, channel, kind, attempts }),
    describeError(error) {
      const { reason, cause } = failureOf(error);
      return { reason, ...(cause === undefined ? {} : describeFailure(cause)) };
    },
  };
  const queue = openQueue(adapter, parts, { leaseMs: LEASE_MS, lanes: AT_ONCE });
  return queue;
}

/**
 * The durable queue of deliveries: taken with a lease, so that several servers on one database never send the same at
 * once, tried again with growing pauses, given up in the end. One that a server took and then died with is sent by
 * another: the stable ids, tags and topics of each way make of two such a single notice.
 */
import type { DeliveryWay } from '@haris/contract/http/notices';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { openContent } from '../../db/notice-deliveries.ts';
import { endDelivery, postponeDelivery, takeDelivery } from '../../db/notice-queue.ts';
import type { NoticeDeliveryRow } from '../../db/schema.ts';
import type { Carrier } from './ways/carrier.ts';
import { DeliveryError } from './ways/delivery-error.ts';

export interface NoticeQueue {
  /** Sends what is due, without anybody waiting for it. */
  kick(): void;
  stop(): Promise<void>;
}

/** How often deliveries that wait for their next try, or that another server left, are looked for. */
const SWEEP_MS = 1_000;
/** Longer than any way takes to give an answer up. */
const LEASE_MS = 120_000;
const FIRST_RETRY_MS = 5_000;
/** In the first two minutes no pause is longer: a push service that was away for moments must not keep an alarm for long. */
const EARLY_RETRY_MS = 15_000;
const EARLY_ATTEMPTS = 8;
const LONGEST_RETRY_MS = 3_600_000;
/** The last try comes some three hours after the first. */
const MOST_ATTEMPTS = 18;
/** An alarm that is older, from a server that was off or a backup, is no news. Longer than a day of quiet hours and all tries. */
const OUTDATED_MS = 30 * 3_600_000;
/** Whoever sends a test looks at a page meanwhile. */
const MOST_ATTEMPTS_OF_TEST = 3;
/** So many at once: a slow mail server must not hold an evacuation's pushes back, nor one push service another. */
const AT_ONCE: Readonly<Record<DeliveryWay, number>> = { push: 16, mail: 4, webhook: 1 };
const WAYS: readonly DeliveryWay[] = ['push', 'mail', 'webhook'];

/** The pause after so many tries (1 after the first). Milliseconds. */
export function retryPause(attempts: number): number {
  if (attempts <= EARLY_ATTEMPTS) return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), EARLY_RETRY_MS);
  return Math.min(EARLY_RETRY_MS * 2 ** (attempts - EARLY_ATTEMPTS), LONGEST_RETRY_MS);
}

/** `onGivenUp` is told, in no transaction, of what will not arrive any more, with its content. */
export function openNoticeQueue(
  { db, vault, clock, log }: Pick<Context, 'db' | 'vault' | 'clock' | 'log'>,
  carriers: Readonly<Record<DeliveryWay, Carrier>>,
  onGivenUp: (row: NoticeDeliveryRow, content: unknown) => Promise<void>,
): NoticeQueue {
  let stopped = false;

  const isOutdated = (row: NoticeDeliveryRow): boolean => clock.now() - row.created_at > OUTDATED_MS;

  async function deliver(row: NoticeDeliveryRow): Promise<void> {
    let content: unknown;
    try {
      if (isOutdated(row)) throw new DeliveryError('unreachable');
      content = openContent(vault, row);
      await carriers[row.way]({ row, content });
      await endDelivery(db, row.id, { state: 'sent' }, clock.now());
      log.info({ deliveryId: row.id, way: row.way, kind: row.kind }, 'a notice was sent');
    } catch (error) {
      const failure =
        error instanceof DeliveryError ? error : new DeliveryError('unreachable', { cause: error });
      const most = row.phase === 'test' ? MOST_ATTEMPTS_OF_TEST : MOST_ATTEMPTS;
      const over = failure.isFinal || row.attempts >= most || isOutdated(row);
      const now = clock.now();
      if (over) {
        // First what takes its place: a server that dies in between tries once more, and nothing is lost.
        if (content !== undefined) await onGivenUp(row, content);
        await endDelivery(db, row.id, { state: 'failed', reason: failure.reason }, now);
      } else {
        const pause = Math.max(retryPause(row.attempts), failure.retryAfterMs ?? 0);
        await postponeDelivery(db, row, failure.reason, now + Math.min(pause, LONGEST_RETRY_MS));
      }
      log.warn(
        {
          deliveryId: row.id,
          way: row.way,
          kind: row.kind,
          attempts: row.attempts,
          reason: failure.reason,
          over,
          ...(failure.cause === undefined ? {} : describeFailure(failure.cause)),
        },
        'a notice was not sent',
      );
    }
  }

  async function work(way: DeliveryWay): Promise<void> {
    while (!stopped) {
      const row = await takeDelivery(db, way, clock.now(), LEASE_MS);
      if (row === undefined) return;
      if (row) await deliver(row);
    }
  }

  /** Workers of one way; a wish that comes while they are at it is served by one more round. */
  function openWay(way: DeliveryWay) {
    let running: Promise<void> | null = null;
    let again = false;
    const round = async (): Promise<void> => {
      do {
        again = false;
        const first = await takeDelivery(db, way, clock.now(), LEASE_MS);
        if (first === undefined) continue;
        const others = Array.from({ length: AT_ONCE[way] - 1 }, () => work(way));
        if (first) await deliver(first);
        await Promise.all([work(way), ...others]);
      } while (again && !stopped);
    };
    return {
      kick(): void {
        if (stopped) return;
        again = true;
        running ??= round()
          .catch((error: unknown) =>
            log.error(describeFailure(error), 'the queue of notices could not be read'),
          )
          .finally(() => {
            running = null;
          });
      },
      running: () => running,
    };
  }

  const ways = WAYS.map(openWay);
  const kick = (): void => {
    for (const way of ways) way.kick();
  };
  const timer = setInterval(kick, SWEEP_MS);
  kick();
  return {
    kick,
    async stop() {
      stopped = true;
      clearInterval(timer);
      // A notice on its way to somebody slow must not hold the stop up; its lease runs out and it is sent then.
      await Promise.race([
        Promise.all(ways.map((way) => way.running())),
        new Promise((resolve) => setTimeout(resolve, 3_000).unref()),
      ]);
    },
  };
}

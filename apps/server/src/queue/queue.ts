/**
 * The durable queue: rows that wait for work, claimed under a lease so that no two servers work on the same row at once,
 * retried with back-off, and finally given up. It knows neither the work nor the rows: each kind of work has an adapter
 * (decision 030).
 */
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Clock } from '../clock.ts';
import { type Lane, openLane } from './lane.ts';

/** Ids and codes for the log: never a name, an address or a text. */
type LogFields = Readonly<Record<string, unknown>>;

/** One kind of work with its rows. A `Job` is a row after its claim. Moments are milliseconds since 1970. */
export interface QueueAdapter<Job, LaneName extends string> {
  /** Log messages for completed and failed work. */
  readonly messages: { readonly done: string; readonly failed: string };
  /**
   * Claims the next due row of a lane until `until` and counts the attempt. Undefined: none is due; null: another server
   * was quicker.
   */
  claim(lane: LaneName, now: number, until: number): Promise<Job | undefined | null>;
  /** Does the work. Rejects if it must be retried or given up. */
  perform(job: Job): Promise<void>;
  /** Marks the work as done. */
  complete(job: Job, now: number): Promise<void>;
  /** The pause before the next attempt, in milliseconds; null gives up. */
  pauseAfter(job: Job, error: unknown, now: number): number | null;
  /** Schedules a retry at `at`; does nothing if another server has claimed the row since. */
  retry(job: Job, error: unknown, at: number): Promise<void>;
  /** Gives the row up; does nothing if another server has claimed it since. Runs outside any transaction. */
  giveUp(job: Job, error: unknown, now: number): Promise<void>;
  describe(job: Job): LogFields;
  /** The log's fields of an error; by default its kind and code. */
  describeError?(error: unknown): LogFields;
}

export interface QueueOptions<LaneName extends string> {
  /** Duration of a claim's lease: longer than the work can take. Milliseconds. */
  readonly leaseMs: number;
  /** Number of rows that each lane works on at once. Lanes do not wait for each other. */
  readonly lanes: Readonly<Record<LaneName, number>>;
}

export interface DurableQueue {
  /** Starts due work in the background. */
  kick(): void;
  /** Does due work, and resolves once none is left. */
  settled(): Promise<void>;
  /** Does due work now and periodically (milliseconds), including retries and rows that another server left. */
  start(everyMs: number): void;
  /** Claims no further rows, and waits up to three seconds for those in progress. */
  stop(): Promise<void>;
}

/** Maximum wait for work in progress at a stop: after its lease expires, another server does it. Milliseconds. */
const STOP_WITHIN_MS = 3_000;

interface QueueParts {
  readonly clock: Clock;
  readonly log: Logger;
}

export function openQueue<Job, LaneName extends string>(
  adapter: QueueAdapter<Job, LaneName>,
  { clock, log }: QueueParts,
  { leaseMs, lanes: sizes }: QueueOptions<LaneName>,
): DurableQueue {
  const lanes = (Object.keys(sizes) as LaneName[]).map((name): Lane => {
    const claim = () => adapter.claim(name, clock.now(), clock.now() + leaseMs);
    const work = (job: Job) => attempt(adapter, job, { clock, log });
    const fail = (error: unknown) => log.error({ lane: name, ...describeFailure(error) }, 'a queue failed');
    return openLane({ atOnce: sizes[name], claim, work, fail });
  });
  const kick = (): void => {
    for (const lane of lanes) lane.kick();
  };
  /** A job of one lane may enqueue one of another lane. */
  async function idle(): Promise<void> {
    while (!lanes.every((lane) => lane.isIdle())) await Promise.all(lanes.map((lane) => lane.idle()));
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    kick,
    async settled() {
      kick();
      await idle();
    },
    start(everyMs) {
      kick();
      timer = setInterval(kick, everyMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      for (const lane of lanes) lane.close();
      const limit = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref());
      await Promise.race([idle(), limit]);
    },
  };
}

/** Does one job and records its outcome. Never rejects: a row whose outcome could not be recorded is claimed again. */
async function attempt<Job, LaneName extends string>(
  adapter: QueueAdapter<Job, LaneName>,
  job: Job,
  parts: QueueParts,
): Promise<void> {
  const { clock, log } = parts;
  try {
    await adapter.perform(job);
    await adapter.complete(job, clock.now());
    log.info(adapter.describe(job), adapter.messages.done);
  } catch (error) {
    await fail(adapter, job, error, parts).catch((failure: unknown) =>
      log.error(
        { ...adapter.describe(job), ...describeFailure(failure) },
        'the outcome of a job could not be written',
      ),
    );
  }
}

async function fail<Job, LaneName extends string>(
  adapter: QueueAdapter<Job, LaneName>,
  job: Job,
  error: unknown,
  { clock, log }: QueueParts,
): Promise<void> {
  const { describeError = describeFailure } = adapter;
  const now = clock.now();
  const pauseMs = adapter.pauseAfter(job, error, now);
  const over = pauseMs === null;
  if (over) await adapter.giveUp(job, error, now);
  else await adapter.retry(job, error, now + pauseMs);
  log.warn({ ...adapter.describe(job), over, ...describeError(error) }, adapter.messages.failed);
}

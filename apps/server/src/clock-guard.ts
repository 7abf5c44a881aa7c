/**
 * Decides whether the clock can be trusted before old rows are deleted: not while it is more than a day ahead of the last
 * time that this installation knows (decision 022). Deletes nothing itself.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import { findNewestAuditTime } from './db/audit.ts';
import { readMeta, writeMeta } from './db/meta.ts';
import type { Database } from './db/schema.ts';

export interface ClockGuard {
  /** Checks the clock and stores the known time; returns whether the clock is too far ahead. Call it every minute. */
  look(): Promise<boolean>;
  /** The result of the last check. */
  isAhead(): boolean;
  /** Calls back when the result changes; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

const KEY = 'known_time';
const DAY_MS = 24 * 3_600_000;
/** A clock further from the known time than this is not trusted; pauses between two checks are usually shorter. Milliseconds. */
const FAR_MS = DAY_MS;
/** Before this version: a computer without a clock battery that has not asked for the time yet starts in 1970. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/**
 * A clock that stayed the same for this much uptime is trusted, so an installation that was off for two months recovers
 * by itself. The uptime is long enough for staff to notice the banner and the wrong dates. Milliseconds, over several
 * starts.
 */
const BELIEVED_AFTER_MS = DAY_MS;
/** Largest uptime that one check adds, because a sleeping computer was not running. Milliseconds. */
const STEP_MAX_MS = 5 * 60_000;
/** Interval at which the known time is written. Milliseconds. */
const KEEP_EVERY_MS = 60_000;

const knownSchema = z.object({ at: z.number(), doubtedMs: z.number() });
type Known = z.infer<typeof knownSchema>;

/** `uptime`: milliseconds of a monotonic clock. */
export function openClockGuard(
  db: Kysely<Database>,
  clock: Clock,
  uptime: () => number = () => performance.now(),
): ClockGuard {
  const listeners = new Set<() => void>();
  let ahead = false;
  let lookedAt = uptime();

  async function read(now: number): Promise<Known> {
    const value = await readMeta(db, KEY);
    const known =
      value === null
        ? // Older versions stored no time, but each change left a row in the audit log.
          { at: (await findNewestAuditTime(db)) ?? now, doubtedMs: 0 }
        : knownSchema.parse(JSON.parse(value));
    return known.at < EARLIEST_MS ? { at: now, doubtedMs: 0 } : known;
  }

  const keep = (known: Known): Promise<void> => writeMeta(db, KEY, JSON.stringify(known));

  return {
    isAhead: () => ahead,
    async look() {
      const now = clock.now();
      const step = Math.min(uptime() - lookedAt, STEP_MAX_MS);
      lookedAt = uptime();
      const known = await read(now);
      const doubtedMs = known.doubtedMs + step;
      const isPossible = now >= EARLIEST_MS;
      const isDoubted = Math.abs(now - known.at) > FAR_MS && (doubtedMs < BELIEVED_AFTER_MS || !isPossible);
      // A clock that is behind deletes nothing too early, so only one that is ahead is told.
      const isAhead = isDoubted && now > known.at;
      if (isDoubted) await keep({ at: known.at, doubtedMs: isPossible ? doubtedMs : 0 });
      else if (Math.abs(now - known.at) >= KEEP_EVERY_MS || known.doubtedMs > 0)
        await keep({ at: now, doubtedMs: 0 });
      if (isAhead !== ahead) {
        ahead = isAhead;
        for (const listener of listeners) listener();
      }
      return isAhead;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

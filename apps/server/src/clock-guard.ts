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

export type ClockState = 'ok' | 'ahead' | 'behind';

export interface ClockGuard {
  /** Checks the clock and stores the known time; returns whether the clock is too far ahead. Call it every minute. */
  look(): Promise<boolean>;
  /** The result of the last check. `behind` is said only once the clock has stayed so for {@link TOLD_AFTER_MS}. */
  state(): ClockState;
  /** Calls back when the result changes; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

const KEY = 'known_time';
const DAY_MS = 24 * 3_600_000;
/** A clock further from the known time than this is not trusted; pauses between two checks are usually shorter. Milliseconds. */
export const FAR_MS = DAY_MS;
/** Before this version: a computer without a clock battery that has not asked for the time yet starts in 1970. */
export const EARLIEST_MS = Date.UTC(2026, 0, 1);
/**
 * A clock that stayed the same for this much uptime is trusted, so an installation that was off for two months recovers
 * by itself. The uptime is long enough for staff to notice the banner and the wrong dates. Milliseconds, over several
 * starts.
 */
const BELIEVED_AFTER_MS = DAY_MS;
/** Uptime after which staff are told of a clock that is behind: a computer asks for the time soon after its start. Milliseconds. */
const TOLD_AFTER_MS = 10 * 60_000;
/** Largest uptime that one check adds, because a sleeping computer was not running. Milliseconds. */
const STEP_MAX_MS = 5 * 60_000;
/** Interval at which the known time is written. Milliseconds. */
const KEEP_EVERY_MS = 60_000;

/** `lookedAt`: the doubted clock's time at the last check by any server; absent in rows of older versions and without a doubt. */
const knownSchema = z.object({ at: z.number(), doubtedMs: z.number(), lookedAt: z.number().optional() });
type Known = z.infer<typeof knownSchema>;

/**
 * Uptime that a check adds to the doubt. Servers share the doubt, and each checks: so a check adds no more than has passed
 * since the last one by any of them.
 */
function stepOf(known: Known, now: number, ran: number): number {
  const passed = known.lookedAt === undefined ? ran : Math.max(0, now - known.lookedAt);
  return Math.min(ran, passed, STEP_MAX_MS);
}

/** The last time that this installation knows; `now` if it knows none. */
export async function readKnownTime(db: Kysely<Database>, now: number): Promise<Known> {
  const value = await readMeta(db, KEY);
  const known =
    value === null
      ? // Older versions stored no time, but each change left a row in the audit log.
        { at: (await findNewestAuditTime(db)) ?? now, doubtedMs: 0 }
      : knownSchema.parse(JSON.parse(value));
  return known.at < EARLIEST_MS ? { at: now, doubtedMs: 0 } : known;
}

/** `uptime`: milliseconds of a monotonic clock. */
export function openClockGuard(
  db: Kysely<Database>,
  clock: Clock,
  uptime: () => number = () => performance.now(),
): ClockGuard {
  const listeners = new Set<() => void>();
  let state: ClockState = 'ok';
  let lookedAt = uptime();
  let behindMs = 0;

  const keep = (known: Known): Promise<void> => writeMeta(db, KEY, JSON.stringify(known));

  return {
    state: () => state,
    async look() {
      const now = clock.now();
      const ran = uptime() - lookedAt;
      lookedAt = uptime();
      const known = await readKnownTime(db, now);
      const doubtedMs = known.doubtedMs + stepOf(known, now, ran);
      const isPossible = now >= EARLIEST_MS;
      const isDoubted = Math.abs(now - known.at) > FAR_MS && (doubtedMs < BELIEVED_AFTER_MS || !isPossible);
      if (isDoubted) await keep({ at: known.at, doubtedMs: isPossible ? doubtedMs : 0, lookedAt: now });
      else if (Math.abs(now - known.at) >= KEEP_EVERY_MS || known.doubtedMs > 0)
        await keep({ at: now, doubtedMs: 0 });
      const isBehind = isDoubted && now < known.at;
      behindMs = isBehind ? behindMs + Math.min(ran, STEP_MAX_MS) : 0;
      const isAhead = isDoubted && !isBehind;
      const next = isAhead ? 'ahead' : isBehind && behindMs >= TOLD_AFTER_MS ? 'behind' : 'ok';
      if (next !== state) {
        state = next;
        for (const listener of listeners) listener();
      }
      // A clock that is behind deletes nothing too early.
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

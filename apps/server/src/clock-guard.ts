/**
 * Whether the clock may be believed when something is deleted because it is old: it may not be while it is more than a day
 * ahead of the last time that this installation knows of (decision 022). Knows nothing of what is deleted.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Database } from './db/schema.ts';

export interface ClockGuard {
  /** Looks at the clock and keeps what is known of it; answers whether it is too far ahead. Call it each minute. */
  look(): Promise<boolean>;
  /** The result of the last look. */
  isAhead(): boolean;
  /** Calls back when that changes; returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

const KEY = 'known_time';
const DAY_MS = 24 * 3_600_000;
/** A clock further ahead than this is not trusted; pauses between two looks are usually shorter. Milliseconds. */
const AHEAD_MS = DAY_MS;
/**
 * After so much running with the same clock it is believed: an installation that was off for two months is well again by
 * itself. Long enough for staff to see the banner and wrong dates everywhere. Milliseconds, over several starts.
 */
const BELIEVED_AFTER_MS = DAY_MS;
/** The most that one look may add, because a computer that slept was not running. Milliseconds. */
const STEP_MAX_MS = 5 * 60_000;
/** Known time is written this often. Milliseconds. */
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
    const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
    if (row) return knownSchema.parse(JSON.parse(row.value));
    // From before this was kept: every change of anything left a row in the audit log.
    const newest = await db
      .selectFrom('audit_log')
      .select((eb) => eb.fn.max('at').as('at'))
      .executeTakeFirst();
    return { at: Number(newest?.at ?? now), doubtedMs: 0 };
  }

  async function keep(known: Known): Promise<void> {
    const value = JSON.stringify(known);
    await db
      .insertInto('meta')
      .values({ key: KEY, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }

  return {
    isAhead: () => ahead,
    async look() {
      const now = clock.now();
      const step = Math.min(uptime() - lookedAt, STEP_MAX_MS);
      lookedAt = uptime();
      const known = await read(now);
      const doubtedMs = known.doubtedMs + step;
      const isFar = now - known.at > AHEAD_MS;
      const isAhead = isFar && doubtedMs < BELIEVED_AFTER_MS;
      if (isAhead) await keep({ at: known.at, doubtedMs });
      // A time before the known one deletes nothing that is not old; it is the known one from then on.
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

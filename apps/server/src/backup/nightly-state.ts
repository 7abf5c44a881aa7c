/** What is known of the nightly backups, in `meta`, shared by all servers; when one is due, and when one is late. */
import type { Kysely, Transaction } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { wallClock } from '../calendar.ts';
import { readMeta, writeMeta } from '../db/meta.ts';
import type { Database } from '../db/schema.ts';
import { type Progress, progressSchema } from './progress.ts';

const KEY = 'nightly_backup';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After a failure, the next try is this much later. Milliseconds. */
const AGAIN_AFTER_MS = HOUR_MS;
/** Without a backup for this long, staff are told. Hours. */
export const LATE_AFTER_HOURS = 36;
/** A backup is restored for a trial this many nights after the last one. */
const TRY_EVERY_DAYS = 7;
/**
 * A second backup of a night is due if the first was made this much before the night began, because `BACKUP_AT` or the zone
 * was changed in between. Without it the pause until the next night would be longer than {@link LATE_AFTER_HOURS}. With less
 * of a change the first one is enough. Milliseconds.
 */
const EARLY_BY_MS = LATE_AFTER_HOURS * HOUR_MS - DAY_MS;

/** A backup that told nothing for this long is not being made any more. Milliseconds. */
const RUNNING_FOR_MS = 60_000;

/** Moments are milliseconds since 1970. */
const stateSchema = z.object({
  /** The night of the last backup: the day on which it was due. */
  night: z.string().nullable(),
  madeAt: z.number().nullable(),
  /** The last failure since the last backup. */
  failedAt: z.number().nullable(),
  /** Photos that the last backup is without. */
  missing: z.number().default(0),
  /** When the backup was made that was last restored for a trial. */
  triedAt: z.number().nullable().default(null),
  /** When the backup was made that could not be restored, since the last good trial. */
  trialFailedAt: z.number().nullable().default(null),
  /** The folder of the last backup, which has had our mark since. */
  folder: z.string().nullable(),
  /** When the first one was due. */
  since: z.number(),
  /** How far the one is that is being made, as told at a moment; what is older was left by a server that ended. */
  running: progressSchema.extend({ at: z.number() }).nullable().default(null),
});
export type NightlyState = z.infer<typeof stateSchema>;

/** Null before the first look for a backup. */
export async function readNightly(db: Kysely<Database>): Promise<NightlyState | null> {
  const value = await readMeta(db, KEY);
  return value === null ? null : stateSchema.parse(JSON.parse(value));
}

export async function writeNightly(
  db: Kysely<Database> | Transaction<Database>,
  state: NightlyState,
): Promise<void> {
  await writeMeta(db, KEY, JSON.stringify(state));
}

export interface Night {
  readonly day: string;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
}

/**
 * The night that `now` belongs to: the last day on which `at` (`HH:MM`) has passed in the time zone. By the clock on the
 * wall, so that a time that daylight saving time skips or repeats is one night all the same.
 */
export function nightOf(now: number, at: string, timeZone: string): Night {
  const [today = '', time = ''] = wallClock(now, timeZone).split(' ');
  const day = Temporal.PlainDate.from(today).subtract({ days: time.slice(0, 5) >= at ? 0 : 1 });
  return {
    day: day.toString(),
    beganAt: day.toZonedDateTime({ timeZone, plainTime: at }).epochMilliseconds,
  };
}

/**
 * Whether a backup of this night is to be made now. `isSure`: the clock has been watched for long enough to be believed if
 * it is far behind the last backup.
 */
export function isDue(state: NightlyState | null, now: number, night: Night, isSure: boolean): boolean {
  if (state === null) return true;
  const { failedAt, madeAt } = state;
  if (failedAt !== null && failedAt <= now && now < failedAt + AGAIN_AFTER_MS) return false;
  if (state.night === null || madeAt === null || night.day > state.night) return true;
  if (night.day === state.night) return night.beganAt - madeAt > EARLY_BY_MS;
  // The clock or the zone was set back a little: no second one. Far ahead, the last one was made by a wrong clock.
  return madeAt > now + DAY_MS && isSure;
}

/** Whether the backup of this night is to be restored for a trial. `tried`: the night of the last good trial; null: none. */
export function isTrialDue({ trialFailedAt }: NightlyState, night: Night, tried: Night | null): boolean {
  if (tried === null || trialFailedAt !== null) return true;
  const since = Temporal.PlainDate.from(tried.day).until(night.day).days;
  // A trial of a night to come was one of a wrong clock.
  return since < 0 || since >= TRY_EVERY_DAYS;
}

/** How far the backup is that is being made; null if none is. */
export function findRunning({ running }: NightlyState, now: number): Progress | null {
  if (running === null) return null;
  const { at, ...progress } = running;
  return Math.abs(now - at) > RUNNING_FOR_MS ? null : progress;
}

/** Whether there was no backup for too long. */
export function isLate({ madeAt, since }: NightlyState, now: number): boolean {
  return now - (madeAt ?? since) > LATE_AFTER_HOURS * HOUR_MS;
}

/** What is known of the nightly backups, in `meta`, shared by all servers; when one is due, and when one is late. */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { wallClock } from '../calendar.ts';
import { readMeta, writeMeta } from '../db/meta.ts';
import type { Database } from '../db/schema.ts';

const KEY = 'nightly_backup';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After a failure, the next try is this much later. Milliseconds. */
const AGAIN_AFTER_MS = HOUR_MS;
/** Without a backup for this long, staff are told. Hours. */
export const LATE_AFTER_HOURS = 36;

/** Moments are milliseconds since 1970. */
const stateSchema = z.object({
  /** The night of the last backup: the day on which it was due. */
  night: z.string().nullable(),
  madeAt: z.number().nullable(),
  /** The last failure since the last backup. */
  failedAt: z.number().nullable(),
  /** The folder of the last backup, which has had our mark since. */
  folder: z.string().nullable(),
  /** When the first one was due. */
  since: z.number(),
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

/**
 * The night that `now` belongs to: the last day on which `at` (`HH:MM`) has passed in the time zone. By the clock on the
 * wall, so that a time that daylight saving time skips or repeats is one night all the same.
 */
export function nightOf(now: number, at: string, timeZone: string): string {
  const [day = '', time = ''] = wallClock(now, timeZone).split(' ');
  if (time.slice(0, 5) >= at) return day;
  const noon = new Date(`${day}T12:00:00Z`).getTime();
  return new Date(noon - DAY_MS).toISOString().slice(0, 10);
}

/**
 * Whether a backup of this night is to be made now. `isSure`: the clock has been watched for long enough to be believed if
 * it is far behind the last backup.
 */
export function isDue(state: NightlyState | null, now: number, night: string, isSure: boolean): boolean {
  if (state === null) return true;
  const { failedAt, madeAt } = state;
  if (failedAt !== null && failedAt <= now && now < failedAt + AGAIN_AFTER_MS) return false;
  if (state.night === null || madeAt === null || night > state.night) return true;
  // The clock or the zone was set back a little: no second one. Far ahead, the last one was made by a wrong clock.
  return night < state.night && madeAt > now + DAY_MS && isSure;
}

/** Whether there was no backup for too long. */
export function isLate({ madeAt, since }: NightlyState, now: number): boolean {
  return now - (madeAt ?? since) > LATE_AFTER_HOURS * HOUR_MS;
}

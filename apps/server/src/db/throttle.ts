/** Counts what may happen only so often within a sliding window, in the database, so that several servers count together. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

export interface Limit {
  readonly scope: string;
  /** Keyed hash of whom or what is counted. */
  readonly key: string;
  readonly most: number;
  /** Milliseconds. */
  readonly windowMs: number;
}

/** Whole seconds until all limits have room again; null when they have now. */
export async function secondsUntilRoom(
  db: Kysely<Database> | Transaction<Database>,
  limits: readonly Limit[],
  now: number,
): Promise<number | null> {
  for (const limit of limits) {
    // Counted while the clock was ahead: such a hit would count for longer than the window. It counts as of now.
    const future = await db
      .selectFrom('throttle_hits')
      .select('id')
      .where('scope', '=', limit.scope)
      .where('key', '=', limit.key)
      .where('at', '>', now)
      .execute();
    if (future.length > 0)
      await db
        .updateTable('throttle_hits')
        .set({ at: now })
        .where(
          'id',
          'in',
          future.map(({ id }) => id),
        )
        .execute();
    const newest = await db
      .selectFrom('throttle_hits')
      .select('at')
      .where('scope', '=', limit.scope)
      .where('key', '=', limit.key)
      .where('at', '>', now - limit.windowMs)
      .orderBy('at', 'desc')
      .limit(limit.most)
      .execute();
    const oldest = newest[limit.most - 1];
    if (oldest) return Math.max(1, Math.ceil((oldest.at + limit.windowMs - now) / 1000));
  }
  return null;
}

/** Counts one against each limit. */
export async function countHit(
  db: Kysely<Database> | Transaction<Database>,
  limits: readonly Limit[],
  now: number,
): Promise<void> {
  for (const { scope, key } of limits)
    await db.insertInto('throttle_hits').values({ id: randomUUID(), scope, key, at: now }).execute();
}

/** No window is longer than this; older rows are removed. Milliseconds. */
export const HITS_KEPT_MS = 24 * 3_600_000;

/** Removes what no window reaches any more. */
export async function deleteHitsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('throttle_hits').where('at', '<', before).execute();
}

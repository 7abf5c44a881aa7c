/** Rate limits over a sliding window, counted in the database so that several servers count together. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

export interface Limit {
  readonly scope: string;
  /** Keyed hash of the counted person or thing. */
  readonly key: string;
  readonly most: number;
  /** Milliseconds. */
  readonly windowMs: number;
}

/** Whole seconds until the first full limit in the list has room again; null if none is full. */
export async function secondsUntilRoom(
  db: Kysely<Database> | Transaction<Database>,
  limits: readonly Limit[],
  now: number,
): Promise<number | null> {
  for (const limit of limits) {
    // Hits with a future time were counted before the clock was set back. Count them as of now, or they would outlast the
    // window.
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

/** Counts one hit against each limit. */
export async function countHit(
  db: Kysely<Database> | Transaction<Database>,
  limits: readonly Limit[],
  now: number,
): Promise<void> {
  for (const { scope, key } of limits)
    await db.insertInto('throttle_hits').values({ id: randomUUID(), scope, key, at: now }).execute();
}

/** Removes the newest hit within the window; returns false if there is none. */
export async function takeBackHit(
  trx: Transaction<Database>,
  { scope, key, windowMs }: Omit<Limit, 'most'>,
  now: number,
): Promise<boolean> {
  const hit = await trx
    .selectFrom('throttle_hits')
    .select('id')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('at', '>', now - windowMs)
    // Remove the newest hit: removing an older one would keep the newest, and so a longer wait.
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (hit) await trx.deleteFrom('throttle_hits').where('id', '=', hit.id).execute();
  return hit !== undefined;
}

/** Removes all hits of a limit. */
export async function forgetHits(trx: Transaction<Database>, scope: string, key: string): Promise<void> {
  await trx.deleteFrom('throttle_hits').where('scope', '=', scope).where('key', '=', key).execute();
}

/** Upper bound of all windows; older rows are deleted. Milliseconds. */
export const HITS_KEPT_MS = 24 * 3_600_000;

/** Deletes hits that are older than any window. */
export async function deleteHitsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('throttle_hits').where('at', '<', before).execute();
}

/** The number of hits after a moment. Milliseconds since 1970. */
export async function countHitsSince(
  db: Kysely<Database> | Transaction<Database>,
  scope: string,
  key: string,
  since: number,
): Promise<number> {
  const { hits } = await db
    .selectFrom('throttle_hits')
    .select((eb) => eb.fn.countAll<number>().as('hits'))
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(hits);
}

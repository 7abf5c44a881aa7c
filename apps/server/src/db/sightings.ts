/** Sightings: one row per track of a child on a camera. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { findPage, newestFirst, type Page, type PagePosition } from './paging.ts';
import { inPortions, PORTION_ROWS } from './portions.ts';
import type { Database } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface SightingFact {
  readonly childId: string;
  readonly cameraId: string;
  readonly area: string;
  /** The track's name in the face engine. */
  readonly track: string;
  /** Milliseconds since 1970, the server's clock. */
  readonly from: number;
  readonly to: number;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Adds a track or extends it; several servers that report the same track write one row. */
export async function keepSighting(trx: Transaction<Database>, fact: SightingFact): Promise<void> {
  await trx
    .insertInto('sightings')
    .values({
      id: randomUUID(),
      child_id: fact.childId,
      camera_id: fact.cameraId,
      area: fact.area,
      track: fact.track,
      from_at: fact.from,
      to_at: fact.to,
      confidence: fact.confidence,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['camera_id', 'child_id', 'track'])
        .doUpdateSet({ to_at: fact.to, confidence: fact.confidence })
        .where('sightings.to_at', '<=', fact.to),
    )
    .execute();
}

export interface SightingRow {
  readonly id: string;
  readonly child_id: string;
  readonly camera_id: string;
  readonly area: string;
  readonly from_at: number;
  readonly to_at: number;
  readonly confidence: number;
}

export interface SightingsFilter extends PagePosition {
  readonly childId?: string | undefined;
  /** Only sightings that ended at this moment or later, milliseconds since 1970. */
  readonly since?: number | undefined;
}

/** A page of sightings, newest first. */
export async function findSightingsPage(db: Reader, filter: SightingsFilter): Promise<Page<SightingRow>> {
  let matching = db.selectFrom('sightings');
  if (filter.childId !== undefined) matching = matching.where('child_id', '=', filter.childId);
  if (filter.since !== undefined) matching = matching.where('to_at', '>=', filter.since);
  return findPage(
    matching,
    (found) => found.select(['id', 'child_id', 'camera_id', 'area', 'from_at', 'to_at', 'confidence']),
    newestFirst('sightings', 'from_at'),
    filter,
  );
}

export interface LastSeen {
  readonly cameraId: string;
  readonly area: string;
  readonly at: number;
}

/**
 * The last sighting of each child inside during its stay, by child id. Children without a sighting are missing from the
 * map.
 */
export async function findLastSeen(db: Reader, childIds: readonly string[]): Promise<Map<string, LastSeen>> {
  if (childIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('sightings')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('sightings as newest')
          .innerJoin('stays', (join) =>
            join
              .onRef('stays.child_id', '=', 'newest.child_id')
              .on(isOpenStay)
              .onRef('newest.to_at', '>=', 'stays.entry_time'),
          )
          .select((of) => ['newest.child_id', of.fn.max('newest.to_at').as('at')])
          .where('newest.child_id', 'in', childIds)
          .groupBy('newest.child_id')
          .as('last'),
      (join) =>
        join.onRef('last.child_id', '=', 'sightings.child_id').onRef('last.at', '=', 'sightings.to_at'),
    )
    .select(['sightings.child_id', 'sightings.camera_id', 'sightings.area', 'sightings.to_at'])
    .orderBy('sightings.id')
    .execute();
  return new Map(
    rows.map((row) => [row.child_id, { cameraId: row.camera_id, area: row.area, at: row.to_at }]),
  );
}

/** The area of the last sighting of each child since a moment (milliseconds since 1970), by child id. */
export async function findAreasSince(
  db: Reader,
  childIds: readonly string[],
  since: number,
): Promise<Map<string, string>> {
  if (childIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('sightings')
    .select(['child_id', 'area'])
    .where('child_id', 'in', childIds)
    .where('to_at', '>=', since)
    .orderBy('to_at')
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ child_id, area }) => [child_id, area]));
}

/** Deletes sightings that ended before this time (milliseconds since 1970). */
export async function deleteSightingsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await inPortions(async () => {
    const old = db.selectFrom('sightings').select('id').where('to_at', '<', before).limit(PORTION_ROWS);
    const { numDeletedRows } = await db.deleteFrom('sightings').where('id', 'in', old).executeTakeFirst();
    return numDeletedRows;
  });
  await db.deleteFrom('seen_announcements').where('at', '<', before).execute();
}

/** Reads and writes sightings: one row for one track of one child before one camera. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../app-error.ts';
import { fromCursor, type PageRequest, toCursor } from './paging.ts';
import type { Database } from './schema.ts';

/** A child outside that was not seen for this long and is seen again is told of again. Milliseconds. */
export const OUTSIDE_EPISODE_MS = 5 * 60_000;

type Reader = Kysely<Database> | Transaction<Database>;

export interface SightingFact {
  readonly childId: string;
  readonly cameraId: string;
  readonly area: string;
  /** The face engine's name of the track. */
  readonly track: string;
  /** Milliseconds since 1970, the server's clock. */
  readonly from: number;
  readonly to: number;
  /** 0–1. */
  readonly confidence: number;
}

/** Adds the track, or lengthens it: several servers that hear of it write one row. */
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

/** A page of sightings, newest first. */
export async function findSightingsPage(
  db: Reader,
  request: PageRequest & { readonly childId?: string | undefined; readonly since?: number | undefined },
): Promise<{ rows: SightingRow[]; total: number; nextCursor: string | null }> {
  let matching = db.selectFrom('sightings');
  if (request.childId !== undefined) matching = matching.where('child_id', '=', request.childId);
  if (request.since !== undefined) matching = matching.where('to_at', '>=', request.since);
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.select(['id', 'child_id', 'camera_id', 'area', 'from_at', 'to_at', 'confidence']);
  if (request.cursor !== undefined) {
    const [from, id] = positionOf(request.cursor);
    page = page.where((eb) =>
      eb.or([eb('from_at', '<', from), eb.and([eb('from_at', '=', from), eb('id', '<', id)])]),
    );
  }
  const rows = await page
    .orderBy('from_at', 'desc')
    .orderBy('id', 'desc')
    .limit(request.limit + 1)
    .execute();
  const shown = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? shown.at(-1) : undefined;
  return {
    rows: shown,
    total: Number(total),
    nextCursor: last ? toCursor([String(last.from_at), last.id]) : null,
  };
}

function positionOf(cursor: string): [number, string] {
  const [from, id] = fromCursor(cursor);
  if (/^[0-9]{1,15}$/.test(from)) return [Number(from), id];
  const message = 'cursor is not one that was given';
  throw new AppError('invalid_request', { message, fields: { cursor: message } });
}

export interface LastSeen {
  readonly cameraId: string;
  readonly area: string;
  readonly at: number;
}

/** Where children that are inside were seen last during their stay; the others are not in the map. */
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
              .on('stays.exit_time', 'is', null)
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

/** Removes sightings that ended before a moment (milliseconds). */
export async function deleteSightingsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('sightings').where('to_at', '<', before).execute();
  await db.deleteFrom('seen_announcements').where('at', '<', before).execute();
}

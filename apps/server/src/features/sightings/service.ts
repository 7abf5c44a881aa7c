/** Stores sightings and emits events: a child was seen, was not seen for long, or was seen without being checked in. */

import { notSeenMinutesOf } from '@haris/contract/alarms';
import type { Context } from '../../context.ts';
import { findCamera, findCameraAreas } from '../../db/cameras.ts';
import { findChild } from '../../db/children.ts';
import { lockEventOrder } from '../../db/events.ts';
import {
  endPresenceConditions,
  findStaysNotMissed,
  markNotSeen,
  markSeen,
  markSeenOutside,
} from '../../db/presence-conditions.ts';
import { readSettings } from '../../db/settings.ts';
import { findLastSeen, keepSighting, type SightingFact } from '../../db/sightings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { inFacility } from '../../facility.ts';

/** Minimum time between two `child.seen` events of a child on a camera. Milliseconds. */
const SEEN_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;

/**
 * Adds a track or extends it. Does nothing if the child or the camera is gone, or if another server holds the camera's
 * lease, because that server stores the track. Throws LeaseLostError if the lease was lost meanwhile.
 */
export async function recordSighting(context: Context, seen: Omit<SightingFact, 'area'>): Promise<void> {
  const row = await findCamera(context.db, seen.cameraId);
  const lease = row && context.cameras.leaseFor(row);
  if (row === undefined || lease === undefined) return;
  // A child that is not known at the camera's facility is unknown there.
  await inFacility(row.facility_id, () =>
    inTransaction(context.db, async (tx) => {
      await keepIn(context, tx, seen);
      if (lease) await context.leases.fence(tx.trx, lease);
    }),
  );
}

async function keepIn(context: Context, tx: Tx, seen: Omit<SightingFact, 'area'>): Promise<void> {
  const child = await findChild(tx.trx, seen.childId);
  const camera = await findCamera(tx.trx, seen.cameraId);
  if (!child || !camera) return;
  await keepSighting(tx.trx, { ...seen, area: camera.area });
  if (child.unique_entry_id === null) return announceSeenOutside(context, tx, child.id, seen);
  await endPresenceConditions(tx.trx, child.id);
  const mark = { childId: child.id, cameraId: camera.id, at: seen.to };
  if (!(await markSeen(tx.trx, mark, SEEN_EVERY_MS))) return;
  await lockEventOrder(tx);
  await context.events.append(tx, {
    type: 'child.seen',
    childId: child.id,
    parentId: child.parent_id,
    audience: 'guardians',
  });
}

/** Only staff get the event: the face may be taken for another, and the child is with its family. */
async function announceSeenOutside(
  context: Context,
  tx: Tx,
  childId: string,
  seen: { readonly to: number; readonly cameraId: string },
): Promise<void> {
  if (!(await markSeenOutside(tx.trx, childId, seen.to))) return;
  await context.audit.append(tx, {
    actor: null,
    action: 'child.seen_outside',
    subject: { kind: 'child', id: childId },
    details: { cameraId: seen.cameraId },
  });
  await context.events.append(tx, { type: 'child.seen_outside', childId });
}

/**
 * Emits `child.not_seen` once per stay for each child inside whom no camera has seen for the minutes of the area where it
 * was seen last. Only staff get the event. `liveSince`, by area: since when (milliseconds since 1970) at least one camera
 * there has been live without a break; where no camera is live, no child counts as missed.
 */
export async function announceNotSeen(
  context: Context,
  liveSince: ReadonlyMap<string, number>,
): Promise<void> {
  const { db, clock } = context;
  const settings = await readSettings(db, context.config);
  const minutes = settings.areaAlarms.flatMap(({ notSeenAfterMinutes }) => notSeenAfterMinutes ?? []);
  if (minutes.length === 0) return;
  const now = clock.now();
  const areas = await findCameraAreas(db);
  const open = await findStaysNotMissed(db, now - Math.min(...minutes) * MINUTE_MS);
  const seen = await findLastSeen(
    db,
    open.map((stay) => stay.child_id),
  );
  const missed = open.filter((stay) => {
    const last = seen.get(stay.child_id);
    const after = notSeenMinutesOf(settings, last?.area ?? null, areas);
    if (after === null) return false;
    const latest = now - after * MINUTE_MS;
    const watched = last ? [last.area] : areas;
    return (
      (last?.at ?? stay.entry_time) <= latest &&
      watched.every((area) => (liveSince.get(area) ?? Number.POSITIVE_INFINITY) <= latest)
    );
  });
  if (missed.length === 0) return;
  await inTransaction(db, async (tx) => {
    for (const { child_id: childId, id } of missed)
      if (await markNotSeen(tx.trx, childId, id)) {
        await lockEventOrder(tx);
        await context.events.append(tx, { type: 'child.not_seen', childId });
      }
  });
}

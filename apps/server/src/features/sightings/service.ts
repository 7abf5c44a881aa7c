/** Keeps whom the cameras saw, and says what follows from it: seen, not seen for long, seen although not checked in. */
import type { Context } from '../../context.ts';
import { findCamera } from '../../db/cameras.ts';
import { findChild } from '../../db/children.ts';
import { takeEventTurn } from '../../db/events.ts';
import { readSettings } from '../../db/settings.ts';
import { findLastSeen, keepSighting, OUTSIDE_EPISODE_MS, type SightingFact } from '../../db/sightings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';

/** `child.seen` is said at most once in this time for a child and a camera. Milliseconds. */
const SEEN_EVERY_MS = 30_000;

/**
 * Keeps a track as far as it has come. Nothing where the child or the camera is gone, and where another server has the
 * camera, which keeps it itself. Throws LeaseLostError where it was taken over meanwhile.
 */
export async function recordSighting(context: Context, seen: Omit<SightingFact, 'area'>): Promise<void> {
  const row = await findCamera(context.db, seen.cameraId);
  const lease = row && context.cameras.leaseFor(row);
  if (lease === undefined) return;
  await inTransaction(context.db, async (tx) => {
    await keepIn(context, tx, seen);
    if (lease) await context.leases.fence(tx.trx, lease);
  });
}

async function keepIn(context: Context, tx: Tx, seen: Omit<SightingFact, 'area'>): Promise<void> {
  const child = await findChild(tx.trx, seen.childId);
  const camera = await findCamera(tx.trx, seen.cameraId);
  if (!child || !camera) return;
  await keepSighting(tx.trx, { ...seen, area: camera.area });
  const about = { childId: child.id, parentId: child.parent_id };
  if (child.unique_entry_id === null) return sayOutside(context, tx, about, seen);
  await endNotSeen(tx, child.id);
  const due = await tx.trx
    .insertInto('seen_announcements')
    .values({ child_id: child.id, camera_id: camera.id, at: seen.to })
    .onConflict((conflict) =>
      conflict
        .columns(['child_id', 'camera_id'])
        .doUpdateSet({ at: seen.to })
        .where('seen_announcements.at', '<=', seen.to - SEEN_EVERY_MS),
    )
    .returning('child_id')
    .executeTakeFirst();
  if (!due) return;
  await takeEventTurn(tx);
  await context.events.append(tx, { type: 'child.seen', ...about });
}

interface About {
  readonly childId: string;
  readonly parentId: string;
}

async function sayOutside(
  context: Context,
  tx: Tx,
  about: About,
  seen: { readonly to: number; readonly cameraId: string },
): Promise<void> {
  const { childId } = about;
  await tx.trx
    .insertInto('presence_episodes')
    .values({ child_id: childId, not_seen_stay: null, outside_seen_at: null })
    .onConflict((conflict) => conflict.column('child_id').doNothing())
    .execute();
  const begins = await tx.trx
    .updateTable('presence_episodes')
    .set({ outside_seen_at: seen.to })
    .where('child_id', '=', childId)
    .where((eb) =>
      eb.or([eb('outside_seen_at', 'is', null), eb('outside_seen_at', '<', seen.to - OUTSIDE_EPISODE_MS)]),
    )
    .returning('child_id')
    .executeTakeFirst();
  if (!begins) {
    await tx.trx
      .updateTable('presence_episodes')
      .set({ outside_seen_at: seen.to })
      .where('child_id', '=', childId)
      .where('outside_seen_at', '<', seen.to)
      .execute();
    return;
  }
  await context.audit.append(tx, {
    actor: null,
    action: 'child.seen_outside',
    subject: { kind: 'child', id: childId },
    details: { cameraId: seen.cameraId },
  });
  await context.events.append(tx, { type: 'child.seen_outside', ...about });
}

/** The child is there: what was said of it is over. */
async function endNotSeen({ trx }: Tx, childId: string): Promise<void> {
  await trx
    .updateTable('presence_episodes')
    .set({ not_seen_stay: null, outside_seen_at: null })
    .where('child_id', '=', childId)
    .where((eb) => eb.or([eb('not_seen_stay', 'is not', null), eb('outside_seen_at', 'is not', null)]))
    .execute();
}

/**
 * Says `child.not_seen` once for each child inside whom no camera has seen for the time of the settings. `liveSince`:
 * since when at least one camera has been live without a break; nobody is missed while no camera looks.
 */
export async function announceNotSeen(context: Context, liveSince: number): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const { notSeenAfterMinutes } = await readSettings(db, context.config);
  const latest = now - notSeenAfterMinutes * 60_000;
  if (liveSince > latest) return;
  const stays = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .leftJoin('presence_episodes', 'presence_episodes.child_id', 'stays.child_id')
    .select(['stays.id', 'stays.child_id', 'children.parent_id', 'presence_episodes.not_seen_stay'])
    .where('stays.exit_time', 'is', null)
    .where('stays.entry_time', '<=', latest)
    .execute();
  const open = stays.filter((stay) => stay.not_seen_stay !== stay.id);
  const seen = await findLastSeen(
    db,
    open.map((stay) => stay.child_id),
  );
  for (const stay of open) {
    const last = seen.get(stay.child_id);
    if (last && last.at > latest) continue;
    await inTransaction(db, async (tx) => {
      const mine = await tx.trx
        .insertInto('presence_episodes')
        .values({ child_id: stay.child_id, not_seen_stay: stay.id, outside_seen_at: null })
        .onConflict((conflict) =>
          conflict
            .column('child_id')
            .doUpdateSet({ not_seen_stay: stay.id })
            .where((eb) =>
              eb.or([
                eb('presence_episodes.not_seen_stay', 'is', null),
                eb('presence_episodes.not_seen_stay', '!=', stay.id),
              ]),
            ),
        )
        .returning('child_id')
        .executeTakeFirst();
      if (!mine) return;
      await context.audit.append(tx, {
        actor: null,
        action: 'child.not_seen',
        subject: { kind: 'child', id: stay.child_id },
        details: { stayId: stay.id, minutes: notSeenAfterMinutes },
      });
      await context.events.append(tx, {
        type: 'child.not_seen',
        childId: stay.child_id,
        parentId: stay.parent_id,
      });
    });
  }
}

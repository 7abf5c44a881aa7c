/** Ends what families asked at kiosks before staff accepted it, with the pick-ups that they announced there. */
import type { Context } from './context.ts';
import { lockChildrenOf } from './db/guardians/children-of.ts';
import { endKioskRequests, type WaitingOf } from './db/kiosk-requests.ts';
import { dropPickup } from './db/pickups.ts';
import type { KioskRequestRow } from './db/schema.ts';
import type { Tx } from './db/transaction.ts';

export interface Withdrawn {
  readonly rows: readonly KioskRequestRow[];
  /** Those whose pick-up announcement ended too. */
  readonly pickups: readonly KioskRequestRow[];
}

/**
 * Ends requests that wait. Their pick-up announcements end too, because nobody may hand a child over on the strength of
 * a request that was refused or withdrawn; a later announcement by phone stays. Lock the children first.
 */
export async function withdrawRequests(
  { trx }: Tx,
  of: WaitingOf,
  how: { readonly state: 'refused' | 'ended'; readonly at: number },
): Promise<Withdrawn> {
  const rows = await endKioskRequests(trx, of, how);
  const pickups: KioskRequestRow[] = [];
  for (const row of rows)
    if (row.kind === 'pick_up' && (await dropPickup(trx, row.child_id, 'kiosk'))) pickups.push(row);
  return { rows, pickups };
}

/** Ends everything that a family asked and that waits. Locks its children: an acceptance that has begun finishes first. */
export async function withdrawFamily({ clock }: Context, tx: Tx, parentId: string): Promise<Withdrawn> {
  await lockChildrenOf(tx.trx, parentId);
  return withdrawRequests(tx, { parentId }, { state: 'ended', at: clock.now() });
}

/** Emits what {@link withdrawRequests} or {@link withdrawFamily} changed. Append the audit row first. */
export async function emitWithdrawn(context: Context, tx: Tx, { rows, pickups }: Withdrawn): Promise<void> {
  for (const { child_id: childId, parent_id: parentId } of pickups)
    await context.events.append(tx, { type: 'child.on_my_way_ended', childId, parentId });
  for (const parentId of new Set(rows.map((row) => row.parent_id)))
    await context.events.append(tx, { type: 'kiosk.updated', parentId });
}

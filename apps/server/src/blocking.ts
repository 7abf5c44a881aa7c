/** Staff block a family's account, or let it in again (decision 041). */
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import type { Context } from './context.ts';
import { lockChild } from './db/children.ts';
import { deleteDeskCode } from './db/desk-codes.ts';
import { findFacilitiesOfChild } from './db/facilities.ts';
import { findFurtherChildIds } from './db/guardians/children-of.ts';
import { endKioskProofs } from './db/kiosk-proofs.ts';
import { lockParent, updateParentRow } from './db/parents.ts';
import { dropPickupsBy } from './db/pickups.ts';
import { endSessionsOf } from './db/session-ends.ts';
import { inTransaction, type Tx } from './db/transaction.ts';
import { acrossFacilities, inFacility } from './facility.ts';
import { emitWithdrawn, withdrawFamily } from './kiosk-requests.ts';
import { requireRightsOverFamily } from './staff-rights.ts';

/** Blocks a family's account, or lets it in again; see {@link writeBlocked}. Throws 404, `beyond_own_rights`. */
export async function setBlocked(
  context: Context,
  actor: Actor,
  id: string,
  isBlocked: boolean,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const record = await writeBlocked(context, tx, actor, id, isBlocked);
    if (!record) throw new AppError('not_found');
    await record();
  });
}

/**
 * Blocking ends sessions, PIN, codes, kiosk requests and the pick-ups that the account has announced as a further guardian in the same
 * transaction. Changes nothing if it is so already; undefined
 * for an unknown account. Returns what writes audit row and events: call it once the transaction has locked all else. Any facility of the family may block it; letting it in again needs the right at each of them, as
 * whoever blocked it had a reason. Locks the account, then its children. Throws `beyond_own_rights`.
 */
export async function writeBlocked(
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  isBlocked: boolean,
): Promise<(() => Promise<void>) | undefined> {
  const parent = await lockParent(tx.trx, id);
  if (!parent) return undefined;
  if ((parent.blocked_at !== null) === isBlocked) return async () => {};
  if (!isBlocked) await requireRightsOverFamily(tx.trx, actor, id, 'families.block');
  await updateParentRow(tx.trx, id, { blocked_at: isBlocked ? context.clock.now() : null });
  const asked = isBlocked ? await withdrawFamily(context, tx, id) : null;
  const announced = isBlocked ? await withdrawAnnounced(tx, id) : [];
  if (isBlocked) {
    await endSessionsOf(tx.trx, 'parent', id);
    await endKioskProofs(tx.trx, id);
    await deleteDeskCode(tx.trx, id);
  }
  return async () => {
    await context.audit.append(tx, {
      actor,
      action: isBlocked ? 'parent.blocked' : 'parent.unblocked',
      subject: { kind: 'parent', id },
    });
    await context.events.append(tx, { type: 'parent.updated', parentId: id });
    if (asked) await emitWithdrawn(context, tx, asked);
    for (const childId of announced) await emitAnnouncedEnd(context, tx, childId, id);
  };
}

/**
 * Ends the pick-ups that an account has announced as a further guardian: the desk would expect it by name. Locks these children: a checkout
 * to the account that has begun finishes first. Returns the children, sorted.
 */
async function withdrawAnnounced({ trx }: Tx, parentId: string): Promise<string[]> {
  return acrossFacilities(async () => {
    const announced: string[] = [];
    for (const childId of await findFurtherChildIds(trx, parentId)) {
      await lockChild(trx, childId);
      if (await dropPickupsBy(trx, childId, parentId)) announced.push(childId);
    }
    return announced;
  });
}

async function emitAnnouncedEnd(context: Context, tx: Tx, childId: string, parentId: string): Promise<void> {
  for (const place of await acrossFacilities(() => findFacilitiesOfChild(tx.trx, childId)))
    await inFacility(place, () =>
      context.events.append(tx, { type: 'child.on_my_way_ended', childId, parentId }),
    );
}

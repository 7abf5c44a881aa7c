/** Staff block a family's account, or let it in again (decision 041). */
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import type { Context } from './context.ts';
import { deleteDeskCode } from './db/desk-codes.ts';
import { endKioskProofs } from './db/kiosk-proofs.ts';
import { lockParent, updateParentRow } from './db/parents.ts';
import { endSessionsOf } from './db/session-ends.ts';
import { inTransaction, type Tx } from './db/transaction.ts';
import { emitWithdrawn, withdrawFamily } from './kiosk-requests.ts';
import { requireRightsOverFamily } from './staff-rights.ts';

/** Blocks a family's account, or lets it in again; see {@link setBlockedWith}. Throws 404, `beyond_own_rights`. */
export async function setBlocked(
  context: Context,
  actor: Actor,
  id: string,
  isBlocked: boolean,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await setBlockedWith(context, tx, actor, id, isBlocked))) throw new AppError('not_found');
  });
}

/**
 * Blocking ends sessions, PIN, codes and kiosk requests in the same transaction. Changes nothing if it is so already; false
 * for an unknown account. Any facility of the family may block it; letting it in again needs the right at each of them, as
 * whoever blocked it had a reason. Locks the account, then its children. Throws `beyond_own_rights`.
 */
export async function setBlockedWith(
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  isBlocked: boolean,
): Promise<boolean> {
  const parent = await lockParent(tx.trx, id);
  if (!parent) return false;
  if ((parent.blocked_at !== null) === isBlocked) return true;
  if (!isBlocked) await requireRightsOverFamily(tx.trx, actor, id, 'families.block');
  await updateParentRow(tx.trx, id, { blocked_at: isBlocked ? context.clock.now() : null });
  const asked = isBlocked ? await withdrawFamily(context, tx, id) : null;
  if (isBlocked) {
    await endSessionsOf(tx.trx, 'parent', id);
    await endKioskProofs(tx.trx, id);
    await deleteDeskCode(tx.trx, id);
  }
  await context.audit.append(tx, {
    actor,
    action: isBlocked ? 'parent.blocked' : 'parent.unblocked',
    subject: { kind: 'parent', id },
  });
  await context.events.append(tx, { type: 'parent.updated', parentId: id });
  if (asked) await emitWithdrawn(context, tx, asked);
  return true;
}

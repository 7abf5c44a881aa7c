/** Moves children inside to another room, all or none. */
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { lockChild } from '../db/children.ts';
import { findStaysToMove, moveStays } from '../db/room-moves.ts';
import type { Tx } from '../db/transaction.ts';
import { lockAskedRoom, takePlaces } from './places.ts';

interface Move {
  readonly childIds: readonly string[];
  readonly roomId: string;
  readonly overCapacityReason?: string | undefined;
}

/**
 * Moves them in this transaction, with one audit row each. Children who are in the room already stay. Throws 404, `not_inside`,
 * `room_full`, `forbidden`.
 */
export async function moveChildrenIn(
  context: Context,
  tx: Tx,
  actor: Actor,
  facility: string,
  { childIds, roomId, overCapacityReason: reason }: Move,
): Promise<void> {
  // Always in the same order, so that two moves do not wait for each other; children before rooms, as a check-in does.
  const ids = [...new Set(childIds)].sort();
  const parents = new Map<string, string>();
  for (const id of ids) {
    const child = await lockChild(tx.trx, id);
    if (!child) throw new AppError('not_found');
    parents.set(id, child.parent_id);
  }
  const room = await lockAskedRoom(tx.trx, facility, roomId);
  const stays = await findStaysToMove(tx.trx, ids);
  if (stays.length < ids.length) throw new AppError('not_inside');
  const moving = stays.filter(({ room_id }) => room_id !== roomId);
  const { exceeded } = await takePlaces(tx, actor, room, { children: moving.length, reason });
  const at = context.clock.now();
  await moveStays(tx.trx, facility, moving, { to: roomId, by: actor.id, at });
  for (const { id, child_id, room_id } of moving) {
    await context.audit.append(tx, {
      actor,
      action: 'child.moved',
      subject: { kind: 'child', id: child_id },
      details: {
        stayId: id,
        from: room_id,
        to: roomId,
        ...(exceeded === undefined ? {} : { overCapacityReason: exceeded }),
      },
    });
    await context.events.append(tx, {
      type: 'child.moved',
      childId: child_id,
      parentId: parents.get(child_id) ?? null,
      audience: 'guardians',
    });
  }
}

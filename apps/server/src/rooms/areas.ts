/** The room that the area of a camera or sensor names; a new area becomes a room. */
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { endPresencesIn } from '../db/room-staff.ts';
import { countChildrenIn, deleteRoomRow, findRoomUses, insertRoom, lockRoomByName } from '../db/rooms.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * The name of the room that an area means, however it is spelt. The room is locked, so that it keeps that name until the
 * transaction ends. Adds a room if there is none.
 */
export async function roomNameFor(
  context: Context,
  tx: Tx,
  { actor, facility }: { readonly actor: Actor | null; readonly facility: string },
  area: string,
): Promise<string> {
  const known = await lockRoomByName(tx.trx, facility, area);
  if (known) return known.name;
  const room = await insertRoom(tx.trx, facility, {
    name: area,
    capacity: null,
    capacity_kind: 'soft',
    ratios: '[]',
    created_at: context.clock.now(),
  });
  // Another request has just added it.
  if (!room) return (await lockRoomByName(tx.trx, facility, area))?.name ?? refuse();
  await context.audit.append(tx, {
    actor,
    action: 'room.created',
    subject: { kind: 'room', id: room.id },
    details: { byArea: 'true' },
  });
  await context.events.append(tx, { type: 'room.updated' });
  return room.name;
}

/**
 * Deletes a room that an area made since a moment (milliseconds since 1970), if nobody has set it up or uses it since.
 */
export async function deleteUnusedRoom(
  context: Context,
  tx: Tx,
  { actor, facility }: { readonly actor: Actor; readonly facility: string },
  { area, since }: { readonly area: string; readonly since: number },
): Promise<void> {
  const room = await lockRoomByName(tx.trx, facility, area);
  if (!room || room.created_at < since || room.is_default === 1) return;
  if (room.capacity !== null || room.ratios !== '[]') return;
  const uses = (await findRoomUses(tx.trx))(room);
  if (uses.cameras + uses.sensors + uses.homeChildren + (await countChildrenIn(tx.trx, room.id)) > 0) return;
  await endPresencesIn(tx.trx, room.id, context.clock.now());
  await deleteRoomRow(tx.trx, room.id);
  await context.audit.append(tx, { actor, action: 'room.deleted', subject: { kind: 'room', id: room.id } });
  await context.events.append(tx, { type: 'room.updated' });
}

function refuse(): never {
  throw new AppError('unavailable');
}

/** Finds the room in which a child is put, and makes sure that it has a place (decision 043). */
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { findHomeRoom } from '../db/home-rooms.ts';
import { countChildrenIn, lockDefaultRoom, lockRoom } from '../db/rooms.ts';
import type { RoomRow } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { may } from '../policy.ts';

export interface WantedPlaces {
  /** Number of children who come in. */
  readonly children: number;
  /** Why a hard limit is exceeded; undefined: it is not. */
  readonly reason: string | undefined;
}

export interface TakenPlaces {
  readonly room: RoomRow;
  /** The reason, if the room is beyond its hard limit now. */
  readonly exceeded: string | undefined;
}

/** The room of a check-in, locked: the asked one, else the child's home room, else the default. Throws 404. */
export async function lockRoomForCheckIn(
  { trx }: Tx,
  facility: string,
  childId: string,
  asked: string | undefined,
): Promise<RoomRow> {
  if (asked !== undefined) return lockAskedRoom(trx, facility, asked);
  const home = await findHomeRoom(trx, childId, facility);
  const room = home === null ? undefined : await lockRoom(trx, facility, home);
  return room ?? lockDefault(trx, facility);
}

/** Whether a room takes so many children and no more. */
export function hasHardLimit(room: RoomRow): room is RoomRow & { readonly capacity: number } {
  return room.capacity !== null && room.capacity_kind === 'hard';
}

/** Locks a room. Throws 404. */
export async function lockAskedRoom(trx: Tx['trx'], facility: string, id: string): Promise<RoomRow> {
  const room = await lockRoom(trx, facility, id);
  if (!room) throw new AppError('not_found');
  return room;
}

/** Locks and returns the room in which a stay continues: its own, or the default room if that was deleted. */
export async function lockRoomOfStay({ trx }: Tx, facility: string, roomId: string | null): Promise<RoomRow> {
  const room = roomId === null ? undefined : await lockRoom(trx, facility, roomId);
  return room ?? lockDefault(trx, facility);
}

async function lockDefault(trx: Tx['trx'], facility: string): Promise<RoomRow> {
  const room = await lockDefaultRoom(trx, facility);
  // It has become another room between two statements.
  if (!room) throw new AppError('unavailable');
  return room;
}

/**
 * Makes sure that a locked room has places. With a reason, those who manage rooms may exceed a hard limit. Throws
 * `room_full`, `forbidden`.
 */
export async function takePlaces(
  { trx }: Tx,
  actor: Actor,
  room: RoomRow,
  { children, reason }: WantedPlaces,
): Promise<TakenPlaces> {
  if (!hasHardLimit(room) || children === 0) return { room, exceeded: undefined };
  const present = await countChildrenIn(trx, room.id);
  if (present + children <= room.capacity) return { room, exceeded: undefined };
  if (reason === undefined) {
    const { id: _id, name, capacity } = room;
    throw new AppError('room_full', { room: { _id, name, capacity, children: present } });
  }
  if (!may(actor, 'rooms.manage')) throw new AppError('forbidden');
  return { room, exceeded: reason };
}

/** Adds, changes and deletes rooms. */
import { isDeepStrictEqual } from 'node:util';
import { HEAD_COUNT_OPEN_MS } from '@haris/contract/constants';
import { ROOMS_MAX, type Room, type RoomRatio } from '@haris/contract/http/rooms';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { leadsCountTo } from '../../db/head-counts.ts';
import { renameArea } from '../../db/room-names.ts';
import { endPresencesIn } from '../../db/room-staff.ts';
import {
  countChildrenIn,
  countRooms,
  deleteRoomRow,
  findRoomUses,
  insertRoom,
  lockDefaultRoom,
  setDefaultRoom,
  updateRoomRow,
} from '../../db/rooms.ts';
import type { RoomRow } from '../../db/schema.ts';
import { lockSettings, readSettings, writeSettings } from '../../db/settings.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { requireProof } from '../../http/proof.ts';
import { lockAskedRoom } from '../../rooms/places.ts';
import { readRooms } from '../../rooms/state.ts';

export interface RoomInput {
  readonly name: string;
  readonly capacity?: number | null | undefined;
  readonly capacityKind?: 'hard' | 'soft' | undefined;
  readonly ratios?: readonly RoomRatio[] | undefined;
  readonly isDefault?: boolean | undefined;
}

export type RoomChange = { readonly [Name in keyof RoomInput]?: RoomInput[Name] | undefined };

/** One room as it is now. Throws 404. */
export async function getRoom(context: Context, facility: string, id: string): Promise<Room> {
  const room = (await readRooms(context.db, context, facility)).find(({ _id }) => _id === id);
  if (!room) throw new AppError('not_found');
  return room;
}

/** Adds a room and returns its id. Throws `room_name_taken`, `too_many_rooms`. */
export async function createRoom(
  context: Context,
  actor: Actor,
  facility: string,
  { name, capacity = null, capacityKind = 'soft', ratios = [], isDefault = false }: RoomInput,
): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    // Lock the default room before the new one, in the same order as a change of the default room does.
    await lockDefaultRoom(tx.trx, facility);
    if ((await countRooms(tx.trx, facility)) >= ROOMS_MAX) throw new AppError('too_many_rooms');
    const room = await insertRoom(tx.trx, facility, {
      name,
      capacity,
      capacity_kind: capacityKind,
      ratios: JSON.stringify(ratios),
      created_at: context.clock.now(),
    });
    if (!room) throw new AppError('room_name_taken');
    if (isDefault) await setDefaultRoom(tx.trx, facility, room.id);
    await context.audit.append(tx, {
      actor,
      action: 'room.created',
      subject: { kind: 'room', id: room.id },
      details: detailsOf({ capacity, capacityKind, ratios, isDefault }),
    });
    await context.events.append(tx, { type: 'room.updated' });
    return room.id;
  });
}

/** Whether the numbers change that open an incident or refuse a child. Pure. */
function changesLimits(before: RoomRow, { capacity, capacityKind, ratios }: RoomChange): boolean {
  return (
    (capacity !== undefined && capacity !== before.capacity) ||
    (capacityKind !== undefined && capacityKind !== before.capacity_kind) ||
    (ratios !== undefined && !isDeepStrictEqual(ratios, JSON.parse(before.ratios)))
  );
}

/**
 * Changes a room; a new name is applied to everything that has the room as its area. Throws 404, `proof_required`,
 * `room_name_taken`.
 */
export async function updateRoom(
  context: Context,
  actor: Actor,
  facility: string,
  id: string,
  change: RoomChange,
): Promise<void> {
  const { name, capacity, capacityKind, ratios, isDefault } = change;
  try {
    await inTransaction(context.db, async (tx) => {
      if (isDefault) await lockDefaultRoom(tx.trx, facility);
      const before = await lockAskedRoom(tx.trx, facility, id);
      if (changesLimits(before, change)) await requireProof(context, actor, tx.trx);
      await updateRoomRow(tx.trx, id, {
        ...(name === undefined ? {} : { name }),
        ...(capacity === undefined ? {} : { capacity }),
        ...(capacityKind === undefined ? {} : { capacity_kind: capacityKind }),
        ...(ratios === undefined ? {} : { ratios: JSON.stringify(ratios) }),
      });
      if (isDefault && before.is_default === 0) await setDefaultRoom(tx.trx, facility, id);
      const isRenamed = name !== undefined && name !== before.name;
      const renamed = isRenamed ? await renameEverywhere(context, tx, before.name, name) : null;
      await context.audit.append(tx, {
        actor,
        action: 'room.updated',
        subject: { kind: 'room', id },
        details: { ...(isRenamed ? { name: 'true' } : {}), ...detailsOf(change) },
      });
      await context.events.append(tx, { type: 'room.updated' });
      if (renamed?.cameras) await context.events.append(tx, { type: 'camera.updated' });
      if (renamed?.sensors) await context.events.append(tx, { type: 'sensor.updated' });
      if (renamed?.hasLimits) await context.events.append(tx, { type: 'settings.updated' });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('room_name_taken');
    throw error;
  }
}

async function renameEverywhere(context: Context, tx: Tx, from: string, to: string) {
  const renamed = await renameArea(tx.trx, { from, to });
  const hasLimits = await changeLimits(context, tx, from, to);
  return { ...renamed, hasLimits };
}

/** Renames the limits of an area, or removes them (`to` null). False if there are none. */
async function changeLimits(context: Context, tx: Tx, from: string, to: string | null): Promise<boolean> {
  await lockSettings(tx.trx);
  const { areaAlarms } = await readSettings(tx.trx, context.config);
  const own = areaAlarms.find(({ area }) => area === from);
  if (!own) return false;
  const others = areaAlarms.filter(({ area }) => area !== from && area !== to);
  const next = to === null ? others : [...others, { ...own, area: to }];
  if (isDeepStrictEqual(next, areaAlarms)) return false;
  await writeSettings(tx.trx, { areaAlarms: next });
  return true;
}

function detailsOf({ capacity, capacityKind, ratios, isDefault }: RoomChange) {
  return {
    ...(capacity === undefined ? {} : { capacity }),
    ...(capacityKind === undefined ? {} : { capacityKind }),
    ...(ratios === undefined ? {} : { ratios: JSON.stringify(ratios) }),
    ...(isDefault ? { isDefault: 'true' } : {}),
  };
}

/** Deletes a room that nothing uses. Throws 404, `default_room`, `room_in_use`. */
export async function deleteRoom(
  context: Context,
  actor: Actor,
  facility: string,
  id: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const room = await lockAskedRoom(tx.trx, facility, id);
    if (room.is_default === 1) throw new AppError('default_room');
    const { cameras, sensors, homeChildren } = (await findRoomUses(tx.trx))(room);
    const isAwaited = await leadsCountTo(tx.trx, id, context.clock.now() - HEAD_COUNT_OPEN_MS);
    if (cameras + sensors > 0 || isAwaited || (await countChildrenIn(tx.trx, id)) > 0)
      throw new AppError('room_in_use');
    await endPresencesIn(tx.trx, id, context.clock.now());
    await deleteRoomRow(tx.trx, id);
    const hadLimits = await changeLimits(context, tx, room.name, null);
    await context.audit.append(tx, {
      actor,
      action: 'room.deleted',
      subject: { kind: 'room', id },
      details: { homeChildren },
    });
    await context.events.append(tx, { type: 'room.updated' });
    if (hadLimits) await context.events.append(tx, { type: 'settings.updated' });
  });
}

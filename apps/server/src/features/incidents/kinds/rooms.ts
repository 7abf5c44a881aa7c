/** Rooms with more children than their capacity, and rooms with fewer staff than their children need (decision 043). */
import type { Room } from '@haris/contract/http/rooms';
import type { Context } from '../../../context.ts';
import { currentFacility } from '../../../facility.ts';
import { readRooms } from '../../../rooms/state.ts';
import type { Detector } from '../detection.ts';

/** Time before a breach becomes an incident, because a hand-over between two rooms takes a moment. Milliseconds. */
const RAISED_AFTER_MS = 60_000;

const KINDS = ['room_over_capacity', 'room_understaffed'] as const;

function isTrueOf(kind: (typeof KINDS)[number], room: Room): boolean {
  return kind === 'room_over_capacity' ? room.isOverCapacity : room.isUnderstaffed === true;
}

export function detectRooms(context: Pick<Context, 'db' | 'config' | 'clock'>): Detector {
  const since = new Map<string, number>();
  return async (now) => {
    const rooms = await readRooms(context.db, context, currentFacility());
    const current = KINDS.flatMap((kind) =>
      rooms
        .filter((room) => isTrueOf(kind, room))
        .map((room) => ({ kind, room, condition: `${kind} ${room._id}` })),
    );
    const goingOn = new Set(current.map(({ condition }) => condition));
    for (const condition of since.keys()) if (!goingOn.has(condition)) since.delete(condition);
    for (const condition of goingOn) if (!since.has(condition)) since.set(condition, now);
    const lasting = current.filter(({ condition }) => now - (since.get(condition) ?? now) >= RAISED_AFTER_MS);
    return {
      kinds: KINDS,
      findings: lasting.map(({ kind, room, condition }) => ({
        kind,
        condition,
        area: room.name,
        subject: { kind: 'room' as const, id: room._id },
      })),
      goingOn,
    };
  };
}

/** Staff say in which room they are, one of all facilities; a row of an earlier day has ended. */

import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockEventOrder } from '../../db/events.ts';
import { atEachFacility } from '../../db/facilities.ts';
import { beginPresence, endPresence, endPresencesBefore, findOpenPresence } from '../../db/room-staff.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { acrossFacilities, currentFacility, inFacility } from '../../facility.ts';
import { lockAskedRoom } from '../../rooms/places.ts';
import { readDay } from '../../rooms/state.ts';

/** Number of attempts of a clock-in that collides with another one of the same person. */
const ATTEMPTS = 5;

/** A room of another facility that somebody has left by clocking in here. */
interface LeftRoom {
  readonly facility: string;
  readonly roomId: string;
  /** Whether the person was there until now. False if that facility's day had ended before. */
  readonly wasToday: boolean;
}

/**
 * Clocks the actor in to a room or out of it; a repetition changes nothing. Who clocks in here is in no room of another
 * facility any more. Throws 404.
 */
export async function setPresence(
  context: Context,
  actor: Actor,
  facility: string,
  roomId: string,
  presence: 'here' | 'gone',
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockAskedRoom(tx.trx, facility, roomId);
    const at = context.clock.now();
    const left =
      presence === 'here'
        ? await clockIn(context, tx, facility, { staffId: actor.id, roomId, at })
        : (await endPresence(tx.trx, actor.id, { roomId, at })) && [];
    if (!left) return;
    await record(context, tx, actor, presence === 'here' ? 'room.staff_here' : 'room.staff_gone', roomId);
    for (const { facility: other, roomId: leftId, wasToday } of left)
      await inFacility(other, () => record(context, tx, actor, wasToday ? 'room.staff_gone' : null, leftId));
  });
}

/** Appends an audit row, if there is an action, and the event for the screens of the current facility. */
async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  action: 'room.staff_here' | 'room.staff_gone' | null,
  roomId: string,
): Promise<void> {
  if (action !== null)
    await context.audit.append(tx, { actor, action, subject: { kind: 'room', id: roomId }, details: {} });
  await context.events.append(tx, { type: 'room.updated' });
}

/** Returns the rooms of other facilities that the person has left; false if the person is in this room already. */
async function clockIn(
  context: Context,
  tx: Tx,
  facility: string,
  entry: { readonly staffId: string; readonly roomId: string; readonly at: number },
): Promise<readonly LeftRoom[] | false> {
  const left: LeftRoom[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const open = await acrossFacilities(() => findOpenPresence(tx.trx, entry.staffId));
    if (open) {
      // A day begins and ends by the clock of its own facility.
      const { start } = await inFacility(open.facility_id, () => readDay(tx.trx, context));
      const wasToday = open.from_at >= start;
      if (open.room_id === entry.roomId && wasToday) return false;
      const at = wasToday ? entry.at : start;
      const hasEnded = await acrossFacilities(() => endPresence(tx.trx, entry.staffId, { at }));
      if (hasEnded && open.facility_id !== facility)
        left.push({ facility: open.facility_id, roomId: open.room_id, wasToday });
    }
    if (await beginPresence(tx.trx, facility, entry)) return left;
  }
  throw new AppError('unavailable');
}

/** Ends the rows of earlier days. */
export async function endPastPresences(context: Context): Promise<void> {
  await atEachFacility(context.db, () => endPastPresencesHere(context));
}

async function endPastPresencesHere(context: Context): Promise<void> {
  const { start } = await readDay(context.db, context);
  await inTransaction(context.db, async (tx) => {
    if ((await endPresencesBefore(tx.trx, currentFacility(), start)) === 0) return;
    await lockEventOrder(tx);
    await context.events.append(tx, { type: 'room.updated' });
  });
}

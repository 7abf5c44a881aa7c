/** Staff say in which room they are; a row of an earlier day has ended. */

import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockEventOrder } from '../../db/events.ts';
import { atEachFacility } from '../../db/facilities.ts';
import { beginPresence, endPresence, endPresencesBefore, findOpenPresence } from '../../db/room-staff.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { currentFacility } from '../../facility.ts';
import { lockAskedRoom } from '../../rooms/places.ts';
import { readDay } from '../../rooms/state.ts';

/** Number of attempts of a clock-in that collides with another one of the same person. */
const ATTEMPTS = 5;

/** Clocks the actor in to a room or out of it; a repetition changes nothing. Throws 404. */
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
    const hasChanged =
      presence === 'here'
        ? await clockIn(context, tx, facility, { staffId: actor.id, roomId, at })
        : await endPresence(tx.trx, actor.id, { roomId, at });
    if (!hasChanged) return;
    await context.audit.append(tx, {
      actor,
      action: presence === 'here' ? 'room.staff_here' : 'room.staff_gone',
      subject: { kind: 'room', id: roomId },
      details: {},
    });
    await context.events.append(tx, { type: 'room.updated' });
  });
}

async function clockIn(
  context: Context,
  tx: Tx,
  facility: string,
  entry: { readonly staffId: string; readonly roomId: string; readonly at: number },
): Promise<boolean> {
  const { start } = await readDay(tx.trx, context);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const open = await findOpenPresence(tx.trx, entry.staffId);
    if (open && open.room_id === entry.roomId && open.from_at >= start) return false;
    if (open) await endPresence(tx.trx, entry.staffId, { at: open.from_at < start ? start : entry.at });
    if (await beginPresence(tx.trx, facility, entry)) return true;
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

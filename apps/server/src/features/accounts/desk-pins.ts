/** PINs of staff for desk tablets: set and removed by their owner, or removed by administrators (decision 045). */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findKiosks, hasPairedDevice } from '../../db/kiosks.ts';
import type { StaffRow } from '../../db/schema.ts';
import { lockStaffMember } from '../../db/staff.ts';
import { endStaffPin, findStaffPinTime, writeStaffPin } from '../../db/staff-pins.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { mailPin } from '../../mail/account-mails.ts';
import { setOwnPin } from '../../own-pin.ts';
import { pepperedPin } from '../../staff-pin.ts';
import { requireRightsOf } from '../../staff-rights.ts';
import { forgetStaffTries } from './desk-limits.ts';

export async function getDeskPin(
  { db }: Context,
  staffId: string,
): Promise<{ setAt: number | null; hasDesk: boolean }> {
  return { setAt: await findStaffPinTime(db, staffId), hasDesk: await hasPairedDevice(db, 'desk') };
}

/**
 * Sets the caller's PIN and mails the caller. Sessions opened with the older PIN end, except the calling one. Throws
 * 400 if the PIN is part of the caller's national ID, which contains the birth date; `too_many_attempts`.
 */
export async function setDeskPin(context: Context, actor: Actor, pin: string): Promise<number> {
  return setOwnPin(context, actor, {
    scope: 'staff pin',
    peppered: pepperedPin(context, actor.id, pin),
    async lock(tx) {
      const member = await lockStaffMember(tx.trx, actor.id);
      if (!member) throw new AppError('unauthenticated');
      return member;
    },
    isGuessable: (member) => isOfOwnId(context, member, pin),
    async store(tx, member, row) {
      await endStaffPin(tx.trx, actor.id, actor.session);
      await writeStaffPin(tx.trx, actor.id, row);
      const desks = (await findKiosks(tx.trx)).filter(({ kind }) => kind === 'desk');
      for (const { id } of desks) await forgetStaffTries(context, tx, id, actor.id);
      await mail(context, tx, member, 'desk_pin_set');
      await context.audit.append(tx, {
        actor,
        action: 'admin.desk_pin_set',
        subject: { kind: 'admin', id: actor.id },
      });
    },
  });
}

/** Whether the PIN is part of the person's national ID, or of the birth date in it, in either order. */
function isOfOwnId({ vault }: Context, { id, national_id_sealed }: StaffRow, pin: string): boolean {
  if (national_id_sealed === null) return false;
  const nationalId = vault.open(`national id ${id}`, national_id_sealed).toString('utf8');
  const [year, month, day] = [nationalId.slice(1, 3), nationalId.slice(3, 5), nationalId.slice(5, 7)];
  return nationalId.includes(pin) || pin === `${day}${month}${year}` || pin === `${month}${day}${year}`;
}

/** Removes a staff member's PIN and mails its owner. Does nothing if there is none. Throws 404, `beyond_own_rights`. */
export async function removeDeskPin(context: Context, actor: Actor, staffId: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const member = await lockStaffMember(tx.trx, staffId);
    if (!member) throw new AppError('not_found');
    if (staffId !== actor.id) await requireRightsOf(tx.trx, actor, staffId);
    if (!(await endStaffPin(tx.trx, staffId))) return;
    await mail(context, tx, member, 'desk_pin_removed');
    await context.audit.append(tx, {
      actor,
      action: 'admin.desk_pin_removed',
      subject: { kind: 'admin', id: staffId },
    });
  });
  await context.mails.settled();
}

async function mail(
  context: Context,
  tx: Tx,
  { id, name, email, language }: StaffRow,
  what: 'desk_pin_set' | 'desk_pin_removed',
): Promise<void> {
  await mailPin(context, tx, { kind: 'admin', accountId: id, name, email, language }, what);
}

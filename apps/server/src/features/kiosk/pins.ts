/** PINs of families for the kiosk: set by the parent, removed by the parent or by staff, compared in constant work. */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import {
  deletePin,
  endKioskProofs,
  findPinsByDigits,
  findPinTime,
  type PinRow,
  writePin,
} from '../../db/kiosk-proofs.ts';
import { hasPairedDevice } from '../../db/kiosks.ts';
import { findParent, lockParent } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { emitWithdrawn, withdrawFamily } from '../../kiosk-requests.ts';
import { mailPin } from '../../mail/account-mails.ts';
import { setOwnPin } from '../../own-pin.ts';
import { passwordMatches } from '../../vault/passwords.ts';

/** Hashes computed per try, whether or not there are as many families with these digits. */
const KIOSK_CANDIDATES = 6;

/** Keys the PIN before it is hashed, so that a copy of the database alone does not allow guessing. */
function pepper({ vault }: Context, pin: string): string {
  return vault.mac('kiosk pin', pin);
}

/** Last four digits of a phone; null without a phone. */
function tailOf(phone: string | null): string | null {
  return phone?.slice(-4) ?? null;
}

export interface PinState {
  readonly setAt: number | null;
  readonly digits: string | null;
  readonly hasKiosk: boolean;
}

/** Throws 404. */
export async function getPinState(context: Context, parentId: string): Promise<PinState> {
  const parent = await findParent(context.db, parentId);
  if (!parent) throw new AppError('not_found');
  return {
    setAt: await findPinTime(context.db, parentId),
    digits: tailOf(parent.phone),
    hasKiosk: await hasPairedDevice(context.db, 'kiosk'),
  };
}

/** Sets the parent's PIN and mails the parent. Throws `no_phone`, 400 for the phone's own digits, `too_many_attempts`. */
export async function setPin(context: Context, actor: Actor, pin: string): Promise<number> {
  return setOwnPin(context, actor, {
    scope: 'kiosk pin',
    peppered: pepper(context, pin),
    async lock(tx) {
      const parent = await lockParent(tx.trx, actor.id);
      if (!parent) throw new AppError('not_found');
      return parent;
    },
    isGuessable({ phone }) {
      const digits = tailOf(phone);
      if (digits === null) throw new AppError('no_phone');
      return pin.endsWith(digits) || phone?.includes(pin) === true;
    },
    async store(tx, parent, row) {
      await writePin(tx.trx, actor.id, row);
      await mail(context, tx, parent, 'kiosk_pin_set');
      await context.audit.append(tx, {
        actor,
        action: 'parent.kiosk_pin_set',
        subject: { kind: 'parent', id: actor.id },
      });
    },
  });
}

/** Removes a parent's PIN, for the parent or for staff, and mails the parent. Does nothing if there is none. Throws 404. */
export async function removePin(context: Context, actor: Actor, parentId: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const parent = await lockParent(tx.trx, parentId);
    if (!parent) throw new AppError('not_found');
    if (!(await deletePin(tx.trx, parentId))) return;
    await endKioskProofs(tx.trx, parentId);
    const ended = await withdrawFamily(context, tx, parentId);
    await mail(context, tx, parent, 'kiosk_pin_removed');
    await context.audit.append(tx, {
      actor,
      action: 'parent.kiosk_pin_removed',
      subject: { kind: 'parent', id: parentId },
    });
    await emitWithdrawn(context, tx, ended);
  });
  await context.mails.settled();
}

async function mail(
  context: Context,
  tx: Tx,
  { id, name, email, language }: ParentRow,
  what: 'kiosk_pin_set' | 'kiosk_pin_removed',
): Promise<void> {
  await mailPin(context, tx, { kind: 'parent', accountId: id, name, email, language }, what);
}

/**
 * The PIN of the parent with these digits; null if there is none, more than one, or more candidates than
 * {@link KIOSK_CANDIDATES}. Always computes the same number of hashes.
 */
export async function findByPin(context: Context, digits: string, pin: string): Promise<PinRow | null> {
  const found = await findPinsByDigits(context.db, digits, KIOSK_CANDIDATES + 1);
  const typed = pepper(context, pin);
  const matches: PinRow[] = [];
  for (let index = 0; index < KIOSK_CANDIDATES; index++) {
    const candidate = found[index];
    if ((await passwordMatches(candidate?.pin_hash, typed)) && candidate) matches.push(candidate);
  }
  // The phone's digits are not a secret. This is checked again because the phone may have changed after the PIN was set.
  const isUsable = found.length <= KIOSK_CANDIDATES && pin !== digits;
  return isUsable && matches.length === 1 ? (matches[0] ?? null) : null;
}

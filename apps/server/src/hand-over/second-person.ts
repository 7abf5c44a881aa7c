/** A second staff member confirms a hand-over with a PIN (decision 049). */
import type { Permission } from '@haris/contract/permissions';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findPermissions, holdRightsAt } from '../db/memberships.ts';
import { hasEndedLink } from '../db/oidc.ts';
import type { Database } from '../db/schema.ts';
import { findStaffMember } from '../db/staff.ts';
import { findStaffPin, holdStaff, type StaffPinRow } from '../db/staff-pins.ts';
import { countHit, type Limit, secondsUntilRoom, takeBackHit } from '../db/throttle.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { currentFacility } from '../facility.ts';
import { isOidcSignInDue } from '../oidc-due.ts';
import { pepperedPin } from '../staff-pin.ts';
import { passwordMatches } from '../vault/passwords.ts';

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** Wrong PINs of one person: a PIN has only a million values. */
function limitsOf({ vault }: Context, staffId: string): Limit[] {
  const key = vault.mac('throttle', staffId);
  return [
    { scope: 'release pin', key, most: 5, windowMs: QUARTER_MS },
    { scope: 'release pin', key, most: 20, windowMs: DAY_MS },
  ];
}

/** Whether a colleague with these permissions here counts as a second person. */
async function mayConfirm(
  { clock }: Context,
  db: Kysely<Database> | Transaction<Database>,
  staffId: string,
  permissions: ReadonlySet<Permission> | undefined,
): Promise<boolean> {
  const member = await findStaffMember(db, staffId);
  return (
    member?.email_verified === 1 &&
    !(await hasEndedLink(db, staffId)) &&
    !(await isOidcSignInDue(db, member, clock.now())) &&
    permissions?.has('children.check_in') === true
  );
}

/**
 * Returns the PIN of a colleague who may check children out here, if it is right; null otherwise. Counts each try as wrong
 * before it is compared, so that simultaneous ones cannot all pass. Call it outside of a transaction, because hashing is
 * slow, and {@link isSecondPerson} in the one that relies on it. Throws `too_many_attempts`.
 */
export async function checkSecondPin(
  context: Context,
  actor: Actor,
  { staffId, pin }: { readonly staffId: string; readonly pin: string },
): Promise<StaffPinRow | null> {
  const { db, clock } = context;
  const limits = limitsOf(context, staffId);
  const counted = limits.slice(0, 1);
  const retryAfter = await inTransaction(db, async ({ trx }) => {
    const seconds = await secondsUntilRoom(trx, limits, clock.now());
    if (seconds === null) await countHit(trx, counted, clock.now());
    return seconds;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  const stored = await findStaffPin(db, staffId);
  const matches = await passwordMatches(stored?.pin_hash, pepperedPin(context, staffId, pin));
  const permissions = (await findPermissions(db, currentFacility())).get(staffId);
  const may = await mayConfirm(context, db, staffId, permissions);
  if (!matches || stored === undefined || staffId === actor.id || !may) return null;
  await inTransaction(db, async ({ trx }) => {
    for (const limit of counted) await takeBackHit(trx, limit, clock.now());
  });
  return stored;
}

/**
 * Whether the colleague still has the PIN that was right, and may still check children out here: the account may have ended
 * since. Account and roles stay until the transaction ends: whoever wants to change them waits.
 */
export async function isSecondPerson(context: Context, { trx }: Tx, pin: StaffPinRow): Promise<boolean> {
  if (!(await holdStaff(trx, pin.staff_id, pin))) return false;
  const rights = await holdRightsAt(trx, context.dialect, currentFacility(), pin.staff_id);
  return mayConfirm(context, trx, pin.staff_id, rights?.here);
}

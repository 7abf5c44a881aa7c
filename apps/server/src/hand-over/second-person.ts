/** A second staff member confirms a hand-over with a PIN (decision 049). */
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findPermissions } from '../db/memberships.ts';
import { hasEndedLink } from '../db/oidc.ts';
import { findStaffMember } from '../db/staff.ts';
import { findStaffPin } from '../db/staff-pins.ts';
import { countHit, type Limit, secondsUntilRoom, takeBackHit } from '../db/throttle.ts';
import { inTransaction } from '../db/transaction.ts';
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

/**
 * Whether this is the PIN of a colleague who may check children out here. Counts each try as wrong before it is
 * compared, so that simultaneous ones cannot all pass. Call it outside of a transaction, because hashing is slow.
 * Throws `too_many_attempts`.
 */
export async function isSecondPerson(
  context: Context,
  actor: Actor,
  { staffId, pin }: { readonly staffId: string; readonly pin: string },
): Promise<boolean> {
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
  const member = await findStaffMember(db, staffId);
  const isRight =
    matches &&
    stored !== undefined &&
    staffId !== actor.id &&
    member?.email_verified === 1 &&
    !(await hasEndedLink(db, staffId)) &&
    !(await isOidcSignInDue(db, member, clock.now())) &&
    permissions?.has('children.check_in') === true;
  if (isRight)
    await inTransaction(db, async ({ trx }) => {
      for (const limit of counted) await takeBackHit(trx, limit, clock.now());
    });
  return isRight;
}

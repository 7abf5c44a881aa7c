/**
 * A new e-mail of a staff member that waits for its link. The sealed link itself is the only record of it, so a change that
 * nobody verified within the link's time is forgotten.
 */
import type { Context } from '../../context.ts';
import {
  endOneTimeTokensElsewhere,
  endStaffTokensElsewhere,
  findTokenAddresses,
} from '../../db/one-time-tokens.ts';
import type { StaffRow } from '../../db/schema.ts';
import { findStaffMember } from '../../db/staff.ts';
import type { Tx } from '../../db/transaction.ts';
import { acrossFacilities } from '../../facility.ts';

/** Drops a new address that waits. Returns whether there was one. */
export async function endPendingStaffEmail({ trx }: Tx, id: string): Promise<boolean> {
  const member = await acrossFacilities(() => findStaffMember(trx, id));
  if (!member) return false;
  return endOneTimeTokensElsewhere(trx, { kind: 'admin', accountId: id, email: member.email }, 'verify');
}

/**
 * Drops all new addresses that wait. Call it whenever the rights of staff change: who asked for one may have lost the right to,
 * or the account may have more rights than they.
 */
export async function endAllPendingStaffEmails({ trx }: Tx): Promise<void> {
  await acrossFacilities(() => endStaffTokensElsewhere(trx, 'verify'));
}

/** The new addresses that wait, by staff member. */
export async function findPendingStaffEmails(
  { db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>,
  members: readonly Pick<StaffRow, 'id' | 'email'>[],
): Promise<ReadonlyMap<string, string>> {
  if (members.length === 0) return new Map();
  const ids = members.map(({ id }) => id);
  const mailed = await findTokenAddresses(db, vault, 'admin', ids, 'verify', clock.now());
  for (const { id, email } of members) if (mailed.get(id) === email) mailed.delete(id);
  return mailed;
}

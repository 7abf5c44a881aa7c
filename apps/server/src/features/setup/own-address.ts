/** Gives the first administrator, who has a placeholder address, a name and an address of their own. */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { endOneTimeTokens } from '../../db/one-time-tokens.ts';
import { findStaffMemberByEmail, lockStaffMember, updateStaffDetails } from '../../db/staff.ts';
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts';

/**
 * Takes effect at once, as `ADMIN_EMAIL` does: the person with the printed password runs the installation, and the mail
 * server that could verify the address may not be set yet. Throws `address_already_set`, `email_taken`.
 */
export async function setOwnAddress(
  context: Context,
  actor: Actor,
  { name, email }: { name: string; email: string },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const member = await lockStaffMember(tx.trx, actor.id);
    if (!member?.email.endsWith('@localhost')) throw new AppError('address_already_set');
    if (await findStaffMemberByEmail(tx.trx, email)) throw new AppError('email_taken');
    await updateStaffDetails(tx.trx, actor.id, { name, email });
    await endOneTimeTokens(tx.trx, 'admin', actor.id, ['verify']);
    await context.audit.append(tx, {
      actor,
      action: 'admin.address_set',
      subject: { kind: 'admin', id: actor.id },
    });
    await context.events.append(tx, { type: 'settings.updated' });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('email_taken') : error;
  });
}

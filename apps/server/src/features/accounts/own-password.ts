/** Changes the password of the caller's account. */
import { SAME_PASSWORD } from '@haris/contract/http/session';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAccount, lockAccount, setOwnPassword } from '../../db/accounts.ts';
import { endOneTimeTokens } from '../../db/one-time-tokens.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import { inTransaction } from '../../db/transaction.ts';
import { mailPasswordChange } from '../../mail/account-mails.ts';
import { hashPassword } from '../../vault/passwords.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { endPendingStaffEmail } from './pending-staff-email.ts';
import { checkOwnPassword } from './proof.ts';

/**
 * Sets the new password. Ends all other sessions of the account and all mailed links that set a password, and mails
 * a message about the change. Throws `wrong_password`, `too_many_attempts`; 400 if the new password equals the old one.
 */
export async function changePassword(
  context: Context,
  actor: Actor,
  { current, password }: { current: string; password: string },
): Promise<void> {
  const { kind, id } = actor;
  const stored = await checkOwnPassword(context, actor, current);
  if (current.normalize('NFC') === password.normalize('NFC'))
    throw new AppError('invalid_request', { message: SAME_PASSWORD, fields: { password: SAME_PASSWORD } });
  const own = await findAccount(context.db, actor);
  if (own) await refuseCommonPassword(password, own);
  const passwordHash = await hashPassword(password);
  await inTransaction(context.db, async (tx) => {
    const account = await lockAccount(tx.trx, actor);
    // Another password was set meanwhile, so the typed one proves nothing.
    if (account?.password_hash !== stored) throw new AppError('wrong_password');
    await setOwnPassword(tx.trx, actor, passwordHash);
    await endSessionsOf(tx.trx, kind, id, actor.session);
    await endOneTimeTokens(tx.trx, kind, id, ['reset', 'invitation']);
    // The mail about it says so.
    if (kind === 'admin') await endPendingStaffEmail(tx, id);
    const { name, email, language } = account;
    await mailPasswordChange(context, tx, { kind, accountId: id, name, email, language });
    await context.audit.append(tx, {
      actor,
      action: `${kind}.password_set`,
      subject: { kind, id },
      details: { by: 'change' },
    });
  });
  await context.mails.settled();
}

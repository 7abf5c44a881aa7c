/** Sets another password for the own account. */
import { SAME_PASSWORD } from '@haris/contract/http/session';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAdmin, takeAdmin } from '../../db/admins.ts';
import { endOneTimeTokens } from '../../db/one-time-tokens.ts';
import { findParent, takeParent } from '../../db/parents.ts';
import { endSessionsOf } from '../../db/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { mailPasswordChange } from '../../mail/account-mails.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { hashPassword } from './passwords.ts';
import { checkOwnPassword } from './proof.ts';

/**
 * Sets the new password. Every other session of the account ends, and so do mailed links that would set one; the account
 * is told by mail. From then on nobody else knows the password, whoever set the first one.
 * Throws `wrong_password`, `too_many_attempts`; 400 for the same password again.
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
  const own = await (kind === 'admin' ? findAdmin(context.db, id) : findParent(context.db, id));
  if (own) await refuseCommonPassword(password, own);
  const passwordHash = await hashPassword(password);
  await inTransaction(context.db, async (tx) => {
    const account = await (kind === 'admin' ? takeAdmin(tx.trx, id) : takeParent(tx.trx, id));
    // Another password was set meanwhile, so the typed one is no proof any more.
    if (account?.password_hash !== stored) throw new AppError('wrong_password');
    if (kind === 'admin')
      await tx.trx
        .updateTable('admins')
        .set({ password_hash: passwordHash, password_set_by: null })
        .where('id', '=', id)
        .execute();
    else
      await tx.trx.updateTable('parents').set({ password_hash: passwordHash }).where('id', '=', id).execute();
    await endSessionsOf(tx.trx, kind, id, actor.session);
    await endOneTimeTokens(tx.trx, kind, id, ['reset', 'invitation']);
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

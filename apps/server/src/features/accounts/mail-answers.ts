/** What an answer says about a mail: while no mail is sent, it must not say that one was. */
import { NOT_VERIFIED_NO_MAIL } from '@haris/contract/errors';
import type { AccountKind } from '@haris/contract/roles';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { areMailsSent } from '../../mail/server.ts';

/** The answer to staff who made a new link for somebody. */
export const LINK_RESENT = {
  sent: 'A new link was mailed',
  kept: 'There is a new link. It was not mailed, because there is no mail server.',
};

/** `sent`, or `kept` while mails only stay on the server. */
export async function tellOfMail(
  { db, vault, config }: Context,
  { sent, kept }: { readonly sent: string; readonly kept: string },
): Promise<string> {
  return (await areMailsSent(db, vault, config)) ? sent : kept;
}

/** The refusal of an account whose address is not verified, after a link was made. */
export async function notVerified({ db, vault, config }: Context, kind: AccountKind): Promise<AppError> {
  if (await areMailsSent(db, vault, config)) return new AppError('email_not_verified');
  return new AppError('email_not_verified', { message: NOT_VERIFIED_NO_MAIL[kind] });
}

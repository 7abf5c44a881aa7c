/** Puts the mails of accounts into the queue, each with its link. */
import { INVITATION_LINK_MS, RESET_LINK_MS, VERIFY_LINK_MS } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import type { AccountKind } from '@haris/contract/roles';
import type { Context } from '../context.ts';
import { createOneTimeToken, type Purpose } from '../db/one-time-tokens.ts';
import type { Tx } from '../db/transaction.ts';
import type { MailTiming } from './queue.ts';
import { composeMail, type MailKind } from './templates.ts';

/** Purposes of mailed links. */
type MailedPurpose = Exclude<Purpose, 'disown'>;

interface Recipient {
  readonly kind: AccountKind;
  readonly accountId: string;
  /** Null where nobody knows yet whose the address is: a name that a stranger typed must not reach it. */
  readonly name: string | null;
  /** Where the mail goes; for a new address not yet the account's. */
  readonly email: string;
  readonly language: Language;
}

const lifetimes: Record<MailedPurpose, number> = {
  verify: VERIFY_LINK_MS,
  reset: RESET_LINK_MS,
  invitation: INVITATION_LINK_MS,
};

function pagePath(purpose: MailedPurpose, kind: AccountKind): string {
  if (purpose !== 'verify') return '/reset-password';
  return kind === 'parent' ? '/verify-parent' : '/verify';
}

function mailKind(purpose: MailedPurpose, kind: AccountKind): MailKind {
  if (purpose === 'invitation') return 'invitation';
  if (kind === 'parent') return purpose;
  return purpose === 'verify' ? 'staff_verify' : 'staff_reset';
}

/**
 * Makes a fresh link (ending the older ones of its purpose) and enqueues its mail with this transaction. The mail that
 * verifies a parent's address never has a name in it: it goes to whatever address somebody typed.
 * `mail` is another text than the one that is usual for the purpose.
 */
export async function mailLink(
  context: Context,
  tx: Tx,
  purpose: MailedPurpose,
  recipient: Recipient,
  { mail, ...timing }: MailTiming & { readonly mail?: MailKind } = {},
): Promise<void> {
  const token = await createOneTimeToken(
    tx.trx,
    purpose,
    { kind: recipient.kind, accountId: recipient.accountId, email: recipient.email },
    context.clock.now(),
    lifetimes[purpose],
  );
  const link = `${context.publicUrl()}${pagePath(purpose, recipient.kind)}/${token}`;
  const name = purpose === 'verify' && recipient.kind === 'parent' ? null : recipient.name;
  const content = composeMail(mail ?? mailKind(purpose, recipient.kind), recipient.language, name, link);
  await context.mails.enqueue(tx, { to: recipient.email, ...content }, timing);
}

/**
 * Tells the address in force that another one was asked for: whoever took over an account must not be able to move it
 * away in silence. `newEmail` is told in part only.
 */
export async function mailEmailChange(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  newEmail: string,
): Promise<void> {
  const link = `${context.publicUrl()}/forgot-password`;
  const content = composeMail('email_change', recipient.language, recipient.name, link, maskEmail(newEmail));
  await context.mails.enqueue(tx, { to: recipient.email, ...content });
}

/** Mails the account that its password was changed, so that its owner notices a change by somebody else. */
export async function mailPasswordChange(context: Context, tx: Tx, recipient: Recipient): Promise<void> {
  const link = `${context.publicUrl()}/forgot-password`;
  const content = composeMail('password_change', recipient.language, recipient.name, link);
  await context.mails.enqueue(tx, { to: recipient.email, ...content });
}

/** `mona@family.test` as `m•••@family.test`. */
function maskEmail(email: string): string {
  return email.replace(/^(.).*@/, '$1•••@');
}

/** Enqueues the mails of accounts, each with a link. */
import {
  EMAIL_CHANGE_LINK_MS,
  INVITATION_LINK_MS,
  RESET_LINK_MS,
  VERIFY_LINK_MS,
} from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import type { AccountKind } from '@haris/contract/roles';
import type { Context } from '../context.ts';
import { createOneTimeToken, type Purpose } from '../db/one-time-tokens.ts';
import type { Tx } from '../db/transaction.ts';
import type { MailKind } from './account-texts.ts';
import { findMailFacility, findNameOf, type MailAccount } from './facility-words.ts';
import type { MailTiming } from './queue.ts';
import { composeMail } from './templates.ts';

/** Purposes of mailed links. */
type MailedPurpose = Exclude<Purpose, 'disown' | 'email_change' | 'start'>;

interface Recipient extends MailAccount {
  /** Null while the address is unverified: a name that a stranger typed must not reach it. */
  readonly name: string | null;
  /** The recipient's address; a new address does not belong to the account yet. */
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

interface LinkMail extends MailTiming {
  readonly mail?: MailKind | undefined;
  readonly facility?: string | undefined;
}

/**
 * Creates a link, which invalidates older links of its purpose, and enqueues its mail in this transaction. The mail that
 * verifies a parent's address never contains a name, because somebody may have typed a stranger's address. `mail`
 * replaces the default text of the purpose, `facility` (an id) the account's own facility.
 */
export async function mailLink(
  context: Context,
  tx: Tx,
  purpose: MailedPurpose,
  recipient: Recipient,
  { mail, facility, ...timing }: LinkMail = {},
): Promise<void> {
  const token = await createOneTimeToken(
    tx.trx,
    context.vault,
    purpose,
    { kind: recipient.kind, accountId: recipient.accountId, email: recipient.email },
    context.clock.now(),
    lifetimes[purpose],
  );
  const page = `${pagePath(purpose, recipient.kind)}/${token}`;
  const name = purpose === 'verify' && recipient.kind === 'parent' ? null : recipient.name;
  const kind = mail ?? mailKind(purpose, recipient.kind);
  await enqueueMail(context, tx, kind, { ...recipient, name }, { page, at: facility }, timing);
}

/**
 * Notifies the current address that a new one was requested, so that nobody can take over an account unnoticed. The mail
 * masks `newEmail`. It says how to cancel the change: by a new password, or without one by a manager.
 */
export async function mailEmailChange(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  newEmail: string,
  hasPassword = true,
): Promise<void> {
  const detail = maskEmail(newEmail);
  if (hasPassword)
    await enqueueMail(context, tx, 'email_change', recipient, { page: '/forgot-password', detail });
  else
    await enqueueMail(context, tx, 'email_change_no_password', recipient, {
      page: '/login?isAdmin=true',
      detail,
    });
}

/** Notifies an address that was never verified that its staff account has another one. It may be a stranger's: no name. */
export async function mailEmailCorrection(context: Context, tx: Tx, recipient: Recipient): Promise<void> {
  const unnamed = { ...recipient, name: null };
  await enqueueMail(context, tx, 'staff_email_corrected', unnamed, { page: '/login?isAdmin=true' });
}

/** Asks the current address whether it agrees to `newEmail`, which staff entered. The mail masks that. */
export async function mailEmailAgreement(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  newEmail: string,
): Promise<void> {
  const { kind, accountId, email } = recipient;
  const now = context.clock.now();
  const subject = { kind, accountId, email };
  const token = await createOneTimeToken(
    tx.trx,
    context.vault,
    'email_change',
    subject,
    now,
    EMAIL_CHANGE_LINK_MS,
  );
  const detail = maskEmail(newEmail);
  await enqueueMail(context, tx, 'email_agreement', recipient, { page: `/change-email/${token}`, detail });
}

/** Notifies the account that its password was changed, so that its owner notices a change by somebody else. */
export async function mailPasswordChange(context: Context, tx: Tx, recipient: Recipient): Promise<void> {
  await enqueueMail(context, tx, 'password_change', recipient, { page: '/forgot-password' });
}

/** Notifies the account that its PIN for the kiosk was set or removed. */
export async function mailPin(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  what: 'kiosk_pin_set' | 'kiosk_pin_removed' | 'desk_pin_set' | 'desk_pin_removed',
): Promise<void> {
  await enqueueMail(context, tx, what, recipient, { page: '/forgot-password' });
}

/** Mails the code that lets a person without a second factor set one up. */
export async function mailFactorCode(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  code: string,
): Promise<void> {
  await enqueueMail(context, tx, 'factor_code', recipient, { page: '/forgot-password', detail: code });
}

/** Notifies the account that it can be opened at the organisation's identity provider. */
export async function mailOidcLink(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  providerName: string,
): Promise<void> {
  await enqueueMail(context, tx, 'oidc_linked', recipient, {
    page: '/login?isAdmin=true',
    detail: providerName,
  });
}

/** Notifies the account that its second factors changed; `factorName` is the name of the one that did. */
export async function mailFactorChange(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  what: 'factor_added' | 'factor_removed' | 'factors_reset' | 'recovery_codes_renewed',
  factorName = '',
): Promise<void> {
  await enqueueMail(context, tx, what, recipient, { page: '/forgot-password', detail: factorName });
}

/** Tells an account that staff of a facility (its id) ask it to become a guardian. The mail names no child. */
export async function mailGuardianAsked(
  context: Context,
  tx: Tx,
  recipient: Recipient,
  facility: string,
): Promise<void> {
  await enqueueMail(context, tx, 'guardian_asked', recipient, { page: '/login', at: facility });
}

/**
 * Enqueues a mail of the account in this transaction, in the name of its facility, or of `at` (an id). `page`: the path behind
 * the button.
 */
async function enqueueMail(
  context: Context,
  tx: Tx,
  kind: MailKind,
  recipient: Recipient,
  {
    page,
    at,
    ...detail
  }: { readonly page: string; readonly detail?: string; readonly at?: string | undefined },
  timing?: MailTiming,
): Promise<void> {
  const { language, name, email } = recipient;
  const facility = await (at === undefined ? findMailFacility(tx.trx, recipient) : findNameOf(tx.trx, at));
  const content = composeMail(kind, {
    language,
    name,
    facility,
    link: `${context.publicUrl()}${page}`,
    ...detail,
  });
  await context.mails.enqueue(tx, { to: email, ...content }, timing);
}

/** Masks an address: `mona@family.test` becomes `m•••@family.test`. */
function maskEmail(email: string): string {
  return email.replace(/^(.).*@/, '$1•••@');
}

/** Verification of an e-mail, and setting a password by a mailed link. */
import {
  PARENT_PASSWORD_MIN,
  STAFF_PASSWORD_MIN,
  THROTTLE_WINDOW_MS,
  VERIFY_LINK_MS,
} from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findAccount, findAccountByEmail, isDisowned, setPasswordByLink } from '../../db/accounts.ts';
import { endKioskProofs, findPinTime } from '../../db/kiosk-proofs.ts';
import { forgetPlaces, isKnownOpener, type Place, rememberPlace } from '../../db/known-places.ts';
import {
  endOneTimeTokens,
  findOneTimeToken,
  keepOneTimeToken,
  type TokenSubject,
  useOneTimeToken,
} from '../../db/one-time-tokens.ts';
import { findParent, lockParent, updateParentDetails, updateParentRow } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import { findStaffMember, updateStaffRow } from '../../db/staff.ts';
import { endStaffPin } from '../../db/staff-pins.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { emitWithdrawn, type Withdrawn, withdrawFamily } from '../../kiosk-requests.ts';
import { mailLink, mailPasswordChange, mailPin } from '../../mail/account-mails.ts';
import { hashPassword } from '../../vault/passwords.ts';
import { hasChildren, replacePassword } from '../../vouching.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import type { From } from './from.ts';
import { isOwnPlace, mayMail } from './limits.ts';
import { forgetFailures } from './sign-in-limits.ts';

/**
 * Requests for links per window. Beyond the limit per network address they are refused; beyond the limit per account they
 * are silently dropped, because a refusal would reveal the account.
 */
const FORGOT_PER_ADDRESS = 30;
const FORGOT_PER_ACCOUNT = 3;
/** Minimum response time, so that it does not reveal whether the account exists. Milliseconds. */
const FORGOT_TAKES_MS = 150;

/** What a verification link did. */
export interface Verification {
  /** The account, if its parent registered it. */
  readonly account?: { readonly name: string; readonly registeredAt: string };
  /** The link was used before; this time it did nothing. */
  readonly alreadyVerified?: true;
}

/**
 * Verifies an e-mail with a mailed token; `openedBy` identifies the device or network that opened the link. A link of a
 * registration that was used before is answered without any effect while its recipient can still deny having registered.
 * Throws `invalid_token`; `email_taken` if another account has verified the address.
 */
export async function verifyEmail(
  context: Context,
  kind: AccountKind,
  token: string,
  { origin, openedBy }: { origin: Origin; openedBy: string },
): Promise<Verification> {
  return inTransaction(context.db, async (tx) => {
    const used = await useOneTimeToken(tx.trx, context.vault, token, ['verify'], context.clock.now());
    const before = used || kind === 'admin' ? undefined : await findVerified(context, tx, token);
    if (before) return before;
    if (!used || used.kind !== kind) throw new AppError('invalid_token');
    const verified =
      kind === 'admin'
        ? await verifyStaffEmail(tx, used)
        : await verifyParentEmail(context, tx, used, token, openedBy);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: `${kind}.email_verified`,
      subject: { kind, id: used.accountId },
    });
    if (kind === 'parent')
      await context.events.append(tx, { type: 'parent.updated', parentId: used.accountId });
    return verified;
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('email_taken') : error;
  });
}

async function verifyStaffEmail({ trx }: Tx, { accountId: id, email }: TokenSubject): Promise<Verification> {
  const member = await findStaffMember(trx, id);
  if (member?.email !== email) throw new AppError('invalid_token');
  await updateStaffRow(trx, id, { email_verified: 1 });
  return {};
}

/** The account of a link that was used before, if its address still counts as verified. */
async function findVerified(context: Context, { trx }: Tx, token: string): Promise<Verification | undefined> {
  const link = await findOneTimeToken(trx, context.vault, token, ['disown'], context.clock.now());
  const parent = link?.kind === 'parent' ? await findParent(trx, link.accountId) : undefined;
  if (parent?.email_verified !== 1 || parent.email !== link?.email) return undefined;
  return { account: describe(parent), alreadyVerified: true };
}

function describe({ name, created_at: at }: ParentRow): NonNullable<Verification['account']> {
  return { name, registeredAt: toMoment(at) };
}

/** Verifies the address that the parent registered with, or a pending new address. */
async function verifyParentEmail(
  context: Context,
  tx: Tx,
  used: TokenSubject,
  token: string,
  openedBy: string,
): Promise<Verification> {
  const { accountId: id, email } = used;
  const { trx } = tx;
  const now = context.clock.now();
  const parent = await lockParent(trx, id);
  if (!parent) throw new AppError('invalid_token');
  const { name, phone } = parent;
  const verified = { email_verified: 1, link_opened_by: openedBy } as const;
  if (parent.pending_email === email) {
    // The address may belong to somebody else, or the old one may have. Mailbox and password belong to one person only if
    // the link was opened on a device or network where the account has signed in.
    const isKnown = await isKnownOpener(trx, { kind: 'parent', id }, openedBy, now);
    const proof = isKnown ? {} : { password_proof: null };
    await updateParentDetails(
      trx,
      id,
      { name, email, phone },
      { ...verified, pending_email: null, ...proof },
    );
    if (isKnown) return {};
    await endUnprovenPin(context, tx, { ...parent, email });
    // Whoever has the old mailbox or a session of before could go on seeing the children.
    if (await hasChildren(tx, id)) {
      await replacePassword(context, tx, null, { ...parent, email }, 'email_changed');
      await emitWithdrawn(context, tx, await withdrawFamily(context, tx, id));
    }
    return {};
  }
  if (parent.email !== email) throw new AppError('invalid_token');
  await updateParentRow(trx, id, verified);
  if (parent.made_by === 'staff') return {};
  // With the same link, the owner of the mailbox can still reject a registration made by somebody else.
  await endOneTimeTokens(trx, 'parent', id, ['disown']);
  await keepOneTimeToken(trx, context.vault, token, 'disown', used, now, VERIFY_LINK_MS);
  return { account: describe(parent) };
}

/** Ends a PIN that was set with a password which the owner of the new address may not know, and mails that address. */
async function endUnprovenPin(
  context: Context,
  tx: Tx,
  { id, name, email, language }: ParentRow,
): Promise<void> {
  if ((await findPinTime(tx.trx, id)) === null) return;
  await endKioskProofs(tx.trx, id);
  await mailPin(context, tx, { kind: 'parent', accountId: id, name, email, language }, 'kiosk_pin_removed');
  await context.audit.append(tx, {
    actor: null,
    action: 'parent.kiosk_pin_removed',
    subject: { kind: 'parent', id },
  });
}

/** Mails a link to set a new password if there is such an account; takes the same time if not. Throws `too_many_attempts`. */
export async function forgotPassword(
  context: Context,
  kind: AccountKind,
  email: string,
  place: Place,
): Promise<void> {
  const answerAt = performance.now() + FORGOT_TAKES_MS;
  const { db, clock, vault } = context;
  const limit = (scope: string, key: string, most: number): Limit => ({
    scope,
    key: vault.mac('throttle', key),
    most,
    windowMs: THROTTLE_WINDOW_MS,
  });
  const address = limit('forgot address', place.network, FORGOT_PER_ADDRESS);
  const retryAfter = await secondsUntilRoom(db, [address], clock.now());
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  await inTransaction(db, async (tx) => {
    const row = await findAccountByEmail(tx.trx, kind, email);
    const isOwn = await isOwnPlace(tx, { kind, id: row?.id ?? '' }, place, clock.now());
    const from = isOwn ? 'owner' : 'stranger';
    const account = limit(`forgot ${kind} ${from}`, email, FORGOT_PER_ACCOUNT);
    const full = (await secondsUntilRoom(tx.trx, [account], clock.now())) !== null;
    await countHit(tx.trx, [address, account], clock.now());
    // A person without a password signs in at the identity provider, until the organisation ends the account there.
    const isElsewhere = row?.password_hash === '' && context.config.oidc !== null;
    // A disowned account stays shut until staff vouch for it: whoever has the mailbox said that it is not theirs.
    if (!row || isDisowned(row) || isElsewhere || full || !(await mayMail(context, tx, row.email, from)))
      return;
    await mailLink(context, tx, 'reset', {
      kind,
      accountId: row.id,
      name: row.email_verified === 1 ? row.name : null,
      email: row.email,
      language: row.language,
    });
  });
  await context.mails.settled();
  const rest = answerAt - performance.now();
  if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
}

/**
 * Sets the password of the account that the link belongs to. Ends all its sessions, marks the address that the link was
 * mailed to as verified, and forgets all known devices and networks except those of this request. Throws
 * `invalid_token`, or 400 if the password is too short for staff.
 */
export async function resetPassword(
  context: Context,
  token: string,
  password: string,
  { origin, browser }: From,
): Promise<void> {
  const now = context.clock.now();
  const found = await findOneTimeToken(context.db, context.vault, token, ['reset', 'invitation'], now);
  if (!found) throw new AppError('invalid_token');
  const min = found.kind === 'admin' ? STAFF_PASSWORD_MIN : PARENT_PASSWORD_MIN;
  if (password.length < min) {
    const message = `Password must have at least ${min} characters`;
    throw new AppError('invalid_request', { message, fields: { password: message } });
  }
  const owner = await findAccount(context.db, { kind: found.kind, id: found.accountId });
  if (owner) await refuseCommonPassword(password, owner);
  const passwordHash = await hashPassword(password);
  await inTransaction(context.db, async (tx) => {
    const used = await useOneTimeToken(tx.trx, context.vault, token, ['reset', 'invitation'], now);
    if (!used) throw new AppError('invalid_token');
    const changed = await setPasswordByLink(tx.trx, used, passwordHash);
    if (!changed) throw new AppError('invalid_token');
    // Setting the first password, by an invitation, is not a change.
    if (used.purpose === 'reset') await mailPasswordChange(context, tx, { ...used, ...changed });
    await endSessionsOf(tx.trx, used.kind, used.accountId);
    // A person who knew the old password could have set the PIN.
    const asked = used.kind === 'parent' ? await endAtKiosks(context, tx, used.accountId) : null;
    if (used.kind === 'admin') await endStaffPin(tx.trx, used.accountId);
    const account = { kind: used.kind, id: used.accountId };
    await forgetPlaces(tx.trx, account);
    await rememberPlace(tx.trx, account, browser.known, now);
    await forgetFailures(context, tx, used.kind, used.email);
    await endOneTimeTokens(tx.trx, used.kind, used.accountId, ['reset', 'invitation', 'verify', 'disown']);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: `${used.kind}.password_set`,
      subject: { kind: used.kind, id: used.accountId },
      details: { by: used.purpose },
    });
    if (used.kind === 'parent')
      await context.events.append(tx, { type: 'parent.updated', parentId: used.accountId });
    if (asked) await emitWithdrawn(context, tx, asked);
  });
}

/** Ends the PIN, the codes and the kiosk requests of a parent. */
async function endAtKiosks(context: Context, tx: Tx, parentId: string): Promise<Withdrawn> {
  await endKioskProofs(tx.trx, parentId);
  return withdrawFamily(context, tx, parentId);
}

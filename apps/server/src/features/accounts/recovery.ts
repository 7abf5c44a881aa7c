/** Setting a password by a mailed link. */
import { PARENT_PASSWORD_MIN, STAFF_PASSWORD_MIN, THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAccount, findAccountByEmail, isDisowned, setPasswordByLink } from '../../db/accounts.ts';
import { endKioskProofs } from '../../db/kiosk-proofs.ts';
import { forgetPlaces, type Place, rememberPlace } from '../../db/known-places.ts';
import {
  endOneTimeTokens,
  findOneTimeToken,
  type TokenSubject,
  useOneTimeToken,
} from '../../db/one-time-tokens.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import { endStaffPin } from '../../db/staff-pins.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { emitWithdrawn, type Withdrawn, withdrawFamily } from '../../kiosk-requests.ts';
import { mailLink, mailPasswordChange } from '../../mail/account-mails.ts';
import { mayMail } from '../../mail/mail-limits.ts';
import { hashPassword } from '../../vault/passwords.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import type { From } from './from.ts';
import { isOwnPlace } from './limits.ts';
import { forgetFailures } from './sign-in-limits.ts';

/**
 * Requests for links per window. Beyond the limit per network address they are refused; beyond the limit per account they
 * are silently dropped, because a refusal would reveal the account.
 */
const FORGOT_PER_ADDRESS = 30;
const FORGOT_PER_ACCOUNT = 3;
/** Minimum response time, so that it does not reveal whether the account exists. Milliseconds. */
const FORGOT_TAKES_MS = 150;

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
 * mailed to as verified, and forgets all known devices and networks except those of this request. Returns whose it is.
 * Throws `invalid_token`, or 400 if the password is too short for staff.
 */
export async function resetPassword(
  context: Context,
  token: string,
  password: string,
  { origin, browser }: From,
): Promise<Pick<TokenSubject, 'kind' | 'email'>> {
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
    await endOneTimeTokens(tx.trx, used.kind, used.accountId, [
      'reset',
      'invitation',
      'verify',
      'disown',
      'start',
    ]);
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
  return { kind: found.kind, email: found.email };
}

/** Ends the PIN, the codes and the kiosk requests of a parent. */
async function endAtKiosks(context: Context, tx: Tx, parentId: string): Promise<Withdrawn> {
  await endKioskProofs(tx.trx, parentId);
  return withdrawFamily(context, tx, parentId);
}

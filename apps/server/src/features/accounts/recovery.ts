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
import { findAdmin, findAdminByEmail } from '../../db/admins.ts';
import { forgetPlaces, isKnownOpener, type Place, rememberPlace } from '../../db/known-places.ts';
import {
  endOneTimeTokens,
  findOneTimeToken,
  keepOneTimeToken,
  useOneTimeToken,
} from '../../db/one-time-tokens.ts';
import { findParent, findParentByEmail, searchText, takeParent } from '../../db/parents.ts';
import { endSessionsOf } from '../../db/sessions.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts';
import { mailLink, mailPasswordChange } from '../../mail/account-mails.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { isOwnPlace, mayMail } from './limits.ts';
import { hashPassword } from './passwords.ts';
import type { From } from './sign-in.ts';
import { forgetFailures } from './sign-in-limits.ts';

/** Asking for links: per address refused aloud, per account dropped in silence (or the answer would tell). */
const FORGOT_PER_ADDRESS = 30;
const FORGOT_PER_ACCOUNT = 3;
/** The answer takes at least this long whether or not there is such an account. Milliseconds. */
const FORGOT_TAKES_MS = 150;

/** What a link of verification has confirmed. */
interface VerifiedAccount {
  readonly name: string;
  readonly registeredAt: string;
}

/**
 * Verifies an e-mail with a mailed token; `openedBy` names the device or network that opened it. Answers the account where
 * it is one that registered itself. Throws `invalid_token`; `email_taken` when another verified it
 * meanwhile.
 */
export async function verifyEmail(
  context: Context,
  kind: AccountKind,
  token: string,
  { origin, openedBy }: { origin: Origin; openedBy: string },
): Promise<VerifiedAccount | undefined> {
  try {
    return await inTransaction(context.db, async (tx) => {
      let verified: VerifiedAccount | undefined;
      const used = await useOneTimeToken(tx.trx, token, ['verify'], context.clock.now());
      if (!used || used.kind !== kind) throw new AppError('invalid_token');
      const { accountId: id, email } = used;
      if (kind === 'admin') {
        const admin = await findAdmin(tx.trx, id);
        if (!admin || admin.email !== email) throw new AppError('invalid_token');
        await tx.trx.updateTable('admins').set({ email_verified: 1 }).where('id', '=', id).execute();
      } else {
        const parent = await takeParent(tx.trx, id);
        if (!parent) throw new AppError('invalid_token');
        if (parent.pending_email === email)
          await tx.trx
            .updateTable('parents')
            .set({
              email,
              pending_email: null,
              email_verified: 1,
              link_opened_by: openedBy,
              // Whoever asked for another address may have named somebody else's: only a place where the account has signed
              // in shows that mailbox and password are one person's.
              ...((await isKnownOpener(tx.trx, { kind, id }, openedBy, context.clock.now()))
                ? {}
                : { password_proof: null }),
              search_text: searchText([parent.name, email, parent.phone]),
            })
            .where('id', '=', id)
            .execute();
        else if (parent.email === email) {
          await tx.trx
            .updateTable('parents')
            .set({ email_verified: 1, link_opened_by: openedBy })
            .where('id', '=', id)
            .execute();
          if (parent.made_by !== 'staff') {
            verified = { name: parent.name, registeredAt: toMoment(parent.created_at) };
            // The same link may still say that its owner did not register.
            await endOneTimeTokens(tx.trx, 'parent', id, ['disown']);
            await keepOneTimeToken(tx.trx, token, 'disown', used, context.clock.now(), VERIFY_LINK_MS);
          }
        } else throw new AppError('invalid_token');
      }
      await context.audit.append(tx, {
        actor: null,
        origin,
        action: `${kind}.email_verified`,
        subject: { kind, id },
      });
      if (kind === 'parent') await context.events.append(tx, { type: 'parent.updated', parentId: id });
      return verified;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('email_taken');
    throw error;
  }
}

/** Mails a link to set a new password, if there is such an account; takes the same time if not. Throws `too_many_attempts`. */
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
    const row =
      kind === 'parent' ? await findParentByEmail(tx.trx, email) : await findAdminByEmail(tx.trx, email);
    const isOwn = await isOwnPlace(tx, { kind, id: row?.id ?? '' }, place, clock.now());
    const from = isOwn ? 'owner' : 'stranger';
    const account = limit(`forgot ${kind} ${from}`, email, FORGOT_PER_ACCOUNT);
    const full = (await secondsUntilRoom(tx.trx, [account], clock.now())) !== null;
    await countHit(tx.trx, [address, account], clock.now());
    if (!row || full || !(await mayMail(context, tx, row.email, from))) return;
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
 * Sets the password of the account that the link belongs to; every session of it dies, the address that the link was mailed
 * to counts as verified, and of all places it is known at this one alone. Throws `invalid_token`, or 400 for a password too
 * short for staff.
 */
export async function resetPassword(
  context: Context,
  token: string,
  password: string,
  { origin, browser }: From,
): Promise<void> {
  const now = context.clock.now();
  const found = await findOneTimeToken(context.db, token, ['reset', 'invitation'], now);
  if (!found) throw new AppError('invalid_token');
  const min = found.kind === 'admin' ? STAFF_PASSWORD_MIN : PARENT_PASSWORD_MIN;
  if (password.length < min) {
    const message = `Password must have at least ${min} characters`;
    throw new AppError('invalid_request', { message, fields: { password: message } });
  }
  const owner = await (found.kind === 'admin' ? findAdmin : findParent)(context.db, found.accountId);
  if (owner) await refuseCommonPassword(password, owner);
  const passwordHash = await hashPassword(password);
  await inTransaction(context.db, async (tx) => {
    const used = await useOneTimeToken(tx.trx, token, ['reset', 'invitation'], now);
    if (!used) throw new AppError('invalid_token');
    const table = used.kind === 'admin' ? 'admins' : 'parents';
    const changed = await tx.trx
      .updateTable(table)
      .set({
        password_hash: passwordHash,
        email_verified: 1,
        ...(used.kind === 'parent' ? { password_proof: 'link' as const } : {}),
      })
      .where('id', '=', used.accountId)
      // A link to an address that is no longer the account's proves nothing.
      .where('email', '=', used.email)
      .returning(['name', 'language'])
      .executeTakeFirst();
    if (!changed) throw new AppError('invalid_token');
    // The first password of an account is no change.
    if (used.purpose === 'reset') await mailPasswordChange(context, tx, { ...used, ...changed });
    if (used.kind === 'admin')
      await tx.trx
        .updateTable('admins')
        .set({ password_set_by: null })
        .where('id', '=', used.accountId)
        .execute();
    await endSessionsOf(tx.trx, used.kind, used.accountId);
    const account = { kind: used.kind, id: used.accountId };
    await forgetPlaces(tx.trx, account);
    await rememberPlace(tx.trx, account, browser.known, now);
    await forgetFailures(context, tx, used.kind, used.email);
    await endOneTimeTokens(tx.trx, used.kind, used.accountId, ['reset', 'invitation', 'verify', 'disown']);
    // Whoever had the account before may have asked for a new address; its link must not work any more.
    if (used.kind === 'parent')
      await tx.trx
        .updateTable('parents')
        .set({ pending_email: null })
        .where('id', '=', used.accountId)
        .execute();
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: `${used.kind}.password_set`,
      subject: { kind: used.kind, id: used.accountId },
      details: { by: used.purpose },
    });
    if (used.kind === 'parent')
      await context.events.append(tx, { type: 'parent.updated', parentId: used.accountId });
  });
}

/** Staff ask a person by mail to become a guardian of a child (decision 049). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from '@haris/contract/fields';
import { GUARDIANS_MAX, type Guardian } from '@haris/contract/http/guardians';
import type { Actor } from '../../actor.ts';
import { countAdded } from '../../added-families.ts';
import { AppError } from '../../app-error.ts';
import { refuseBesideSample } from '../../beside-sample.ts';
import type { Context } from '../../context.ts';
import { findBarred } from '../../db/barred-adults.ts';
import { lockChild } from '../../db/children.ts';
import { findHeldGuardian, findHeldGuardians } from '../../db/guardians/held.ts';
import { insertAskedGuardian } from '../../db/guardians/requests.ts';
import type { GuardianRights } from '../../db/guardians/rights.ts';
import { findParentByEmail, insertParent, lockParent } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { acrossFacilities, currentFacility } from '../../facility.ts';
import { emitGuardians } from '../../guardian-ends.ts';
import { mailGuardianAsked, mailLink } from '../../mail/account-mails.ts';
import { mayMail } from '../../mail/mail-limits.ts';
import { requireRightsOverChild } from '../../staff-rights.ts';
import { cancelEmailChange, hasUnprovenPassword, replacePassword } from '../../vouching.ts';
import { presentGuardian } from './present.ts';

/** Minimum response time, so that it does not tell whether the address had an account. Milliseconds. */
const ASKING_TAKES_MS = 250;

/** Seconds after which a mail may be sent to the address again. */
const MAIL_AGAIN_S = 3600;

/** Attempts. One fails if somebody registers with the same address at the same moment. */
const TRIES = 3;

/** Whom staff ask, and for what. */
interface Asked extends GuardianRights {
  /** Of an account that is made; otherwise it counts for nothing. */
  readonly name: string;
  readonly email: string;
  readonly language: Language;
}

/**
 * Asks a person to become a guardian. Without an account for the address, one is made as staff make one; the password of one that was
 * registered, and never proven, ends, and so does a new address that the account waits for: whoever has that one was not asked. A
 * blocked or disowned account is asked like any other, and cannot accept. Throws 404, `beyond_own_rights`, `sample_data_present`,
 * `guardian_exists`, `too_many_guardians`, `too_many_attempts`; `barred_person`, which the ledger keeps: it tells who is barred.
 */
export async function askGuardian(
  context: Context,
  actor: Actor,
  childId: string,
  asked: Asked,
): Promise<Guardian> {
  const answerAt = performance.now() + ASKING_TAKES_MS;
  const guardian = await askOnce(context, actor, childId, asked);
  if (!guardian) throw new AppError('barred_person');
  await context.mails.settled();
  const rest = answerAt - performance.now();
  if (rest > 0) await sleep(rest);
  return guardian;
}

async function askOnce(
  context: Context,
  actor: Actor,
  childId: string,
  asked: Asked,
): Promise<Guardian | null> {
  for (let attempt = 1; ; attempt++)
    try {
      return await inTransaction(context.db, (tx) => askIn(context, tx, actor, childId, asked));
    } catch (error) {
      // The next attempt finds the account.
      if (!isUniqueViolation(error) || attempt >= TRIES) throw error;
    }
}

/** Null, with a row in the ledger and nothing else, if the account is barred from the child. */
async function askIn(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  asked: Asked,
): Promise<Guardian | null> {
  const { trx } = tx;
  const at = context.clock.now();
  const subject = { kind: 'child', id: childId } as const;
  await refuseBesideSample(tx);
  // The account may be known at another facility alone. Locked before the child, as by a block.
  const account = await acrossFacilities(() => lockAccountOf(tx, asked.email));
  if (!(await lockChild(trx, childId))) throw new AppError('not_found');
  await requireRightsOverChild(trx, actor, childId, 'families.edit');
  const held = await acrossFacilities(() => findHeldGuardians(trx, childId));
  if (account && held.some(({ parentId }) => parentId === account.id)) throw new AppError('guardian_exists');
  if (held.length >= GUARDIANS_MAX) throw new AppError('too_many_guardians');
  if (account && (await findBarred(trx, childId)).some(({ adult_id: id }) => id === account.id)) {
    const details = { parentId: account.id };
    await context.audit.append(tx, { actor, action: 'guardian.refused', subject, details });
    return null;
  }
  if (!(await mayMail(context, tx, asked.email, 'stranger')))
    throw new AppError('too_many_attempts', { retryAfter: MAIL_AGAIN_S });
  const parentId = account?.id ?? randomUUID();
  if (!account) await insertInvited(context, tx, actor, { ...asked, id: parentId, at });
  const { mayLive, mayEdit, mayCollect, mayTake } = asked;
  const pair = { childId, parentId };
  const rights = { mayLive, mayEdit, mayCollect, mayTake };
  await insertAskedGuardian(trx, pair, rights, { by: actor.id, at });
  if (account?.pending_email != null) await cancelEmailChange(tx, account.id);
  if (account) await tellAccount(context, tx, actor, account);
  else await recordInvited(context, tx, actor, parentId);
  await context.audit.append(tx, {
    actor,
    action: 'guardian.asked',
    subject,
    details: { parentId, ...rights },
  });
  await emitGuardians(context, tx, childId, [parentId]);
  const row = await acrossFacilities(() => findHeldGuardian(trx, pair));
  if (!row) throw new Error('a guardian who was asked is not found');
  return presentGuardian(row);
}

/** Locks the account of an address; undefined if there is none. */
async function lockAccountOf({ trx }: Tx, email: string): Promise<ParentRow | undefined> {
  const known = await findParentByEmail(trx, email);
  const locked = known && (await lockParent(trx, known.id));
  // Its owner may have changed the address meanwhile.
  return locked?.email === email ? locked : undefined;
}

/**
 * Adds an account without a password, and mails the link that sets one. `at`: that of the question, by which its end knows the account.
 * Throws `proof_required`.
 */
async function insertInvited(
  context: Context,
  tx: Tx,
  actor: Actor,
  { id, name, email, language, at }: Asked & { readonly id: string; readonly at: number },
): Promise<void> {
  await countAdded(context, tx, actor);
  await insertParent(tx.trx, {
    ...{ id, name, email, language, phone: null, passwordHash: null, madeFrom: null },
    createdAt: at,
  });
  const recipient = { kind: 'parent', accountId: id, name, email, language } as const;
  await mailLink(context, tx, 'invitation', recipient, {
    mail: 'guardian_invited',
    facility: currentFacility(),
  });
}

async function recordInvited(context: Context, tx: Tx, actor: Actor, id: string): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action: 'parent.created',
    subject: { kind: 'parent', id },
    details: { invited: true },
  });
  await context.events.append(tx, { type: 'parent.created', parentId: id });
}

/**
 * Mails an account that it was asked: with a link to set a password if it has none, or none that is proven. One that is blocked or
 * that the owner of the mailbox disowned gets no link, because only staff may open it again.
 */
async function tellAccount(context: Context, tx: Tx, actor: Actor, account: ParentRow): Promise<void> {
  const { id, email, language, name } = account;
  const facility = currentFacility();
  const isShut = account.blocked_at !== null || account.disowned_at !== null;
  if (!isShut && hasUnprovenPassword(account))
    return acrossFacilities(() => replacePassword(context, tx, actor, account, 'guardian_asked', facility));
  // A name that a stranger typed must not reach the mailbox.
  const shown = account.email_verified === 1 ? name : null;
  const recipient = { kind: 'parent', accountId: id, name: shown, email, language } as const;
  if (!isShut && account.password_hash === null)
    return mailLink(context, tx, 'invitation', recipient, { mail: 'guardian_invited', facility });
  return mailGuardianAsked(context, tx, recipient, facility);
}

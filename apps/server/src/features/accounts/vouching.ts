/** Staff vouch for a registration at the desk, with a code on the parent's phone; the mail's recipient can reject it. */
import { randomInt } from 'node:crypto';
import { DESK_CODE_MS } from '@haris/contract/constants';
import type { Registration } from '@haris/contract/http/vouching';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { countDeskCodeTry, useDeskCode, writeDeskCode } from '../../db/desk-codes.ts';
import { endOneTimeTokens, useOneTimeToken } from '../../db/one-time-tokens.ts';
import { findParentView, lockParent, type ParentView, updateParentRow } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { recordAliases } from '../../guardian-ends.ts';
import { roughNetworkOf } from '../../http/network.ts';
import { emitWithdrawn, type Withdrawn, withdrawFamily } from '../../kiosk-requests.ts';
import { endPassword, hasUnprovenPassword, replacePassword } from '../../vouching.ts';
import { findByBrowserKey } from './browser-keys.ts';
import type { From } from './from.ts';
import { countDeskCode } from './limits.ts';
import { getParentView, removeParent } from './parents.ts';
import { type Credentials, checkCredentials, refuseBlocked } from './sign-in.ts';

/** Networks of the machine itself: a proxy there that names no addresses makes everybody come from them. */
const OWN_MACHINE = new Set(['127.0.0.0/24', '0:0:0::/48']);

/** Whether an account was made from the rough network of the one who asks; null where that cannot be told. */
function nearOf(madeFrom: string | null, address: string): Registration['near'] {
  const asking = roughNetworkOf(address);
  if (madeFrom === null || asking === null) return null;
  if (OWN_MACHINE.has(madeFrom) || OWN_MACHINE.has(asking)) return null;
  return madeFrom === asking ? 'here' : 'elsewhere';
}

/** Origin of an account as seen from `address`, and whether staff have vouched for it. */
export function presentRegistration({ parent, children }: ParentView, address: string): Registration {
  const moment = (at: number | null) => (at === null ? null : toMoment(at));
  return {
    by: parent.made_by === 'staff' ? 'staff' : 'self',
    at: toMoment(parent.created_at),
    from: parent.made_from,
    near: nearOf(parent.made_from, address),
    name: parent.name,
    vouchedAt: moment(parent.vouched_at),
    disownedAt: moment(parent.disowned_at),
    hasProvenPassword: parent.password_hash !== null && !hasUnprovenPassword(parent),
    children: children.length,
  };
}

/** For whom a desk code is: the signed-in parent, or whoever has the account's credentials or its browser's key. */
type CodeOwner = { parentId: string } | { credentials: Credentials; from: From } | { browserKey: string };

/** An account, and how to find out in the transaction that locked it whether the code is still for the same person. */
interface CodeAccount {
  readonly id: string;
  /** Throws `invalid_token` or `invalid_credentials` if the key or the password has ended meanwhile. */
  checkAgain(tx: Tx, parent: ParentRow): Promise<void>;
}

async function ownerOfCode(context: Context, who: CodeOwner): Promise<CodeAccount> {
  // The session is checked again in each transaction.
  if ('parentId' in who) return { id: who.parentId, checkAgain: async () => {} };
  if ('browserKey' in who) {
    const { browserKey } = who;
    return {
      id: await findByBrowserKey(context, browserKey),
      async checkAgain({ trx }) {
        await findByBrowserKey(context, browserKey, trx);
      },
    };
  }
  const found = await checkCredentials(context, 'parent', who.credentials, who.from, async () => {});
  return {
    id: found.id,
    async checkAgain(_tx, { password_hash: hash }) {
      if (hash !== found.password_hash) throw new AppError('invalid_credentials');
    },
  };
}

/**
 * Creates a code for the signed-in parent, or for an account that cannot sign in because it is unverified. Older codes end.
 * A key or a password that the desk ends at the same time gets none. Throws the errors of signing in except
 * `email_not_verified`; `invalid_token` for a key; and `too_many_attempts`.
 */
export async function createDeskCode(
  context: Context,
  who: CodeOwner,
): Promise<{ code: string; expiresAt: string }> {
  const { id, checkAgain } = await ownerOfCode(context, who);
  await countDeskCode(context, id);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const expiresAt = context.clock.now() + DESK_CODE_MS;
  await inTransaction(context.db, async (tx) => {
    const parent = await lockParent(tx.trx, id);
    if (!parent) throw new AppError('not_found');
    refuseBlocked(parent);
    await checkAgain(tx, parent);
    await writeDeskCode(tx.trx, id, { mac: codeMac(context, id, code), expiresAt });
  });
  return { code, expiresAt: toMoment(expiresAt) };
}

function codeMac(context: Context, parentId: string, code: string): string {
  return context.vault.mac('desk code', `${parentId} ${code}`);
}

/** Counts an attempt, and returns whether the code is right. Each code allows five attempts. */
export async function tryCode(context: Context, parentId: string, code: string): Promise<boolean> {
  const mac = await countDeskCodeTry(context.db, parentId, context.clock.now());
  return mac === codeMac(context, parentId, code);
}

/**
 * Marks the e-mail as verified, after staff have seen the parent at the desk. If the parent registered the account, or its
 * password is unproven, that stays only with the code from the signed-in page; otherwise password and sessions end, and a
 * link is mailed once.
 * Throws 404, `wrong_code`.
 */
export async function markParentVerified(
  context: Context,
  actor: Actor,
  id: string,
  code: string | undefined,
): Promise<ParentView> {
  if (code !== undefined && !(await tryCode(context, id, code))) throw new AppError('wrong_code');
  await inTransaction(context.db, async (tx) => {
    const parent = await lockParent(tx.trx, id);
    if (!parent) throw new AppError('not_found');
    const isOwnMaking = parent.made_by !== 'staff';
    const isUnproven = hasUnprovenPassword(parent);
    const isSettled = isOwnMaking ? parent.vouched_at !== null && !isUnproven : !isUnproven;
    if (code !== undefined) await useCode(context, tx, id, code);
    else if (!isSettled) await replacePassword(context, tx, actor, parent, 'vouched');
    const withCode = code !== undefined && (isOwnMaking || isUnproven);
    await updateParentRow(tx.trx, id, {
      email_verified: 1,
      // Cancels a pending change of address: the desk has seen the address in force.
      pending_email: null,
      disowned_at: null,
      ...(isOwnMaking ? { vouched_at: context.clock.now() } : {}),
      ...(withCode && parent.password_hash !== null ? { password_proof: 'desk' } : {}),
    });
    await endOneTimeTokens(tx.trx, 'parent', id, ['verify', 'disown', 'start']);
    await context.audit.append(tx, {
      actor,
      action: 'parent.marked_verified',
      subject: { kind: 'parent', id },
      details: { code: code !== undefined },
    });
    await context.events.append(tx, { type: 'parent.updated', parentId: id });
  });
  await context.mails.settled();
  return getParentView(context, id);
}

/** Uses the code up; if two desks type it at once, or the phone renews it meanwhile, one succeeds. Throws `wrong_code`. */
export async function useCode(context: Context, tx: Tx, parentId: string, code: string): Promise<void> {
  const used = await useDeskCode(tx.trx, parentId, codeMac(context, parentId, code), context.clock.now());
  if (!used) throw new AppError('wrong_code');
}

/**
 * Deletes an account whose registration the mail's recipient rejects. If the account already has children, ends its
 * password and sessions instead, and informs the desk. Returns whether the account was deleted. Throws `invalid_token`,
 * also for accounts made by staff.
 */
export async function disownRegistration(context: Context, token: string, origin: Origin): Promise<boolean> {
  const isDeleted = await inTransaction(context.db, async (tx) => {
    const used = await useOneTimeToken(
      tx.trx,
      context.vault,
      token,
      ['verify', 'disown'],
      context.clock.now(),
    );
    const parent = used?.kind === 'parent' ? await lockParent(tx.trx, used.accountId) : undefined;
    if (!used || !parent || parent.made_by === 'staff' || parent.email !== used.email)
      throw new AppError('invalid_token');
    const { id } = parent;
    const hasChildren = ((await findParentView(tx.trx, id))?.children.length ?? 0) > 0;
    const asked = hasChildren ? await freezeDisowned(context, tx, parent) : null;
    const removed = hasChildren ? null : await removeParent(context, tx, id);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: 'parent.disowned',
      subject: { kind: 'parent', id },
      details: { deleted: !hasChildren },
    });
    const type = hasChildren ? 'parent.updated' : 'parent.deleted';
    await context.events.append(tx, { type, parentId: id });
    for (const ended of removed?.aliases ?? []) await recordAliases(context, tx, null, ended);
    if (asked) await emitWithdrawn(context, tx, asked);
    return !hasChildren;
  });
  if (isDeleted) {
    await eraseDestroyedKeys(context);
    await context.erasures.update();
  }
  return isDeleted;
}

/**
 * Ends password, sessions and kiosk requests, and marks the address as unverified, until staff vouch for the account.
 */
async function freezeDisowned(context: Context, tx: Tx, { id }: ParentRow): Promise<Withdrawn> {
  await endPassword(context, tx, id);
  // What the mailbox had to say is said; after the desk has vouched, an older link must not end the account again.
  await endOneTimeTokens(tx.trx, 'parent', id, ['verify', 'disown']);
  await updateParentRow(tx.trx, id, {
    email_verified: 0,
    vouched_at: null,
    disowned_at: context.clock.now(),
  });
  return withdrawFamily(context, tx, id);
}

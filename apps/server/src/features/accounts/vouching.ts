/** Vouching at the desk: how an account came to be, the code on the guardian's phone, and "I did not register this". */
import { randomInt } from 'node:crypto';
import { DESK_CODE_MS, DESK_CODE_TRIES } from '@haris/contract/constants';
import type { Registration } from '@haris/contract/http/vouching';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { endOneTimeTokens, useOneTimeToken } from '../../db/one-time-tokens.ts';
import { findParentView, type ParentView, takeParent } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { endPassword, hasUnprovenPassword, replacePassword } from '../../vouching.ts';
import { countDeskCode } from './limits.ts';
import { getParentView, removeParent } from './parents.ts';
import { type Credentials, checkCredentials, type From } from './sign-in.ts';

/** Who made the account, when and from where, and who has vouched for it. */
export function presentRegistration({ parent, children }: ParentView): Registration {
  const moment = (at: number | null) => (at === null ? null : toMoment(at));
  return {
    by: parent.made_by === 'staff' ? 'staff' : 'self',
    at: toMoment(parent.created_at),
    from: parent.made_from,
    vouchedAt: moment(parent.vouched_at),
    disownedAt: moment(parent.disowned_at),
    hasProvenPassword: parent.password_hash !== null && !hasUnprovenPassword(parent),
    children: children.length,
  };
}

/**
 * Makes a code for the account of the signed-in parent, or of these credentials (an account that is not verified cannot
 * sign in); older codes end. Throws what signing in throws but `email_not_verified`, and `too_many_attempts`.
 */
export async function createDeskCode(
  context: Context,
  who: { parentId: string } | { credentials: Credentials; from: From },
): Promise<{ code: string; expiresAt: string }> {
  const id =
    'parentId' in who
      ? who.parentId
      : (await checkCredentials(context, 'parent', who.credentials, who.from, async () => {})).id;
  await countDeskCode(context, id);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const expiresAt = context.clock.now() + DESK_CODE_MS;
  const fresh = { code_mac: codeMac(context, id, code), tries: 0, expires_at: expiresAt };
  await inTransaction(context.db, async (tx) => {
    if (!(await takeParent(tx.trx, id))) throw new AppError('not_found');
    await tx.trx
      .insertInto('desk_codes')
      .values({ parent_id: id, ...fresh })
      .onConflict((on) => on.column('parent_id').doUpdateSet(fresh))
      .execute();
  });
  return { code, expiresAt: toMoment(expiresAt) };
}

function codeMac(context: Context, parentId: string, code: string): string {
  return context.vault.mac('desk code', `${parentId} ${code}`);
}

/** Counts a try, whether or not the code is right; answers whether it is. A code has five tries. */
async function tryCode(context: Context, parentId: string, code: string): Promise<boolean> {
  const row = await context.db
    .updateTable('desk_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('parent_id', '=', parentId)
    .where('tries', '<', DESK_CODE_TRIES)
    .where('expires_at', '>', context.clock.now())
    .returning('code_mac')
    .executeTakeFirst();
  return row?.code_mac === codeMac(context, parentId, code);
}

/**
 * Staff have seen the parent at the desk: the e-mail counts as verified. An account that registered itself keeps its
 * password only with the code that its signed-in page shows; otherwise password and sessions end and a link is mailed, once.
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
    const parent = await takeParent(tx.trx, id);
    if (!parent) throw new AppError('not_found');
    const isOwnMaking = parent.made_by !== 'staff';
    const isSettled = parent.vouched_at !== null && !hasUnprovenPassword(parent);
    if (code !== undefined) await useCode(context, tx, id, code);
    else if (isOwnMaking && !isSettled) await replacePassword(context, tx, actor, parent, 'vouched');
    const withCode = code !== undefined && isOwnMaking;
    await tx.trx
      .updateTable('parents')
      // A change of address that waits is called off: what was seen at the desk is the address in force.
      .set({
        email_verified: 1,
        pending_email: null,
        disowned_at: null,
        ...(isOwnMaking ? { vouched_at: context.clock.now() } : {}),
        ...(withCode && parent.password_hash !== null ? { password_proof: 'desk' as const } : {}),
      })
      .where('id', '=', id)
      .execute();
    await endOneTimeTokens(tx.trx, 'parent', id, ['verify', 'disown']);
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

/** Uses the code up. If two desks type it at once, one succeeds. Throws `wrong_code`. */
async function useCode(context: Context, tx: Tx, parentId: string, code: string): Promise<void> {
  const used = await tx.trx
    .deleteFrom('desk_codes')
    .where('parent_id', '=', parentId)
    .where('code_mac', '=', codeMac(context, parentId, code))
    .returning('parent_id')
    .executeTakeFirst();
  if (!used) throw new AppError('wrong_code');
}

/**
 * Whoever got the mail says not to have registered: the account goes. Where it has children already, its password and
 * sessions end instead, and the desk is told. Throws `invalid_token`; accounts that staff made have no such link.
 */
export async function disownRegistration(context: Context, token: string, origin: Origin): Promise<boolean> {
  const isDeleted = await inTransaction(context.db, async (tx) => {
    const used = await useOneTimeToken(tx.trx, token, ['verify', 'disown'], context.clock.now());
    const parent = used?.kind === 'parent' ? await takeParent(tx.trx, used.accountId) : undefined;
    if (!used || !parent || parent.made_by === 'staff' || parent.email !== used.email)
      throw new AppError('invalid_token');
    const { id } = parent;
    const hasChildren = ((await findParentView(tx.trx, id))?.children.length ?? 0) > 0;
    if (hasChildren) await freezeDisowned(context, tx, parent);
    else await removeParent(context, tx, id);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: 'parent.disowned',
      subject: { kind: 'parent', id },
      details: { deleted: !hasChildren },
    });
    const type = hasChildren ? 'parent.updated' : 'parent.deleted';
    await context.events.append(tx, { type, parentId: id });
    return !hasChildren;
  });
  if (isDeleted) {
    await eraseDestroyedKeys(context);
    await context.erasures.update();
  }
  return isDeleted;
}

/** Nobody can sign in, and the address counts as unverified, until staff vouch for the account. */
async function freezeDisowned(context: Context, tx: Tx, { id }: ParentRow): Promise<void> {
  await endPassword(tx, id);
  await tx.trx
    .updateTable('parents')
    .set({ email_verified: 0, vouched_at: null, disowned_at: context.clock.now() })
    .where('id', '=', id)
    .execute();
}

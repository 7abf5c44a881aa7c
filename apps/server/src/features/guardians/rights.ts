/** Staff read, limit, extend and end the guardians of a child (decision 049). */
import type { Guardian } from '@haris/contract/http/guardians';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild } from '../../db/children.ts';
import { endCollectorsOf } from '../../db/collectors.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { hasChildRows } from '../../db/guardians/children-of.ts';
import { findHeldGuardian, findHeldGuardians, type HeldGuardian } from '../../db/guardians/held.ts';
import { type GuardianRights, updateGuardianRights } from '../../db/guardians/rights.ts';
import { lockParent } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { eraseParent } from '../../erasure/people.ts';
import { acrossFacilities, inFacility } from '../../facility.ts';
import {
  emitGuardians,
  emitWithdrawnEntries,
  endWithBars,
  recordEnd,
  settleFirst,
  withdrawTaking,
} from '../../guardian-ends.ts';
import { requireProof } from '../../http/proof.ts';
import { requireRightsOverChild } from '../../staff-rights.ts';
import { presentGuardian } from './present.ts';

const RIGHTS = [
  'mayLive',
  'mayEdit',
  'mayCollect',
  'mayTake',
] as const satisfies readonly (keyof GuardianRights)[];

/** The rights as the desk sets them. `mayTake`: left out by a client that does not know it; it stays as it is. */
type AskedRights = Omit<GuardianRights, 'mayTake'> & { readonly mayTake?: boolean | undefined };

interface Pair {
  readonly childId: string;
  readonly parentId: string;
}

/** The guardians of a child and those who were asked, the first one first. */
export async function listGuardians({ db }: Context, childId: string): Promise<Guardian[]> {
  return (await acrossFacilities(() => findHeldGuardians(db, childId))).map(presentGuardian);
}

/**
 * Sets the rights of a guardian, or of one who was asked. Taking rights away needs nothing more; a further right needs a fresh proof
 * and the permission at every facility of the child. The same rights change nothing. Without the right to name collectors those
 * whom the guardian has named and nobody has confirmed end, with the passes; without the right to take the child its codes and passes, slips that
 * were printed, an announced pick-up and requests at kiosks to fetch the child. A first guardian who is barred ends if this one can take
 * over now. Throws 404, `beyond_own_rights`, `proof_required`.
 */
export async function setRights(
  context: Context,
  actor: Actor,
  pair: Pair,
  asked: AskedRights,
): Promise<Guardian> {
  const { childId, parentId } = pair;
  const guardian = await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    if (!(await lockChild(trx, childId))) throw new AppError('not_found');
    const before = await acrossFacilities(() => findHeldGuardian(trx, pair));
    if (!before) throw new AppError('not_found');
    const { mayLive, mayEdit, mayCollect, mayTake = before.mayTake } = asked;
    const rights = { mayLive, mayEdit, mayCollect, mayTake };
    const added = RIGHTS.filter((right) => rights[right] && !before[right]);
    const removed = RIGHTS.filter((right) => !rights[right] && before[right]);
    if (added.length === 0 && removed.length === 0) return presentGuardian(before);
    if (added.length > 0) {
      await requireRightsOverChild(trx, actor, childId, 'families.edit');
      await requireProof(context, actor, trx);
    }
    await updateGuardianRights(trx, pair, rights);
    const endsCollectors = removed.includes('mayCollect');
    if (endsCollectors)
      await acrossFacilities(() => endCollectorsOf(trx, { namedBy: parentId, childId }, context.clock.now()));
    // Who was only asked has neither codes nor anything else.
    const endsTaking = removed.includes('mayTake') && before.acceptedAt !== null;
    const withdrawn = endsTaking ? await withdrawTaking(context, tx, pair) : null;
    const barred = added.length > 0 ? await settleFirst(context, tx, childId) : undefined;
    const fact = {
      actor,
      subject: { kind: 'child', id: childId },
      details: { parentId, ...rights },
    } as const;
    if (removed.length > 0) await context.audit.append(tx, { ...fact, action: 'guardian.limited' });
    if (added.length > 0) await context.audit.append(tx, { ...fact, action: 'guardian.extended' });
    await emitGuardians(context, tx, childId, [parentId]);
    if (withdrawn) await emitWithdrawnEntries(context, tx, pair, withdrawn);
    if (endsCollectors || withdrawn) await context.events.append(tx, { type: 'child.updated', childId });
    if (barred) await recordEnd(context, tx, null, barred);
    const after = await acrossFacilities(() => findHeldGuardian(trx, pair));
    return presentGuardian(after ?? { ...before, ...rights });
  });
  await context.bars.update();
  return guardian;
}

/**
 * Ends a guardian, or the question to one, with the account that asking has made and nobody has opened. Of the first guardian it needs a
 * fresh proof and the permission at every facility of the child: it gives the next one what is for the first alone, and the child
 * itself. Throws 404, `last_guardian`; for the first guardian `beyond_own_rights`, `proof_required`.
 */
export async function endOne(context: Context, actor: Actor, pair: Pair): Promise<void> {
  const { childId, parentId } = pair;
  const isErased = await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    // The account before the child, as a block locks them. One that was asked may be known elsewhere alone.
    const account = await acrossFacilities(() => lockParent(trx, parentId));
    const child = account && (await lockChild(trx, childId));
    const held = child && (await acrossFacilities(() => findHeldGuardian(trx, pair)));
    if (!account || !held) throw new AppError('not_found');
    if (held.isFirst) {
      await requireRightsOverChild(trx, actor, childId, 'families.edit');
      await requireProof(context, actor, trx);
    }
    const end = await endWithBars(context, tx, actor.id, pair);
    if (typeof end === 'string') throw new AppError(end);
    const isUnused = await acrossFacilities(async () => {
      if (!isOfAsking(account, held) || (await hasChildRows(trx, parentId))) return false;
      await eraseParent(tx, parentId, [], context.clock.now());
      return true;
    });
    await recordEnd(context, tx, actor, end);
    if (isUnused) await recordErased(context, tx, actor, pair);
    return isUnused;
  });
  if (isErased) {
    await eraseDestroyedKeys(context);
    await context.erasures.update();
  }
  await context.bars.update();
}

/** Whether the account was made by the call that has asked this question, and nobody has opened it or entered anything since. */
function isOfAsking(account: ParentRow, { acceptedAt, askedAt }: HeldGuardian): boolean {
  const { made_by: by, created_at: at, email_verified: isVerified, password_hash: hash } = account;
  const isMade = acceptedAt === null && by === 'staff' && Number(at) === askedAt;
  const isUnopened = isVerified === 0 && hash === null;
  const { phone, photo_id: photo, blocked_at: blocked } = account;
  return isMade && isUnopened && phone === null && photo === null && blocked === null;
}

async function recordErased(
  context: Context,
  tx: Tx,
  actor: Actor,
  { childId, parentId }: Pair,
): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action: 'parent.deleted',
    subject: { kind: 'parent', id: parentId },
    details: { children: [] },
  });
  for (const place of await findFacilitiesOfChild(tx.trx, childId))
    await inFacility(place, () => context.events.append(tx, { type: 'parent.deleted', parentId }));
}

/** An account reads and answers whether it becomes a guardian of a child (decision 049). */
import type { GuardianRequest } from '@haris/contract/http/guardians';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { recordAboutChild } from '../../child-facts.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChild, lockChild } from '../../db/children.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { acceptGuardian, declineGuardian, findAskedFor } from '../../db/guardians/requests.ts';
import { lockParent } from '../../db/parents.ts';
import { inTransaction } from '../../db/transaction.ts';
import { acrossFacilities } from '../../facility.ts';
import { givenNameOf } from '../../first-name.ts';
import { emitGuardians, recordEnd, settleFirst } from '../../guardian-ends.ts';
import { findNameOf } from '../../mail/facility-words.ts';
import { hasUnprovenPassword } from '../../vouching.ts';

/** Stands for the name of a facility that has none. */
const NAMELESS = 'Haris';

/** What an account was asked and has not answered: no more of the child than the first name. */
export function listRequests({ db }: Context, { id }: Actor): Promise<GuardianRequest[]> {
  return acrossFacilities(async () => {
    const requests: GuardianRequest[] = [];
    for (const { childName, askedAt, ...asked } of await findAskedFor(db, id)) {
      const facility = await namesOfPlaces(db, asked.childId);
      requests.push({ ...asked, childName: givenNameOf(childName), facility, askedAt: toMoment(askedAt) });
    }
    return requests;
  });
}

/** Names of the facilities of a child, whose staff may have asked. */
async function namesOfPlaces(db: Context['db'], childId: string): Promise<string> {
  const names = new Set<string>();
  for (const place of await findFacilitiesOfChild(db, childId))
    names.add((await findNameOf(db, place)) ?? NAMELESS);
  return [...names].join(', ');
}

/**
 * Accepts or declines what an account was asked about a child; once, and not while it is barred from the child. A first guardian who
 * is barred ends if this one can take over. Returns the child after an acceptance. Throws 404.
 */
export async function answerRequest(
  context: Context,
  actor: Actor,
  childId: string,
  accepts: boolean,
): Promise<ChildView | null> {
  const pair = { childId, parentId: actor.id };
  const accepted = await inTransaction(context.db, (tx) =>
    // The child may be known at another facility than the account's other children.
    acrossFacilities(async () => {
      const { trx } = tx;
      const at = context.clock.now();
      // The account before the child, as a block locks them.
      const account = await lockParent(trx, actor.id);
      const child = account && (await lockChild(trx, childId));
      const asked = child ? await findAskedFor(trx, actor.id) : [];
      if (!account || !asked.some((one) => one.childId === childId)) throw new AppError('not_found');
      if (accepts) {
        // The owner of the mailbox did not register, or somebody else may have chosen the password. Whether staff have blocked the
        // account the guard of the call asks in this transaction.
        const isShut = account.disowned_at !== null || hasUnprovenPassword(account);
        if (isShut || !(await acceptGuardian(trx, pair, at))) throw new AppError('not_found');
      } else await declineGuardian(trx, pair, at);
      const barred = accepts ? await settleFirst(context, tx, childId) : undefined;
      await recordAboutChild(context, tx, childId, {
        actor,
        action: accepts ? 'guardian.accepted' : 'guardian.declined',
        details: { parentId: actor.id },
      });
      await emitGuardians(context, tx, childId, [actor.id]);
      if (barred) await recordEnd(context, tx, null, barred);
      return accepts ? ((await findChild(trx, childId)) ?? null) : null;
    }),
  );
  await context.bars.update();
  return accepted;
}

/** Ends registrations whose e-mail nobody has verified. Runs without an actor. */
import type { Context } from '../../context.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { inPortions } from '../../db/portions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockEndedStrangers } from '../../db/unverified-parents.ts';
import { eraseParent } from '../../erasure/people.ts';
import { acrossFacilities } from '../../facility.ts';

/** Accounts of one transaction: each takes some twenty statements, and everybody else's writes wait. */
const ACCOUNTS_AT_ONCE = 25;

/** Erases the accounts of strangers a week after they registered. Call it only while the clock is trusted. */
export async function endUnverifiedAccounts(context: Context): Promise<void> {
  let erased = 0;
  await acrossFacilities(() =>
    inPortions(async () => {
      const portion = await endPortion(context);
      erased += portion;
      return portion;
    }, ACCOUNTS_AT_ONCE),
  );
  if (erased === 0) return;
  await eraseDestroyedKeys(context);
  await context.erasures.update();
}

/** Returns the number of erased accounts. */
function endPortion(context: Context): Promise<number> {
  const { db, dialect, clock } = context;
  return inTransaction(db, async (tx) => {
    const now = clock.now();
    const ids = await lockEndedStrangers(tx.trx, dialect, now, ACCOUNTS_AT_ONCE);
    for (const id of ids) await eraseParent(tx, id, [], now);
    await context.audit.appendAll(
      tx,
      ids.map((id) => ({
        actor: null,
        action: 'parent.deleted',
        subject: { kind: 'parent', id },
        details: { because: 'unverified' },
      })),
    );
    for (const id of ids) await context.events.append(tx, { type: 'parent.deleted', parentId: id });
    return ids.length;
  });
}

/** What the restore of a backup does to the right to take a child home (decision 049). */
import type { Context } from '../context.ts';
import { limitFurtherGuardians } from '../db/guardians/rights.ts';
import { inTransaction } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';

/**
 * Takes the right to take a child home from every guardian beside the first one: the backup does not know whom the desk has limited since.
 * Call it before anything that passes children on is repeated, so that nobody keeps the right by it. Each guardian gets an audit row.
 * Returns how many.
 */
export async function limitRestored({ db, audit }: Pick<Context, 'db' | 'audit'>): Promise<number> {
  return acrossFacilities(() =>
    inTransaction(db, async (tx) => {
      const limited = await limitFurtherGuardians(tx.trx);
      for (const { childId, parentId } of limited)
        await audit.append(tx, {
          actor: null,
          action: 'guardian.limited',
          subject: { kind: 'child', id: childId },
          details: { parentId, mayTake: false, replayed: true },
        });
      return limited.length;
    }),
  );
}

/** Erases adults who could pick up a child once, and whom no record names (decision 049). Runs without an actor. */
import { ENDED_COLLECTORS_KEPT_DAYS } from '@haris/contract/constants';
import type { Context } from '../context.ts';
import { lockChild } from '../db/children.ts';
import { findForgotten } from '../db/collectors.ts';
import { inPortions } from '../db/portions.ts';
import type { CollectorRow } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import { eraseCollector } from './people.ts';

const AT_ONCE = 100;
const KEPT_MS = ENDED_COLLECTORS_KEPT_DAYS * 24 * 3_600_000;

/**
 * Erases collectors a month after their end. Who took a child, tried to, or is barred stays as long as that record: without the
 * name it would not say who it was. Call it only while the clock is trusted.
 */
export async function eraseEndedCollectors(context: Context): Promise<void> {
  const before = context.clock.now() - KEPT_MS;
  let erased = 0;
  await acrossFacilities(() =>
    inPortions(async () => {
      const portion = await findForgotten(context.db, before, { limit: AT_ONCE });
      for (const one of portion) if (await eraseOne(context, one, before)) erased++;
      return portion.length;
    }, AT_ONCE),
  );
  if (erased > 0) await context.erasures.update();
}

/** Returns false if a record has named the collector meanwhile, or another server has erased it. */
function eraseOne(
  context: Context,
  { id, child_id: childId }: Pick<CollectorRow, 'id' | 'child_id'>,
  before: number,
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    // Whoever enters a bar on the collector locks the child too.
    await lockChild(tx.trx, childId);
    const [still] = await findForgotten(tx.trx, before, { limit: 1, id });
    if (!still) return false;
    await eraseCollector(tx, still, context.clock.now());
    await context.audit.append(tx, {
      actor: null,
      action: 'collector.erased',
      subject: { kind: 'child', id: childId },
      details: { collectorId: id },
    });
    return true;
  });
}

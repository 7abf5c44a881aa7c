/** Audit rows about a child, for acts that may belong to no facility. */
import type { Context } from './context.ts';
import type { AuditFact } from './db/audit.ts';
import { findFacilitiesOfChild } from './db/facilities.ts';
import type { Tx } from './db/transaction.ts';
import { facilityOrNull, inFacility } from './facility.ts';

/**
 * Records an act about a child: where staff act, or at each facility of the child if the act belongs to none, as an answer of a
 * family's account does.
 */
export async function recordAboutChild(
  { audit }: Pick<Context, 'audit'>,
  tx: Tx,
  childId: string,
  fact: Omit<AuditFact, 'subject'>,
): Promise<void> {
  const row: AuditFact = { ...fact, subject: { kind: 'child', id: childId } };
  if (facilityOrNull() !== null) return audit.append(tx, row);
  for (const place of await findFacilitiesOfChild(tx.trx, childId))
    await inFacility(place, () => audit.append(tx, row));
}

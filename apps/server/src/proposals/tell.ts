/** Writes a decision about proposals into the audit log, and tells those whom it concerns. */
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { findGuardiansOf } from '../db/guardians/of-child.ts';
import type { ProposalSubject } from '../db/proposals.ts';
import type { ProposalRow } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';

/** Appends the decision to the audit log, with the fields of the proposals. */
export async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  subject: ProposalSubject,
  proposals: readonly ProposalRow[],
  action: 'proposal.accepted' | 'proposal.rejected',
  details: { readonly confirmed?: boolean; readonly lookalikes?: readonly string[] },
): Promise<void> {
  const fields = [...new Set(proposals.map(({ field }) => field))];
  await context.audit.append(tx, { actor, action, subject, details: { fields, ...details } });
}

/**
 * Tells staff and those who proposed of the decision, and the other guardians of a child only that it has another name or photo
 * (`isChanged`): they know of no proposal. Returns those who proposed and are told: a guardian that has ended is not. Call it
 * after {@link record}, whose row locks the order of events.
 */
export async function tell(
  { events }: Context,
  tx: Tx,
  { kind, id }: ProposalSubject,
  proposals: readonly ProposalRow[],
  type: 'proposal.accepted' | 'proposal.rejected',
  isChanged: boolean,
): Promise<string[]> {
  if (kind === 'parent') {
    await events.append(tx, { type, parentId: id });
    return [id];
  }
  const guardians = await acrossFacilities(() => findGuardiansOf(tx.trx, id));
  const authors = guardians.filter(({ parentId }) => proposals.some(({ by_id: by }) => by === parentId));
  // The event of staff is the first guardian's too, if that one proposed.
  const first = authors.find(({ isFirst }) => isFirst);
  await events.append(tx, { type, childId: id, parentId: first?.parentId ?? null });
  for (const one of guardians) {
    if (one === first) continue;
    const isAuthor = authors.includes(one);
    if (!isAuthor && !isChanged) continue;
    const { parentId } = one;
    const about = { childId: id, parentId, audience: 'account' } as const;
    await events.append(tx, { type: isAuthor ? type : 'child.updated', ...about });
  }
  return authors.map(({ parentId }) => parentId);
}

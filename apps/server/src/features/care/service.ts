/** Reads and saves care cards, with their records in the audit log. */
import { type CareCard, EMPTY_CARE_CARD, withPermissions } from '@haris/contract/care-card';
import type { CareCardView, KeptCareCard } from '@haris/contract/http/care';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCalledChildren } from '../../db/called-children.ts';
import {
  findCareCard,
  findCareCards,
  findCareVersion,
  noteCareSeen,
  saveCareCard,
} from '../../db/care-cards.ts';
import type { ChildView } from '../../db/children.ts';
import { lockEventOrder } from '../../db/events.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { findOpenIncidentFor } from '../../db/incidents.ts';
import { recordReading } from '../../db/read-audit.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { currentFacility, inFacility } from '../../facility.ts';
import { lockChildFor } from '../../guardian-rights.ts';
import { countChange } from '../../proposals/limits.ts';

type Subject = Pick<ChildView, 'id' | 'parent_id'>;

/** The card as it is now. Throws if it cannot be opened. */
async function present({ db, vault }: Context, childId: string): Promise<CareCardView> {
  const found = await findCareCard(db, vault, childId);
  if (!found) return { version: 0, updatedAt: null, updatedBy: null, card: EMPTY_CARE_CARD };
  const { version, updated_at, updated_by, card } = found;
  return { version, updatedAt: toMoment(updated_at), updatedBy: updated_by, card };
}

/** The child's card. If staff read it, this is recorded, and they have seen what the family changed. */
export async function readCareCard(context: Context, actor: Actor, child: Subject): Promise<CareCardView> {
  const view = await present(context, child.id);
  if (actor.kind === 'parent') return view;
  await recordReading(context, actor, { action: 'care_card.read', subject: { kind: 'child', id: child.id } });
  await inTransaction(context.db, async (tx) => {
    if (!(await noteCareSeen(tx.trx, child.id, currentFacility(), view.version))) return;
    await lockEventOrder(tx);
    await announce(context, tx, child, [currentFacility()]);
  });
  return view;
}

/** Replaces the card. Throws 404, `care_card_changed`, `too_many_attempts`. */
export async function saveCare(
  context: Context,
  actor: Actor,
  child: Subject,
  { version, card }: { readonly version: number; readonly card: CareCard },
): Promise<CareCardView> {
  const by = actor.kind === 'parent' ? 'parent' : 'staff';
  await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    await lockChildFor(tx, actor, child.id, 'mayEdit');
    if ((await findCareVersion(trx, child.id)) !== version) throw new AppError('care_card_changed');
    await countChange(context, tx, actor);
    const at = context.clock.now();
    // That a medicine may be given is the family's word.
    const before = by === 'staff' ? await findCareCard(trx, context.vault, child.id) : undefined;
    const saved = by === 'staff' ? withPermissions(card, before?.card ?? EMPTY_CARE_CARD) : card;
    await saveCareCard(trx, context.vault, {
      ...{ childId: child.id, version: version + 1, by, at, card: saved },
    });
    // They began with the version before, so they have seen what the family changed until then.
    if (by === 'staff') await noteCareSeen(trx, child.id, currentFacility(), version + 1);
    const places = await findFacilitiesOfChild(trx, child.id);
    await context.audit.append(tx, {
      actor,
      action: 'care_card.updated',
      subject: { kind: 'child', id: child.id },
      details: { version: version + 1 },
    });
    await announce(context, tx, child, places);
  });
  return present(context, child.id);
}

/** Tells the staff of these facilities, and the family, that the card or its mark changed. */
async function announce(
  context: Context,
  tx: Tx,
  { id, parent_id }: Subject,
  facilities: readonly string[],
): Promise<void> {
  const fact = { type: 'child.care_card_updated', childId: id, parentId: parent_id } as const;
  for (const facility of facilities) await inFacility(facility, () => context.events.append(tx, fact));
}

/** The cards of the children on the roll call of the evacuation that goes on; none without one. */
export async function readEvacuationCards(context: Context, actor: Actor): Promise<KeptCareCard[]> {
  const evacuation = await findOpenIncidentFor(context.db, 'evacuation');
  if (!evacuation) return [];
  const present = await findCalledChildren(context.db, { from: evacuation.raised_at, to: null });
  const ids = present.map(({ child_id }) => child_id);
  const cards = await findCareCards(context.db, context.vault, ids);
  await recordReading(context, actor, {
    action: 'care_cards.read',
    subject: { kind: 'incident', id: evacuation.id },
  });
  return [...cards].map(([childId, card]) => ({ childId, card }));
}

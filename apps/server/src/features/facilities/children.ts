/** Adds children to facilities, and removes them (decision 048). */
import type { FacilityEntry } from '@haris/contract/objects';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild } from '../../db/children.ts';
import { addChildToFacility, findFacilitiesOfChild, removeChildFromFacility } from '../../db/facilities.ts';
import { findFacilityIds, findRights } from '../../db/memberships.ts';
import { isAnyInside } from '../../db/stays.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ALL_FACILITIES, inFacility } from '../../facility.ts';
import { emitWithdrawn, withdrawRequests } from '../../kiosk-requests.ts';
import { requireRights } from '../../staff-rights.ts';
import { entriesOf } from './service.ts';

const RIGHT = 'families.edit';

/** Facilities at which a child is known, the oldest first. */
export async function listFacilitiesOfChild(
  { db }: Pick<Context, 'db'>,
  childId: string,
): Promise<FacilityEntry[]> {
  return entriesOf(db, await findFacilitiesOfChild(db, childId));
}

/** Facilities at which the actor may make a child known, the oldest first. */
export async function findFacilitiesToAdd(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  childId: string,
): Promise<FacilityEntry[]> {
  if (!actor.permissions.has(RIGHT)) return [];
  const known = await findFacilitiesOfChild(db, childId);
  const rights = await findRights(db, actor.id);
  const isAllowed = (place: string) => [ALL_FACILITIES, place].some((one) => rights.get(one)?.has(RIGHT));
  const places = (await findFacilityIds(db)).filter((place) => isAllowed(place) && !known.includes(place));
  return entriesOf(db, places);
}

/** Adds a child to a further facility. Throws 404, `beyond_own_rights`. */
export async function addFacilityOfChild(
  context: Context,
  actor: Actor,
  childId: string,
  facilityId: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const child = await lockChild(tx.trx, childId);
    if (!child || !(await findFacilityIds(tx.trx)).includes(facilityId)) throw new AppError('not_found');
    await requireRights(tx.trx, actor, new Map([[facilityId, new Set([RIGHT])]]));
    await addChildToFacility(tx.trx, childId, facilityId, context.clock.now());
    await context.audit.append(tx, {
      actor,
      action: 'child.facility_added',
      subject: { kind: 'child', id: childId },
      details: { facility: facilityId },
    });
    const fact = {
      type: 'child.updated',
      childId,
      parentId: child.parent_id,
      audience: 'guardians',
    } as const;
    await context.events.append(tx, fact);
    await inFacility(facilityId, () => context.events.append(tx, fact));
  });
}

/**
 * Removes a child from a facility, with what its family asked at a kiosk there. Throws 404, `beyond_own_rights`,
 * `child_inside` while the child is inside there, `last_facility`.
 */
export async function removeFacilityOfChild(
  context: Context,
  actor: Actor,
  childId: string,
  facilityId: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    // Locked, so that nobody checks the child in there, or removes it from its other facility, at the same time.
    const child = await lockChild(trx, childId);
    const known = await findFacilitiesOfChild(trx, childId);
    if (!child || !known.includes(facilityId)) throw new AppError('not_found');
    await requireRights(trx, actor, new Map([[facilityId, new Set([RIGHT])]]));
    if (await inFacility(facilityId, () => isAnyInside(trx, [childId]))) throw new AppError('child_inside');
    if (known.length === 1) throw new AppError('last_facility');
    await inFacility(facilityId, async () => {
      const asked = { state: 'ended', at: context.clock.now() } as const;
      const withdrawn = await withdrawRequests(tx, { childId }, asked);
      // In the log of the facility that loses the child, so that its staff see who removed it.
      await context.audit.append(tx, {
        actor,
        action: 'child.facility_removed',
        subject: { kind: 'child', id: childId },
        details: { facility: facilityId },
      });
      await emitWithdrawn(context, tx, withdrawn);
    });
    await removeChildFromFacility(trx, childId, facilityId);
    const fact = {
      type: 'child.updated',
      childId,
      parentId: child.parent_id,
      audience: 'guardians',
    } as const;
    for (const place of known) await inFacility(place, () => context.events.append(tx, fact));
  });
}

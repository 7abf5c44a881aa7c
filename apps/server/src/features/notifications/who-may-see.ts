/** Who of an audience may see an incident at the moment: roles end while deliveries wait. */
import { isDanger } from '@haris/contract/incident-kinds';
import type { Kysely, Transaction } from 'kysely';
import { wasDeletedFrom } from '../../db/events.ts';
import { isGuardianOf } from '../../db/guardians/of-child.ts';
import { findIncident } from '../../db/incidents.ts';
import { findPermissions } from '../../db/memberships.ts';
import { findNotifiedChild } from '../../db/notification-deliveries.ts';
import type { Account } from '../../db/notification-people.ts';
import { findParent } from '../../db/parents.ts';
import type { Database, NotificationDeliveryRow } from '../../db/schema.ts';
import { MAIN_FACILITY } from '../../facility.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Without staff who may not see incidents of the facility. Families and the webhook need no permission. */
export async function findThoseWhoMaySee<A extends Pick<Account, 'id'> & { readonly kind: string }>(
  db: Reader,
  facility: string,
  accounts: readonly A[],
): Promise<A[]> {
  const staff = accounts.filter(({ kind }) => kind === 'admin').map(({ id }) => id);
  const permissions = await findPermissions(db, facility, staff);
  return accounts.filter(({ kind, id }) => {
    const own = permissions.get(id);
    return kind !== 'admin' || own?.has('incidents.view') || own?.has('installation.operate');
  });
}

/**
 * Whether the receiver of a delivery may still see its incident. A test is about nothing. A parent's account that was blocked or
 * disowned meanwhile gets dangers alone, which name no child: somebody else may read its mails. Only who is a guardian of a child now,
 * or was when it was deleted, is told of it.
 */
export async function mayStillSee(db: Reader, row: NotificationDeliveryRow): Promise<boolean> {
  if (row.phase === 'test' || row.account_kind === 'webhook') return true;
  if (row.account_kind === 'parent') {
    const parent = await findParent(db, row.account_id);
    const isClosed = !parent || parent.blocked_at !== null || parent.disowned_at !== null;
    if (isClosed) return isDanger(row.kind);
    const childId = await findNotifiedChild(db, row.incident_id);
    // The danger itself has no row any more once it is long over.
    if (childId === null || childId === undefined) return childId === null || isDanger(row.kind);
    return (
      (await isGuardianOf(db, childId, row.account_id)) || (await wasDeletedFrom(db, childId, row.account_id))
    );
  }
  const facility = (await findIncident(db, row.incident_id))?.facility_id ?? MAIN_FACILITY;
  const account = { kind: row.account_kind, id: row.account_id };
  return (await findThoseWhoMaySee(db, facility, [account])).length > 0;
}

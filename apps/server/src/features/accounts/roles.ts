/** Makes roles, and gives them to staff (decision 042). */
import { randomUUID } from 'node:crypto';
import { ROLES_MAX, type Role } from '@haris/contract/http/roles';
import {
  BUILT_IN_ROLE_IDS,
  BUILT_IN_ROLES,
  isBuiltInRole,
  type Permission,
} from '@haris/contract/permissions';
import type { Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import {
  countMembers,
  deleteRole,
  findFacilityIds,
  findMemberships,
  findRole,
  findRoles,
  insertRole,
  lockRole,
  type OwnRole,
  updateRole,
  writeMemberships,
} from '../../db/memberships.ts';
import type { Database } from '../../db/schema.ts';
import { lockAllStaff } from '../../db/staff.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { ALL_FACILITIES } from '../../facility.ts';
import { requireAnotherOwner, requireRights, requireRightsOf } from '../../staff-rights.ts';
import { endAllPendingStaffEmails } from './pending-staff-email.ts';

/** A role at a facility; null: at every facility. */
export interface WantedRole {
  readonly roleId: string;
  readonly facilityId: string | null;
}

/** All roles: those that come with Haris, then custom roles by name. */
export async function listRoles({ db }: Pick<Context, 'db'>): Promise<Role[]> {
  const members = await countMembers(db);
  const builtIn = BUILT_IN_ROLE_IDS.map((id) => ({ id, name: null, permissions: BUILT_IN_ROLES[id] }));
  return [...builtIn, ...(await findRoles(db))].map(({ id, name, permissions }) => ({
    _id: id,
    name,
    permissions: [...permissions],
    members: members.get(id) ?? 0,
  }));
}

async function presentRole(context: Context, id: string): Promise<Role> {
  const role = (await listRoles(context)).find(({ _id }) => _id === id);
  if (!role) throw new AppError('not_found');
  return role;
}

/** An own role counts at every facility where somebody gets it, so its maker needs its permissions everywhere. */
async function requireEverywhere(tx: Tx, actor: Actor, permissions: readonly Permission[]): Promise<void> {
  await requireRights(tx.trx, actor, new Map([[ALL_FACILITIES, new Set(permissions)]]));
}

/** Locks a role that may be changed. Throws 404, `built_in_role`. */
async function lockOwnRole(tx: Tx, id: string): Promise<OwnRole> {
  if (isBuiltInRole(id)) throw new AppError('built_in_role');
  const role = await lockRole(tx.trx, id);
  if (!role) throw new AppError('not_found');
  return role;
}

async function saveNamed(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('role_name_taken');
    throw error;
  }
}

/** Throws `beyond_own_rights`, `role_name_taken`, `too_many_roles`. */
export async function createRole(context: Context, actor: Actor, input: Omit<OwnRole, 'id'>): Promise<Role> {
  const id = randomUUID();
  await saveNamed(() =>
    inTransaction(context.db, async (tx) => {
      await lockAllStaff(tx.trx, context.dialect);
      await requireEverywhere(tx, actor, input.permissions);
      if ((await findRoles(tx.trx)).length >= ROLES_MAX) throw new AppError('too_many_roles');
      await insertRole(tx.trx, { id, ...input }, context.clock.now());
      await recordRole(context, tx, actor, 'role.created', id, { ...input });
    }),
  );
  return presentRole(context, id);
}

/** Throws 404, `built_in_role`, `beyond_own_rights`, `role_name_taken`. */
export async function changeRole(
  context: Context,
  actor: Actor,
  id: string,
  input: Omit<OwnRole, 'id'>,
): Promise<Role> {
  await saveNamed(() =>
    inTransaction(context.db, async (tx) => {
      const before = await lockOwnRole(tx, id);
      await requireEverywhere(tx, actor, [...before.permissions, ...input.permissions]);
      await endAllPendingStaffEmails(tx);
      await updateRole(tx.trx, { id, ...input });
      await recordRole(context, tx, actor, 'role.changed', id, {
        name: input.name,
        added: input.permissions.filter((one) => !before.permissions.includes(one)),
        removed: before.permissions.filter((one) => !input.permissions.includes(one)),
      });
    }),
  );
  return presentRole(context, id);
}

/** Throws 404, `built_in_role`, `role_in_use`. */
export async function removeRole(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    // Giving somebody this role takes the same lock.
    await lockAllStaff(tx.trx, context.dialect);
    const { name } = await lockOwnRole(tx, id);
    if (!(await deleteRole(tx.trx, id))) throw new AppError('role_in_use');
    await recordRole(context, tx, actor, 'role.deleted', id, { name });
  });
}

async function recordRole(
  context: Context,
  tx: Tx,
  actor: Actor,
  action: 'role.created' | 'role.changed' | 'role.deleted',
  id: string,
  details: NonNullable<AuditFact['details']>,
): Promise<void> {
  await context.audit.append(tx, { actor, action, subject: { kind: 'role', id }, details });
  await context.events.append(tx, { type: 'admin.updated' });
}

/** Permissions of each wanted role, by facility. Throws 404 for a role or facility that does not exist. */
async function rightsOf(
  trx: Transaction<Database>,
  wanted: readonly WantedRole[],
): Promise<Map<string, ReadonlySet<Permission>>> {
  const rights = new Map<string, ReadonlySet<Permission>>();
  const facilities = await findFacilityIds(trx);
  for (const { roleId, facilityId } of wanted) {
    if (facilityId !== null && !facilities.includes(facilityId)) throw new AppError('not_found');
    const permissions = isBuiltInRole(roleId)
      ? BUILT_IN_ROLES[roleId]
      : (await findRole(trx, roleId))?.permissions;
    if (!permissions) throw new AppError('not_found');
    rights.set(facilityId ?? ALL_FACILITIES, new Set(permissions));
  }
  return rights;
}

/** Gives roles to a new staff member. The caller has locked all staff. Throws 404, `beyond_own_rights`. */
export async function giveFirstRoles(
  tx: Tx,
  actor: Actor,
  id: string,
  wanted: readonly WantedRole[],
): Promise<void> {
  await requireRights(tx.trx, actor, await rightsOf(tx.trx, wanted));
  await writeMemberships(tx.trx, id, wanted.map(membershipOf));
}

/** `role` at every facility, `role at facility` otherwise: for the audit log. */
export function named({ role_id, facility_id }: { role_id: string; facility_id: string }): string {
  return facility_id === ALL_FACILITIES ? role_id : `${role_id} at ${facility_id}`;
}

function membershipOf({ roleId, facilityId }: WantedRole) {
  return { role_id: roleId, facility_id: facilityId ?? ALL_FACILITIES };
}

/** Replaces the roles of another staff member. Throws 404, `own_roles`, `beyond_own_rights`, `last_owner`. */
export async function setStaffRoles(
  context: Context,
  actor: Actor,
  id: string,
  wanted: readonly WantedRole[],
): Promise<void> {
  if (actor.id === id) throw new AppError('own_roles');
  await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    // The actor may have been deleted or demoted while this call waited.
    const staff = await lockAllStaff(trx, context.dialect);
    if (!staff.includes(id) || !staff.includes(actor.id)) throw new AppError('not_found');
    await requireRightsOf(trx, actor, id);
    await requireRights(trx, actor, await rightsOf(trx, wanted));
    const before = await findMemberships(trx, [id]);
    const staysOwner = wanted.some(({ roleId, facilityId }) => roleId === 'owner' && facilityId === null);
    if (!staysOwner) await requireAnotherOwner(trx, id);
    await endAllPendingStaffEmails(tx);
    await writeMemberships(trx, id, wanted.map(membershipOf));
    await context.audit.append(tx, {
      actor,
      action: 'admin.roles_changed',
      subject: { kind: 'admin', id },
      details: {
        before: before.map(named),
        after: wanted.map(membershipOf).map(named),
      },
    });
    await context.events.append(tx, { type: 'admin.updated' });
  });
}

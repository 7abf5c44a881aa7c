/** Reads and writes roles, and who has which role where (decision 042). */
import {
  BUILT_IN_ROLES,
  isBuiltInRole,
  ORGANISATION_PERMISSIONS,
  type Permission,
  permissionSchema,
} from '@haris/contract/permissions';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
import { ALL_FACILITIES } from '../facility.ts';
import type { Dialect } from './dialect.ts';
import type { Database, MembershipRow, RoleRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A role that was made here. */
export interface OwnRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** Permissions in a stored list. One that this version does not know permits nothing. */
function readPermissions(stored: string): Permission[] {
  const listed: unknown = JSON.parse(stored);
  return Array.isArray(listed) ? listed.filter((one) => permissionSchema.safeParse(one).success) : [];
}

function ownRole({ id, name, permissions }: RoleRow): OwnRole {
  return { id, name, permissions: readPermissions(permissions) };
}

/** Permissions of a role; null if there is no such role. */
function permissionsOf(roleId: string, stored: string | null): readonly Permission[] | null {
  if (isBuiltInRole(roleId)) return BUILT_IN_ROLES[roleId];
  return stored === null ? null : readPermissions(stored);
}

/** The permissions of a staff member at a facility. */
export interface Rights {
  readonly here: ReadonlySet<Permission>;
  /** Permissions at every facility: they are needed to change what all facilities share. */
  readonly everywhere: ReadonlySet<Permission>;
}

/**
 * The rights of these staff members at a facility, by id; of all staff by default. People without a role there that
 * this version knows are left out.
 */
export async function findRightsAt(
  db: Reader,
  facility: string,
  staffIds?: readonly string[],
): Promise<Map<string, Rights>> {
  if (staffIds?.length === 0) return new Map();
  const memberships = membershipsWithRoles(db);
  const rows = await (staffIds ? memberships.where('staff_id', 'in', staffIds) : memberships).execute();
  return rightsAt(facility, rows, await findFacilityIds(db));
}

/**
 * Like {@link findRightsAt}, for one staff member; undefined without a role there. The memberships and their roles stay as
 * they are until the transaction ends: whoever wants to change them waits.
 */
export async function holdRightsAt(
  trx: Transaction<Database>,
  dialect: Dialect,
  facility: string,
  staffId: string,
): Promise<Rights | undefined> {
  const own = membershipsWithRoles(trx).where('staff_id', '=', staffId);
  // Read after the lock: who waited for a change sees the rows that replaced the old ones.
  if (dialect === 'postgres') {
    await own.forShare('memberships').execute();
    // A role is narrowed for all who have it, and their memberships stay. In a join that may find no role it cannot be locked.
    const held = trx.selectFrom('memberships').select('role_id').where('staff_id', '=', staffId);
    await trx.selectFrom('roles').select('id').where('id', 'in', held).orderBy('id').forShare().execute();
  }
  const rows = await own.execute();
  return rightsAt(facility, rows, await findFacilityIds(trx)).get(staffId);
}

function membershipsWithRoles(db: Reader) {
  return db
    .selectFrom('memberships')
    .leftJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['staff_id', 'facility_id', 'role_id', 'roles.permissions']);
}

/** The rights at a facility that memberships give, by id of the staff member. Pure. */
function rightsAt(
  facility: string,
  memberships: readonly (MembershipRow & { readonly permissions: string | null })[],
  facilities: readonly string[],
): Map<string, Rights> {
  const known = memberships.flatMap(({ staff_id, facility_id, role_id, permissions }) => {
    const allowed = permissionsOf(role_id, permissions);
    return allowed ? [{ staff_id, facility_id, allowed: new Set(allowed) }] : [];
  });
  const found = new Map<string, Rights>();
  for (const [staffId, own] of Map.groupBy(known, ({ staff_id }) => staff_id)) {
    const at = (place: string): ReadonlySet<Permission> => {
      const there = own.filter(({ facility_id }) => facility_id === place || facility_id === ALL_FACILITIES);
      return new Set(there.flatMap(({ allowed }) => [...allowed]));
    };
    if (!own.some(({ facility_id }) => facility_id === facility || facility_id === ALL_FACILITIES)) continue;
    const everywhere = facilities.map(at).reduce((common, one) => common.intersection(one), at(facility));
    const counts = (permission: Permission) =>
      !ORGANISATION_PERMISSIONS.has(permission) || everywhere.has(permission);
    found.set(staffId, { here: new Set([...at(facility)].filter(counts)), everywhere });
  }
  return found;
}

/** Like {@link findRightsAt}, but without the permissions at every facility. */
export async function findPermissions(
  db: Reader,
  facility: string,
  staffIds?: readonly string[],
): Promise<Map<string, ReadonlySet<Permission>>> {
  const rights = await findRightsAt(db, facility, staffIds);
  return new Map([...rights].map(([id, { here }]) => [id, here]));
}

/** Ids of all facilities, the oldest first. */
export async function findFacilityIds(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('facilities').select('id').orderBy('created_at').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Facilities at which a staff member has a role, the oldest first. */
export async function findFacilitiesOfStaff(db: Reader, staffId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('facilities')
    .select('facilities.id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memberships')
          .select('staff_id')
          .where('staff_id', '=', staffId)
          .where((eb) =>
            eb.or([
              eb('memberships.facility_id', '=', eb.ref('facilities.id')),
              eb('memberships.facility_id', '=', ALL_FACILITIES),
            ]),
          ),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The memberships of these staff members. */
export async function findMemberships(db: Reader, staffIds: readonly string[]): Promise<MembershipRow[]> {
  if (staffIds.length === 0) return [];
  return db
    .selectFrom('memberships')
    .selectAll()
    .where('staff_id', 'in', staffIds)
    .orderBy('facility_id')
    .execute();
}

/** Ids of the staff members who have a role at every facility. */
export async function findMembersEverywhere(db: Reader, roleId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('staff_id')
    .where('role_id', '=', roleId)
    .where('facility_id', '=', ALL_FACILITIES)
    .execute();
  return rows.map(({ staff_id }) => staff_id);
}

/** Replaces all memberships of a staff member. */
export async function writeMemberships(
  trx: Transaction<Database>,
  staffId: string,
  memberships: readonly Omit<MembershipRow, 'staff_id'>[],
): Promise<void> {
  await deleteMemberships(trx, staffId);
  for (const { facility_id, role_id } of memberships)
    await trx.insertInto('memberships').values({ staff_id: staffId, facility_id, role_id }).execute();
}

export async function deleteMemberships(trx: Transaction<Database>, staffId: string): Promise<void> {
  await trx.deleteFrom('memberships').where('staff_id', '=', staffId).execute();
}

/** The roles that were made here, by name. */
export async function findRoles(db: Reader): Promise<OwnRole[]> {
  return (await db.selectFrom('roles').selectAll().orderBy('sort_name').execute()).map(ownRole);
}

export async function findRole(db: Reader, id: string): Promise<OwnRole | undefined> {
  const row = await db.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst();
  return row && ownRole(row);
}

/** Locks the row until the transaction ends, on both databases, and returns its current values. */
export async function lockRole(trx: Transaction<Database>, id: string): Promise<OwnRole | undefined> {
  const row = await trx
    .updateTable('roles')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && ownRole(row);
}

/** Adds a role. Rejects with a unique violation if the name is taken. */
export async function insertRole(trx: Transaction<Database>, role: OwnRole, now: number): Promise<void> {
  await trx
    .insertInto('roles')
    .values({
      id: role.id,
      name: role.name,
      sort_name: foldForSearch(role.name),
      permissions: JSON.stringify(role.permissions),
      created_at: now,
    })
    .execute();
}

/** Changes a role. Rejects with a unique violation if the name is taken. Returns false if the role is gone. */
export async function updateRole(
  trx: Transaction<Database>,
  { id, name, permissions }: OwnRole,
): Promise<boolean> {
  const changed = await trx
    .updateTable('roles')
    .set({ name, sort_name: foldForSearch(name), permissions: JSON.stringify(permissions) })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Deletes a role. Returns false, and deletes nothing, if somebody has it. */
export async function deleteRole(trx: Transaction<Database>, id: string): Promise<boolean> {
  const gone = await trx
    .deleteFrom('roles')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('memberships').select('staff_id').where('role_id', '=', id))),
    )
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Counts the staff members of each role. */
export async function countMembers(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('memberships')
    .select((eb) => ['role_id', eb.fn.count<number>('staff_id').distinct().as('members')])
    .groupBy('role_id')
    .execute();
  return new Map(rows.map(({ role_id, members }) => [role_id, Number(members)]));
}

/**
 * The permissions of a staff member by the facility of each membership, or {@link ALL_FACILITIES}. Roles that this
 * version does not know are left out.
 */
export async function findRights(db: Reader, staffId: string): Promise<Map<string, ReadonlySet<Permission>>> {
  const rows = await db
    .selectFrom('memberships')
    .leftJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['facility_id', 'role_id', 'roles.permissions'])
    .where('staff_id', '=', staffId)
    .execute();
  return new Map(
    rows.flatMap(({ facility_id, role_id, permissions }) => {
      const allowed = permissionsOf(role_id, permissions);
      return allowed ? [[facility_id, new Set(allowed)] as const] : [];
    }),
  );
}

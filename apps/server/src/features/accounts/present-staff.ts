/** Staff as the wire shows them. */
import type { Admin, OwnWork } from '@haris/contract/objects';
import type { Permission } from '@haris/contract/permissions';
import type { Context } from '../../context.ts';
import { findFacilityNames, findOnlyFacility } from '../../db/facilities.ts';
import { findFacilitiesOfStaff, findMemberships, findRightsAt, findRoles } from '../../db/memberships.ts';
import type { SessionFactor, StaffRow } from '../../db/schema.ts';
import { ALL_FACILITIES, MAIN_FACILITY } from '../../facility.ts';
import { presentStaffMember } from '../../http/present.ts';
import { permissionsAt } from '../../policy.ts';

type Parts = Pick<Context, 'db' | 'vault'>;

/** A list of staff for other staff: national IDs are masked. */
export async function presentStaffList({ db, vault }: Parts, rows: readonly StaffRow[]): Promise<Admin[]> {
  const memberships = await findMemberships(
    db,
    rows.map(({ id }) => id),
  );
  const names = new Map((await findRoles(db)).map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...presentStaffMember(vault, row, { whole: false }),
    roles: memberships
      .filter(({ staff_id }) => staff_id === row.id)
      .map(({ role_id, facility_id }) => ({
        roleId: role_id,
        name: names.get(role_id) ?? null,
        facilityId: facility_id === ALL_FACILITIES ? null : facility_id,
      })),
  }));
}

/** A staff member for other staff: the national ID is masked. */
export async function presentStaff(parts: Parts, row: StaffRow): Promise<Admin> {
  const [admin] = await presentStaffList(parts, [row]);
  return admin as Admin;
}

/** A staff member with the whole national ID: the caller, or an account that the caller has just made. */
export async function presentWholeStaff(parts: Parts, row: StaffRow): Promise<Admin> {
  const { nationalId } = presentStaffMember(parts.vault, row, { whole: true });
  return { ...(await presentStaff(parts, row)), nationalId };
}

/** The properties of a session on which its rights depend. */
export interface OwnSession {
  readonly factor: SessionFactor;
  readonly deskId: string | null;
  /** Null: the person's first facility. */
  readonly facility: string | null;
}

/** The caller's account with the rights of this session, which depend on its factor, desk tablet and facility. */
export async function presentOwnAccount(
  parts: Parts,
  row: StaffRow,
  { factor, deskId, facility }: OwnSession,
): Promise<Admin> {
  const facilities = await findFacilitiesOfStaff(parts.db, row.id);
  const here = facility ?? facilities[0] ?? MAIN_FACILITY;
  const rights = (await findRightsAt(parts.db, here, [row.id])).get(row.id);
  const nothing: ReadonlySet<Permission> = new Set();
  const everywhere = permissionsAt(rights?.everywhere ?? nothing, deskId);
  const work = await presentWork(parts, { facilities, here, everywhere });
  const admin = {
    ...(await presentWholeStaff(parts, row)),
    permissions: [...permissionsAt(rights?.here ?? nothing, deskId)],
    ...(work ? { work } : {}),
    ...(row.password_hash === '' ? { signsInElsewhere: true as const } : {}),
  };
  return factor === 'mail' ? { ...admin, mustAddFactor: true } : admin;
}

/** Null with one facility, where there is nothing to choose. */
async function presentWork(
  { db }: Parts,
  own: { facilities: readonly string[]; here: string; everywhere: ReadonlySet<Permission> },
): Promise<OwnWork | null> {
  if ((await findOnlyFacility(db)) !== null) return null;
  const names = await findFacilityNames(db);
  return {
    facilityId: own.here,
    facilities: own.facilities.map((_id) => ({ _id, name: names.get(_id) ?? null })),
    everywhere: [...own.everywhere],
  };
}

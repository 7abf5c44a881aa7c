/** The people whom incidents notify: staff by role and presence, and everybody whom a step has reached. */
import type { Permission } from '@haris/contract/permissions';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { facilityOrMain } from '../facility.ts';
import { findPermissions } from './memberships.ts';
import type { Database } from './schema.ts';
import { idlesOutAt } from './sessions.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface Person {
  readonly kind: AccountKind;
  readonly id: string;
}

/** Staff with a verified e-mail who have a permission. */
export async function findStaffIds(db: Reader, permission: Permission): Promise<string[]> {
  const staff = await db
    .selectFrom('staff')
    .select('id')
    .where('email_verified', '=', 1)
    .orderBy('id')
    .execute();
  const permissions = await findPermissions(db, facilityOrMain());
  return staff.map(({ id }) => id).filter((id) => permissions.get(id)?.has(permission));
}

/** Signed-in staff who see incidents: those with a session that has neither expired nor idled out. */
export async function findSignedInStaffIds(db: Reader, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.account_id')
    .select('staff.id')
    .distinct()
    .where('sessions.kind', '=', 'admin')
    .where('sessions.expires_at', '>', now)
    .where((eb) => eb(idlesOutAt(eb), '>', now))
    .orderBy('staff.id')
    .execute();
  const permissions = await findPermissions(db, facilityOrMain());
  return rows.map(({ id }) => id).filter((id) => permissions.get(id)?.has('incidents.view'));
}

/** Everybody whom a step of an incident has reached. */
export async function findReachedPeople(db: Kysely<Database>, incidentId: string): Promise<Person[]> {
  const rows = await db
    .selectFrom('incident_audience')
    .select(['account_kind', 'account_id'])
    .where('incident_id', '=', incidentId)
    .orderBy('account_kind')
    .orderBy('account_id')
    .execute();
  return rows.map((row) => ({ kind: row.account_kind, id: row.account_id }));
}

/** Records that a step of an incident has reached these people. */
export async function addReachedPeople(
  db: Kysely<Database>,
  incidentId: string,
  people: readonly Person[],
): Promise<void> {
  for (const { kind, id } of people)
    await db
      .insertInto('incident_audience')
      .values({ incident_id: incidentId, account_kind: kind, account_id: id })
      .onConflict((conflict) => conflict.columns(['incident_id', 'account_kind', 'account_id']).doNothing())
      .execute();
}

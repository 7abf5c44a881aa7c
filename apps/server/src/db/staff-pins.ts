/** PINs of staff for desk tablets, and the staff whom a tablet lists (decision 045). */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { currentFacility } from '../facility.ts';
import { deleteDeskTickets } from './desk-tickets.ts';
import { findPermissions, findRights } from './memberships.ts';
import type { Database } from './schema.ts';
import { lockStaffMember } from './staff.ts';

/** A staff member's PIN, as a hash. */
export type StaffPinRow = Pick<Selectable<Database['staff_pins']>, 'staff_id' | 'pin_hash'>;
type Reader = Kysely<Database> | Transaction<Database>;

/** When the staff member set a PIN; null if there is none. Milliseconds since 1970. */
export async function findStaffPinTime(db: Reader, staffId: string): Promise<number | null> {
  const row = await db
    .selectFrom('staff_pins')
    .select('set_at')
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  return row?.set_at ?? null;
}

export async function findStaffPin(db: Reader, staffId: string): Promise<StaffPinRow | undefined> {
  return db
    .selectFrom('staff_pins')
    .select(['staff_id', 'pin_hash'])
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
}

/** Stores the PIN of a staff member in place of an older one. */
export async function writeStaffPin(
  trx: Transaction<Database>,
  staffId: string,
  values: { readonly pin_hash: string; readonly set_at: number },
): Promise<void> {
  await trx
    .insertInto('staff_pins')
    .values({ staff_id: staffId, ...values })
    .onConflict((conflict) => conflict.column('staff_id').doUpdateSet(values))
    .execute();
}

/**
 * Deletes a staff member's PIN and the sessions at desk tablets, except `except` (a stored hash). Returns false if there
 * was no PIN.
 */
export async function endStaffPin(
  trx: Transaction<Database>,
  staffId: string,
  except = '',
): Promise<boolean> {
  await trx
    .deleteFrom('sessions')
    .where('kind', '=', 'admin')
    .where('account_id', '=', staffId)
    .where('desk_id', 'is not', null)
    .where('token_hash', '!=', except)
    .execute();
  await deleteDeskTickets(trx, { staffId });
  const row = await trx
    .deleteFrom('staff_pins')
    .where('staff_id', '=', staffId)
    .returning('staff_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks the staff member until the transaction ends. Returns whether the account may sign in and, if `pin` is given, still
 * has that PIN.
 */
export async function holdStaff(
  trx: Transaction<Database>,
  staffId: string,
  pin: StaffPinRow | null,
): Promise<boolean> {
  if (!(await lockStaffMember(trx, staffId))) return false;
  const row = await trx
    .selectFrom('staff')
    .leftJoin('staff_pins', 'staff_pins.staff_id', 'staff.id')
    .select('staff_pins.pin_hash')
    .where('staff.id', '=', staffId)
    .where('staff.email_verified', '=', 1)
    .executeTakeFirst();
  if (!row || (pin !== null && row.pin_hash !== pin.pin_hash)) return false;
  return (await findRights(trx, staffId)).size > 0;
}

/** Staff who may sign in at a desk tablet, by name. */
export async function findDeskStaff(db: Reader): Promise<
  {
    id: string;
    name: string;
    photoId: string | null;
    hasPassword: boolean;
    hasPin: boolean;
    hasPasskey: boolean;
  }[]
> {
  const rows = await db
    .selectFrom('staff')
    .leftJoin('staff_pins', 'staff_pins.staff_id', 'staff.id')
    .select(['staff.id', 'staff.name', 'staff.photo_id', 'staff.password_hash', 'staff_pins.set_at'])
    .where('staff.email_verified', '=', 1)
    .orderBy('staff.sort_name')
    .orderBy('staff.id')
    .execute();
  const passkeys = await db
    .selectFrom('second_factors')
    .select('account_id')
    .distinct()
    .where('account_kind', '=', 'admin')
    .where('kind', '=', 'passkey')
    .where('confirmed_at', 'is not', null)
    .execute();
  const owners = new Set(passkeys.map(({ account_id }) => account_id));
  const permissions = await findPermissions(db, currentFacility());
  const members = rows.filter(({ id }) => permissions.has(id));
  return members.map(({ id, name, photo_id, password_hash, set_at }) => ({
    id,
    name,
    photoId: photo_id,
    hasPassword: Boolean(password_hash),
    hasPin: set_at !== null,
    hasPasskey: owners.has(id),
  }));
}

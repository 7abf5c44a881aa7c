/** Creates the first administrator, and adds and deletes staff. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Language } from '@haris/contract/fields';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import { endHomeAssistantAccountsOf, handOverHomeAssistantAccounts } from '../../db/broker-accounts.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { writeMemberships } from '../../db/memberships.ts';
import type { StaffRow } from '../../db/schema.ts';
import { noteFirstPassword } from '../../db/setup.ts';
import {
  findStaffMember,
  findStaffMemberByEmail,
  hasNationalId,
  hasStaff,
  insertStaffMember,
  lockAllStaff,
} from '../../db/staff.ts';
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts';
import { eraseStaffMember } from '../../erasure/people.ts';
import { ALL_FACILITIES, acrossFacilities, currentFacility } from '../../facility.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { requireAnotherOwner, requireRightsOf } from '../../staff-rights.ts';
import { hashPassword } from '../../vault/passwords.ts';
import { hashToken } from '../../vault/vault.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { endAllPendingStaffEmails } from './pending-staff-email.ts';
import { giveFirstRoles } from './roles.ts';

export interface NewEmployee {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly nationalId: string;
  readonly language: Language;
  readonly roleId: string;
}

/** Returns the staff member. Throws 404. */
export async function getStaffMember(context: Context, id: string): Promise<StaffRow> {
  const member = await findStaffMember(context.db, id);
  if (!member) throw new AppError('not_found');
  return member;
}

/**
 * Adds an employee with a role at this facility; a mailed link verifies the e-mail. Throws `email_taken`,
 * `national_id_taken`, `beyond_own_rights`, 404 if there is no such role.
 */
export async function createEmployee(context: Context, actor: Actor, input: NewEmployee): Promise<StaffRow> {
  const { vault, db } = context;
  const id = randomUUID();
  const { name, email, language } = input;
  const mac = vault.mac('national id', input.nationalId);
  const taken = async (): Promise<void> => {
    // An account of another facility has them too.
    if (await acrossFacilities(() => findStaffMemberByEmail(db, email))) throw new AppError('email_taken');
    if (await acrossFacilities(() => hasNationalId(db, mac))) throw new AppError('national_id_taken');
  };
  await refuseCommonPassword(input.password, input);
  await taken();
  const passwordHash = await hashPassword(input.password);
  try {
    await inTransaction(db, async (tx) => {
      await lockAllStaff(tx.trx, context.dialect);
      await insertStaffMember(tx.trx, {
        id,
        name,
        email,
        passwordHash,
        passwordSetBy: actor.id,
        nationalId: { sealed: vault.seal(`national id ${id}`, Buffer.from(input.nationalId)), mac },
        isVerified: false,
        language,
        createdAt: context.clock.now(),
      });
      await giveFirstRoles(tx, actor, id, [{ roleId: input.roleId, facilityId: currentFacility() }]);
      await mailLink(context, tx, 'verify', { kind: 'admin', accountId: id, name, email, language });
      await context.audit.append(tx, { actor, action: 'admin.created', subject: { kind: 'admin', id } });
      await context.events.append(tx, { type: 'admin.created' });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another desk has added an employee meanwhile: find out whether it used this e-mail or this national ID.
    await taken();
    throw error;
  }
  await context.mails.settled();
  return getStaffMember(context, id);
}

/**
 * Deletes a staff member and their sessions. The Home Assistant accounts this person created are either deleted or handed
 * over to the actor, so that somebody is always responsible for a password that reads the sensors. Returns the number of
 * accounts deleted and handed over.
 * Throws `own_account`, `last_admin`, `beyond_own_rights`, `last_owner`, 404.
 */
export async function deleteStaffMember(
  context: Context,
  actor: Actor,
  id: string,
  { handOver }: { handOver: boolean },
): Promise<{ ended: number; handedOver: number }> {
  if (actor.id === id) throw new AppError('own_account');
  const accounts = await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    const staff = await lockAllStaff(trx, context.dialect);
    if (!staff.includes(id) || !staff.includes(actor.id)) throw new AppError('not_found');
    if (staff.length === 1) throw new AppError('last_admin');
    await requireRightsOf(trx, actor, id);
    await requireAnotherOwner(trx, id);
    // Those at other facilities too: nobody would be responsible for them.
    const now = context.clock.now();
    const made = await acrossFacilities(() =>
      handOver ? handOverHomeAssistantAccounts(trx, id, actor.id) : endHomeAssistantAccountsOf(trx, id, now),
    );
    await endAllPendingStaffEmails(tx);
    await eraseStaffMember(tx, id, now);
    await context.audit.appendAll(tx, [
      ...made.map(
        (account): AuditFact => ({
          actor,
          action: handOver ? 'home_assistant.handed_over' : 'home_assistant.deleted',
          subject: { kind: 'home_assistant', id: account.id },
          details: { madeBy: id },
        }),
      ),
      { actor, action: 'admin.deleted', subject: { kind: 'admin', id } },
    ]);
    await context.events.append(tx, { type: 'admin.deleted' });
    return made;
  });
  if (!handOver) for (const { username } of accounts) context.mqtt.disconnect(username);
  await eraseDestroyedKeys(context);
  await context.erasures.update();
  return { ended: handOver ? 0 : accounts.length, handedOver: handOver ? accounts.length : 0 };
}

/**
 * Adds the first administrator, already verified, if there are no staff yet. Returns e-mail and password for printing if
 * the password was generated here, null otherwise.
 */
export async function ensureFirstAdministrator(
  context: Context,
): Promise<{ email: string; password: string } | null> {
  const { config, db } = context;
  if (await hasStaff(db)) return null;
  const email = config.adminEmail ?? 'admin@localhost';
  const password = config.adminPassword ?? randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(password);
  const id = randomUUID();
  const made = await inTransaction(db, async (tx) => {
    if (await hasStaff(tx.trx)) return false;
    await insertStaffMember(tx.trx, {
      id,
      name: 'Administrator',
      email,
      passwordHash,
      passwordSetBy: null,
      nationalId: null,
      isVerified: true,
      language: 'en',
      createdAt: context.clock.now(),
    });
    await writeMemberships(tx.trx, id, [{ facility_id: ALL_FACILITIES, role_id: 'owner' }]);
    if (config.adminPassword === null) await noteFirstPassword(tx.trx, id, hashToken(passwordHash));
    await context.audit.append(tx, {
      actor: null,
      action: 'admin.created',
      subject: { kind: 'admin', id },
      details: { first: true },
    });
    return true;
  }).catch((error: unknown) => {
    // Another server on the same database has added the administrator: the e-mail is unique.
    if (isUniqueViolation(error)) return false;
    throw error;
  });
  return made && config.adminPassword === null ? { email, password } : null;
}

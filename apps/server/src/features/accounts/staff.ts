/** Staff: the first administrator, adding and deleting employees. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Language } from '@haris/contract/fields';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAdmin, findAdminByEmail } from '../../db/admins.ts';
import type { AuditFact } from '../../db/audit.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { foldForSearch } from '../../db/folding.ts';
import { searchText } from '../../db/parents.ts';
import type { AdminRow } from '../../db/schema.ts';
import { endHomeAssistantAccountsOf, handOverHomeAssistantAccounts } from '../../db/sensors.ts';
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts';
import { eraseAdmin } from '../../erasure/people.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { hashPassword } from './passwords.ts';

export interface NewEmployee {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly nationalId: string;
  readonly language: Language;
}

/** The member of staff. Throws 404. */
export async function getAdmin(context: Context, id: string): Promise<AdminRow> {
  const admin = await findAdmin(context.db, id);
  if (!admin) throw new AppError('not_found');
  return admin;
}

/** Adds an employee, whose e-mail is to be verified by a mailed link. Throws `email_taken`, `national_id_taken`. */
export async function createEmployee(context: Context, actor: Actor, input: NewEmployee): Promise<AdminRow> {
  const { vault, db } = context;
  const id = randomUUID();
  const { name, email, language } = input;
  const mac = vault.mac('national id', input.nationalId);
  const taken = async (): Promise<void> => {
    if (await findAdminByEmail(db, email)) throw new AppError('email_taken');
    const same = await db
      .selectFrom('admins')
      .select('id')
      .where('national_id_mac', '=', mac)
      .executeTakeFirst();
    if (same) throw new AppError('national_id_taken');
  };
  await refuseCommonPassword(input.password, input);
  await taken();
  const passwordHash = await hashPassword(input.password);
  try {
    await inTransaction(db, async (tx) => {
      await tx.trx
        .insertInto('admins')
        .values({
          id,
          name,
          email,
          password_hash: passwordHash,
          password_set_by: actor.id,
          national_id_sealed: vault.seal(`national id ${id}`, Buffer.from(input.nationalId)),
          national_id_mac: mac,
          email_verified: 0,
          language,
          sort_name: foldForSearch(name),
          search_text: searchText([name, email]),
          created_at: context.clock.now(),
        })
        .execute();
      await mailLink(context, tx, 'verify', { kind: 'admin', accountId: id, name, email, language });
      await context.audit.append(tx, { actor, action: 'admin.created', subject: { kind: 'admin', id } });
      await context.events.append(tx, { type: 'admin.created' });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another desk was quicker; it says which of the two it was.
    await taken();
    throw error;
  }
  await context.mails.settled();
  return getAdmin(context, id);
}

/**
 * Deletes an employee; the sessions die at once. The Home Assistant accounts that the employee made end with them, or are
 * handed over to the actor: somebody always answers for a password that reads the house. Answers how many did which.
 * Throws `own_account`, `last_admin`, 404.
 */
export async function deleteEmployee(
  context: Context,
  actor: Actor,
  id: string,
  { handOver }: { handOver: boolean },
): Promise<{ ended: number; handedOver: number }> {
  if (actor.id === id) throw new AppError('own_account');
  const accounts = await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    // Two who delete each other at once: all rows are taken, so that the second sees what the first left.
    const all = trx.selectFrom('admins').select(['id', 'name']);
    const staff = await (context.dialect === 'postgres' ? all.orderBy('id').forUpdate() : all).execute();
    const target = staff.find((row) => row.id === id);
    if (!target || !staff.some((row) => row.id === actor.id)) throw new AppError('not_found');
    if (staff.length === 1) throw new AppError('last_admin');
    const made = await (handOver
      ? handOverHomeAssistantAccounts(trx, id, actor.id)
      : endHomeAssistantAccountsOf(trx, id));
    await eraseAdmin(tx, id, context.clock.now());
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
 * Makes the first administrator while there is none, already verified. Answers the password to print when it was made
 * up here, null otherwise.
 */
export async function ensureFirstAdmin(
  context: Context,
): Promise<{ email: string; password: string } | null> {
  const { config, db } = context;
  const some = await db.selectFrom('admins').select('id').executeTakeFirst();
  if (some) return null;
  const email = config.adminEmail ?? 'admin@localhost';
  const password = config.adminPassword ?? randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(password);
  const id = randomUUID();
  const made = await inTransaction(db, async (tx) => {
    const meanwhile = await tx.trx.selectFrom('admins').select('id').executeTakeFirst();
    if (meanwhile) return false;
    await tx.trx
      .insertInto('admins')
      .values({
        id,
        name: 'Administrator',
        email,
        password_hash: passwordHash,
        national_id_sealed: null,
        national_id_mac: null,
        email_verified: 1,
        language: 'en',
        sort_name: foldForSearch('Administrator'),
        search_text: searchText(['Administrator', email]),
        created_at: context.clock.now(),
      })
      .execute();
    await context.audit.append(tx, {
      actor: null,
      action: 'admin.created',
      subject: { kind: 'admin', id },
      details: { first: true },
    });
    return true;
  }).catch((error: unknown) => {
    // Two servers that start at once on one database: the e-mail is unique.
    if (isUniqueViolation(error)) return false;
    throw error;
  });
  return made && config.adminPassword === null ? { email, password } : null;
}

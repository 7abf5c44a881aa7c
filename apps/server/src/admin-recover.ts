/**
 * `npm run admin:recover -- --email ADDRESS`: lets a staff member who has lost password or second factor in again.
 * Removes the second factors, ends the sessions, and prints a link with which the person sets a password (1 hour,
 * once). `--no-second-factor` also stops requiring a second factor of staff, in case no mail arrives.
 * `--no-second-person` also stops requiring a second person, in case nobody else is left. A person who can run this
 * command can read the master key anyway. The audit log records it.
 */
import { RESET_LINK_MS } from '@haris/contract/constants';
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import { systemClock } from './clock.ts';
import { loadLinkBase, loadPlace } from './config.ts';
import { openAuditTrail } from './db/audit.ts';
import { DatabaseFileError } from './db/damage.ts';
import type { OpenDatabase } from './db/dialect.ts';
import { DataFolderError } from './db/embedded.ts';
import { findMigrations, NewerDatabaseError, newestMigration } from './db/migrate.ts';
import { createOneTimeToken } from './db/one-time-tokens.ts';
import { openDatabase } from './db/open.ts';
import { deleteFactorsOf } from './db/second-factors.ts';
import { endSessionsOf } from './db/session-ends.ts';
import { writeSettings } from './db/settings.ts';
import { findStaffMemberByEmail, lockStaffMember } from './db/staff.ts';
import { endStaffPin } from './db/staff-pins.ts';
import { inTransaction } from './db/transaction.ts';
import { forgetWrongAnswers } from './features/accounts/factor-answers.ts';
import { MasterKeyError, openMasterKey } from './vault/master-key.ts';
import { openVault } from './vault/vault.ts';

/** Why nothing was done; `message` is for the operator. */
class RecoveryError extends Error {
  override name = 'RecoveryError';
}

function emailArgument(): string {
  const at = process.argv.indexOf('--email');
  const email = at < 0 ? undefined : process.argv[at + 1];
  if (email === undefined || !email.includes('@'))
    throw new RecoveryError('Say whom: npm run admin:recover -- --email ADDRESS');
  return email.trim().toLowerCase();
}

/** The server may be running, so this program never changes the schema. */
async function requireCurrent({ db, dialect }: OpenDatabase): Promise<void> {
  const done = await findMigrations(db, dialect);
  if (done.length === 0) throw new RecoveryError('There is no Haris here yet: start it once.');
  if (!done.includes(newestMigration(dialect)))
    throw new RecoveryError(
      'This database belongs to an older Haris. Start this version once, then try again.',
    );
}

async function recover(): Promise<void> {
  const email = emailArgument();
  const config = loadPlace(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
  const base = loadLinkBase(process.env);
  const vault = openVault(openMasterKey(config.dataDir, false));
  const audit = openAuditTrail(vault, systemClock);
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    pool: 1,
    log: createLogger('admin-recover', config.logLevel),
    admit: requireCurrent,
  });
  try {
    const isDropped = process.argv.includes('--no-second-factor');
    const isAlone = process.argv.includes('--no-second-person');
    const token = await inTransaction(database.db, async (tx) => {
      const found = await findStaffMemberByEmail(tx.trx, email);
      const member = found && (await lockStaffMember(tx.trx, found.id));
      if (!member) throw new RecoveryError(`No staff account has the address ${email}.`);
      const account = { kind: 'admin', id: member.id } as const;
      const factors = await deleteFactorsOf(tx.trx, account);
      await forgetWrongAnswers({ vault }, tx, account);
      await endSessionsOf(tx.trx, account.kind, account.id);
      await endStaffPin(tx.trx, account.id);
      if (isDropped) await writeSettings(tx.trx, { staffSecondFactor: false });
      if (isAlone) await writeSettings(tx.trx, { secondPerson: false });
      await audit.append(tx, {
        actor: null,
        action: 'admin.recovered',
        subject: account,
        details: {
          factors,
          ...(isDropped ? { staffSecondFactor: 'false' } : {}),
          ...(isAlone ? { secondPerson: 'false' } : {}),
        },
      });
      const subject = { kind: account.kind, accountId: account.id, email };
      return createOneTimeToken(tx.trx, vault, 'reset', subject, systemClock.now(), RESET_LINK_MS);
    });
    process.stdout.write(`Set a password within an hour: ${base}/reset-password/${token}\n`);
  } finally {
    await database.close();
  }
}

try {
  await recover();
} catch (error) {
  const isKnown =
    error instanceof RecoveryError ||
    error instanceof ConfigError ||
    error instanceof MasterKeyError ||
    error instanceof DataFolderError ||
    error instanceof DatabaseFileError ||
    error instanceof NewerDatabaseError;
  process.stderr.write(`${isKnown ? error.message : 'The account could not be recovered.'}\n`);
  process.exitCode = 1;
}

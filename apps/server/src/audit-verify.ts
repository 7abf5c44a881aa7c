/** `npm run audit:verify`: walks the audit log's chain and names the first row that does not fit. Exit 1 if one does not. */
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import { loadConfig } from './config.ts';
import { verifyAuditTrail } from './db/audit.ts';
import { connectPostgres, openEmbeddedReadOnly } from './db/open.ts';
import { MasterKeyError, openMasterKey } from './vault/master-key.ts';
import { openVault } from './vault/vault.ts';

try {
  const config = loadConfig(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
  const vault = openVault(openMasterKey(config.dataDir, false));
  const database = config.databaseUrl
    ? connectPostgres(config.databaseUrl, 1, createLogger('audit-verify', config.logLevel))
    : openEmbeddedReadOnly(config.dataDir);
  const verdict = await verifyAuditTrail(database.db, vault);
  await database.close();
  if (verdict.whole) process.stdout.write(`The audit log is whole: ${verdict.rows} rows.\n`);
  else {
    process.stdout.write(`The audit log is broken at row ${verdict.seq}: ${verdict.reason}.\n`);
    process.exitCode = 1;
  }
} catch (error) {
  const known = error instanceof ConfigError || error instanceof MasterKeyError;
  process.stderr.write(`${known ? error.message : 'The audit log could not be read.'}\n`);
  process.exitCode = 2;
}

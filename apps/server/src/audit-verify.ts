/**
 * `npm run audit:verify`: checks the audit log's chain, also against the heads kept outside the database, and names the
 * first wrong row. Exits with status 1 if there is one.
 * `--heads FILE`: also checks the heads in this file (lines of mails or of the program's log).
 * `--restored`: accepts, from now on, a database that was restored by other means.
 */
import { readFileSync } from 'node:fs';
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import { keepAuditHead, parseAuditHeads, readAuditHeads } from './audit-heads.ts';
import { loadPlace } from './config.ts';
import { findAuditHead, verifyAuditTrail } from './db/audit.ts';
import { openEmbeddedReadOnly } from './db/embedded.ts';
import { connectPostgres } from './db/postgres.ts';
import { MasterKeyError, openMasterKey } from './vault/master-key.ts';
import { openVault } from './vault/vault.ts';

/** The file after `--heads`; undefined without the option. */
function headsArgument(): string | undefined {
  const at = process.argv.indexOf('--heads');
  return at < 0 ? undefined : (process.argv[at + 1] ?? '');
}

function broken(what: string): void {
  process.stdout.write(`The audit log is broken ${what}.\n`);
  process.exitCode = 1;
}

async function verify(): Promise<void> {
  const config = loadPlace(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
  const vault = openVault(openMasterKey(config.dataDir, false));
  const file = headsArgument();
  const kept = await readAuditHeads(config.dataDir, vault);
  const given = file === undefined ? null : parseAuditHeads(readFileSync(file, 'utf8'), vault);
  const forged = kept.forged + (given?.forged ?? 0);
  // In chronological order, because a restore affects only the heads before it.
  const heads = [...kept.heads, ...(given?.heads ?? [])].sort((a, b) => a.at.localeCompare(b.at));
  const database = config.databaseUrl
    ? connectPostgres(config.databaseUrl, 1, createLogger('audit-verify', config.logLevel))
    : openEmbeddedReadOnly(config.dataDir);
  try {
    const isRestored = process.argv.includes('--restored');
    const verdict = await verifyAuditTrail(database.db, vault, isRestored ? [] : heads);
    if (!verdict.whole) return broken(`at row ${verdict.seq}: ${verdict.reason}`);
    if (forged > 0)
      return broken(`outside the database: ${forged} of the kept heads were not written by this Haris`);
    process.stdout.write(`The audit log is whole: ${verdict.rows} rows.\n`);
    const head = isRestored ? await findAuditHead(database.db, vault) : null;
    if (head) await keepAuditHead(config.dataDir, vault, head, 'restored', Date.now());
  } finally {
    await database.close();
  }
}

try {
  await verify();
} catch (error) {
  const known = error instanceof ConfigError || error instanceof MasterKeyError;
  process.stderr.write(`${known ? error.message : 'The audit log could not be read.'}\n`);
  process.exitCode = 2;
}

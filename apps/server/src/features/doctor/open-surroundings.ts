/**
 * What the checks of `npm run doctor` look at, whether a server runs on this data or not. Reads only: makes no file, takes no
 * lock, and changes no row.
 */
import { existsSync } from 'node:fs';
import { createLogger } from '@haris/runtime/log';
import type { Config } from '../../config.ts';
import type { Dialect, OpenDatabase } from '../../db/dialect.ts';
import { embeddedFile, openEmbeddedUntouched } from '../../db/embedded.ts';
import { watchIntegrity } from '../../db/integrity.ts';
import { connectPostgres, SERVER_LIMITS } from '../../db/postgres.ts';
import { inReadOnlyTransaction } from '../../db/transaction.ts';
import { admitFolder } from '../../installation.ts';
import { loadMasterKey, masterKeyFile } from '../../vault/master-key.ts';
import { openVault, type Vault } from '../../vault/vault.ts';
import { ANSWER_WITHIN_MS, askServer } from './connections.ts';
import { type Access, once, type Reader, readSurroundings, requireReadable } from './read-surroundings.ts';
import { NotKnownError, type Surroundings } from './surroundings.ts';

/** The database, opened when the first check needs it. Nothing can be written through it. */
export function openReader(config: Config): Pick<Access, 'read'> & { close(): Promise<void> } {
  const { databaseUrl, dataDir } = config;
  const open = once(async (): Promise<OpenDatabase | null> => {
    requireReadable(dataDir);
    if (databaseUrl)
      return connectPostgres(databaseUrl, 1, createLogger('doctor', 'fatal'), {
        limits: { ...SERVER_LIMITS, connectionTimeoutMillis: ANSWER_WITHIN_MS },
      });
    await admitFolder(config);
    return existsSync(embeddedFile(dataDir)) ? openEmbeddedUntouched(dataDir) : null;
  });
  return {
    async read<T>(work: (db: Reader, dialect: Dialect) => Promise<T>): Promise<T | null> {
      const opened = await open();
      if (!opened) return null;
      const { db, dialect } = opened;
      return inReadOnlyTransaction(db, (trx) => work(trx, dialect));
    },
    async close(): Promise<void> {
      const opened = await open().catch(() => null);
      await opened?.close();
    },
  };
}

/** Opens the surroundings of the installation that the settings name; close them at the end. */
export function openSurroundings(config: Config): Surroundings & { close(): Promise<void> } {
  const { dataDir } = config;
  const { read, close } = openReader(config);

  function vault(): Vault {
    requireReadable(dataDir);
    if (!existsSync(masterKeyFile(dataDir))) throw new NotKnownError('noKey');
    return openVault(loadMasterKey(dataDir));
  }

  async function damage() {
    const integrity = watchIntegrity(embeddedFile(dataDir), createLogger('doctor', 'fatal'));
    const late = setTimeout(integrity.stop, ANSWER_WITHIN_MS);
    return integrity.check().finally(() => clearTimeout(late));
  }

  return {
    ...readSurroundings(config, { now: Date.now(), read, vault }),
    server: once(() => askServer(config)),
    damage,
    close,
  };
}

/** Explains to the operator, in plain words, why this installation's data, ports or settings cannot be used. */
import { MigrationBackupError } from './backup/before-migration.ts';
import type { Config } from './config.ts';
import { DatabaseFileError, explainDatabaseFile } from './db/damage.ts';
import { DataFolderError, embeddedFile } from './db/embedded.ts';
import { NewerDatabaseError } from './db/migrate.ts';
import { PhotoFilesError } from './db/photo-files.ts';
import { InstallationError } from './installation.ts';
import { MqttStartError } from './mqtt/link.ts';
import { MasterKeyError } from './vault/master-key.ts';
import { EngineClaimError } from './vision/claim.ts';

/** Explanations of errors by the system's or PostgreSQL's code. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT is in use by another program. Set another PORT.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  EACCES: 'PORT or DATA_DIR may not be used by this user.',
  EROFS: 'DATA_DIR lies on a disk that cannot be written.',
  ENOSPC: 'the disk of DATA_DIR is full.',
  ECONNREFUSED: 'DATABASE_URL does not answer.',
  ENOTFOUND: 'DATABASE_URL names a host that cannot be found.',
  ETIMEDOUT: 'DATABASE_URL does not answer.',
  '28P01': 'DATABASE_URL has a user or password that the server does not take.',
  '28000': 'DATABASE_URL has a user or password that the server does not take.',
  '3D000': 'DATABASE_URL names a database that does not exist. Create it first.',
  '53100': 'the disk of the database that DATABASE_URL names is full.',
  XX001:
    'the database that DATABASE_URL names is damaged. Restore the last backup into an empty one (npm run restore -- FILE).',
  XX002:
    'the database that DATABASE_URL names is damaged. Restore the last backup into an empty one (npm run restore -- FILE).',
  '42501': 'DATABASE_URL has a user who may not make tables there.',
};

/** Errors whose message is for the operator. */
const refusals = [
  DataFolderError,
  DatabaseFileError,
  NewerDatabaseError,
  InstallationError,
  MigrationBackupError,
  MasterKeyError,
  PhotoFilesError,
  MqttStartError,
  EngineClaimError,
];

/** One line that says what to do; undefined for an unexpected error, whose message may quote data. */
export function explainRefusal(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  failure: unknown,
): string | undefined {
  // Any query may hit a damaged page.
  const error = databaseUrl ? failure : explainDatabaseFile(embeddedFile(dataDir), failure);
  if (!(error instanceof Error)) return undefined;
  if (refusals.some((kind) => error instanceof kind)) return error.message;
  return 'code' in error ? PLAIN_WORDS[String(error.code)] : undefined;
}

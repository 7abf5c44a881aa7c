/** The master key: 32 random bytes in a file only this user may read. Knows nothing of what is sealed with it. */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** The key file is missing, unreadable or not a key; `message` is for the operator. */
export class MasterKeyError extends Error {
  override name = 'MasterKeyError';
}

export interface MasterKey {
  /** 32 bytes derived for one purpose (HKDF-SHA-256), so that no two uses share a key. */
  derive(purpose: string): Buffer;
  /** Names the key without telling it: stored in the database, so that a wrong key is noticed at start. */
  readonly fingerprint: string;
}

const KEY_BYTES = 32;

/** Path of the key file below the data folder. */
export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'keys', 'master.key');
}

/**
 * Reads the master key; makes one only where `mayCreate`, since a database whose key is lost must not be given another.
 * Throws {@link MasterKeyError}.
 */
export function openMasterKey(dataDir: string, mayCreate: boolean): MasterKey {
  const file = masterKeyFile(dataDir);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      throw new MasterKeyError(`The master key ${file} cannot be read.`);
    if (!mayCreate)
      throw new MasterKeyError(
        `The master key ${file} is missing, but the database was made with one. Put it back from your backup.`,
      );
    bytes = createKeyFile(dataDir, file);
  }
  if (bytes.length !== KEY_BYTES) throw new MasterKeyError(`The master key ${file} is damaged.`);
  // Somebody may have copied the folder with a looser mode.
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return masterKeyOf(bytes);
}

/** The key as an object, from its 32 bytes. */
function masterKeyOf(bytes: Buffer): MasterKey {
  return {
    derive: (purpose) => Buffer.from(hkdfSync('sha256', bytes, 'haris', purpose, KEY_BYTES)),
    fingerprint: createHmac('sha256', bytes).update('haris master key').digest('hex').slice(0, 32),
  };
}

function createKeyFile(dataDir: string, file: string): Buffer {
  const bytes = randomBytes(KEY_BYTES);
  try {
    writeKeyFile(dataDir, file, bytes);
  } catch (error) {
    // Another server that shares the folder made one in this moment.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return readFileSync(file);
    throw error;
  }
  return bytes;
}

/** Whole or not at all: the name appears once the bytes are on disk. Fails with EEXIST where there is a key. */
function writeKeyFile(dataDir: string, file: string, bytes: Buffer): void {
  mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  const part = `${file}.${randomBytes(6).toString('hex')}.part`;
  const handle = openSync(part, 'wx', 0o600);
  try {
    try {
      writeSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    // Not a rename: that would put one key in the place of another.
    linkSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  // The name itself must survive a power loss: data sealed with a key whose file vanished is lost.
  const folder = openSync(join(dataDir, 'keys'), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** The key as text to write down: 64 hexadecimal digits in groups of four. */
export function recoveryKeyOf(dataDir: string): string {
  return readFileSync(masterKeyFile(dataDir))
    .toString('hex')
    .replace(/(.{4})(?=.)/g, '$1-');
}

function recoveryBytes(recovery: string): Buffer {
  const bytes = Buffer.from(recovery.replace(/[\s-]/g, ''), 'hex');
  if (bytes.length !== KEY_BYTES) throw new MasterKeyError('RECOVERY_KEY must be 64 hexadecimal digits.');
  return bytes;
}

/** The key that {@link recoveryKeyOf} wrote down. Throws {@link MasterKeyError}. */
export function masterKeyFromRecovery(recovery: string): MasterKey {
  return masterKeyOf(recoveryBytes(recovery));
}

/** Puts a written-down key into a data folder that has none; one that is there must be the same. */
export function writeMasterKey(dataDir: string, recovery: string): void {
  const file = masterKeyFile(dataDir);
  const bytes = recoveryBytes(recovery);
  try {
    writeKeyFile(dataDir, file, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (!readFileSync(file).equals(bytes))
      throw new MasterKeyError(`${file} is another key than RECOVERY_KEY.`);
  }
}

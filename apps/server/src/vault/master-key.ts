/** The master key: 32 random bytes in a file that only this user may read. */
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
  /** Derives 32 bytes for one purpose (HKDF-SHA-256), so that no two uses share a key. */
  derive(purpose: string): Buffer;
  /** Identifies the key without revealing it: stored in the database, so that a start detects a wrong key. */
  readonly fingerprint: string;
}

const KEY_BYTES = 32;

/** Path of the key file below the data folder. */
export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'keys', 'master.key');
}

/**
 * Reads the master key; creates one only if `mayCreate`, because a database whose key is lost must not get another.
 * Throws {@link MasterKeyError}.
 */
export function openMasterKey(dataDir: string, mayCreate: boolean): MasterKey {
  const file = masterKeyFile(dataDir);
  const bytes = readKeyFile(file) ?? (mayCreate ? createKeyFile(dataDir, file) : refuseMissing(file));
  const master = masterKeyIn(file, bytes);
  // The folder may have been copied with looser modes.
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return master;
}

/** Reads the master key and changes nothing, not even looser modes of its file. Throws {@link MasterKeyError}. */
export function loadMasterKey(dataDir: string): MasterKey {
  const file = masterKeyFile(dataDir);
  return masterKeyIn(file, readKeyFile(file) ?? refuseMissing(file));
}

/** The bytes of the file; null if there is none. */
function readKeyFile(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new MasterKeyError(`The master key ${file} cannot be read.`);
  }
}

function refuseMissing(file: string): never {
  throw new MasterKeyError(
    `The master key ${file} is missing, but the database was made with one. Put it back from your backup.`,
  );
}

function masterKeyIn(file: string, bytes: Buffer): MasterKey {
  if (bytes.length !== KEY_BYTES) throw new MasterKeyError(`The master key ${file} is damaged.`);
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
    // Another server that shares the folder created one at the same moment.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return readFileSync(file);
    throw error;
  }
  return bytes;
}

/** Atomic: the file gets its name once the bytes are on disk. Fails with EEXIST if there is a key. */
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
    // A rename would replace an existing key.
    linkSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  // The name too must survive a power loss: without the key file, all sealed data is lost.
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

/** The key from the text of {@link recoveryKeyOf}. Throws {@link MasterKeyError}. */
export function masterKeyFromRecovery(recovery: string): MasterKey {
  return masterKeyOf(recoveryBytes(recovery));
}

/** Writes a key from text into a data folder; an existing key must be the same. Throws {@link MasterKeyError}. */
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

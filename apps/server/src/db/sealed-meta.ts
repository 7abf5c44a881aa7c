/** Secrets of the installation, sealed with the master key in table `meta`. */
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { deleteMeta, readMeta, writeMeta, writeMetaOnce } from './meta.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A value by name; undefined if there is none. Throws if it was sealed with another key. */
export async function readSealedMeta(db: Reader, vault: Vault, key: string): Promise<string | undefined> {
  const value = await readMeta(db, key);
  return value === null
    ? undefined
    : vault.open(`meta ${key}`, Buffer.from(value, 'base64')).toString('utf8');
}

function sealMeta(vault: Vault, key: string, value: string): string {
  return vault.seal(`meta ${key}`, Buffer.from(value)).toString('base64');
}

/** Sets a value if it does not exist yet; returns the stored value. */
export async function keepSealedMeta(db: Reader, vault: Vault, key: string, value: string): Promise<string> {
  await writeMetaOnce(db, key, sealMeta(vault, key, value));
  return (await readSealedMeta(db, vault, key)) ?? value;
}

/** Sets a value; null deletes it. */
export async function writeSealedMeta(
  trx: Transaction<Database>,
  vault: Vault,
  key: string,
  value: string | null,
): Promise<void> {
  await (value === null ? deleteMeta(trx, key) : writeMeta(trx, key, sealMeta(vault, key, value)));
}

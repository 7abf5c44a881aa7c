/** Secrets that the installation keeps of its own, sealed with the master key. */
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A value of `meta`, sealed; undefined where there is none. Throws where it was sealed with another key. */
export async function readSealedMeta(db: Reader, vault: Vault, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row && vault.open(`meta ${key}`, Buffer.from(row.value, 'base64')).toString('utf8');
}

function sealMeta(vault: Vault, key: string, value: string): string {
  return vault.seal(`meta ${key}`, Buffer.from(value)).toString('base64');
}

/** Keeps a value unless there is one, and answers the one that is kept. */
export async function keepSealedMeta(db: Reader, vault: Vault, key: string, value: string): Promise<string> {
  await db
    .insertInto('meta')
    .values({ key, value: sealMeta(vault, key, value) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await readSealedMeta(db, vault, key)) ?? value;
}

/** Sets a value; null removes it. */
export async function writeSealedMeta(
  trx: Transaction<Database>,
  vault: Vault,
  key: string,
  value: string | null,
): Promise<void> {
  if (value === null) {
    await trx.deleteFrom('meta').where('key', '=', key).execute();
    return;
  }
  const sealed = sealMeta(vault, key, value);
  await trx
    .insertInto('meta')
    .values({ key, value: sealed })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sealed }))
    .execute();
}

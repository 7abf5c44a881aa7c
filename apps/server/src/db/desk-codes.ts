/** Codes that parents show at the desk, at most one per account. Stores only keyed hashes. */
import { DESK_CODE_TRIES } from '@haris/contract/constants';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** Replaces the code of a parent. `expiresAt`: milliseconds since 1970. */
export async function writeDeskCode(
  trx: Transaction<Database>,
  parentId: string,
  { mac, expiresAt }: { readonly mac: string; readonly expiresAt: number },
): Promise<void> {
  const fresh = { code_mac: mac, tries: 0, expires_at: expiresAt };
  await trx
    .insertInto('desk_codes')
    .values({ parent_id: parentId, ...fresh })
    .onConflict((on) => on.column('parent_id').doUpdateSet(fresh))
    .execute();
}

/**
 * Counts an attempt, and returns the keyed hash of the code to compare with; undefined if there is no code, if it has
 * expired, or if no attempts are left.
 */
export async function countDeskCodeTry(
  db: Kysely<Database>,
  parentId: string,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .updateTable('desk_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('parent_id', '=', parentId)
    .where('tries', '<', DESK_CODE_TRIES)
    .where('expires_at', '>', now)
    .returning('code_mac')
    .executeTakeFirst();
  return row?.code_mac;
}

/** Uses the code up. Returns false if another request used it first, if it was replaced, or if it has expired. */
export async function useDeskCode(
  trx: Transaction<Database>,
  parentId: string,
  mac: string,
  now: number,
): Promise<boolean> {
  const used = await trx
    .deleteFrom('desk_codes')
    .where('parent_id', '=', parentId)
    .where('code_mac', '=', mac)
    .where('expires_at', '>', now)
    .returning('parent_id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteDeskCode(trx: Transaction<Database>, parentId: string): Promise<void> {
  await trx.deleteFrom('desk_codes').where('parent_id', '=', parentId).execute();
}

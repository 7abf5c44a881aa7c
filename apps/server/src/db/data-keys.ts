/** Data keys, one per person: reads, creates and destroys them. */

import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { DataKey, Vault } from '../vault/vault.ts';
import type { Dialect } from './dialect.ts';
import type { Database } from './schema.ts';

/** A staff member has a key only with a photo, or while the cameras may recognise that person. */
export type KeyOwnerKind = 'parent' | 'child' | 'admin';

/** The owner's data key, created on first use. */
export async function takeDataKey(
  trx: Transaction<Database>,
  vault: Vault,
  kind: KeyOwnerKind,
  id: string,
): Promise<DataKey> {
  const existing = await findDataKey(trx, vault, kind, id);
  if (existing) return existing;
  const made = vault.createDataKey(`${kind} ${id}`);
  await trx
    .insertInto('data_keys')
    .values({ owner_kind: kind, owner_id: id, wrapped: made.wrapped })
    .execute();
  return made.key;
}

export async function findDataKey(
  db: Kysely<Database> | Transaction<Database>,
  vault: Vault,
  kind: KeyOwnerKind,
  id: string,
): Promise<DataKey | undefined> {
  const row = await db
    .selectFrom('data_keys')
    .select('wrapped')
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id)
    .executeTakeFirst();
  return row && vault.openDataKey(`${kind} ${id}`, row.wrapped);
}

/** The data keys of some children, by id. Pass at most 500. */
export async function findChildKeys(
  db: Kysely<Database> | Transaction<Database>,
  vault: Vault,
  ids: readonly string[],
): Promise<Map<string, DataKey>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('data_keys')
    .select(['owner_id', 'wrapped'])
    .where('owner_kind', '=', 'child')
    .where('owner_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.owner_id, vault.openDataKey(`child ${row.owner_id}`, row.wrapped)]));
}

/**
 * Destroys the key: photos, encodings and stored responses of this person become unreadable for good. After the commit,
 * {@link eraseDestroyedKeys} removes it from the files too.
 */
export async function destroyDataKey(
  trx: Transaction<Database>,
  kind: KeyOwnerKind,
  id: string,
): Promise<void> {
  await trx.deleteFrom('data_keys').where('owner_kind', '=', kind).where('owner_id', '=', id).execute();
}

/**
 * Empties the embedded database's write-ahead log, which still holds the pages from before a deletion. PostgreSQL
 * overwrites its log in its own time. Never rejects, because the deletion itself is done.
 */
export async function eraseDestroyedKeys({ db, dialect, log }: Eraser): Promise<void> {
  if (dialect !== 'sqlite') return;
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch (error) {
    log.warn(describeFailure(error), 'the write-ahead log was not emptied');
  }
}

interface Eraser {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  readonly log: Logger;
}

/** Rows of collectors and their passes. Only queries, no rules; the caller has found the child in its facility. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { believed, type Covered, sealed } from './row-seals.ts';
import type { CollectorPassRow, CollectorRow, Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Collectors of a child that have not ended, in the order in which they were named. */
export async function findCollectors(db: Reader, childId: string): Promise<CollectorRow[]> {
  return db
    .selectFrom('collectors')
    .selectAll()
    .where('child_id', '=', childId)
    .where('ended_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** A collector, also one that has ended. */
export async function findCollector(db: Reader, id: string): Promise<CollectorRow | undefined> {
  return (
    db
      .selectFrom('collectors')
      // Through the child, so that a collector of another facility is not found.
      .innerJoin('children', 'children.id', 'collectors.child_id')
      .selectAll('collectors')
      .where('collectors.id', '=', id)
      .executeTakeFirst()
  );
}

export async function insertCollector(trx: Transaction<Database>, row: CollectorRow): Promise<void> {
  await trx.insertInto('collectors').values(row).execute();
}

/** Changes a collector. */
export async function updateCollector(
  trx: Transaction<Database>,
  id: string,
  changed: Partial<Omit<CollectorRow, 'id' | 'child_id'>>,
): Promise<void> {
  await trx.updateTable('collectors').set(changed).where('id', '=', id).execute();
}

/**
 * Ends the passes of a collector, also used ones: the undo of a checkout must not make them valid again. Returns whether
 * any could still be used. `at`: milliseconds since 1970.
 */
export async function revokePasses(
  trx: Transaction<Database>,
  collectorId: string,
  at: number,
): Promise<boolean> {
  const rows = await trx
    .updateTable('collector_passes')
    .set({ revoked_at: at })
    .where('collector_id', '=', collectorId)
    .where('revoked_at', 'is', null)
    .returning('used_stay_id')
    .execute();
  return rows.some((row) => row.used_stay_id === null);
}

/** Collectors that an account has named. */
interface NamedBy {
  readonly namedBy: string;
  /** Those of this child alone; otherwise of all. */
  readonly childId?: string;
  /** Also those whom staff have confirmed. */
  readonly isAll?: boolean;
}

/** Ends some collectors, with their passes, and erases their photos. `at`: milliseconds since 1970. */
export async function endCollectors(
  trx: Transaction<Database>,
  ids: readonly string[],
  at: number,
): Promise<void> {
  for (const id of ids) {
    await updateCollector(trx, id, { ended_at: at });
    await revokePasses(trx, id, at);
  }
  await erasePhotosOf(trx, ids);
}

async function erasePhotosOf(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('photos').where('collector_id', 'in', ids).execute();
}

/**
 * Ends the collectors that an account has named and staff have not confirmed, with their photos, and all passes of the account.
 * `at`: milliseconds since 1970.
 */
export async function endCollectorsOf(
  trx: Transaction<Database>,
  { namedBy, childId, isAll = false }: NamedBy,
  at: number,
): Promise<void> {
  let ending = trx
    .updateTable('collectors')
    .set({ ended_at: at })
    .where('named_by', '=', namedBy)
    .where('ended_at', 'is', null);
  if (!isAll) ending = ending.where('confirmed_at', 'is', null);
  if (childId !== undefined) ending = ending.where('child_id', '=', childId);
  const ended = await ending.returning('id').execute();
  await erasePhotosOf(
    trx,
    ended.map(({ id }) => id),
  );
  await revokePassesBy(trx, { namedBy, ...(childId === undefined ? {} : { childId }) }, at);
}

/** Revokes all passes that an account has made. `at`: milliseconds since 1970. */
export async function revokePassesBy(
  trx: Transaction<Database>,
  { namedBy, childId }: Omit<NamedBy, 'isAll'>,
  at: number,
): Promise<void> {
  let passes = trx
    .updateTable('collector_passes')
    .set({ revoked_at: at })
    .where('created_by', '=', namedBy)
    .where('revoked_at', 'is', null);
  if (childId !== undefined)
    passes = passes.where(
      'collector_id',
      'in',
      trx.selectFrom('collectors').select('id').where('child_id', '=', childId),
    );
  await passes.execute();
}

export async function insertPass(
  trx: Transaction<Database>,
  vault: Vault,
  row: Covered<'collector_passes'>,
): Promise<void> {
  const values = { ...sealed(vault, 'collector_passes', row), used_stay_id: null, revoked_at: null };
  await trx.insertInto('collector_passes').values(values).execute();
}

/** The pass of a token, by the hash under which it is stored. */
export async function findPass(
  db: Reader,
  vault: Vault,
  tokenHash: string,
): Promise<CollectorPassRow | undefined> {
  const row = await db
    .selectFrom('collector_passes')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return believed(vault, 'collector_passes', row);
}

/** Days of passes that can still be used, by collector. */
export async function findOpenPasses(
  db: Reader,
  collectorIds: readonly string[],
  day: string,
): Promise<Map<string, string>> {
  if (collectorIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('collector_passes')
    .select(['collector_id', 'day'])
    .where('collector_id', 'in', collectorIds)
    .where('day', '>=', day)
    .where('used_stay_id', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.collector_id, row.day]));
}

/** Uses a pass for a stay; null makes it valid again. */
export async function setPassUsed(
  trx: Transaction<Database>,
  id: string,
  stayId: string | null,
): Promise<void> {
  await trx.updateTable('collector_passes').set({ used_stay_id: stayId }).where('id', '=', id).execute();
}

/** Makes the pass that ended a stay valid again. */
export async function restorePassOf(trx: Transaction<Database>, stayId: string): Promise<void> {
  await trx
    .updateTable('collector_passes')
    .set({ used_stay_id: null })
    .where('used_stay_id', '=', stayId)
    .execute();
}

/** Condition: no record names the collector: no hand-over or refused one, no used pass, no bar. */
const isUnnamed = sql<boolean>`not exists (select 1 from releases
    where releases.child_id = collectors.child_id and releases.adult_id = collectors.id)
  and not exists (select 1 from release_refusals where release_refusals.adult_id = collectors.id)
  and not exists (select 1 from collector_passes
    where collector_passes.collector_id = collectors.id and collector_passes.used_stay_id is not null)
  and not exists (select 1 from barred_adults where barred_adults.adult_id = collectors.id)`;

/**
 * Collectors that ended before a moment (milliseconds since 1970) and whom no record names; at most `limit`, or only the one with
 * this id.
 */
export async function findForgotten(
  db: Reader,
  before: number,
  { limit, id }: { readonly limit: number; readonly id?: string },
): Promise<Pick<CollectorRow, 'id' | 'child_id'>[]> {
  let forgotten = db
    .selectFrom('collectors')
    .innerJoin('children', 'children.id', 'collectors.child_id')
    .select(['collectors.id', 'collectors.child_id'])
    .where('collectors.ended_at', '<', before)
    .where(isUnnamed);
  if (id !== undefined) forgotten = forgotten.where('collectors.id', '=', id);
  return forgotten.orderBy('collectors.id').limit(limit).execute();
}

/** Deletes a collector with the passes. */
export async function deleteCollector(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('collector_passes').where('collector_id', '=', id).execute();
  await trx.deleteFrom('collectors').where('id', '=', id).execute();
}

/** Deletes the collectors of a child with their photos and passes. */
export async function deleteCollectorsOf(trx: Transaction<Database>, childId: string): Promise<void> {
  const own = trx.selectFrom('collectors').select('id').where('child_id', '=', childId);
  await trx.deleteFrom('photos').where('collector_id', 'in', own).execute();
  await trx.deleteFrom('collector_passes').where('collector_id', 'in', own).execute();
  await trx.deleteFrom('collectors').where('child_id', '=', childId).execute();
}

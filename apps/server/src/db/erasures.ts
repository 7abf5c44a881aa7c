/** Erasures and revoked keys, recorded in the transaction that erases or revokes: only ids, never deleted. */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ErasedKind } from './erased-kinds.ts';
import type { Database } from './schema.ts';

export interface Erasure {
  readonly kind: ErasedKind;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Records an erasure once; repeating it does not change the recorded time. */
export async function noteErasure(trx: Transaction<Database>, { kind, id, at }: Erasure): Promise<void> {
  await trx
    .insertInto('erasures')
    .values({ kind, subject_id: id, at })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doNothing())
    .execute();
}

/** All erasures in this database, oldest first. */
export async function findErasures(db: Kysely<Database>): Promise<Erasure[]> {
  const rows = await db.selectFrom('erasures').selectAll().orderBy('at').execute();
  return rows.map(({ kind, subject_id: id, at }) => ({ kind, id, at }));
}

/** Those of some ids of one kind that were erased. */
export async function findErasedAmong(
  db: Kysely<Database> | Transaction<Database>,
  kind: ErasedKind,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const erased = db.selectFrom('erasures').select('subject_id').where('kind', '=', kind);
  return (await erased.where('subject_id', 'in', ids).execute()).map(({ subject_id: id }) => id);
}

/** Id of a pairing among all pairings, also of earlier devices of the same camera. */
export function pairingId(device: { readonly camera_id: string; readonly paired_at: number }): string {
  return `${device.camera_id} ${device.paired_at}`;
}

/** The camera of a {@link pairingId}. */
export function cameraOfPairing(id: string): string {
  return id.split(' ')[0] ?? '';
}

/** Where the subject of an erasure is found again. */
const SUBJECTS: Readonly<Record<ErasedKind, readonly [table: keyof Database, id: RawBuilder<string>]>> = {
  parent: ['parents', sql`id`],
  child: ['children', sql`id`],
  admin: ['staff', sql`id`],
  collector: ['collectors', sql`id`],
  adult_face: ['adult_faces', sql`id`],
  sensor: ['sensors', sql`id`],
  sensor_key: ['sensors', sql`device_key_mac`],
  home_assistant: ['home_assistant_accounts', sql`id`],
  camera: ['cameras', sql`id`],
  camera_device: ['camera_devices', sql`camera_id || ' ' || paired_at`],
};

/** Filters erasures of one kind: subjects whose row exists again, in the given order. */
export async function findReturned(
  db: Kysely<Database>,
  kind: ErasedKind,
  erasures: readonly Erasure[],
): Promise<Erasure[]> {
  const ids = erasures.map((erasure) => erasure.id);
  const [table, found] = SUBJECTS[kind];
  const rows = await db.selectFrom(table).select(found.as('id')).where(found, 'in', ids).execute();
  const present = new Set(rows.map((row) => row.id));
  return erasures.filter((erasure) => present.has(erasure.id));
}

/** Encodings of enrolled children: adds, counts and deletes their rows. Neither seals nor compares them. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, FaceEncodingRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Adds an encoding to the child's existing ones. Advance the gallery in the same transaction. */
export async function insertEncoding(trx: Transaction<Database>, row: FaceEncodingRow): Promise<void> {
  await trx.insertInto('face_encodings').values(row).execute();
}

/** The number of the child's encodings. */
export async function countEncodings(db: Reader, childId: string): Promise<number> {
  const { count } = await db
    .selectFrom('face_encodings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('child_id', '=', childId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of encodings of each of these children who has any, by child id. */
export async function countEncodingsOf(
  db: Reader,
  childIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (childIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('face_encodings')
    .select((eb) => ['child_id', eb.fn.countAll<number>().as('count')])
    .where('child_id', 'in', childIds)
    .groupBy('child_id')
    .execute();
  return new Map(rows.map(({ child_id, count }) => [child_id, Number(count)]));
}

/** The sealed encodings of a child, unordered. */
export async function findSealedEncodings(
  db: Reader,
  childId: string,
): Promise<Pick<FaceEncodingRow, 'id' | 'sealed'>[]> {
  return db.selectFrom('face_encodings').select(['id', 'sealed']).where('child_id', '=', childId).execute();
}

/** Ids and times of the child's encodings, oldest first: the first belongs to the displayed photo. */
export async function findEncodingTimes(
  db: Reader,
  childId: string,
): Promise<Pick<FaceEncodingRow, 'id' | 'created_at'>[]> {
  return db
    .selectFrom('face_encodings')
    .select(['id', 'created_at'])
    .where('child_id', '=', childId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * Deletes one encoding of a child; returns false if the child has no such encoding. Advance the gallery in the same
 * transaction.
 */
export async function deleteEncoding(
  trx: Transaction<Database>,
  childId: string,
  id: string,
): Promise<boolean> {
  const gone = await trx
    .deleteFrom('face_encodings')
    .where('child_id', '=', childId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Deletes all encodings of a child. Advance the gallery in the same transaction. */
export async function deleteEncodings(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('face_encodings').where('child_id', '=', childId).execute();
}

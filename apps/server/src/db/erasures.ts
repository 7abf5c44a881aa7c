/** Erasures, recorded in the transaction that erases: only ids, never deleted. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** A person with all their data, or an adult's encoding (`adult_faces.id`). */
export const ERASED_KINDS = ['parent', 'child', 'admin', 'adult_face'] as const;

export interface Erasure {
  readonly kind: (typeof ERASED_KINDS)[number];
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

const TABLES = { parent: 'parents', child: 'children', admin: 'staff', adult_face: 'adult_faces' } as const;

/** Filters erasures of one kind: subjects whose row exists again, in the given order. */
export async function findReturned(
  db: Kysely<Database>,
  kind: Erasure['kind'],
  erasures: readonly Erasure[],
): Promise<Erasure[]> {
  const ids = erasures.map((erasure) => erasure.id);
  const rows = await db.selectFrom(TABLES[kind]).select('id').where('id', 'in', ids).execute();
  const present = new Set(rows.map((row) => row.id));
  return erasures.filter((erasure) => present.has(erasure.id));
}

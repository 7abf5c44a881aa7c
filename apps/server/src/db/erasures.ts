/** Notes what was erased, in the transaction that erases it: ids alone, kept for good. Knows no file. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** A person with all that is kept of them, or the encoding by which the cameras recognised an adult (`adult_faces.id`). */
export const ERASED_KINDS = ['parent', 'child', 'admin', 'adult_face'] as const;

export interface Erasure {
  readonly kind: (typeof ERASED_KINDS)[number];
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Notes an erasure once; a repeated one keeps the time of the first. */
export async function noteErasure(trx: Transaction<Database>, { kind, id, at }: Erasure): Promise<void> {
  await trx
    .insertInto('erasures')
    .values({ kind, subject_id: id, at })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doNothing())
    .execute();
}

/** All that this database knows of, the oldest first. */
export async function findErasures(db: Kysely<Database>): Promise<Erasure[]> {
  const rows = await db.selectFrom('erasures').selectAll().orderBy('at').execute();
  return rows.map(({ kind, subject_id: id, at }) => ({ kind, id, at }));
}

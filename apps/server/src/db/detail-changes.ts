/** When names, phones and photos of children and parents changed, so that the desk notices it at the next visit. */
import type { Kysely, Transaction } from 'kysely';
import { guardianOf } from './guardians/conditions.ts';
import type { Database, DetailChangeRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;
type Subject = Pick<DetailChangeRow, 'subject_kind' | 'subject_id'>;

/** Keeps the time at which these details took other values. Milliseconds since 1970. */
export async function noteDetailChanges(
  trx: Transaction<Database>,
  { subject_kind, subject_id }: Subject,
  fields: readonly DetailChangeRow['field'][],
  at: number,
): Promise<void> {
  for (const field of fields)
    await trx
      .insertInto('detail_changes')
      .values({ subject_kind, subject_id, field, at })
      .onConflict((conflict) => conflict.columns(['subject_id', 'subject_kind', 'field']).doUpdateSet({ at }))
      .execute();
}

export async function deleteDetailChanges(
  trx: Transaction<Database>,
  { subject_kind, subject_id }: Subject,
): Promise<void> {
  await trx
    .deleteFrom('detail_changes')
    .where('subject_id', '=', subject_id)
    .where('subject_kind', '=', subject_kind)
    .execute();
}

/** A detail of a child, or of its parent, that changed since the child's last stay began. */
export type ChangeSinceStay = Pick<DetailChangeRow, 'subject_kind' | 'field' | 'at'> & {
  readonly child_id: string;
};

/**
 * What changed since the last stay of each child began at this facility, in one query. A child without a stay has none.
 */
export async function findChangesSinceStay(
  db: Reader,
  children: readonly { readonly id: string; readonly parent_id: string }[],
): Promise<ReadonlyMap<string, readonly ChangeSinceStay[]>> {
  if (children.length === 0) return new Map();
  const ids = children.map(({ id }) => id);
  const subjects = [...new Set([...ids, ...children.map(({ parent_id: parent }) => parent)])];
  const rows = await db
    .selectFrom('detail_changes')
    .innerJoin('children', (join) =>
      join.on((eb) =>
        eb.or([
          eb.and([
            eb('detail_changes.subject_kind', '=', 'child'),
            eb('detail_changes.subject_id', '=', eb.ref('children.id')),
          ]),
          eb.and([
            eb('detail_changes.subject_kind', '=', 'parent'),
            eb('detail_changes.subject_id', '=', guardianOf()),
          ]),
        ]),
      ),
    )
    .select([
      'children.id as child_id',
      'detail_changes.subject_kind',
      'detail_changes.field',
      'detail_changes.at',
    ])
    .where('detail_changes.subject_id', 'in', subjects)
    .where('children.id', 'in', ids)
    .where('detail_changes.at', '>', (eb) =>
      eb
        .selectFrom('stays')
        .select((of) => of.fn.max('stays.entry_time').as('began'))
        .whereRef('stays.child_id', '=', 'children.id')
        .where('stays.voided_at', 'is', null),
    )
    .orderBy('detail_changes.at')
    .execute();
  return Map.groupBy(rows, (row) => row.child_id);
}

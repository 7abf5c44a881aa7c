/** Queries of proposals: changes by parents that staff have not confirmed. The rules are in `proposals/`. */
import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Database, ProposalRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface ProposalSubject {
  readonly kind: ProposalRow['subject_kind'];
  readonly id: string;
}

/** A proposal as lists need it, without its encoding. */
export type ProposalView = Pick<
  ProposalRow,
  'id' | 'subject_id' | 'field' | 'value' | 'photo_id' | 'by_id' | 'created_at'
>;

/** The proposals for one child or parent, oldest first. */
export async function findProposals(
  db: Reader,
  { kind, id }: ProposalSubject,
): Promise<readonly ProposalRow[]> {
  return db
    .selectFrom('proposals')
    .selectAll()
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The proposals for some children or parents by their id, oldest first. Ids without a proposal are not in the map. */
export async function findProposalsOf(
  db: Reader,
  kind: ProposalSubject['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ProposalView[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('proposals')
    .select(['id', 'subject_id', 'field', 'value', 'photo_id', 'by_id', 'created_at'])
    .where('subject_kind', '=', kind)
    .where('subject_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => row.subject_id);
}

/** The revision of all open proposals; changes with every replaced, added or decided one. Null: none is open. */
export function revisionOf(proposals: readonly Pick<ProposalRow, 'id'>[]): string | null {
  if (proposals.length === 0) return null;
  const ids = proposals.map(({ id }) => id).sort();
  return createHash('sha256').update(ids.join(' ')).digest('hex').slice(0, 24);
}

export async function insertProposal(trx: Transaction<Database>, row: ProposalRow): Promise<void> {
  await trx.insertInto('proposals').values(row).execute();
}

/** Deletes all proposals of some subjects, or only the given ids. The caller must delete the photos. */
export async function deleteProposals(
  trx: Transaction<Database>,
  subjects: ProposalSubject['kind'],
  subjectIds: readonly string[],
  ids?: readonly string[],
): Promise<void> {
  if (subjectIds.length === 0 || ids?.length === 0) return;
  let rows = trx
    .deleteFrom('proposals')
    .where('subject_kind', '=', subjects)
    .where('subject_id', 'in', subjectIds);
  if (ids) rows = rows.where('id', 'in', ids);
  await rows.execute();
}

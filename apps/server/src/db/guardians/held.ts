/** What staff read of the guardians of a child, and of those who were asked (decision 049). */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { guardianOf } from './conditions.ts';
import { type GuardianRights, RIGHT_COLUMNS, rightsOf } from './rights.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A guardian who has not ended, or an account that was asked and has not answered, with what staff read of it. */
export interface HeldGuardian extends GuardianRights {
  readonly parentId: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly isFirst: boolean;
  readonly isBlocked: boolean;
  /** When staff asked it, or when the child was added to it. Milliseconds since 1970. */
  readonly askedAt: number;
  /** Null: it has not answered. Milliseconds since 1970. */
  readonly acceptedAt: number | null;
}

/**
 * The guardians of a child who have not ended, and those who were asked: the first guardian, then by when they accepted, then by
 * when they were asked. Call it across facilities: the account of one who was asked may be known elsewhere alone.
 */
export async function findHeldGuardians(db: Reader, childId: string): Promise<HeldGuardian[]> {
  const rows = await db
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .innerJoin('parents', 'parents.id', 'guardians.parent_id')
    .select([
      'guardians.parent_id',
      ...RIGHT_COLUMNS,
      'guardians.added_at',
      'guardians.accepted_at',
      'parents.name',
      'parents.email',
      'parents.phone',
      'parents.blocked_at',
      guardianOf().as('first'),
    ])
    .where('guardians.child_id', '=', childId)
    .where('guardians.ended_at', 'is', null)
    .orderBy('guardians.added_at')
    .orderBy('guardians.parent_id')
    .execute();
  const held = rows.map((row) => ({
    parentId: row.parent_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    isFirst: row.first === row.parent_id,
    isBlocked: row.blocked_at !== null,
    ...rightsOf(row),
    askedAt: Number(row.added_at),
    acceptedAt: row.accepted_at === null ? null : Number(row.accepted_at),
  }));
  /** Those who were asked keep the order in which they were. */
  const placeOf = ({ isFirst, acceptedAt }: HeldGuardian) =>
    isFirst ? -1 : (acceptedAt ?? Number.MAX_SAFE_INTEGER);
  return held.sort((a, b) => placeOf(a) - placeOf(b));
}

/** A guardian of the child who has not ended, or who was asked; see {@link findHeldGuardians}. */
export async function findHeldGuardian(
  db: Reader,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
): Promise<HeldGuardian | undefined> {
  return (await findHeldGuardians(db, childId)).find((one) => one.parentId === parentId);
}

/**
 * Who answers for a child (decision 049): its guardians, and the first of them, whose account is its family. Only this file
 * knows how the database keeps them; every other query builds on `isGuardedBy`, or on `guardianOf` where the family is meant.
 */
import { type Expression, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { acrossFacilities } from '../facility.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** What a guardian may do. */
export interface GuardianRights {
  /** Whether it may watch the child. */
  readonly mayLive: boolean;
  /** Whether it may change the child's data. */
  readonly mayEdit: boolean;
  /** Whether it may name who collects the child. */
  readonly mayCollect: boolean;
  /** Whether it may take the child home. */
  readonly mayTake: boolean;
}

const RIGHT_COLUMNS = [
  'guardians.may_live',
  'guardians.may_edit',
  'guardians.may_collect',
  'guardians.may_take',
] as const;

function rightsOf(
  row: Pick<Database['guardians'], 'may_live' | 'may_edit' | 'may_collect' | 'may_take'>,
): GuardianRights {
  return {
    mayLive: row.may_live === 1,
    mayEdit: row.may_edit === 1,
    mayCollect: row.may_collect === 1,
    mayTake: row.may_take === 1,
  };
}

/** Column of `children` with the id of the child's first guardian. It is not in the schema, so that no other query can name it. */
const COLUMN = 'parent_id';

/** An account that answers for a child, with its rights. */
export interface Guardianship extends GuardianRights {
  readonly parentId: string;
  readonly name: string;
  /** When it accepted, in milliseconds since 1970: another than the first guardian is told of nothing before. */
  readonly since: number;
}

/** Id of the first guardian of a child in the query. `table`: the name under which the query reads `children`. */
export function guardianOf(table = 'children'): RawBuilder<string> {
  return sql.ref<string>(`${table}.${COLUMN}`);
}

/** Condition: the first guardian of a child in the query is this parent, by id or by an expression. */
export function isChildOf(parentId: string | Expression<string>, table?: string): RawBuilder<boolean> {
  return sql<boolean>`${guardianOf(table)} = ${parentId}`;
}

/** Condition on a row of guardians: somebody has accepted, and nobody has ended it. */
const inForce = sql<boolean>`guardians.accepted_at is not null and guardians.ended_at is null`;

/** Condition on a row of guardians: staff have asked, and neither is there an answer, nor has anybody ended it. */
const isAsked = sql<boolean>`guardians.accepted_at is null and guardians.ended_at is null`;

/** Condition on a row of guardians: the account is barred from taking the child. */
const isBarred = sql<boolean>`exists (select 1 from barred_adults where barred_adults.child_id = guardians.child_id
  and barred_adults.adult_id = guardians.parent_id and barred_adults.lifted_at is null)`;

/**
 * Condition: the first guardian of a child in the query has accepted and has not ended. So it is but for one whom the restore of a
 * backup has put there, because nobody else was left: it sees nothing before it has accepted.
 */
export const hasFamily = sql<boolean>`exists (select 1 from guardians
  where guardians.child_id = children.id and guardians.parent_id = ${guardianOf()} and ${inForce})`;

/** Condition: the parent is a guardian of a child in the query who may take it home. */
export function isTakenBy(parentId: string): RawBuilder<boolean> {
  return sql<boolean>`children.id in (select guardians.child_id from guardians
    where guardians.parent_id = ${parentId} and guardians.may_take = 1 and ${inForce})`;
}

/** Condition: a child in the query has a guardian beside the first one. */
export const hasFurtherGuardian = sql<boolean>`exists (select 1 from guardians
  where guardians.child_id = children.id and guardians.parent_id != ${guardianOf()} and ${inForce})`;

/** Condition: a child in the query has a guardian who may not take it home. */
export const hasLimitedGuardian = sql<boolean>`exists (select 1 from guardians
  where guardians.child_id = children.id and guardians.may_take = 0 and ${inForce})`;

/** Condition: one of these parents is a guardian of a child in the query. */
export function isGuardedBy(...parentIds: readonly string[]): RawBuilder<boolean> {
  // By the index of parents; from each child, SQLite would look through all children.
  return sql<boolean>`children.id in (
    select guardians.child_id from guardians where guardians.parent_id in (${sql.join(parentIds)}) and ${inForce})`;
}

/**
 * Condition on a row that names a child and a moment: the parent is the child's first guardian, or was a guardian at that
 * moment already. `childId`, `at`: columns of the query.
 */
export function isKnownTo(parentId: string, childId: string, at: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians join children on children.id = guardians.child_id
    where guardians.child_id = ${sql.ref(childId)} and guardians.parent_id = ${parentId} and ${inForce}
      and (${isChildOf(parentId)} or guardians.accepted_at <= ${sql.ref(at)}))`;
}

/** Condition on a row that names a child in this column: the parent is the child's first guardian. */
export function isFirstGuardianOf(parentId: string, childId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians join children on children.id = guardians.child_id
    where guardians.child_id = ${sql.ref(childId)} and guardians.parent_id = ${parentId} and ${inForce}
      and ${isChildOf(parentId)})`;
}

/** Condition: a parent is a guardian of a child that is known at a facility. */
export function isGuardianAt(parentId: Expression<string>, facility: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians join child_facilities as scope_cf
      on scope_cf.child_id = guardians.child_id
    where guardians.parent_id = ${parentId} and ${inForce} and scope_cf.facility_id = ${facility})`;
}

/** Condition: a parent is a guardian of any child. On PostgreSQL only of those that the policies show. */
export function isGuardian(parentId: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians where guardians.parent_id = ${parentId} and ${inForce})`;
}

/** Condition: a parent is a guardian of a child, or has been asked to become one. Ask it for the whole organisation. */
export function isGuardianOrAsked(parentId: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from guardians where guardians.parent_id = ${parentId} and guardians.ended_at is null)`;
}

/** The columns of a new child that make this parent its first guardian. {@link insertFirstGuardian} adds the row. */
export function ofGuardian(parentId: string): object {
  return { [COLUMN]: parentId };
}

/** Whether the parent is the first guardian of a child, at whatever facility, whom it may not take home. */
async function isLimitedFirst(trx: Transaction<Database>, parentId: string): Promise<boolean> {
  const limited = trx
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select('guardians.child_id')
    .where('guardians.parent_id', '=', parentId)
    .where('guardians.may_take', '=', 0)
    .where(inForce)
    .where(isChildOf(parentId))
    .limit(1);
  return (await acrossFacilities(() => limited.executeTakeFirst())) !== undefined;
}

/**
 * Adds the row of a new child's first guardian, with all rights; without that to take it home if the desk has taken that away for another
 * child of the family: the account could add the same child anew. A child without a row is nobody's. `at`: milliseconds since 1970.
 */
export async function insertFirstGuardian(
  trx: Transaction<Database>,
  childId: string,
  parentId: string,
  at: number,
): Promise<void> {
  await trx
    .insertInto('guardians')
    .values({
      child_id: childId,
      parent_id: parentId,
      may_live: 1,
      may_edit: 1,
      may_collect: 1,
      may_take: (await isLimitedFirst(trx, parentId)) ? 0 : 1,
      added_by: null,
      added_at: at,
      accepted_at: at,
      ended_at: null,
      ended_by: null,
    })
    .execute();
}

/** Says whether an account may become the first guardian of a child, beside what the rows of guardians say. */
export type MayTakeOver = (childId: string, parentId: string) => Promise<boolean>;

/**
 * What somebody needs who becomes the first guardian: an account that is open, no bar from taking the child, and all rights but that to
 * take it home. That one stays as it is: nobody gets a child by the end of another one, and a barred first guardian ends although the desk
 * has not said yet who takes the child.
 */
const canAnswer = sql<boolean>`(${inForce} and guardians.may_live = 1 and guardians.may_edit = 1 and guardians.may_collect = 1
  and parents.blocked_at is null and parents.disowned_at is null and not ${isBarred})`;

/**
 * The guardian who becomes the first one when another one ends: of those who could answer, the one who accepted first. Nobody
 * whose account is blocked or was disowned, or who is barred from taking the child: the desk would call them as its family.
 */
async function findNextFirst(
  trx: Transaction<Database>,
  childId: string,
  endedId: string,
  mayTakeOver: MayTakeOver,
): Promise<string | undefined> {
  const rows = await trx
    .selectFrom('guardians')
    .innerJoin('parents', 'parents.id', 'guardians.parent_id')
    .select('guardians.parent_id')
    .where('guardians.child_id', '=', childId)
    .where('guardians.parent_id', '!=', endedId)
    .where(canAnswer)
    .orderBy('guardians.accepted_at')
    .orderBy('guardians.parent_id')
    .execute();
  for (const { parent_id: id } of rows) if (await mayTakeOver(childId, id)) return id;
  return undefined;
}

/** Who ends a guardian, when (milliseconds since 1970), and who may become the first one instead. */
export interface Ending {
  readonly by: string;
  readonly at: number;
  readonly mayTakeOver: MayTakeOver;
}

/**
 * Ends a guardian, or the question whether an account becomes one, and locks the child until the transaction ends. A first
 * guardian passes the child on: `last_guardian`, without any change, if nobody else could answer for it. `not_found`: there is
 * no such child, or no such guardian any more.
 */
export async function endGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  { by, at, mayTakeOver }: Ending,
): Promise<'ended' | 'last_guardian' | 'not_found'> {
  const child = await trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', childId)
    .returning(guardianOf().as('first'))
    .executeTakeFirst();
  if (!child) return 'not_found';
  const own = trx
    .selectFrom('guardians')
    .select('parent_id')
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where('ended_at', 'is', null);
  if (!(await own.executeTakeFirst())) return 'not_found';
  if (child.first === parentId) {
    const next = await findNextFirst(trx, childId, parentId, mayTakeOver);
    if (next === undefined) return 'last_guardian';
    await trx.updateTable('children').set(ofGuardian(next)).where('id', '=', childId).execute();
  }
  await trx
    .updateTable('guardians')
    .set({ ended_at: at, ended_by: by })
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .execute();
  return 'ended';
}

/**
 * Passes a child that the transaction has locked on from an account that is erased, to whoever is left, whatever rights that one
 * has; rather to one who could take over, and to one who has accepted. False if nobody else has a row that has not ended.
 */
export async function passOnToAnybody(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
): Promise<boolean> {
  const next = await trx
    .selectFrom('guardians')
    .innerJoin('parents', 'parents.id', 'guardians.parent_id')
    .select('guardians.parent_id')
    .where('guardians.child_id', '=', childId)
    .where('guardians.parent_id', '!=', parentId)
    .where('guardians.ended_at', 'is', null)
    .orderBy(
      sql`case when ${canAnswer} then 0 when ${inForce} and not ${isBarred} then 1 when ${inForce} then 2 else 3 end`,
    )
    .orderBy('guardians.accepted_at')
    .orderBy('guardians.parent_id')
    .limit(1)
    .executeTakeFirst();
  if (!next) return false;
  await trx.updateTable('children').set(ofGuardian(next.parent_id)).where('id', '=', childId).execute();
  return true;
}

/** Makes the next guardian the first one of a child that the transaction has locked, if nobody answers for it. */
export async function giveToNext(
  trx: Transaction<Database>,
  childId: string,
  mayTakeOver: MayTakeOver,
): Promise<void> {
  const orphan = trx
    .selectFrom('children')
    .select('id')
    .where('id', '=', childId)
    .where(sql<boolean>`not ${hasFamily}`);
  if (!(await orphan.executeTakeFirst())) return;
  const next = await findNextFirst(trx, childId, '', mayTakeOver);
  if (next !== undefined)
    await trx.updateTable('children').set(ofGuardian(next)).where('id', '=', childId).execute();
}

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

function rightColumns({ mayLive, mayEdit, mayCollect, mayTake }: GuardianRights) {
  const column = (may: boolean) => (may ? 1 : 0);
  return {
    may_live: column(mayLive),
    may_edit: column(mayEdit),
    may_collect: column(mayCollect),
    may_take: column(mayTake),
  } as const;
}

/**
 * Adds the question whether an account becomes a guardian, or asks anew one who has ended. The caller has seen that there is no
 * such row in force. `by`: who asks. `at`: milliseconds since 1970.
 */
export async function insertAskedGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  rights: GuardianRights,
  { by, at }: { readonly by: string; readonly at: number },
): Promise<void> {
  const row = {
    ...rightColumns(rights),
    ...{ added_by: by, added_at: at, accepted_at: null, ended_at: null, ended_by: null },
  };
  await trx
    .insertInto('guardians')
    .values({ child_id: childId, parent_id: parentId, ...row })
    .onConflict((conflict) => conflict.columns(['child_id', 'parent_id']).doUpdateSet(row))
    .execute();
}

/** Changes the rights of a guardian who has not ended. */
export async function updateGuardianRights(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  rights: GuardianRights,
): Promise<void> {
  await trx
    .updateTable('guardians')
    .set(rightColumns(rights))
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Takes the right to take a child home from all guardians beside the first one, and from those who were asked. Returns who had it. Call it
 * across facilities.
 */
export async function limitFurtherGuardians(
  trx: Transaction<Database>,
): Promise<{ readonly childId: string; readonly parentId: string }[]> {
  const isFirst = sql<boolean>`exists (select 1 from children
    where children.id = guardians.child_id and ${isChildOf(sql.ref('guardians.parent_id'))})`;
  const rows = await trx
    .updateTable('guardians')
    .set({ may_take: 0 })
    .where('may_take', '=', 1)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`not ${isFirst}`)
    .returning(['child_id', 'parent_id'])
    .execute();
  return rows
    .map((row) => ({ childId: row.child_id, parentId: row.parent_id }))
    .sort((a, b) => (a.childId + a.parentId < b.childId + b.parentId ? -1 : 1));
}

/** A child whose guardian staff have asked an account to become. */
interface AskedFor extends GuardianRights {
  readonly childId: string;
  readonly childName: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/**
 * What an account was asked and has not answered, oldest first; not about a child from which it is barred. Call it across
 * facilities.
 */
export async function findAskedFor(db: Reader, parentId: string): Promise<AskedFor[]> {
  const rows = await db
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select(['children.id', 'children.name', ...RIGHT_COLUMNS, 'guardians.added_at'])
    .where('guardians.parent_id', '=', parentId)
    .where(isAsked)
    .where(sql<boolean>`not ${isBarred}`)
    .orderBy('guardians.added_at')
    .orderBy('children.id')
    .execute();
  return rows.map((row) => ({
    childId: row.id,
    childName: row.name,
    ...rightsOf(row),
    askedAt: Number(row.added_at),
  }));
}

/**
 * Makes an account that was asked a guardian; false if it was not asked, has answered, or is barred from the child. Lock the
 * child first. `at`: milliseconds since 1970.
 */
export async function acceptGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('guardians')
    .set({ accepted_at: at })
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where(isAsked)
    .where(sql<boolean>`not ${isBarred}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Ends a question because the account says no, also of one whom the restore of a backup has made the first guardian: then staff find
 * nobody who answers for the child. Lock the child first. `at`: milliseconds since 1970.
 */
export async function declineGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  at: number,
): Promise<void> {
  await trx
    .updateTable('guardians')
    .set({ ended_at: at, ended_by: parentId })
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where(isAsked)
    .execute();
}

/** Deletes the rows of a deleted child. */
export async function deleteGuardiansOf(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('guardians').where('child_id', '=', childId).execute();
}

/** Deletes the rows of a deleted parent. */
export async function deleteGuardianships(trx: Transaction<Database>, parentId: string): Promise<void> {
  await trx.deleteFrom('guardians').where('parent_id', '=', parentId).execute();
}

/** The guardians of some children, by child: accepted and not ended, the first guardian first. */
export async function findGuardians(
  db: Reader,
  children: readonly { readonly id: string; readonly parent_id: string; readonly parent_name?: string }[],
): Promise<Map<string, Guardianship[]>> {
  const byId = new Map(children.map((child) => [child.id, child]));
  if (byId.size === 0) return new Map();
  const rows = await db
    .selectFrom('guardians')
    .select(['child_id', 'parent_id', 'accepted_at'])
    .select(RIGHT_COLUMNS)
    .where('child_id', 'in', [...byId.keys()])
    .where(inForce)
    .orderBy('accepted_at')
    .orderBy('parent_id')
    .execute();
  const isFirst = (row: (typeof rows)[number]) => byId.get(row.child_id)?.parent_id === row.parent_id;
  const others = [...new Set(rows.filter((row) => !isFirst(row)).map(({ parent_id: id }) => id))];
  const named =
    others.length === 0
      ? []
      : await db.selectFrom('parents').select(['id', 'name']).where('id', 'in', others).execute();
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const guardians = [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))].map((row) => ({
    childId: row.child_id,
    guardian: {
      parentId: row.parent_id,
      name: (isFirst(row) ? byId.get(row.child_id)?.parent_name : names.get(row.parent_id)) ?? '',
      ...rightsOf(row),
      since: Number(row.accepted_at),
    },
  }));
  const byChild = Map.groupBy(guardians, ({ childId }) => childId);
  return new Map([...byChild].map(([id, found]) => [id, found.map(({ guardian }) => guardian)]));
}

/** Those of some accounts that are a guardian of a child, were one, or were asked. Call it across facilities. */
export async function findEverGuardians(
  db: Reader,
  childId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('guardians')
    .select('parent_id')
    .where('child_id', '=', childId)
    .where('parent_id', 'in', ids)
    .execute();
  return rows.map((row) => row.parent_id);
}

/** Ids of the guardians of the children whose ids a query selects as `child_id`, unique and sorted. */
export async function findGuardianIds(
  db: Reader,
  childIds: Expression<{ readonly child_id: string }>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('guardians')
    .select('parent_id')
    .distinct()
    .where(sql<boolean>`guardians.child_id in ${childIds}`)
    .where(inForce)
    .orderBy('parent_id')
    .execute();
  return rows.map((row) => row.parent_id);
}

/** The guardians of one child, the first guardian first; empty if the child is gone. */
export async function findGuardiansOf(
  db: Reader,
  childId: string,
): Promise<(Guardianship & { readonly isFirst: boolean })[]> {
  const first = (await findFamiliesOf(db, [childId])).get(childId);
  if (first === undefined) return [];
  const found = await findGuardians(db, [{ id: childId, parent_id: first }]);
  return (found.get(childId) ?? []).map((one) => ({ ...one, isFirst: one.parentId === first }));
}

/** The guardians of some children beside the first one of each. */
export async function findFurtherGuardians(
  db: Reader,
  childIds: readonly string[],
): Promise<{ readonly childId: string; readonly parentId: string }[]> {
  if (childIds.length === 0) return [];
  return db
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select(['guardians.child_id as childId', 'guardians.parent_id as parentId'])
    .where('children.id', 'in', childIds)
    .where(sql<boolean>`not ${isChildOf(sql.ref('guardians.parent_id'))}`)
    .where(inForce)
    .orderBy('guardians.parent_id')
    .execute();
}

/**
 * Whether the parent is the first guardian of a child, or a further one who has not ended, also one who was asked and has not
 * answered. What protects an account that sees children builds on it.
 */
export async function hasChildRows(db: Reader, parentId: string): Promise<boolean> {
  const isHeld = sql<boolean>`(${isChildOf(parentId)} or children.id in (
    select guardians.child_id from guardians where guardians.parent_id = ${parentId} and guardians.ended_at is null))`;
  const children = db.selectFrom('children').select('id').where(isHeld).limit(1);
  return (await children.executeTakeFirst()) !== undefined;
}

/** Whether a child has another guardian than this parent, or one who was asked and has not answered. */
export async function hasOtherGuardian(db: Reader, childId: string, parentId: string): Promise<boolean> {
  const others = db
    .selectFrom('guardians')
    .select('parent_id')
    .where('child_id', '=', childId)
    .where('parent_id', '!=', parentId)
    .where('ended_at', 'is', null)
    .limit(1);
  return (await others.executeTakeFirst()) !== undefined;
}

/** Whether the parent is a guardian of a child. */
export async function hasGuardedChild(db: Reader, parentId: string): Promise<boolean> {
  const children = db.selectFrom('children').select('id').where(isGuardedBy(parentId)).limit(1);
  return (await children.executeTakeFirst()) !== undefined;
}

/** Whether the parent is a guardian of this child. */
export async function isGuardianOf(db: Reader, childId: string, parentId: string): Promise<boolean> {
  const own = db.selectFrom('children').select('id').where('id', '=', childId).where(isGuardedBy(parentId));
  return (await own.executeTakeFirst()) !== undefined;
}

/** Ids of the children whose family this parent is, unordered. */
export async function findChildIdsOf(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('children')
    .select('id')
    .where(isChildOf(parentId))
    .where(hasFamily)
    .execute();
  return rows.map((row) => row.id);
}

/** Locks the children whose first guardian is this parent until the transaction ends, and returns their ids. */
export async function lockChildrenOf(trx: Transaction<Database>, parentId: string): Promise<string[]> {
  const children = await trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where(isChildOf(parentId))
    .returning('id')
    .execute();
  return children.map(({ id }) => id);
}

/** The first guardians of some children, by child. */
export async function findFamiliesOf(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('children')
    .select(['id', guardianOf().as('guardian')])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, guardian }) => [id, guardian]));
}

/**
 * Facilities at which a child is known whose guardian the parent is, or was asked to become: whoever opens the account there, or
 * gives it another address, may say yes. Unique and sorted. Call it across facilities.
 */
export async function findHeldPlaces(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('child_facilities')
    .innerJoin('guardians', 'guardians.child_id', 'child_facilities.child_id')
    .select('child_facilities.facility_id')
    .distinct()
    .where('guardians.parent_id', '=', parentId)
    .where('guardians.ended_at', 'is', null)
    .orderBy('child_facilities.facility_id')
    .execute();
  return rows.map((row) => row.facility_id);
}

/** Ids of the children about whom an account was asked and has not answered, sorted. Call it across facilities. */
export async function findAskedChildIds(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('guardians')
    .select('child_id')
    .where('parent_id', '=', parentId)
    .where(isAsked)
    .orderBy('child_id')
    .execute();
  return rows.map((row) => row.child_id);
}

/**
 * Ids of the children whose guardian the account is beside the first one, or was asked to become, sorted. Call it across
 * facilities.
 */
export async function findFurtherChildIds(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select('guardians.child_id')
    .where('guardians.parent_id', '=', parentId)
    .where('guardians.ended_at', 'is', null)
    .where(sql<boolean>`not ${isChildOf(parentId)}`)
    .orderBy('guardians.child_id')
    .execute();
  return rows.map((row) => row.child_id);
}

/** Facilities at which a child is known whose guardian one of these parents is, each with that parent. */
export async function findGuardedPlaces(
  db: Reader,
  parentIds: readonly string[],
): Promise<{ readonly guardian: string; readonly facility: string }[]> {
  if (parentIds.length === 0) return [];
  return (
    db
      .selectFrom('child_facilities')
      // Through the children, so that those of another facility are not found.
      .innerJoin('children', 'children.id', 'child_facilities.child_id')
      .innerJoin('guardians', 'guardians.child_id', 'children.id')
      .select(['guardians.parent_id as guardian', 'child_facilities.facility_id as facility'])
      .distinct()
      .where('guardians.parent_id', 'in', parentIds)
      .where(inForce)
      .execute()
  );
}

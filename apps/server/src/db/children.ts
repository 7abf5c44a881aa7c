/** Children: finds them with their parent's name and open stay, adds, changes and deletes their rows. */
import type { PickupSource } from '@haris/contract/objects';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { type ChangeSinceStay, findChangesSinceStay } from './detail-changes.ts';
import { addChildToFacility } from './facilities.ts';
import {
  guardianOf,
  hasFamily,
  hasFurtherGuardian,
  hasLimitedGuardian,
  isGuardedBy,
  ofGuardian,
} from './guardians/conditions.ts';
import { findGuardians, type Guardianship } from './guardians/of-child.ts';
import { deleteGuardiansOf, insertFirstGuardian } from './guardians/rows.ts';
import { homeRoomHere } from './home-rooms.ts';
import { byName, findPage, type Page, type PageRequest, whereIdIn } from './paging.ts';
import { findMatchingChildren } from './people-search.ts';
import { findProposalsOf, type ProposalView } from './proposals.ts';
import type { Database } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A child's row with its parent's name and its open stay. */
interface ChildRow {
  readonly id: string;
  readonly name: string;
  readonly photo_id: string | null;
  readonly sort_name: string;
  /** The first guardian: the child's family. Says nothing about who may see the child: see `guardians`. */
  readonly parent_id: string;
  readonly parent_name: string;
  /** As staff confirmed it; null: none is known. */
  readonly parent_phone: string | null;
  readonly entry_time: number | null;
  readonly duration: number | null;
  readonly unique_entry_id: string | null;
  /** The facility of the open stay. */
  readonly stay_facility_id: string | null;
  /** The announced pick-up of the open stay; all are null without one. */
  readonly pickup_arrives_at: number | null;
  readonly pickup_announced_at: number | null;
  readonly pickup_source: PickupSource | null;
  /** Who announced it. */
  readonly pickup_by: string | null;
  readonly pickup_seen_at: number | null;
  /**
   * The room of the open stay; null while the child is outside. `room_since` is also null for a stay that is older than
   * rooms.
   */
  readonly room_id: string | null;
  readonly room_name: string | null;
  readonly room_since: number | null;
  /** From these fields `http/present.ts` decides whether a parent sees the room. */
  readonly room_is_default: number | null;
  readonly room_capacity: number | null;
  readonly room_ratios: string | null;
  /** `YYYY-MM-DD`. */
  readonly birth_date: string | null;
  /**
   * The home room at the facility of the current work; in work for the whole organisation, at the facility of the open
   * stay.
   */
  readonly home_room_id: string | null;
  readonly slip_token: string | null;
  /** 1 if an adult is barred from taking the child. */
  readonly is_barred: number;
  /** 1 if the child has a collector, a further guardian or a barred adult, so that the desk is asked who takes it. */
  readonly asks_taker: number;
  /** When staff confirmed the name and the photo; null: never, also for a child without a photo. */
  readonly name_confirmed_at: number | null;
  readonly photo_confirmed_at: number | null;
}

/**
 * A child with its open stay, whose three fields are null while the child is outside. Whether staff confirmed its name and
 * photo is said by the row alone, never by a missing proposal.
 */
export interface ChildView extends ChildRow {
  /** Who answers for the child now, with their rights; the first guardian first. */
  readonly guardians: readonly Guardianship[];
  /** Changes by the parent that wait for staff. */
  readonly proposals: readonly ProposalView[];
  /** What changed since the last stay began, oldest first. */
  readonly changes: readonly ChangeSinceStay[];
}

async function withChanges(db: Reader, rows: readonly ChildRow[]): Promise<ChildView[]> {
  const ids = rows.map(({ id }) => id);
  const waiting = await findProposalsOf(db, 'child', ids);
  const changes = await findChangesSinceStay(db, rows);
  const guardians = await findGuardians(db, rows);
  return rows.map((row) => ({
    ...row,
    guardians: guardians.get(row.id) ?? [],
    proposals: waiting.get(row.id) ?? [],
    changes: changes.get(row.id) ?? [],
  }));
}

function children(db: Reader) {
  return db
    .selectFrom('children')
    .innerJoin('parents', (join) => join.on('parents.id', '=', guardianOf()))
    .leftJoin('stays', (join) => join.onRef('stays.child_id', '=', 'children.id').on(isOpenStay))
    .leftJoin('rooms', 'rooms.id', 'stays.room_id')
    .leftJoin('pickups', 'pickups.stay_id', 'stays.id');
}

const barExists = sql`exists (
    select 1 from barred_adults where barred_adults.child_id = children.id and barred_adults.lifted_at is null
  )`;

/** Column of a query on `children`: 1 if there is somebody now to whom the child must not be handed, else 0. */
export const isBarred = sql<number>`case when ${barExists} then 1 else 0 end`.as('is_barred');

const asksTaker = sql<number>`case when exists (
    select 1 from collectors where collectors.child_id = children.id and collectors.ended_at is null
  ) or ${barExists} or ${hasFurtherGuardian} or ${hasLimitedGuardian} then 1 else 0 end`.as('asks_taker');

const columns = [
  'children.id',
  'children.name',
  'children.photo_id',
  'children.sort_name',
  guardianOf().as('parent_id'),
  'parents.name as parent_name',
  'parents.phone as parent_phone',
  'stays.entry_time',
  'stays.duration',
  'stays.unique_entry_id',
  'stays.facility_id as stay_facility_id',
  'pickups.arrives_at as pickup_arrives_at',
  'pickups.announced_at as pickup_announced_at',
  'pickups.source as pickup_source',
  'pickups.parent_id as pickup_by',
  'pickups.seen_at as pickup_seen_at',
  'rooms.id as room_id',
  'rooms.name as room_name',
  'stays.room_since',
  'rooms.is_default as room_is_default',
  'rooms.capacity as room_capacity',
  'rooms.ratios as room_ratios',
  'children.birth_date',
  homeRoomHere,
  'stays.slip_token',
  isBarred,
  asksTaker,
  'children.name_confirmed_at',
  'children.photo_confirmed_at',
] as const;

const isUnconfirmed = sql<boolean>`children.name_confirmed_at is null or children.photo_confirmed_at is null`;

/** SQL condition on a row of `children`: something waits for staff, or they never confirmed its name or photo. */
export const isPendingChild = sql<boolean>`(${isUnconfirmed}
  or exists (select 1 from proposals where subject_kind = 'child' and subject_id = children.id))`;

/** The same for a guardian, who knows only of the own proposals. */
const isPendingFor = (parentId: string) => sql<boolean>`(${isUnconfirmed}
  or exists (select 1 from proposals
    where subject_kind = 'child' and subject_id = children.id and by_id = ${parentId}))`;

export async function findChild(db: Reader, id: string): Promise<ChildView | undefined> {
  const rows = await children(db).select(columns).where('children.id', '=', id).execute();
  return (await withChanges(db, rows))[0];
}

export async function findChildrenByIds(db: Reader, ids: readonly string[]): Promise<ChildView[]> {
  if (ids.length === 0) return [];
  return withChanges(db, await children(db).select(columns).where('children.id', 'in', ids).execute());
}

/**
 * Children with exactly this folded name: at most 100 of all, or those whose guardian a parent is, including the names that
 * this parent has proposed.
 */
export async function findChildrenByName(
  db: Reader,
  foldedName: string,
  parentId: string | undefined,
): Promise<ChildView[]> {
  if (parentId !== undefined) {
    const called = (child: ChildView) =>
      child.sort_name === foldedName ||
      child.proposals.some(
        ({ field, value, by_id }) =>
          by_id === parentId && field === 'name' && foldForSearch(value ?? '') === foldedName,
      );
    return (await findGuardedChildren(db, [parentId])).filter(called);
  }
  const named = children(db).select(columns).where('children.sort_name', '=', foldedName);
  return withChanges(db, await named.orderBy('children.id').limit(100).execute());
}

/** The families of some parents, by name: the children whose first guardian each of them is. */
export async function findChildrenOf(db: Reader, parentIds: readonly string[]): Promise<ChildView[]> {
  if (parentIds.length === 0) return [];
  const rows = await children(db)
    .select(columns)
    .where(guardianOf(), 'in', parentIds)
    .where(hasFamily)
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .execute();
  return withChanges(db, rows);
}

/** The children whose guardian one of these parents is, by name. */
export async function findGuardedChildren(db: Reader, parentIds: readonly string[]): Promise<ChildView[]> {
  if (parentIds.length === 0) return [];
  const rows = await children(db)
    .select(columns)
    .where(isGuardedBy(...parentIds))
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .execute();
  return withChanges(db, rows);
}

/** Names of all children, by id. */
export async function findChildNames(db: Reader): Promise<Map<string, string>> {
  const children = await db.selectFrom('children').select(['id', 'name']).execute();
  return new Map(children.map(({ id, name }) => [id, name]));
}

export interface ChildrenFilter extends PageRequest {
  readonly inside?: boolean | undefined;
  /** Only children with, or without, something that staff have not confirmed. */
  readonly pending?: boolean | undefined;
  /** Only children whose guardian this parent is. */
  readonly parentId?: string | undefined;
}

/** A page of children by name; `search` finds them by their own names and by the name, e-mail or phone of their family, or of the parent who asks. */
export async function findChildrenPage(db: Reader, filter: ChildrenFilter): Promise<Page<ChildView>> {
  const found = await findMatchingChildren(db, filter.search, filter.parentId);
  let matching = whereIdIn(children(db), 'children.id', found);
  const { parentId } = filter;
  if (parentId !== undefined) matching = matching.where(isGuardedBy(parentId));
  if (filter.inside !== undefined)
    // Filters by the column of the partial index of open stays; by id, SQLite would scan all stays.
    matching = matching.where('stays.child_id', filter.inside ? 'is not' : 'is', null);
  const isPending = parentId === undefined ? isPendingChild : isPendingFor(parentId);
  if (filter.pending !== undefined)
    matching = matching.where(filter.pending ? isPending : sql<boolean>`not ${isPending}`);
  const page = await findPage(matching, (found) => found.select(columns), byName('children'), filter);
  return { ...page, rows: await withChanges(db, page.rows) };
}

/** A name with its folded form, which lists are sorted by. */
function nameColumns(name: string): { name: string; sort_name: string } {
  return { name, sort_name: foldForSearch(name) };
}

export interface NewChildRow {
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  /** Id of the facility that knows the child. */
  readonly facility: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether staff add the child, which confirms its name. */
  readonly isConfirmed: boolean;
}

/** Adds a child without a photo. Rejects with a foreign key violation if the parent is gone. */
export async function insertChild(
  trx: Transaction<Database>,
  { id, parentId, name, facility, createdAt, isConfirmed }: NewChildRow,
): Promise<void> {
  await trx
    .insertInto('children')
    .values({
      id,
      ...ofGuardian(parentId),
      ...nameColumns(name),
      photo_id: null,
      created_at: createdAt,
      version: 1,
      name_confirmed_at: isConfirmed ? createdAt : null,
      photo_confirmed_at: null,
    })
    .execute();
  await addChildToFacility(trx, id, facility, createdAt);
  await insertFirstGuardian(trx, id, parentId, createdAt);
}

/** `confirmedAt`: when staff decided on this name, or null if nobody has. */
export async function renameChild(
  trx: Transaction<Database>,
  id: string,
  name: string,
  confirmedAt: number | null,
): Promise<void> {
  await trx
    .updateTable('children')
    .set({ ...nameColumns(name), name_confirmed_at: confirmedAt })
    .where('id', '=', id)
    .execute();
}

/** `birthDate`: `YYYY-MM-DD`, or null to remove it. */
export async function setBirthDate(
  trx: Transaction<Database>,
  id: string,
  birthDate: string | null,
): Promise<void> {
  await trx.updateTable('children').set({ birth_date: birthDate }).where('id', '=', id).execute();
}

/** `confirmedAt`: when staff decided on this photo, or null if nobody has. */
export async function setChildPhoto(
  trx: Transaction<Database>,
  id: string,
  photoId: string | null,
  confirmedAt: number | null,
): Promise<void> {
  await trx
    .updateTable('children')
    .set({ photo_id: photoId, photo_confirmed_at: confirmedAt })
    .where('id', '=', id)
    .execute();
}

/** Deletes the row. Stays remain; the caller deletes photos, proposals and keys. */
export async function deleteChildRow(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('children').where('id', '=', id).execute();
  await deleteGuardiansOf(trx, id);
  await trx.deleteFrom('child_facilities').where('child_id', '=', id).execute();
}

/**
 * Locks a child until the transaction ends, on both databases, and returns its first guardian; undefined if the child is gone.
 * This serializes check-in, checkout, change and deletion of one child.
 */
export async function lockChild(
  trx: Transaction<Database>,
  id: string,
): Promise<{ parent_id: string } | undefined> {
  return trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(guardianOf().as('parent_id'))
    .executeTakeFirst();
}

/** What desk tablets told later and what does not fit, until staff have settled it (decision 055). Only queries, no rules. */
import { WITHOUT_TICKET } from '@haris/contract/http/desk-conflicts';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { guardianOf } from './guardians/conditions.ts';
import { findEverAmong } from './guardians/of-child.ts';
import { findPage, newestFirst, oldestFirst, type Page, type PagePosition } from './paging.ts';
import type { Database, ReleaseRow, StayRow } from './schema.ts';
import { isOpenStay, type PresentChild } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;
export type DeskConflictRow = Selectable<Database['desk_entries']>;

/** A page of the conflicts that are open, oldest first, or of those that are settled, newest first. */
export async function findConflictsPage(
  db: Reader,
  state: 'open' | 'settled',
  position: PagePosition,
): Promise<Page<DeskConflictRow>> {
  const matching = db
    .selectFrom('desk_entries')
    .where('outcome', '=', 'conflict')
    .where('settled_at', state === 'open' ? 'is' : 'is not', null);
  const order = state === 'open' ? oldestFirst : newestFirst;
  return findPage(matching, (found) => found.selectAll(), order('desk_entries', 'received_at'), position);
}

/** Conflicts with these ids, also settled ones, by id, so that two who settle several do not wait for each other. Pass at most 500. */
export async function findConflicts(db: Reader, ids: readonly string[]): Promise<DeskConflictRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('desk_entries')
    .selectAll()
    .where('id', 'in', ids)
    .where('outcome', '=', 'conflict')
    .orderBy('id')
    .execute();
}

/** What staff have decided about a conflict. */
export type Settled = Pick<
  DeskConflictRow,
  'settled_at' | 'settled_by' | 'choice' | 'note' | 'took_effect' | 'stay_id' | 'doubtful_at'
>;

/** Settles a conflict. False if somebody has done so. */
export async function setSettled(trx: Transaction<Database>, id: string, settled: Settled): Promise<boolean> {
  const row = await trx
    .updateTable('desk_entries')
    .set(settled)
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Stays of some children, with void ones, that end after a moment (milliseconds since 1970), are open, or are named; and all that came
 * after a named one began, because its end may be moved past them. Unordered.
 */
export async function findStaysAbout(
  db: Reader,
  about: {
    readonly childIds: readonly string[];
    readonly since: number;
    readonly stayIds: readonly string[];
    readonly entryCodes: readonly string[];
  },
): Promise<StayRow[]> {
  const { childIds, since, stayIds, entryCodes } = about;
  if (childIds.length === 0 || entryCodes.length === 0) return [];
  const ofChildren = db.selectFrom('stays').selectAll().where('child_id', 'in', childIds);
  const byCode = await ofChildren.where('unique_entry_id', 'in', entryCodes).execute();
  const byId = stayIds.length > 0 ? await ofChildren.where('id', 'in', stayIds).execute() : [];
  const named = [...byCode, ...byId];
  const from = Math.min(since, ...named.map(({ entry_time }) => entry_time));
  const recent = await ofChildren.where((eb) => eb.or([isOpenStay, eb('exit_time', '>=', from)])).execute();
  return [...new Map([...named, ...recent].map((row) => [row.id, row])).values()];
}

/** A check-in of a tablet that turned out to be a stay, with the entry id that the tablet drew for it. */
export type ToldStay = Pick<DeskConflictRow, 'desk_id' | 'child_id' | 'entry_code' | 'stay_id'>;

/** The check-ins that tablets told with these entry ids, and that are part of a stay. */
export async function findToldStays(db: Reader, entryCodes: readonly string[]): Promise<ToldStay[]> {
  if (entryCodes.length === 0) return [];
  return db
    .selectFrom('desk_entries')
    .select(['desk_id', 'child_id', 'entry_code', 'stay_id'])
    .where('entry_code', 'in', entryCodes)
    .where('kind', '=', 'check_in')
    .where('stay_id', 'is not', null)
    .where((eb) => eb.or([eb('outcome', '!=', 'conflict'), eb('choice', '=', 'take')]))
    .execute();
}

/** The records of who took a child, of some stays; also of a stay that is open again. */
export async function findReleasesOf(db: Reader, stayIds: readonly string[]): Promise<ReleaseRow[]> {
  if (stayIds.length === 0) return [];
  return db.selectFrom('releases').selectAll().where('stay_id', 'in', stayIds).execute();
}

/** A guardian or collector of a child. `sealed` of a guardian is null. */
export interface AdultOfChild {
  readonly id: string;
  readonly child_id: string;
  readonly sealed: Uint8Array | null;
}

/** Those of some ids that are, or were, a guardian or a collector of one of the children. */
export async function findAdultsAmong(
  db: Reader,
  childIds: readonly string[],
  ids: readonly string[],
): Promise<AdultOfChild[]> {
  if (childIds.length === 0 || ids.length === 0) return [];
  const guardians = await findEverAmong(db, childIds, ids);
  const collectors = await db
    .selectFrom('collectors')
    .select(['id', 'child_id', 'sealed'])
    .where('child_id', 'in', childIds)
    .where('id', 'in', ids)
    .execute();
  return [...guardians.map(({ parent_id: id, child_id }) => ({ id, child_id, sealed: null })), ...collectors];
}

/** A child about whom conflicts are open. */
export interface ChildInConflict {
  readonly childId: string;
  /** When the first and the last of them were told. Milliseconds since 1970. */
  readonly oldestAt: number;
  readonly newestAt: number;
  /** False: there is no such child here. */
  readonly isKnown: boolean;
}

/** The children about whom conflicts are open, without those for which a danger is open or was acknowledged. */
export async function findChildrenInConflict(db: Reader): Promise<ChildInConflict[]> {
  const rows = await db
    .selectFrom('desk_entries')
    .leftJoin('children', 'children.id', 'desk_entries.child_id')
    .select((eb) => [
      'desk_entries.child_id',
      'children.id as known_id',
      eb.fn.min('desk_entries.received_at').as('oldest_at'),
      eb.fn.max('desk_entries.received_at').as('newest_at'),
    ])
    .where('desk_entries.outcome', '=', 'conflict')
    .where('desk_entries.settled_at', 'is', null)
    .where('desk_entries.doubtful_at', 'is', null)
    .groupBy(['desk_entries.child_id', 'children.id'])
    .execute();
  return rows.map(({ child_id, known_id, oldest_at, newest_at }) => ({
    childId: child_id,
    oldestAt: Number(oldest_at),
    newestAt: Number(newest_at),
    isKnown: known_id !== null,
  }));
}

/** What a tablet with a valid ticket told of a child, and has had no effect, or not until staff settled it. */
export interface UnsettledWord extends Omit<PresentChild, 'exit_time' | 'room_name' | 'room_since'> {
  readonly kind: DeskConflictRow['kind'];
  readonly happened_at: number;
  /** Null: it is open. */
  readonly settled_at: number | null;
}

/** What tablets told of children here and does not fit, by child and time. */
function toldOfChildren(db: Reader) {
  return db
    .selectFrom('desk_entries')
    .innerJoin('children', 'children.id', 'desk_entries.child_id')
    .innerJoin('parents', (join) => join.on('parents.id', '=', guardianOf()))
    .select([
      'desk_entries.child_id',
      'desk_entries.kind',
      'desk_entries.happened_at',
      'desk_entries.settled_at',
      'children.name',
      'children.sort_name',
      'children.photo_id',
      'children.photo_confirmed_at',
      'children.name_confirmed_at',
      'parents.id as parent_id',
      'parents.name as parent_name',
      'parents.phone',
    ])
    .where('desk_entries.outcome', '=', 'conflict')
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .orderBy('desk_entries.happened_at');
}

/**
 * What tablets told and nobody had settled at some time from `from` to `to` (milliseconds since 1970; null: now), by child and time: that a
 * child came in who is outside, and has not left since, or that a child left who is inside, or was until staff believed the tablet.
 */
export async function findUnsettledWords(
  db: Reader,
  { from, to }: { readonly from: number; readonly to: number | null },
): Promise<UnsettledWord[]> {
  const words = toldOfChildren(db).where((eb) => {
    const stays = eb
      .selectFrom('stays')
      .select('stays.id')
      .whereRef('stays.child_id', '=', 'desk_entries.child_id')
      .where('stays.voided_at', 'is', null);
    const here = stays.where((stay) =>
      stay.or([isOpenStay, stay('stays.exit_time', '>', stay.ref('desk_entries.happened_at'))]),
    );
    const over = stays.where(isOpenStay).whereRef('stays.entry_time', '<=', 'desk_entries.happened_at');
    const isSince = eb('desk_entries.settled_at', '>=', from);
    const isBelieved = eb.and([
      eb('desk_entries.kind', '=', 'check_out'),
      eb('desk_entries.choice', '=', 'take'),
      // Of those the child had left before, by what Haris had.
      eb('desk_entries.reason', 'not in', ['left_twice', 'other_adult']),
      isSince,
    ]);
    const isWord = eb.and([
      eb('desk_entries.took_effect', '=', 0),
      eb('desk_entries.staff_id', 'is not', null),
      eb('desk_entries.reason', 'not in', WITHOUT_TICKET),
      eb.or([eb('desk_entries.settled_at', 'is', null), isSince]),
      eb.or([
        eb.and([eb('desk_entries.kind', '=', 'check_in'), eb.not(eb.exists(here))]),
        eb.and([eb('desk_entries.kind', '=', 'check_out'), eb.exists(over)]),
      ]),
    ]);
    return eb.or([isWord, isBelieved]);
  });
  return (to === null ? words : words.where('desk_entries.received_at', '<=', to)).execute();
}

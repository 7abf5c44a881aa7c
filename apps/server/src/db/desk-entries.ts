/** What desk tablets told later (decision 055). Only queries, no rules. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Refused } from './releases.ts';
import type { Database, StayRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;
type DeskEntryRow = Selectable<Database['desk_entries']>;
export type NewDeskEntry = Omit<
  DeskEntryRow,
  'facility_id' | 'settled_at' | 'settled_by' | 'choice' | 'note'
>;

/** The entry that has arrived with this id, at the facility of the current work. */
export async function findDeskEntry(
  db: Reader,
  id: string,
): Promise<Pick<DeskEntryRow, 'fingerprint'> | undefined> {
  return db.selectFrom('desk_entries').select('fingerprint').where('id', '=', id).executeTakeFirst();
}

/** The stay that a check-in of this tablet turned out to be, by the entry id that the tablet drew for it. */
export async function findStayToldBy(
  db: Reader,
  {
    deskId,
    childId,
    entryCode,
  }: { readonly deskId: string; readonly childId: string; readonly entryCode: string },
): Promise<StayRow | undefined> {
  return db
    .selectFrom('desk_entries')
    .innerJoin('stays', 'stays.id', 'desk_entries.stay_id')
    .selectAll('stays')
    .where('desk_entries.desk_id', '=', deskId)
    .where('desk_entries.child_id', '=', childId)
    .where('desk_entries.entry_code', '=', entryCode)
    .where('desk_entries.kind', '=', 'check_in')
    .where((eb) =>
      eb.or([eb('desk_entries.outcome', '!=', 'conflict'), eb('desk_entries.choice', '=', 'take')]),
    )
    .executeTakeFirst();
}

/** Keeps an entry. False if there is one with this id, at whatever facility. */
export async function insertDeskEntry(trx: Transaction<Database>, row: NewDeskEntry): Promise<boolean> {
  const made = await trx
    .insertInto('desk_entries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** How many conflicts without an effect have arrived from a tablet since a moment (milliseconds since 1970). */
export async function countConflicts(db: Reader, deskId: string, since: number): Promise<number> {
  const { conflicts } = await db
    .selectFrom('desk_entries')
    .select((eb) => eb.fn.countAll<number>().as('conflicts'))
    .where('desk_id', '=', deskId)
    .where('received_at', '>=', since)
    .where('outcome', '=', 'conflict')
    .where('took_effect', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(conflicts);
}

/**
 * Releases after which, as was found since a moment (milliseconds since 1970), the child may be with the wrong adult, oldest first, with the
 * member of staff in whose name they are: those that would be refused now, and those of which two desks have named different adults.
 */
export async function findDoubtfulSince(db: Reader, since: number): Promise<Refused[]> {
  const rows = await db
    .selectFrom('desk_entries')
    .innerJoin('stays', 'stays.id', 'desk_entries.stay_id')
    .leftJoin('staff as by', 'by.id', 'desk_entries.staff_id')
    .select([
      'stays.id as stay_id',
      'desk_entries.child_id',
      'desk_entries.doubtful_at',
      'desk_entries.staff_id as by_id',
      'by.name as by_name',
    ])
    .where('desk_entries.doubtful_at', '>=', since)
    .orderBy('desk_entries.doubtful_at')
    .execute();
  return rows.map(({ doubtful_at, ...row }) => ({ ...row, at: doubtful_at ?? 0 }));
}

/** Whether a stay of the child lies over a moment (milliseconds since 1970) or after it. Void stays do not count. */
export async function hasStaySince(db: Reader, childId: string, at: number): Promise<boolean> {
  const row = await db
    .selectFrom('stays')
    .select('id')
    .where('child_id', '=', childId)
    .where('voided_at', 'is', null)
    .where((eb) => eb.or([eb('exit_time', '>', at), eb('entry_time', '>', at)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether staff have said after a moment (milliseconds since 1970) that the child is inside: they moved it, kept it for longer, took a checkout
 * back, ticked it on a roll call or in a head count, or its care log says so.
 */
export async function wasSeenAfter(
  db: Reader,
  { stayId, childId, at }: { readonly stayId: string; readonly childId: string; readonly at: number },
): Promise<boolean> {
  const move = await db
    .selectFrom('room_moves')
    .select('id')
    .where('stay_id', '=', stayId)
    .where('at', '>', at)
    .limit(1)
    .executeTakeFirst();
  if (move) return true;
  const entry = await db
    .selectFrom('care_entries')
    .select('id')
    .where('child_id', '=', childId)
    .where('at', '>', at)
    .limit(1)
    .executeTakeFirst();
  if (entry) return true;
  const extension = await db
    .selectFrom('stay_extensions')
    .select('id')
    .where('stay_id', '=', stayId)
    .where('extended_at', '>', at)
    .where('undone_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (extension) return true;
  const correction = await db
    .selectFrom('stay_corrections')
    .select('id')
    .where('stay_id', '=', stayId)
    .where('kind', '=', 'checkout_undone')
    .where('corrected_at', '>', at)
    .limit(1)
    .executeTakeFirst();
  if (correction) return true;
  const counted = await db
    .selectFrom('head_counts')
    .innerJoin('head_count_children', 'head_count_children.count_id', 'head_counts.id')
    .select('head_counts.id')
    .where('head_count_children.child_id', '=', childId)
    .where('head_count_children.state', 'is not', null)
    .where('head_count_children.at', '>', at)
    .limit(1)
    .executeTakeFirst();
  if (counted) return true;
  const tick = await db
    .selectFrom('evacuation_ticks')
    .innerJoin('incidents', 'incidents.id', 'evacuation_ticks.incident_id')
    .select('evacuation_ticks.subject_id')
    .where('evacuation_ticks.subject_kind', '=', 'child')
    .where('evacuation_ticks.subject_id', '=', childId)
    .where('evacuation_ticks.state', '=', 'present')
    .where('evacuation_ticks.at', '>', at)
    .limit(1)
    .executeTakeFirst();
  return tick !== undefined;
}

export async function deleteDeskEntriesOf(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('desk_entries').where('child_id', '=', childId).execute();
}

/**
 * Deletes entries that arrived before a moment (milliseconds since 1970), but no conflict that is open or was settled since, except
 * those of which nobody knows who has written them.
 */
export async function deleteDeskEntriesBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db
    .deleteFrom('desk_entries')
    .where((eb) =>
      eb.or([eb('outcome', '!=', 'conflict'), eb('staff_id', 'is', null), eb('settled_at', '<', before)]),
    )
    .where('received_at', '<', before)
    .execute();
}

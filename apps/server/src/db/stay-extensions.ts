/** Extensions of stays: adds and takes back rows, and finds those about which a parent was not notified. Only queries. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { guardianOf } from './guardians/conditions.ts';
import type { Database, StayExtensionRow, StayRow } from './schema.ts';
import { isOpenStay, type Mark } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** The open stay of a child. Lock the child first. */
export async function findOpenStay(db: Reader, childId: string): Promise<StayRow | undefined> {
  return db
    .selectFrom('stays')
    .selectAll()
    .where('child_id', '=', childId)
    .where(isOpenStay)
    .executeTakeFirst();
}

/** Gives an open stay a longer duration (whole minutes), and forgets that its end was announced. */
export async function extendStayRow(
  trx: Transaction<Database>,
  stay: StayRow,
  duration: number,
  { by, at }: Mark,
): Promise<void> {
  await trx.updateTable('stays').set({ duration, time_up_at: null }).where('id', '=', stay.id).execute();
  await trx
    .insertInto('stay_extensions')
    .values({
      id: randomUUID(),
      stay_id: stay.id,
      duration_before: stay.duration,
      duration_after: duration,
      time_up_at_before: stay.time_up_at,
      extended_by: by,
      extended_at: at,
      undone_by: null,
      undone_at: null,
      notified_at: null,
    })
    .execute();
}

/** The last extension of a stay that was not taken back. */
export async function findLastExtension(db: Reader, stayId: string): Promise<StayExtensionRow | undefined> {
  return db
    .selectFrom('stay_extensions')
    .selectAll()
    .where('stay_id', '=', stayId)
    .where('undone_at', 'is', null)
    .orderBy('extended_at', 'desc')
    .orderBy('duration_after', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Takes an extension back: the stay has its earlier duration, and its end counts as announced if it was before. */
export async function undoExtensionRow(
  trx: Transaction<Database>,
  extension: StayExtensionRow,
  { by, at }: Mark,
): Promise<void> {
  await trx
    .updateTable('stays')
    .set({ duration: extension.duration_before, time_up_at: extension.time_up_at_before })
    .where('id', '=', extension.stay_id)
    .execute();
  await trx
    .updateTable('stay_extensions')
    .set({ undone_by: by, undone_at: at })
    .where('id', '=', extension.id)
    .execute();
}

/** Extensions of these stays that were not taken back, oldest first. */
export async function findExtensionsOf(
  db: Reader,
  stayIds: readonly string[],
): Promise<(StayExtensionRow & { readonly by_name: string | null })[]> {
  if (stayIds.length === 0) return [];
  return db
    .selectFrom('stay_extensions')
    .leftJoin('staff', 'staff.id', 'stay_extensions.extended_by')
    .selectAll('stay_extensions')
    .select('staff.name as by_name')
    .where('stay_id', 'in', stayIds)
    .where('undone_at', 'is', null)
    .orderBy('extended_at')
    .orderBy('duration_after')
    .execute();
}

/** Ids of extensions up to a moment (milliseconds since 1970) about which nobody has decided whether to notify. */
export async function findExtensionsToNotify(db: Reader, until: number): Promise<string[]> {
  const rows = await db
    .selectFrom('stay_extensions')
    .select('id')
    .where('notified_at', 'is', null)
    .where('extended_at', '<=', until)
    .orderBy('extended_at')
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** The current data of the stay, for the notification to the parent. */
export interface ExtensionToNotify {
  readonly childId: string;
  readonly childName: string;
  /** The child's first guardian. */
  readonly parentId: string;
  readonly stayId: string;
  readonly entryTime: number;
  readonly duration: number;
}

/**
 * Claims an extension for notification; one server succeeds. Returns null if another server has claimed it, if it was taken
 * back, followed by another one, or the child has left since.
 */
export async function claimExtension(
  trx: Transaction<Database>,
  id: string,
  now: number,
): Promise<ExtensionToNotify | null> {
  const claimed = await trx
    .updateTable('stay_extensions')
    .set({ notified_at: now })
    .where('id', '=', id)
    .where('notified_at', 'is', null)
    .returning(['stay_id', 'undone_at', 'duration_after'])
    .executeTakeFirst();
  if (!claimed || claimed.undone_at !== null) return null;
  const stay = await trx
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select([
      'children.id as childId',
      'children.name as childName',
      guardianOf().as('parentId'),
      'stays.id as stayId',
      'stays.entry_time as entryTime',
      'stays.duration as duration',
    ])
    .where('stays.id', '=', claimed.stay_id)
    .where(isOpenStay)
    .executeTakeFirst();
  return stay?.duration === claimed.duration_after ? stay : null;
}

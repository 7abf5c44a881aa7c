/** Rows of releases, of refused ones, and of pick-up codes. Only queries, no rules. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Database, ReleaseRow } from './schema.ts';
import { isOpenStay, newSlipToken } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** What the proofs of a stay are derived from. */
export interface StayToEnd {
  readonly id: string;
  readonly unique_entry_id: string;
  readonly slip_token: string | null;
}

/** The open stay of a child at the facility of the current work; undefined while it is outside. */
export async function findStayToEnd(db: Reader, childId: string): Promise<StayToEnd | undefined> {
  return db
    .selectFrom('stays')
    .select(['id', 'unique_entry_id', 'slip_token'])
    .where('child_id', '=', childId)
    .where(isOpenStay)
    .executeTakeFirst();
}

/**
 * Gives the stays of a child other slip tokens, so that printed slips prove nothing any more: also those that have ended, as the
 * undo of a checkout opens them again. Call it across facilities: the child may be inside at another one.
 */
export async function renewSlip(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx
    .updateTable('stays')
    .set({ slip_token: newSlipToken() })
    .where('child_id', '=', childId)
    .execute();
}

/**
 * Records who took a child. A second record of a stay, after an undone checkout, replaces the first, but never lowers the step of
 * the last used code.
 */
export async function keepRelease(trx: Transaction<Database>, row: ReleaseRow): Promise<void> {
  const { stay_id: _, code_step: step, ...values } = row;
  await trx
    .insertInto('releases')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('stay_id').doUpdateSet(step === null ? values : { ...values, code_step: step }),
    )
    .execute();
}

/** Puts the time of a release right (milliseconds since 1970). Lock the child first. */
export async function setReleaseTime(trx: Transaction<Database>, stayId: string, at: number): Promise<void> {
  await trx.updateTable('releases').set({ at }).where('stay_id', '=', stayId).execute();
}

/** A release with the name of the staff member; null after the account's deletion. */
export interface ReleaseView extends ReleaseRow {
  readonly released_by_name: string | null;
  readonly second_by_name: string | null;
}

function releases(db: Reader) {
  return (
    db
      .selectFrom('releases')
      .innerJoin('stays', 'stays.id', 'releases.stay_id')
      .leftJoin('staff as by', 'by.id', 'releases.released_by')
      .leftJoin('staff as second', 'second.id', 'releases.second_by')
      .selectAll('releases')
      .select(['by.name as released_by_name', 'second.name as second_by_name'])
      // After an undone checkout the record waits for the next one.
      .where((eb) => eb.not(isOpenStay))
  );
}

/** Releases of some children since a moment (milliseconds since 1970), newest first. */
export async function findReleasesSince(
  db: Reader,
  childIds: readonly string[],
  since: number,
): Promise<ReleaseView[]> {
  if (childIds.length === 0) return [];
  return releases(db)
    .where('releases.child_id', 'in', childIds)
    .where('releases.at', '>=', since)
    .orderBy('releases.at', 'desc')
    .orderBy('releases.stay_id')
    .execute();
}

/** The release that ended a stay. */
export async function findRelease(db: Reader, stayId: string): Promise<ReleaseView | undefined> {
  return releases(db).where('releases.stay_id', '=', stayId).executeTakeFirst();
}

/** The record of a stay, also while the stay is open again. */
export async function findReleaseOf(db: Reader, stayId: string): Promise<ReleaseRow | undefined> {
  return db.selectFrom('releases').selectAll().where('stay_id', '=', stayId).executeTakeFirst();
}

const idsSchema = z.array(z.string());

/** Ids of the guardians who have said that they did not expect a release, the first one first. */
export function saidUnexpected({
  unexpected_by: by,
  unexpected_also: also,
}: Pick<ReleaseRow, 'unexpected_by' | 'unexpected_also'>): string[] {
  return by === null ? [] : [by, ...idsSchema.parse(JSON.parse(also))];
}

/**
 * Records that a guardian who has not said so did not expect a release. The time is that of the newest word: staff may have acknowledged
 * the one before it, and it must open an incident of its own. Lock the child first.
 */
export async function markUnexpected(
  trx: Transaction<Database>,
  release: Pick<ReleaseRow, 'stay_id' | 'unexpected_by' | 'unexpected_also'>,
  { by, at }: { readonly by: string; readonly at: number },
): Promise<void> {
  const [first, ...also] = [...saidUnexpected(release), by];
  await trx
    .updateTable('releases')
    .set({ unexpected_by: first, unexpected_also: JSON.stringify(also), unexpected_at: at })
    .where('stay_id', '=', release.stay_id)
    .execute();
}

/** Records an attempt to hand a child to a barred adult. */
export async function addRefusal(
  trx: Transaction<Database>,
  row: Omit<Database['release_refusals'], 'id'>,
): Promise<void> {
  await trx
    .insertInto('release_refusals')
    .values({ id: randomUUID(), ...row })
    .execute();
}

/** Something at a hand-over that staff must know. `at`: milliseconds since 1970. */
export interface Happened {
  readonly stay_id: string;
  readonly child_id: string;
  readonly at: number;
}

/** Something at a hand-over with the staff member at the desk, if there is one; no name after the account's deletion. */
export interface Refused extends Happened {
  readonly by_id: string | null;
  readonly by_name: string | null;
}

/** Attempts to hand children to barred adults since a moment, oldest first. */
export async function findRefusalsSince(db: Reader, since: number): Promise<Refused[]> {
  return db
    .selectFrom('release_refusals')
    .innerJoin('stays', 'stays.id', 'release_refusals.stay_id')
    .leftJoin('staff as by', 'by.id', 'release_refusals.by_id')
    .select([
      'release_refusals.stay_id',
      'release_refusals.child_id',
      'release_refusals.at',
      'release_refusals.by_id',
      'by.name as by_name',
    ])
    .where('release_refusals.at', '>=', since)
    .orderBy('release_refusals.at')
    .execute();
}

/** Releases since a moment that a guardian did not expect. */
export async function findUnexpectedSince(db: Reader, since: number): Promise<Happened[]> {
  const rows = await db
    .selectFrom('releases')
    .innerJoin('stays', 'stays.id', 'releases.stay_id')
    .select(['releases.stay_id', 'releases.child_id', 'releases.unexpected_at'])
    .where('releases.unexpected_at', '>=', since)
    .execute();
  return rows.map(({ unexpected_at, ...row }) => ({ ...row, at: unexpected_at ?? 0 }));
}

/** The epoch of a guardian's pick-up code; undefined before the first. */
export async function findCodeEpoch(db: Reader, parentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('pickup_codes')
    .select('epoch')
    .where('parent_id', '=', parentId)
    .executeTakeFirst();
  return row?.epoch;
}

/** Gives a guardian an epoch unless there is one; returns the one in force. */
export async function takeCodeEpoch(
  trx: Transaction<Database>,
  parentId: string,
  epoch: string,
  at: number,
): Promise<string> {
  await trx
    .insertInto('pickup_codes')
    .values({ parent_id: parentId, epoch, created_at: at })
    .onConflict((conflict) => conflict.column('parent_id').doNothing())
    .execute();
  return (await findCodeEpoch(trx, parentId)) ?? epoch;
}

/** Ends a guardian's pick-up codes on all phones. */
export async function endPickupCodes(trx: Transaction<Database>, parentId: string): Promise<void> {
  await trx.deleteFrom('pickup_codes').where('parent_id', '=', parentId).execute();
}

/** Deletes what is recorded of a child's hand-overs. */
export async function deleteReleasesOf(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('releases').where('child_id', '=', childId).execute();
  await trx.deleteFrom('release_refusals').where('child_id', '=', childId).execute();
}

/** Rows of sample data: finds them, and deletes those that ordinary erasure leaves. */
import { SAMPLE_MAIL_DOMAIN } from '@haris/contract/fields';
import type { Kysely, Transaction } from 'kysely';
import type { Database, ParentRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export async function findSampleParents(db: Reader): Promise<ParentRow[]> {
  return db.selectFrom('parents').selectAll().where('email', 'like', `%@${SAMPLE_MAIL_DOMAIN}`).execute();
}

/** Whether there is any sample family. */
export async function hasSampleParent(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('parents')
    .select('id')
    .where('email', 'like', `%@${SAMPLE_MAIL_DOMAIN}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether there is any family that is not a sample. */
export async function hasRealParent(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('parents')
    .select('id')
    .where('email', 'not like', `%@${SAMPLE_MAIL_DOMAIN}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether there is any sensor that is not simulated. */
export async function hasRealSensor(db: Reader): Promise<boolean> {
  const row = await db.selectFrom('sensors').select('id').where('demo', '=', 0).limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes what stays when a child is erased, because attendance of real children outlives their names. Returns the ids of
 * the incidents that it deleted although they were open.
 */
export async function deleteTracesOfSample(
  trx: Transaction<Database>,
  childIds: readonly string[],
  otherIds: readonly string[],
): Promise<string[]> {
  if (childIds.length > 0) {
    const stays = trx.selectFrom('stays').select('id').where('child_id', 'in', childIds);
    await trx.deleteFrom('stay_corrections').where('stay_id', 'in', stays).execute();
    await trx.deleteFrom('stay_extensions').where('stay_id', 'in', stays).execute();
    await trx.deleteFrom('stays').where('child_id', 'in', childIds).execute();
    await trx.deleteFrom('evacuation_ticks').where('subject_id', 'in', childIds).execute();
  }
  const subjects = [...childIds, ...otherIds];
  return subjects.length === 0 ? [] : deleteIncidentsOf(trx, subjects);
}

/** Deletes the incidents of these subjects; one that also has other subjects stays with those. */
async function deleteIncidentsOf(trx: Transaction<Database>, subjects: readonly string[]): Promise<string[]> {
  const left = await trx
    .deleteFrom('incident_subjects')
    .where('subject_id', 'in', subjects)
    .returning('incident_id')
    .execute();
  const shared = [...new Set(left.map(({ incident_id }) => incident_id))];
  const deleted = await trx
    .deleteFrom('incidents')
    .where((eb) =>
      eb.or([
        eb('subject_id', 'in', subjects),
        ...(shared.length === 0
          ? []
          : [
              eb.and([
                eb('id', 'in', shared),
                eb('id', 'not in', eb.selectFrom('incident_subjects').select('incident_id')),
              ]),
            ]),
      ]),
    )
    .returning(['id', 'cleared_at', 'for_staff'])
    .execute();
  return deleted.flatMap(({ id, cleared_at, for_staff }) =>
    cleared_at === null && for_staff === 1 ? [id] : [],
  );
}

/** Ticks of roll calls, by device, person and moment. Rows are only added. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, EvacuationTickRow } from './schema.ts';

/** Adds a tick; returns false if it exists already. */
export async function addTick(trx: Transaction<Database>, tick: EvacuationTickRow): Promise<boolean> {
  const made = await trx
    .insertInto('evacuation_ticks')
    .values(tick)
    .onConflict((conflict) =>
      conflict.columns(['incident_id', 'subject_id', 'at', 'by_id', 'device', 'state']).doNothing(),
    )
    .returning('subject_id')
    .executeTakeFirst();
  return made !== undefined;
}

/** All ticks of an evacuation, oldest first. Within one millisecond, "missing" comes last. */
export async function findTicks(db: Kysely<Database>, incidentId: string): Promise<EvacuationTickRow[]> {
  return db
    .selectFrom('evacuation_ticks')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .orderBy('at')
    .orderBy((eb) => eb.case().when('state', '=', 'missing').then(1).else(0).end())
    .orderBy('received_at')
    .orderBy('by_id')
    .orderBy('device')
    .execute();
}

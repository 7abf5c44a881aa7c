/** Renames the area of everything that has a room's name: cameras, sensors, open incidents, sightings of present stays. */
import type { Transaction } from 'kysely';
import { cameraSearchColumns } from './cameras.ts';
import type { Database } from './schema.ts';
import { sensorSearchColumns } from './sensors.ts';
import { isOpenStay } from './stays.ts';

export interface Renamed {
  readonly cameras: number;
  readonly sensors: number;
}

/** `from` and `to` are names of one room. Limits are settings, which the caller changes. */
export async function renameArea(
  trx: Transaction<Database>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Renamed> {
  const cameras = await trx
    .updateTable('cameras')
    .set({ area: to })
    .where('area', '=', from)
    .returning(['id', 'name'])
    .execute();
  for (const { id, name } of cameras)
    await trx.updateTable('cameras').set(cameraSearchColumns(name, to)).where('id', '=', id).execute();
  const sensors = await trx
    .updateTable('sensors')
    .set({ area: to })
    .where('area', '=', from)
    .returning(['id', 'name'])
    .execute();
  for (const { id, name } of sensors)
    await trx.updateTable('sensors').set(sensorSearchColumns(name, to)).where('id', '=', id).execute();
  await trx
    .updateTable('incidents')
    .set({ area: to })
    .where('area', '=', from)
    .where('cleared_at', 'is', null)
    .execute();
  await trx
    .updateTable('incident_subjects')
    .set({ area: to })
    .where('area', '=', from)
    .where('left_at', 'is', null)
    .execute();
  // The area in which a child was last seen is compared with the limits of that room.
  await trx
    .updateTable('sightings')
    .set({ area: to })
    .where('area', '=', from)
    .where('child_id', 'in', (eb) => eb.selectFrom('stays').select('stays.child_id').where(isOpenStay))
    .execute();
  return { cameras: cameras.length, sensors: sensors.length };
}

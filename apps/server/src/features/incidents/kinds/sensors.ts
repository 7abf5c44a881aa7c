/** Sensors that have gone silent; and what is left of a sensor that was removed. */
import { isCurrent } from '@haris/contract/live/readings';
import type { Context } from '../../../context.ts';
import { findOpenIncidents } from '../../../db/incidents.ts';
import { inTransactionUnder, type Lease } from '../../../db/leases.ts';
import { findSensors } from '../../../db/sensors.ts';
import type { Detector } from '../detection.ts';
import { clearIn } from '../episodes.ts';
import type { SensorLife } from '../sources.ts';

/** A sensor counts as gone after this, or after one more of its periods where that is longer. Milliseconds. */
const GONE_AFTER_MS = 60_000;

export function detectSensors(context: Context, sensors: () => readonly SensorLife[]): Detector {
  const silentSince = new Map<string, number>();
  return async (now) => {
    const lives = sensors();
    const known = new Set(lives.map(({ id }) => id));
    for (const id of silentSince.keys()) if (!known.has(id)) silentSince.delete(id);
    const findings = [];
    const goingOn = new Set<string>();
    for (const { id, area, truth, periodMs } of lives) {
      // A stuck value is one that arrives; what was never there cannot have gone.
      if (isCurrent(truth) || truth === 'stuck' || truth === 'none') {
        silentSince.delete(id);
        continue;
      }
      // The clock may have been set back meanwhile.
      const since = Math.min(silentSince.get(id) ?? now, now);
      silentSince.set(id, since);
      const graceMs = Math.max(GONE_AFTER_MS, periodMs);
      const episode = `sensor_offline ${id}`;
      if (now - since < graceMs) goingOn.add(episode);
      // Another server may be the one that hears it.
      else if (!(await hasNews(context, id, { since: now - graceMs, now })))
        findings.push({
          kind: 'sensor_offline' as const,
          episode,
          area,
          subject: { kind: 'sensor' as const, id },
        });
    }
    return { kinds: ['sensor_offline'], findings, goingOn };
  };
}

async function hasNews(
  { db }: Context,
  sensorId: string,
  { since, now }: { since: number; now: number },
): Promise<boolean> {
  const heard = await db
    .selectFrom('sensor_readings')
    .select('at')
    .where('sensor_id', '=', sensorId)
    .where('at', '>', since)
    // Later ones were written while the clock was ahead, and say nothing of now.
    .where('at', '<=', now + GONE_AFTER_MS)
    .limit(1)
    .executeTakeFirst();
  return heard !== undefined;
}

/** Ends what a sensor has raised that is not there any more, under the lease: no reading will ever do it. */
export async function endForRemovedSensors(context: Context, lease: Lease): Promise<void> {
  const open = await findOpenIncidents(context.db, ['temperature', 'air']);
  if (open.length === 0) return;
  const there = new Set((await findSensors(context.db)).map(({ id }) => id));
  for (const row of open)
    if (row.subject_id !== null && !there.has(row.subject_id))
      await inTransactionUnder(context, lease, (tx) => clearIn(context, tx, row.id));
}

/** Sensors that have stopped sending, and open incidents of removed sensors. */
import { isCurrent } from '@haris/contract/live/readings';
import type { Context } from '../../../context.ts';
import { findOpenIncidents } from '../../../db/incidents.ts';
import { inTransactionUnder, type Lease } from '../../../db/leases.ts';
import { hasReadingBetween } from '../../../db/sensor-readings.ts';
import { findSensors } from '../../../db/sensors.ts';
import type { Detector } from '../detection.ts';
import { clearIn } from '../lifecycle.ts';
import type { SensorLife } from '../sources.ts';

/** Minimum time after which a silent sensor counts as gone; its own period if that is longer. Milliseconds. */
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
      // Skips stuck sensors, which still send, and sensors that never sent anything.
      if (isCurrent(truth) || truth === 'stuck' || truth === 'none') {
        silentSince.delete(id);
        continue;
      }
      // The clock may have been set back in the meantime.
      const since = Math.min(silentSince.get(id) ?? now, now);
      silentSince.set(id, since);
      const graceMs = Math.max(GONE_AFTER_MS, periodMs);
      const condition = `sensor_offline ${id}`;
      if (now - since < graceMs) goingOn.add(condition);
      // Another server may receive the sensor's readings. Ignore readings further in the future: they were written while
      // the clock was ahead.
      else if (!(await hasReadingBetween(context.db, id, now - graceMs, now + GONE_AFTER_MS)))
        findings.push({
          kind: 'sensor_offline' as const,
          condition,
          area,
          subject: { kind: 'sensor' as const, id },
        });
    }
    return { kinds: ['sensor_offline'], findings, goingOn };
  };
}

/** Clears the incidents of removed sensors, under the lease, because no further reading will do so. */
export async function endForRemovedSensors(context: Context, lease: Lease): Promise<void> {
  const open = await findOpenIncidents(context.db, ['temperature', 'air']);
  if (open.length === 0) return;
  const there = new Set((await findSensors(context.db)).map(({ id }) => id));
  for (const row of open)
    if (row.subject_id !== null && !there.has(row.subject_id))
      await inTransactionUnder(context, lease, (tx) => clearIn(context, tx, row.id));
}

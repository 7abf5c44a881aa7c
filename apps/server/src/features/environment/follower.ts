/** Follows the readings that other servers on the same database have validated and stored. */
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import type { SensorStateRow } from '../../db/schema.ts';
import { findReadingsAfter } from '../../db/sensor-readings.ts';
import { findSensorStates } from '../../db/sensor-states.ts';
import { type KnownSensor, receivedIn, type SensorRegistry } from './sensor-registry.ts';
import { withReading } from './truth.ts';

const FOLLOW_MS = 1_000;

export interface Follower {
  stop(): Promise<void>;
}

/** Starts following. Does nothing on the embedded database, which has only one server. */
export function startFollower(
  { db, dialect, log }: Pick<Context, 'db' | 'dialect' | 'log'>,
  registry: SensorRegistry,
): Follower {
  if (dialect !== 'postgres') return { async stop() {} };

  function followAvailability(sensor: KnownSensor, stored: SensorStateRow): void {
    const { online, said_at: saidAt } = stored;
    if (online === null || saidAt === null || saidAt <= sensor.saidAt) return;
    sensor.saidAt = saidAt;
    // A later reading proves that the device is online.
    if (saidAt < sensor.heardAt) return;
    sensor.state = { ...sensor.state, online: online === 1, onlineAt: stored.online_at };
    registry.notify(sensor);
  }

  async function follow(): Promise<void> {
    /** Newest known reading time of each sensor that has newer stored readings. */
    const after = new Map<string, number>();
    for (const stored of await findSensorStates(db)) {
      const sensor = registry.find(stored.sensor_id);
      if (!sensor) continue;
      if (stored.heard_at !== null && stored.heard_at > sensor.heardAt)
        after.set(stored.sensor_id, sensor.heardAt);
      followAvailability(sensor, stored);
    }
    for (const reading of await findReadingsAfter(db, after)) {
      const sensor = registry.find(reading.sensor_id);
      if (!sensor || reading.at <= sensor.heardAt) continue;
      sensor.heardAt = reading.at;
      sensor.state = withReading(sensor.state, receivedIn(reading), reading.at);
      registry.notify(sensor);
    }
  }

  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= follow()
      .catch((error: unknown) =>
        log.warn(describeFailure(error), 'readings of other servers could not be read'),
      )
      .finally(() => {
        running = null;
      });
  }, FOLLOW_MS);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

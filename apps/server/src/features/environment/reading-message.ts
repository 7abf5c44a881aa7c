/** Builds the message of `/ws`: the newest values of a sensor, each with its truth (see truth.ts). Pure. */
import { QUANTITIES, type Quantity, type ReadingMessage } from '@haris/contract/live/readings';
import { toMoment } from '../../clock.ts';
import type { SensorView } from './sensor-registry.ts';
import { freshUntil, truthOf } from './truth.ts';

/** Returns null before the first reading. `now`: milliseconds since 1970. */
export function readingMessageOf({ row, state }: SensorView, now: number): ReadingMessage | null {
  const values = QUANTITIES.flatMap((quantity) => state.values[quantity] ?? []);
  if (values.length === 0) return null;
  const each = <T>(of: (quantity: Quantity) => T) => ({
    temperature: of('temperature'),
    humidity: of('humidity'),
    mq2: of('mq2'),
  });
  return {
    ...each((quantity) => state.values[quantity]?.value ?? null),
    at: toMoment(Math.max(...values.map(({ at }) => at))),
    area: row.area,
    sensorId: row.id,
    truth: each((quantity) => truthOf(state, quantity, now)),
    freshUntil: each((quantity) => {
      const until = freshUntil(state, quantity);
      return until === null ? null : toMoment(until);
    }),
  };
}

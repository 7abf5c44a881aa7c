/** A sensor of the list with what the socket has said of it since. Pure. */
import type { Sensor } from '@haris/contract/http/sensors';
import { QUANTITIES, type ReadingMessage, type Truth } from '@haris/contract/live/readings';

/** From what may be believed least. */
const WORST_FIRST: readonly Truth[] = ['offline', 'stale', 'stuck', 'warming_up', 'live'];

export function withReading(sensor: Sensor, message: ReadingMessage | undefined): Sensor {
  if (message === undefined) return sensor;
  const values = Object.fromEntries(
    QUANTITIES.map((quantity) => {
      const before = sensor[quantity];
      const value = message[quantity];
      const isNews = value !== before.value || message.freshUntil[quantity] !== before.freshUntil;
      const at = value === null ? null : isNews ? message.at : before.at;
      return [
        quantity,
        { value, truth: message.truth[quantity], at, freshUntil: message.freshUntil[quantity] },
      ];
    }),
  ) as Pick<Sensor, 'temperature' | 'humidity' | 'mq2'>;
  const truths = QUANTITIES.map((quantity) => message.truth[quantity]);
  return {
    ...sensor,
    ...values,
    area: message.area,
    state: WORST_FIRST.find((truth) => truths.includes(truth)) ?? 'none',
  };
}

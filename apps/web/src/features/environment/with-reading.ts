/** Merges a sensor of the list with its latest reading from the socket. Pure. */
import type { Sensor } from '@haris/contract/http/sensors';
import { QUANTITIES, type ReadingMessage, worstTruth } from '@haris/contract/live/readings';

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
  return {
    ...sensor,
    ...values,
    area: message.area,
    state: worstTruth(QUANTITIES.map((quantity) => message.truth[quantity])),
  };
}

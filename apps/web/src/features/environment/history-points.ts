/** Picks the series of one quantity from a sensor's history. Pure. */
import type { sensorRoutes } from '@haris/contract/http/sensors';
import type { Quantity } from '@haris/contract/live/readings';
import type * as z from 'zod/mini';
import type { Point } from './air.ts';

const COLUMNS = {
  temperature: ['temperature', 'minTemperature', 'maxTemperature'],
  humidity: ['humidity', 'minHumidity', 'maxHumidity'],
  mq2: ['mq2', 'minMq2', 'maxMq2'],
} as const;

type HistoryPoint = z.infer<typeof sensorRoutes.getSensorHistory.answer>['points'][number];

/** The points that have a value of this quantity. */
export function pointsOf(points: readonly HistoryPoint[], quantity: Quantity): Point[] {
  const [mean, min, max] = COLUMNS[quantity];
  return points.flatMap((point): Point[] => {
    const value = point[mean];
    return value === null
      ? []
      : [{ at: point.at, mean: value, min: point[min] ?? value, max: point[max] ?? value }];
  });
}

/** The last hours of one quantity of a sensor, as a small line without axes. */
import type { Quantity } from '@haris/contract/live/readings';
import { useMemo } from 'react';
import { serverNow } from '../../calls/server-clock.ts';
import { type Point, thinOut } from './air.ts';
import { SPARK_MS, useSparkHistory } from './api.ts';
import { pointsOf } from './history-points.ts';
import classes from './spark.module.css';
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPath } from './sparkline.ts';

/** Smallest range that fills the height: °C, % and raw units of the gas sensor. */
const LEAST: Readonly<Record<Quantity, number>> = { temperature: 4, humidity: 10, mq2: 100 };
/** More points than pixels would blur the line. */
const POINTS_SHOWN = 90;

const NONE: readonly Point[] = [];

export interface SparkProps {
  sensorId: string;
  quantity: Quantity;
  /** False while the card is out of sight: then nothing is fetched. */
  isWanted: boolean;
}

/** Always takes its height, so that the card does not grow when the readings arrive. Hidden from screen readers: History says it in words. */
export function Spark({ sensorId, quantity, isWanted }: SparkProps) {
  const { data, dataUpdatedAt } = useSparkHistory(sensorId, isWanted);
  const path = useMemo(() => {
    const to = dataUpdatedAt === 0 ? serverNow() : dataUpdatedAt;
    const points = data === undefined ? NONE : thinOut(pointsOf(data.points, quantity), POINTS_SHOWN);
    return sparkPath(points, to - SPARK_MS, to, LEAST[quantity]);
  }, [data, dataUpdatedAt, quantity]);
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** Turns a series of readings into the path of a small chart. Pure. */
import type { Point } from './air.ts';

/** Size of the drawing; the page stretches it to the width that there is. */
export const SPARK_WIDTH = 100;
export const SPARK_HEIGHT = 24;
/** Room for the line's width at the upper and lower edge. */
const EDGE = 2;
/** A pause longer than this interrupts the line. Milliseconds. */
const GAP_MS = 30 * 60_000;

/**
 * SVG path of the means between `from` and `to` (epoch milliseconds); '' for fewer than two points. `least` is the
 * smallest range of values that fills the height, so that noise does not look like a storm.
 */
export function sparkPath(points: readonly Point[], from: number, to: number, least: number): string {
  if (points.length < 2 || to <= from) return '';
  const values = points.map(({ mean }) => mean);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = Math.max(high - low, least);
  const bottom = (low + high - range) / 2;
  let before: number | null = null;
  return points
    .map(({ at, mean }) => {
      const moment = Date.parse(at);
      const x = ((moment - from) / (to - from)) * SPARK_WIDTH;
      const y = SPARK_HEIGHT - EDGE - ((mean - bottom) / range) * (SPARK_HEIGHT - 2 * EDGE);
      const isGap = before === null || moment - before > GAP_MS;
      before = moment;
      return `${isGap ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}

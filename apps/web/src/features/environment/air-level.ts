/** Judges the air of an area by the facility's limits: good, fair or bad (decision 036). Pure. */
import type { Air } from './air.ts';

/** Limits at which the air becomes an incident: °C, and the raw value of the gas sensor. */
export interface Limits {
  readonly temperature: number;
  readonly mq2: number;
}

export type AirLevel = 'good' | 'fair' | 'bad' | 'unknown';

/** Share of the gas limit at which the air becomes fair. */
const FAIR_GAS = 0.8;
/** Degrees below the temperature limit at which the air becomes fair. */
const FAIR_DEGREES = 5;

/**
 * Only live values count. Without a live gas value the air is unknown, unless the temperature alone makes it fair or
 * bad. `limits` null: not known yet.
 */
export function levelOf(air: Air, limits: Limits | null): AirLevel {
  if (limits === null) return 'unknown';
  const live = (quantity: 'temperature' | 'mq2') =>
    air[quantity].truth === 'live' ? air[quantity].value : null;
  const [gas, degrees] = [live('mq2'), live('temperature')];
  if ((gas !== null && gas >= limits.mq2) || (degrees !== null && degrees >= limits.temperature))
    return 'bad';
  if (degrees !== null && degrees >= limits.temperature - FAIR_DEGREES) return 'fair';
  if (gas === null) return 'unknown';
  return gas >= limits.mq2 * FAIR_GAS ? 'fair' : 'good';
}

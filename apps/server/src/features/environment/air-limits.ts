/** The limits of the air at the facilities that concern an account (decision 048). */
import { type AreaAlarms, alarmsOf, DEFAULT_ALARMS } from '@haris/contract/alarms';
import type { AirLimits } from '@haris/contract/http/sensors';
import type { Context } from '../../context.ts';
import { readSettings } from '../../db/settings.ts';
import { inFacility } from '../../facility.ts';

/**
 * The limits at these facilities, and those of areas with limits of their own. Of several facilities the stricter limit
 * counts, because readings do not say of which facility they are. The defaults without a facility.
 */
export async function findAirLimits(
  { db, config }: Pick<Context, 'db' | 'config'>,
  places: ReadonlySet<string>,
): Promise<{ limits: AirLimits; areas: ({ area: string } & AirLimits)[] }> {
  let limits: AirLimits | undefined;
  const areas = new Map<string, AirLimits>();
  for (const place of places) {
    const settings = await inFacility(place, () => readSettings(db, config));
    limits = stricter(limits, limitsOf(settings.alarms));
    for (const { area } of settings.areaAlarms)
      areas.set(area, stricter(areas.get(area), limitsOf(alarmsOf(settings, area))));
  }
  return {
    limits: limits ?? limitsOf(DEFAULT_ALARMS),
    areas: [...areas].map(([area, own]) => ({ area, ...own })),
  };
}

function limitsOf({ temperature, air }: Pick<AreaAlarms, 'temperature' | 'air'>): AirLimits {
  return { temperature: temperature.from, mq2: air.from };
}

function stricter(one: AirLimits | undefined, other: AirLimits): AirLimits {
  if (one === undefined) return other;
  return {
    temperature: Math.min(one.temperature, other.temperature),
    mq2: Math.min(one.mq2, other.mq2),
  };
}

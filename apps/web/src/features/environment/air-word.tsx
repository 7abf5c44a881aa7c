/** The air of a child's room in words: "Good air · 23 °C" (decision 036). */
import { sensorRoutes } from '@haris/contract/http/sensors';
import { Text } from '@mantine/core';
import { IconWind } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import type { Air } from './air.ts';
import { type Limits, levelOf } from './air-level.ts';
import classes from './air-word.module.css';
import { useAir } from './use-air.ts';
import { useAirFormat } from './use-air-format.ts';

/** Limits change rarely, and their event refetches them. Milliseconds. */
const LIMITS_FRESH_MS = 10 * 60_000;

/** The limits of an area; null until they are known. */
function useLimits(area: string): Limits | null {
  const { data } = useQuery({
    queryKey: [keys.settings, 'air-limits'],
    queryFn: ({ signal }) => call(sensorRoutes.listAirLimits, { signal }),
    staleTime: LIMITS_FRESH_MS,
  });
  if (data === undefined) return null;
  return data.areas.find((one) => one.area === area) ?? data.limits;
}

/**
 * The air of `room`. If the room is unknown or has no sensor, the only measured area is shown by its name; with several
 * areas nothing is shown, because it would be a guess.
 */
export function AirWord({ room }: { room: string | null }) {
  const { areas } = useAir();
  const own = areas.find(({ area }) => area === room);
  const shown = own ?? (areas.length === 1 ? areas[0] : undefined);
  if (shown === undefined) return null;
  return <AirWords area={shown.area} air={shown.air} isNamed={own === undefined} />;
}

export interface AirWordsProps {
  area: string;
  air: Air;
  /** Says the name of the area first. */
  isNamed?: boolean;
  /** False where the values stand beside the word. */
  hasTemperature?: boolean;
}

/** The air of an area as a word, with the temperature while it is live. */
export function AirWords({ area, air, isNamed = false, hasTemperature = true }: AirWordsProps) {
  const { t } = useTranslation('environment');
  const { isOpen } = useAir();
  const format = useAirFormat();
  const limits = useLimits(area);
  const { temperature } = air;
  const level = isOpen ? levelOf(air, limits) : 'unknown';
  const isWarm = hasTemperature && isOpen && temperature.truth === 'live';
  return (
    <Text component="span" size="sm" className={classes.air} data-level={level}>
      <IconWind size={18} aria-hidden />
      {isNamed ? (
        <span>
          <bdi>{area}</bdi>:
        </span>
      ) : null}
      <span className={classes.word}>{t(`level.${level}`)}</span>
      {isWarm ? <span>{format('temperature', temperature.value)}</span> : null}
    </Text>
  );
}

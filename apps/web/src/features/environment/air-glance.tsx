/** The air of each area at a glance, for the dashboard; nothing where there is no sensor. */
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type AreaAir, NO_AIR } from './air.ts';
import classes from './air-glance.module.css';
import { useSensorAreas } from './api.ts';
import { Indicators } from './indicators.tsx';
import { useAir } from './use-air.ts';

/**
 * Each area that has a sensor, from the moment that the areas are known: its values come later, into their place. Until
 * then it is `data-awaited`, for whoever must not show what would move down.
 */
export function AirGlance() {
  const { t } = useTranslation('environment');
  const { areas: heard } = useAir();
  const { areas: known, isAwaited } = useSensorAreas();
  const areas = useMemo(() => joinAreas(known, heard), [known, heard]);
  if (isAwaited) return <div hidden data-awaited />;
  if (areas.length === 0) return null;
  return (
    <section aria-label={t('glance')} className={classes.glance}>
      {areas.map(({ area, air }) => (
        <Link key={area} to="/sensors" className={classes.area ?? ''}>
          <Text component="span" size="sm" fw={500} className={classes.name}>
            <bdi>{area}</bdi>
          </Text>
          <Indicators compact air={air} label={t('airOf', { name: area })} />
        </Link>
      ))}
    </section>
  );
}

function joinAreas(
  known: readonly string[],
  heard: readonly AreaAir[],
): readonly Pick<AreaAir, 'area' | 'air'>[] {
  const silent = known.filter((area) => heard.every((other) => other.area !== area));
  const all = [...heard, ...silent.map((area) => ({ area, air: NO_AIR }))];
  return all.sort((a, b) => a.area.localeCompare(b.area));
}

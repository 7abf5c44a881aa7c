/** The air of each area at a glance, for the dashboard; nothing where there is no sensor. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './air-glance.module.css';
import { Indicators } from './indicators.tsx';
import { useAir } from './use-air.ts';

export function AirGlance() {
  const { t } = useTranslation('environment');
  const { areas } = useAir();
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

/** "Environmental Readings" of the parent's profile (spec §2): a toggle, the air of each area, and the day's chart. */
import { Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { NO_AIR } from './air.ts';
import { AirWords } from './air-word.tsx';
import classes from './environment-panel.module.css';
import { History } from './history.tsx';
import { Indicators } from './indicators.tsx';
import { useAir, useReadings } from './use-air.ts';

const STORAGE_KEY = 'haris.environment';

export function EnvironmentPanel() {
  const { t } = useTranslation('environment');
  const [isShown, setShown] = useLocalStorage({
    key: STORAGE_KEY,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const heading = useId();
  return (
    <Card component="section" aria-labelledby={heading} mt="xl">
      <div className={classes.head}>
        <Title order={2} fz="lg" id={heading}>
          {t('readings')}
        </Title>
        <Switch
          size="md"
          checked={isShown}
          onChange={(event) => setShown(event.currentTarget.checked)}
          aria-labelledby={heading}
        />
      </div>
      {isShown ? <Areas /> : null}
    </Card>
  );
}

function Areas() {
  const { t } = useTranslation('environment');
  const { areas, isOpen, isKnown } = useAir();
  const { sensors } = useReadings();
  /** The sensor whose chart represents the area: the first one. Sensor ids by area. */
  const sensorOf = useMemo(() => {
    const found = new Map<string, string>();
    for (const { area, sensorId } of sensors.values()) if (!found.has(area)) found.set(area, sensorId);
    return found;
  }, [sensors]);
  return (
    <Stack gap="lg" mt="md">
      {isKnown && !isOpen ? (
        <Text size="sm" c="dimmed" role="status" className={classes.note}>
          <IconCloudOff size={18} aria-hidden /> {t('reconnecting')}
        </Text>
      ) : null}
      {areas.length === 0 ? (
        <>
          <Indicators air={NO_AIR} label={t('readings')} />
          <Text size="sm" c="dimmed" role="status">
            {t(isKnown ? 'noneYet' : 'waiting')}
          </Text>
        </>
      ) : (
        areas.map(({ area, air }) => {
          const sensorId = sensorOf.get(area);
          return (
            <section key={area} aria-label={area}>
              <Group gap="xs" mb="xs">
                <Text fw={600}>
                  <bdi>{area}</bdi>
                </Text>
                <AirWords area={area} air={air} hasTemperature={false} />
              </Group>
              <Indicators air={air} label={t('airOf', { name: area })} />
              {sensorId === undefined ? null : (
                <details className={classes.day}>
                  <summary>{t('history.today')}</summary>
                  <History sensorId={sensorId} spans={['day']} />
                </details>
              )}
            </section>
          );
        })
      )}
    </Stack>
  );
}

/** The indicators of the Time in Area card (spec §2): the air of the areas where the children are. */
export function AirOfAreas() {
  const { t } = useTranslation('environment');
  const { areas } = useAir();
  const [only] = areas;
  if (only === undefined) return <Indicators air={NO_AIR} label={t('readings')} />;
  if (areas.length === 1)
    return (
      <Stack gap="xs">
        <AirWords area={only.area} air={only.air} hasTemperature={false} />
        <Indicators air={only.air} label={only.area} />
      </Stack>
    );
  return (
    <Stack gap="sm">
      {areas.map(({ area, air }) => (
        <div key={area}>
          <Group gap="xs" mb={4}>
            <Text size="sm" fw={500}>
              <bdi>{area}</bdi>
            </Text>
            <AirWords area={area} air={air} hasTemperature={false} />
          </Group>
          <Indicators compact air={air} label={t('airOf', { name: area })} />
        </div>
      ))}
    </Stack>
  );
}

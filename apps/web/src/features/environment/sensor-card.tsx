/** One sensor: where, what it says now, how far that may be believed, and what can be done with it. */
import type { Sensor } from '@haris/contract/http/sensors';
import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core';
import {
  IconChartLine,
  IconDotsVertical,
  IconKey,
  IconMapPin,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useAtTick } from '../../countdown/use-tick.ts';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import type { Air } from './air.ts';
import { truthAt } from './air.ts';
import { Indicators } from './indicators.tsx';
import classes from './sensors.module.css';

export type SensorAction = 'history' | 'edit' | 'secrets' | 'remove';

export interface SensorCardProps {
  sensor: Sensor;
  onAction: (action: SensorAction, sensor: Sensor) => void;
}

/** Badge colours of a whole sensor. */
const COLORS = {
  live: 'pine',
  warming_up: 'saffron',
  stuck: 'saffron',
  stale: 'clay',
  offline: 'clay',
  none: 'gray',
} as const;

const ACTIONS = [
  ['history', IconChartLine],
  ['edit', IconPencil],
  ['secrets', IconKey],
  ['remove', IconTrash],
] as const;

export function SensorCard({ sensor, onAction }: SensorCardProps) {
  const { t, i18n } = useTranslation(['environment', 'shell']);
  const air = useSensorAir(sensor);
  const state = useAtTick(
    useCallback((now: number) => truthAt(sensor.state, freshestUntil(sensor), now), [sensor]),
  );
  const { count, lastReason } = sensor.refused;
  return (
    <Card component="li" className={classes.card}>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div className={classes.title}>
          <Text component="h2" fw={600} fz="lg" className={classes.name}>
            <bdi>{sensor.name}</bdi>
          </Text>
          <Group gap="xs" mt={4}>
            <Group gap={4} wrap="nowrap" c="dimmed">
              <IconMapPin size={16} style={{ flexShrink: 0 }} aria-hidden />
              <Text size="sm" className={classes.name}>
                <bdi>{sensor.area}</bdi>
              </Text>
            </Group>
            <Text size="sm" c="dimmed">
              {t(`kind.${sensor.kind}`)}
            </Text>
            {sensor.demo ? (
              <Badge size="sm" variant="filled" color="saffron">
                {t('shell:demo')}
              </Badge>
            ) : null}
          </Group>
        </div>
        <Group gap="xs" wrap="nowrap" className={classes.state ?? ''}>
          <Badge tt="none" size="lg" fw={500} variant="light" color={COLORS[state]}>
            {t(`truth.${state}`)}
          </Badge>
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('actionsOf', { name: sensor.name })}
              >
                <IconDotsVertical size={20} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {ACTIONS.map(([action, Icon]) => (
                <Menu.Item
                  key={action}
                  {...(action === 'remove' ? { color: 'clay' } : {})}
                  leftSection={<Icon size={17} aria-hidden />}
                  onClick={() => onAction(action, sensor)}
                >
                  {t(`action.${action}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      <Indicators air={air} label={t('airOf', { name: sensor.name })} />
      <Group gap="xs" mt="sm" justify="space-between">
        <Text size="sm" c="dimmed">
          {lastHeard(sensor) === null
            ? t('neverHeard')
            : t('lastHeard', { moment: formatMoment(lastHeard(sensor) ?? '', i18n.language) })}
        </Text>
        {count === 0 ? null : (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('refused', { count })}
            {lastReason === null ? null : ` · ${t(`refusal.${lastReason}`)}`}
          </Text>
        )}
      </Group>
    </Card>
  );
}

/** The values as they may be shown at this moment. */
function useSensorAir(sensor: Sensor): Air {
  const text = useAtTick(
    useCallback(
      (now: number) =>
        JSON.stringify(
          Object.fromEntries(
            (['temperature', 'humidity', 'mq2'] as const).map((quantity) => {
              const { value, truth, freshUntil } = sensor[quantity];
              return [quantity, { value, truth: truthAt(truth, freshUntil, now) }];
            }),
          ),
        ),
      [sensor],
    ),
  );
  return JSON.parse(text) as Air;
}

/** The whole sensor is stale as soon as one of its values is. */
function freshestUntil(sensor: Sensor): string | null {
  const moments = [sensor.temperature, sensor.humidity, sensor.mq2].flatMap(
    ({ freshUntil }) => freshUntil ?? [],
  );
  return moments.sort()[0] ?? null;
}

function lastHeard(sensor: Sensor): string | null {
  return (
    [sensor.temperature, sensor.humidity, sensor.mq2]
      .flatMap(({ at }) => at ?? [])
      .sort()
      .at(-1) ?? null
  );
}

function formatMoment(moment: string, language: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(moment),
  );
}

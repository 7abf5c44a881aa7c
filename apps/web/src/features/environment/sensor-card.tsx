/** One sensor: its area, its values with their reliability, and actions. */
import type { Sensor } from '@haris/contract/http/sensors';
import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core';
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
import { momentFormat } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { useNear } from '../../ui/use-near.ts';
import type { Air } from './air.ts';
import { truthAt } from './air.ts';
import { Indicators } from './indicators.tsx';
import classes from './sensors.module.css';
import { Spark } from './spark.tsx';

export type SensorAction = 'history' | 'edit' | 'secrets' | 'remove';

export interface SensorCardProps {
  sensor: Sensor;
  /** Whether this person changes and removes sensors. */
  mayManage: boolean;
  onAction: (action: SensorAction, sensor: Sensor) => void;
}

/** Colour of the sensor's badge by reliability. */
const COLORS = {
  live: 'pine',
  warming_up: 'saffron',
  stuck: 'saffron',
  stale: 'clay',
  offline: 'clay',
  none: 'gray',
} as const;

const ACTIONS = [
  ['edit', IconPencil],
  ['secrets', IconKey],
  ['remove', IconTrash],
] as const;

export function SensorCard({ sensor, mayManage, onAction }: SensorCardProps) {
  const { t } = useTranslation(['environment', 'shell']);
  const air = useSensorAir(sensor);
  const state = useAtTick(
    useCallback((now: number) => truthAt(sensor.state, freshestUntil(sensor), now), [sensor]),
  );
  // A long list must not fetch every history at once.
  const { ref, isNear } = useNear();
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
          {mayManage ? <SensorMenu sensor={sensor} onAction={onAction} /> : null}
        </Group>
      </Group>
      <div ref={ref}>
        <Indicators
          air={air}
          label={t('airOf', { name: sensor.name })}
          renderTrend={(quantity) => <Spark sensorId={sensor._id} quantity={quantity} isWanted={isNear} />}
        />
      </div>
      <SensorFoot sensor={sensor} onAction={onAction} />
    </Card>
  );
}

function SensorMenu({ sensor, onAction }: Pick<SensorCardProps, 'sensor' | 'onAction'>) {
  const { t } = useTranslation('environment');
  return (
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
  );
}

/** When the sensor was last heard, what was refused, and its history. */
function SensorFoot({ sensor, onAction }: Pick<SensorCardProps, 'sensor' | 'onAction'>) {
  const { t, i18n } = useTranslation('environment');
  const { count, lastReason } = sensor.refused;
  const heard = lastHeard(sensor);
  return (
    <Group gap="xs" mt="sm">
      <Text size="sm" c="dimmed">
        {heard === null ? t('neverHeard') : t('lastHeard', { moment: formatMoment(heard, i18n.language) })}
      </Text>
      {count === 0 ? null : (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('refused', { count })}
          {lastReason === null ? null : ` · ${t(`refusal.${lastReason}`)}`}
        </Text>
      )}
      <Button
        size="compact-md"
        variant="subtle"
        fz="sm"
        className={classes.history ?? ''}
        leftSection={<IconChartLine size={17} aria-hidden />}
        aria-label={t('history.title', { name: sensor.name })}
        aria-haspopup="dialog"
        onClick={() => onAction('history', sensor)}
      >
        {t('action.history')}
      </Button>
    </Group>
  );
}

/** The sensor's values, updated when one becomes stale. */
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

/** Time at which the first value becomes stale, and with it the whole sensor; null if none does. */
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
  return momentFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(moment));
}

/** The current value of a room in danger, with its age. */
import { isCurrent, type Quantity, type ReadingMessage } from '@haris/contract/live/readings';
import { Text } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useAtTick } from '../../countdown/use-tick.ts';
import { truthAt } from './air.ts';
import { useReadings } from './use-air.ts';
import { useAirFormat } from './use-air-format.ts';

const QUANTITY_OF = { temperature: 'temperature', air: 'mq2' } as const satisfies Record<string, Quantity>;

export interface RoomReadingProps {
  /** Null: the whole facility. */
  area: string | null;
  kind: keyof typeof QUANTITY_OF;
}

/**
 * The reading that counts for a danger: the highest current value of the room or, without a current value, the newest
 * stale one.
 */
function findReading(
  sensors: Iterable<ReadingMessage>,
  area: string | null,
  quantity: Quantity,
  now: number,
): { value: number; at: string; isNow: boolean } | null {
  let found: { value: number; at: string; isNow: boolean } | null = null;
  for (const message of sensors) {
    const value = message[quantity];
    if (value === null || (area !== null && message.area !== area)) continue;
    const isNow = isCurrent(truthAt(message.truth[quantity], message.freshUntil[quantity], now));
    const isBetter =
      found === null ||
      (isNow === found.isNow ? (isNow ? value > found.value : message.at > found.at) : isNow);
    if (isBetter) found = { value, at: message.at, isNow };
  }
  return found;
}

export function RoomReading({ area, kind }: RoomReadingProps) {
  const { t } = useTranslation('emergency');
  const format = useAirFormat();
  const { sensors } = useReadings();
  const quantity = QUANTITY_OF[kind];
  // One text for the ticker, which renders again only when it changes.
  const state = useAtTick(
    useCallback(
      (now: number) => {
        const found = findReading(sensors.values(), area, quantity, now);
        if (found === null) return '';
        const age = Math.max(1, Math.round((now - Date.parse(found.at)) / 1000));
        return `${found.isNow ? 'now' : 'old'} ${found.value} ${age}`;
      },
      [sensors, area, quantity],
    ),
  );
  if (state === '')
    return (
      <Text span size="sm">
        {t('reading.none')}
      </Text>
    );
  const [truth, value, age] = state.split(' ');
  const seconds = Number(age);
  const ago =
    seconds < 60
      ? t('reading.secondsAgo', { count: seconds })
      : t('reading.minutesAgo', { count: Math.floor(seconds / 60) });
  return (
    <Text span size="sm" fw={600} data-old={truth === 'old' || undefined}>
      {t(truth === 'now' ? 'reading.now' : 'reading.old', { value: format(quantity, Number(value)), ago })}
    </Text>
  );
}

/** Duration of the stay: the four periods of spec §9, each one tap. */
import { ENTRY_PERIODS_MINUTES } from '@haris/contract/constants';
import type { EntryPeriod } from '@haris/contract/fields';
import { Group, SegmentedControl, Text } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import classes from './entry.module.css';
import { OpeningHint } from './opening-hint.tsx';

export interface PeriodPickerProps {
  minutes: EntryPeriod;
  onChange: (minutes: EntryPeriod) => void;
}

export function PeriodPicker({ minutes, onChange }: PeriodPickerProps) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const until = useAtTick(
    useCallback((now: number) => format.timeOfDay(now + minutes * 60_000), [format, minutes]),
  );
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="md" fw={500} id="entry-period">
          {t('entry.period')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('entry.until', { time: until })}
        </Text>
      </Group>
      <SegmentedControl
        fullWidth
        size="sm"
        classNames={{ label: classes.period ?? '' }}
        aria-labelledby="entry-period"
        data={ENTRY_PERIODS_MINUTES.map((period) => ({
          value: String(period),
          label: t(`periods.${period}`),
        }))}
        value={String(minutes)}
        onChange={(value) => {
          const period = ENTRY_PERIODS_MINUTES.find((known) => String(known) === value);
          if (period !== undefined) onChange(period);
        }}
      />
      <OpeningHint minutes={minutes} />
    </div>
  );
}

/** Duration of the stay: the four periods of spec §9, each one tap, and the ends that the facility offers besides. */
import { ENTRY_PERIODS_MINUTES } from '@haris/contract/constants';
import type { Child } from '@haris/contract/objects';
import { Group, SegmentedControl, Text } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { endsOnOtherDay } from '../../../countdown/clock-format.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import { useMinute } from '../../../facilities/use-minute.ts';
import type { Lasting } from '../stays/check-in.ts';
import { EndButtons } from './end-buttons.tsx';
import classes from './entry.module.css';
import { OpeningHint } from './opening-hint.tsx';
import { useStayEnds } from './use-stay-ends.ts';

const MINUTE_MS = 60_000;

export interface PeriodPickerProps {
  lasting: Lasting;
  onChange: (lasting: Lasting) => void;
  /** Who is to be checked in: the end of a booking is theirs. */
  coming: readonly Child[];
}

export function PeriodPicker({ lasting, onChange, coming }: PeriodPickerProps) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const ends = useStayEnds(coming);
  const now = useMinute();
  const endAt = useAtTick(
    useCallback(
      (moment: number) => {
        // To the minute, so that the picker is not drawn each second.
        if (typeof lasting === 'number') return Math.floor(moment / MINUTE_MS + lasting) * MINUTE_MS;
        return lasting.kind === 'until' ? Date.parse(lasting.at) : (ends.momentOf[lasting.kind] ?? null);
      },
      [lasting, ends.momentOf],
    ),
  );
  // The nursery has closed, or a child without a booking was ticked: the check-in would be refused.
  const isGone = typeof lasting !== 'number' && !ends.kinds.includes(lasting.kind);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="md" fw={500} id="entry-period">
          {t('entry.period')}
        </Text>
        <Text size="sm" c="dimmed">
          {isGone
            ? null
            : endAt === null
              ? t('entry.asBooked')
              : t('entry.until', { time: format.endOfStay(endAt, now) })}
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
        value={typeof lasting === 'number' ? String(lasting) : ''}
        onChange={(value) => {
          const period = ENTRY_PERIODS_MINUTES.find((known) => String(known) === value);
          if (period !== undefined) onChange(period);
        }}
      />
      <EndButtons
        ends={ends}
        chosen={typeof lasting === 'number' ? null : lasting.kind}
        onChange={onChange}
      />
      {isGone ? (
        <Text size="sm" fw={500} role="alert" className={classes.opening ?? ''}>
          {t('entry.end.gone')}
        </Text>
      ) : null}
      {/* It is there before it says something, so that screen readers tell of the change. */}
      <div aria-live="polite">
        {isGone || endAt === null || !endsOnOtherDay(endAt, now) ? null : (
          <Text size="sm" fw={500} className={classes.opening ?? ''}>
            {t('entry.tomorrow')}
          </Text>
        )}
      </div>
      <OpeningHint endAt={endAt} />
    </div>
  );
}

/** Mark on the row or tile of a child whom somebody is on the way to fetch. */
import type { Child } from '@haris/contract/objects';
import { Text, VisuallyHidden } from '@mantine/core';
import { IconClockExclamation, IconMapPinCheck, IconWalk } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import { minutesUntil } from './arrivals.ts';
import classes from './on-the-way.module.css';

interface OnTheWayMarkProps extends Pick<Child, 'onMyWay'> {
  /** Shows icon and time only, beside other words on one line; the rest is for those who listen or point at it. */
  isShort?: boolean;
}

export function OnTheWayMark({ onMyWay, isShort = false }: OnTheWayMarkProps) {
  return onMyWay === undefined ? null : <Mark {...onMyWay} isShort={isShort} />;
}

function Mark({ arrivesAt, source, by, isShort }: NonNullable<Child['onMyWay']> & { isShort: boolean }) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const isLate = useAtTick(
    useCallback((now: number) => minutesUntil(Date.parse(arrivesAt), now) < 0, [arrivesAt]),
  );
  const isHere = source === 'kiosk';
  const time = format.timeOfDay(arrivesAt);
  const way = isHere ? t('onTheWay.here') : t(isLate ? 'onTheWay.markLate' : 'onTheWay.mark', { time });
  // The row and the tile name the first guardian.
  const words = by === undefined ? way : `${way} · \u2068${by}\u2069`;
  const Icon = isHere ? IconMapPinCheck : isLate ? IconClockExclamation : IconWalk;
  return (
    <Text
      component="span"
      size="xs"
      className={classes.mark}
      data-late={isLate || undefined}
      title={isShort ? words : undefined}
    >
      <Icon size={14} aria-hidden />
      {isShort ? <VisuallyHidden>{words}</VisuallyHidden> : words}
      {isShort && !isHere ? <span aria-hidden="true">{time}</span> : null}
    </Text>
  );
}

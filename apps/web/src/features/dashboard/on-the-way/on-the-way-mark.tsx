/** Mark on the row or tile of a child whom somebody is on the way to fetch. */
import type { Child } from '@haris/contract/objects';
import { Text } from '@mantine/core';
import { IconWalk } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import { minutesUntil } from './arrivals.ts';
import classes from './on-the-way.module.css';

export function OnTheWayMark({ onMyWay }: Pick<Child, 'onMyWay'>) {
  return onMyWay === undefined ? null : <Mark {...onMyWay} />;
}

function Mark({ arrivesAt, source }: NonNullable<Child['onMyWay']>) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const isLate = useAtTick(
    useCallback((now: number) => minutesUntil(Date.parse(arrivesAt), now) < 0, [arrivesAt]),
  );
  return (
    <Text component="span" size="xs" className={classes.mark} data-late={isLate || undefined}>
      <IconWalk size={14} aria-hidden />
      {source === 'kiosk'
        ? t('onTheWay.here')
        : t(isLate ? 'onTheWay.markLate' : 'onTheWay.mark', { time: format.timeOfDay(arrivesAt) })}
    </Text>
  );
}

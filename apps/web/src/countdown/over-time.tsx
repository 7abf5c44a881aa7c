/** The time by which a stay is over, counting up in minutes: "12 min over". */
import { useTranslation } from 'react-i18next';
import classes from './countdown.module.css';
import type { Stay } from './remaining.ts';
import { useMinutesOver } from './use-tick.ts';

export interface OverTimeProps {
  stay: Stay;
  /** Empty in the first minute too, because "Time's up!" is shown beside it. */
  isSaidBeside?: boolean;
}

/** "Time's up!" in the first minute; nothing before the end and while outside. */
export function OverTime({ stay, isSaidBeside = false }: OverTimeProps) {
  const { t } = useTranslation('stays');
  const minutes = useMinutesOver(stay);
  if (minutes === null || (minutes === 0 && isSaidBeside)) return null;
  const text =
    minutes === 0
      ? t('timesUp')
      : minutes < 60
        ? t('minutesOver', { count: minutes })
        : t('hoursOver', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  return <span className={classes.over}>{text}</span>;
}

/** Placeholder of the list of children inside, in its shape, so that the layout does not move when the list arrives. */
import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './inside.module.css';

/** Placeholder rows: they fill a phone, so that what lies below does not move on its screen. */
const ROWS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

export function InsideSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={classes.frame} role="status" aria-label={t('loading')}>
      {ROWS.map((row) => (
        <div key={row} className={classes.row} data-state="within">
          <Skeleton circle height={44} />
          <Stack gap={7} className={classes.who ?? ''}>
            <Skeleton height={15} width="65%" />
            <Skeleton height={12} width="45%" />
            <Skeleton height={10} width="70%" />
          </Stack>
          <Skeleton height={22} width={58} className={classes.clock ?? ''} />
          <div className={classes.actions}>
            <Skeleton height={36} width={120} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Says that what is on screen is from before, and that nothing can be done meanwhile. */
import { Alert } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useOnline } from '../../ui/use-online.ts';
import { useChildrenInside } from './queries.ts';
import classes from './screen.module.css';

export function OfflineBanner() {
  const isOnline = useOnline();
  return (
    <div role="status" className={classes.offline} data-says-offline={!isOnline || undefined}>
      {isOnline ? null : <Words />}
    </div>
  );
}

/** Names the time at which the list was last read. */
function Words() {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const { dataUpdatedAt: knownAt } = useChildrenInside();
  return (
    <Alert color="saffron" variant="filled" autoContrast mb="md" icon={<IconWifiOff size={22} />}>
      {knownAt === 0 ? t('offline.bannerUnknown') : t('offline.banner', { time: format.timeOfDay(knownAt) })}
    </Alert>
  );
}

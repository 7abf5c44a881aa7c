/** Announces that the device is offline: the data on screen are old, and actions are disabled. */
import { Alert } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useOnline } from '../../ui/use-online.ts';
import classes from './frame/screen.module.css';
import { useChildrenInside } from './lists/queries.ts';

export function OfflineBanner() {
  const isOnline = useOnline();
  return (
    <div role="status" className={classes.offline} data-says-offline={!isOnline || undefined}>
      {isOnline ? null : <Words />}
    </div>
  );
}

/** Text of the banner, with the time of the last successful fetch. */
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

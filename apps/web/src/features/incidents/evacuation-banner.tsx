/** A parent's view of an evacuation: a calm line above the page, without the roll call. */
import { Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './evacuation-banner.module.css';

/** The live region is always rendered, because screen readers announce only text added to an existing region. */
export function EvacuationBanner({ isShown }: { isShown: boolean }) {
  const { t } = useTranslation('incidents');
  return (
    <div role="status">
      {isShown ? (
        <div className={classes.banner}>
          <IconInfoCircle size={24} aria-hidden />
          <div>
            <Text fw={600}>{t('parents.title')}</Text>
            <Text>{t('parents.text')}</Text>
          </div>
        </div>
      ) : null}
    </div>
  );
}

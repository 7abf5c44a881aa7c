/** What a parent sees of an evacuation: a calm line over the page, and nothing of the roll call. */
import { Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './evacuation-notice.module.css';

/** The region is there before the words are, so that they are read aloud when they come. */
export function EvacuationNotice({ isShown }: { isShown: boolean }) {
  const { t } = useTranslation('incidents');
  return (
    <div role="status">
      {isShown ? (
        <div className={classes.notice}>
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

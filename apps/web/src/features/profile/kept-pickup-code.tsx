/** The pick-up code from what this tab kept, for a reload while the server cannot be reached. */
import { Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import styles from './pickup.module.css';
import { Digits } from './pickup-code.tsx';
import { readKeptSecret } from './pickup-secret.ts';

/** Renders nothing if this tab kept no secret. */
export function KeptPickupCode() {
  const { t } = useTranslation('collectors');
  const [secret] = useState(readKeptSecret);
  const id = useId();
  if (secret === null) return null;
  return (
    <Card component="section" p="md" className={`${styles.code} ${styles.kept}`} aria-labelledby={id}>
      <div className={styles.words}>
        <Title order={2} fz="md" id={id}>
          {t('code.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('code.lead')}
        </Text>
      </div>
      <Digits secret={secret} />
    </Card>
  );
}

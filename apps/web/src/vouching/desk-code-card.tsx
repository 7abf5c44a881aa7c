/** The code for the desk on the account page, for staff who ask a family about a new email (contract §6). */
import { Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../ui/card.tsx';
import { DeskCode } from './desk-code.tsx';

export function DeskCodeCard() {
  const { t } = useTranslation('vouching');
  const title = useId();
  return (
    <Card component="section" aria-labelledby={title}>
      <Title order={2} fz="lg" id={title}>
        {t('code.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('code.hint')}
      </Text>
      <DeskCode />
    </Card>
  );
}

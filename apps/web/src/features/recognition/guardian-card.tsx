/** Recognition of the parent by the room cameras, on the account's screen. */
import { Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../photos/photo.tsx';
import { useParent } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { useGuardian } from './api.ts';
import { RecognitionPanel } from './recognition-panel.tsx';

export function GuardianCard() {
  const { t } = useTranslation('recognition');
  const parent = useParent();
  const account = useGuardian();
  const title = useId();
  return (
    <Card component="section" aria-labelledby={title}>
      <Title order={2} fz="lg" id={title} mb="md">
        {t('title')}
      </Title>
      <RecognitionPanel
        account={account}
        kind="guardian"
        picture={
          parent.photo === null ? undefined : <Photo path={parent.photo} name={parent.name} size={56} />
        }
      />
    </Card>
  );
}

/** Recognition of the signed-in staff member by the room cameras: in their row of the roster, and on their account. */
import { Button, Title } from '@mantine/core';
import { IconDeviceCctv } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useColleague } from './api.ts';
import { RecognitionPanel } from './recognition-panel.tsx';

export function StaffRecognition() {
  const { t } = useTranslation('recognition');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant="subtle"
        leftSection={<IconDeviceCctv size={17} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('title')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('title')}>
        <StaffPanel />
      </Dialog>
    </>
  );
}

function StaffPanel() {
  return <RecognitionPanel account={useColleague()} kind="staff" />;
}

/** The same on the person's account page. */
export function StaffRecognitionCard() {
  const { t } = useTranslation('recognition');
  const title = useId();
  return (
    <Card component="section" aria-labelledby={title}>
      <Title order={2} fz="lg" id={title} mb="md">
        {t('title')}
      </Title>
      <StaffPanel />
    </Card>
  );
}

/** In the own row of the employees: whether the cameras in the rooms know the member of staff who is signed in. */
import { Button } from '@mantine/core';
import { IconDeviceCctv } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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

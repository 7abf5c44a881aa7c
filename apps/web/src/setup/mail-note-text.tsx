/** The texts of the note about kept mail; staff learn the folder. */
import { Alert, Anchor } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Allowed } from '../session/allowed.tsx';
import { useSetup } from './queries.ts';

export function StaffMailNote() {
  const { t } = useTranslation('mail-note');
  const { data } = useSetup();
  const folder = data?.mail.folder ?? 'outbox';
  return (
    <Alert color="saffron" variant="light" icon={<IconMailOff size={20} aria-hidden />}>
      {t('staff', { folder })}{' '}
      <Allowed to="security.manage">
        <Anchor component={Link} to="/settings/mail" inherit fw={500}>
          {t('setUp')}
        </Anchor>
      </Allowed>
    </Alert>
  );
}

export function VisitorMailNote() {
  return <AskAtDesk text="visitor" />;
}

export function ForgetfulMailNote() {
  return <AskAtDesk text="forgetful" />;
}

function AskAtDesk({ text }: { text: 'visitor' | 'forgetful' }) {
  const { t } = useTranslation('mail-note');
  return (
    <Alert color="saffron" variant="light" role="note" icon={<IconMailOff size={20} aria-hidden />}>
      {t(text)}
    </Alert>
  );
}

/** The warning before the admin login. */
import { Alert, Button, ThemeIcon } from '@mantine/core';
import { IconInfoCircle, IconShieldLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { AuthFrame } from './auth-frame.tsx';

export default function PreLoginScreen() {
  const { t } = useTranslation('auth');
  // The page that the guard blocked; login returns there.
  const { state } = useLocation();
  return (
    <AuthFrame
      title={t('preLogin.title')}
      icon={
        <ThemeIcon size={56} radius="lg" variant="light" aria-hidden mb={6}>
          <IconShieldLock size={30} />
        </ThemeIcon>
      }
    >
      <Alert color="saffron" variant="light" icon={<IconInfoCircle aria-hidden />}>
        {t('preLogin.warning')}
      </Alert>
      <Button component={Link} to="/login?isAdmin=true" state={state} replace={state !== null} fullWidth>
        {t('preLogin.proceed')}
      </Button>
    </AuthFrame>
  );
}

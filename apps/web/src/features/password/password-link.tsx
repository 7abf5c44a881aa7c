/** The way from a parent's profile to a new password. */
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

export function PasswordLink() {
  const { t } = useTranslation('password');
  return (
    <Button component={Link} to="/password" variant="default" leftSection={<IconKey size={18} aria-hidden />}>
      {t('change.title')}
    </Button>
  );
}

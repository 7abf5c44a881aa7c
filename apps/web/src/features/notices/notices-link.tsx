/** The way from a parent's profile to what reaches them elsewhere. */
import { Button } from '@mantine/core';
import { IconBellCog } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

export function NoticesLink() {
  const { t } = useTranslation('notices');
  return (
    <Button
      component={Link}
      to="/notices"
      variant="default"
      leftSection={<IconBellCog size={18} aria-hidden />}
    >
      {t('open')}
    </Button>
  );
}

/** Says that the person's role does not include this page, and leads back. */
import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

export default function NoAccessScreen() {
  const { t } = useTranslation('frame');
  return (
    <Page title={t('noAccess.title')} size="md">
      <EmptyState
        icon={<IconLock size={28} />}
        text={t('noAccess.text')}
        hint={t('noAccess.hint')}
        action={
          <Button component={Link} to="/account" variant="light">
            {t('noAccess.toAccount')}
          </Button>
        }
      />
    </Page>
  );
}

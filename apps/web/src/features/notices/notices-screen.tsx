/** Notices outside the page: this device, what is told by which way and when, a test, and for staff what failed. */
import { Button, Stack } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../client/session.tsx';
import { Page } from '../../ui/page.tsx';
import { DevicePanel } from './device-panel.tsx';
import classes from './notices.module.css';
import { PreferencesPanel } from './preferences-panel.tsx';
import { FailedPanel, WebhookPanel } from './staff-panels.tsx';
import { TestPanel } from './test-panel.tsx';

export default function NoticesScreen() {
  const { t } = useTranslation('notices');
  const isStaff = useSession().admin.isAuthenticated;
  return (
    <Page
      title={t('title')}
      description={t('lead')}
      size="md"
      actions={
        <Button
          component={Link}
          to={isStaff ? '/adminDashboard' : '/profile'}
          variant="default"
          leftSection={<IconArrowLeft size={18} className={classes.mirror ?? ''} aria-hidden />}
        >
          {t(isStaff ? 'backToDashboard' : 'backToProfile')}
        </Button>
      }
    >
      <Stack gap="lg">
        <DevicePanel />
        <TestPanel />
        <PreferencesPanel isStaff={isStaff} />
        {isStaff ? (
          <>
            <FailedPanel />
            <WebhookPanel />
          </>
        ) : null}
      </Stack>
    </Page>
  );
}

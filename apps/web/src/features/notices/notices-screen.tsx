/** Notices outside the page: this device, what is told by which way and when, a test, and for staff what failed. */
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../client/session.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { DevicePanel } from './device-panel.tsx';
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
        <BackLink to={isStaff ? '/adminDashboard' : '/profile'}>
          {t(isStaff ? 'backToDashboard' : 'backToProfile')}
        </BackLink>
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

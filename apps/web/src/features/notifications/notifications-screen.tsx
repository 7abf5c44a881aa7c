/** Notifications: this device, preferences by kind and channel, a test, and for staff the failed deliveries and the webhook. */
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Allowed } from '../../session/allowed.tsx';
import { useSession } from '../../session/session.tsx';
import { Page } from '../../ui/page.tsx';
import { DevicePanel } from './device-panel.tsx';
import { FailedPanel } from './failed-panel.tsx';
import { PreferencesPanel } from './preferences-panel.tsx';
import { TestPanel } from './test-panel.tsx';
import { WebhookPanel } from './webhook-panel.tsx';

export default function NotificationsScreen() {
  const { t } = useTranslation('notifications');
  const isStaff = useSession().admin.isAuthenticated;
  return (
    <Page title={t('title')} description={t('lead')} size="md">
      <Stack gap="lg">
        <DevicePanel />
        <TestPanel />
        <PreferencesPanel isStaff={isStaff} />
        {isStaff ? (
          <>
            <Allowed to="incidents.view">
              <FailedPanel />
            </Allowed>
            <Allowed to="integrations.manage">
              <WebhookPanel />
            </Allowed>
          </>
        ) : null}
      </Stack>
    </Page>
  );
}

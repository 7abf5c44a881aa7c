/** Replaces every screen for staff until they change the password that somebody else set. */
import { Button, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLogout } from '../../session/logout.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { PasswordForm } from './password-form.tsx';

export default function OwnPasswordScreen() {
  const { t } = useTranslation('password');
  const logout = useLogout();
  return (
    <Page title={t('own.title')} description={t('own.lead')} size="xs">
      <Stack gap="lg">
        <Card>
          <Stack gap="lg">
            <Text>
              <IconKey size={18} aria-hidden style={{ verticalAlign: 'text-bottom', marginInlineEnd: 6 }} />
              {t('own.why')}
            </Text>
            <PasswordForm onDone={() => {}} />
          </Stack>
        </Card>
        <Button variant="subtle" color="gray" c="dimmed" onClick={() => void logout()}>
          {t('own.logout')}
        </Button>
      </Stack>
    </Page>
  );
}

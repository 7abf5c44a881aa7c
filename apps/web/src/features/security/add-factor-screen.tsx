/** Replaces every screen for staff who must have a second factor and have none yet. */
import { describeDevice } from '@haris/contract/device-name';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasskeyNote } from '../../second-factor/passkey-note.tsx';
import { hasPasskeys } from '../../second-factor/passkeys.ts';
import { useLogout } from '../../session/logout.ts';
import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { AddApp, AddPasskey } from './add-factor.tsx';

export default function AddFactorScreen() {
  const { t } = useTranslation('security');
  const logout = useLogout();
  const { retry } = useSession();
  const [chosen, setChosen] = useState<'passkey' | 'app' | null>(null);
  const device = describeDevice(navigator.userAgent) ?? t('passkey.name');
  const cancel = () => setChosen(null);
  return (
    <Page title={t('must.title')} description={t('must.lead')} size="xs">
      <Stack gap="lg">
        <Card>
          {chosen === 'passkey' ? (
            <AddPasskey name={device} onDone={retry} onCancel={cancel} />
          ) : chosen === 'app' ? (
            <AddApp name={t('app.name')} onDone={retry} onCancel={cancel} />
          ) : (
            <Stack>
              <Text>{t('must.why')}</Text>
              <Group gap="sm">
                {hasPasskeys() ? (
                  <Button
                    leftSection={<IconFingerprint size={18} aria-hidden />}
                    onClick={() => setChosen('passkey')}
                  >
                    {t('passkey.add')}
                  </Button>
                ) : null}
                <Button
                  variant={hasPasskeys() ? 'light' : 'filled'}
                  leftSection={<IconDeviceMobile size={18} aria-hidden />}
                  onClick={() => setChosen('app')}
                >
                  {t('app.add')}
                </Button>
              </Group>
              <PasskeyNote />
            </Stack>
          )}
        </Card>
        <Button variant="subtle" color="gray" c="dimmed" onClick={() => void logout()}>
          {t('must.logout')}
        </Button>
      </Stack>
    </Page>
  );
}

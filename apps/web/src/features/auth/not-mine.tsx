/** The account of a verification link, if it is known, and a button for people who did not register it. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { momentFormat } from '../../i18n/locale.ts';
import type { useDisownRegistration } from './api.ts';

export interface NotMineProps {
  account: { name: string; registeredAt: string } | null;
  /** The link has confirmed the account just now, and not before. */
  isFresh: boolean;
  disown: ReturnType<typeof useDisownRegistration>;
}

export function NotMine({ account, isFresh, disown }: NotMineProps) {
  const { t, i18n } = useTranslation('auth');
  const [isAsking, setAsking] = useState(false);
  const at = momentFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <Stack gap="xs">
      {account === null ? null : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t(isFresh ? 'verify.account' : 'verify.accountAgain', {
            name: `\u2068${account.name}\u2069`,
            at: at.format(new Date(account.registeredAt)),
          })}
        </Text>
      )}
      {isAsking ? (
        <Alert color="clay" role="group" aria-label={t('verify.notMine')}>
          <Stack gap="sm">
            <Text>{t('verify.notMineSure')}</Text>
            <Group gap="sm">
              <Button color="clay" loading={disown.isPending} onClick={() => disown.mutate()}>
                {t('verify.notMineDelete')}
              </Button>
              <Button variant="default" onClick={() => setAsking(false)}>
                {t('verify.notMineCancel')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : (
        <Button variant="subtle" color="clay" onClick={() => setAsking(true)}>
          {t('verify.notMine')}
        </Button>
      )}
    </Stack>
  );
}

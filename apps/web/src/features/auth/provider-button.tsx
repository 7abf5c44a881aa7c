/** Sign-in of staff at their organisation's identity provider; renders nothing if none is configured. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { useProviderName } from '../../calls/use-provider-name.ts';
import { leaveFor } from '../../session/leave.ts';
import { beginAtProvider } from './api.ts';
import styles from './provider-button.module.css';

/** `returnTo`: where the person goes after signing in. */
export function ProviderButton({ returnTo }: { returnTo: string }) {
  const { t } = useTranslation('auth');
  const name = useProviderName();
  const begin = useMutation({
    mutationFn: () => beginAtProvider(returnTo),
    onSuccess: ({ url }) => leaveFor(url),
  });
  if (name === null) return null;
  // Still busy after the answer, until the browser has left.
  const isBusy = begin.isPending || begin.isSuccess;
  return (
    <Stack gap="md">
      {begin.isError ? (
        <Alert color="clay" role="alert">
          {failureText(begin.error)}
        </Alert>
      ) : null}
      <Button
        variant="default"
        fullWidth
        classNames={{ root: styles.button ?? '', label: styles.label ?? '' }}
        leftSection={<IconBuilding size={18} aria-hidden />}
        aria-disabled={isBusy}
        data-busy={isBusy || undefined}
        onClick={() => {
          if (!isBusy) begin.mutate();
        }}
      >
        {t('provider.signIn', { name })}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        {t('provider.logout')}
      </Text>
    </Stack>
  );
}

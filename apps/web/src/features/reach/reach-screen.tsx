/** The page that a phone opens with a one-time code: confirms the address to the server, and says what works here. */
import { setupRoutes } from '@haris/contract/http/setup';
import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';

export default function ReachScreen() {
  const { t } = useTranslation('reach');
  const { code = '' } = useParams();
  // The code works once, so the call is neither repeated nor sent again.
  const reach = useQuery({
    queryKey: ['reach', code],
    queryFn: () => call(setupRoutes.confirmReach, { body: { code } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const isUsed = reach.error instanceof ApiError && reach.error.status === 400;
  if (reach.isError && !isUsed)
    return (
      <Page title={t('title')} size="xs">
        <ErrorState
          text={failureText(reach.error)}
          onRetry={() => void reach.refetch()}
          busy={reach.isFetching}
        />
      </Page>
    );
  return (
    <Page title={isUsed ? t('failedTitle') : t('title')} size="xs">
      <Card>
        <Stack align="center" gap="md" ta="center" role="status">
          {reach.data === undefined ? (
            <Text>{isUsed ? t('failed') : t('checking')}</Text>
          ) : (
            <>
              <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
                <IconCheck size={30} />
              </ThemeIcon>
              <Text fw={500}>
                {reach.data.facility === null
                  ? t('reachedHaris')
                  : t('reached', { facility: reach.data.facility })}
              </Text>
              <Text size="sm">
                <bdi dir="ltr">{reach.data.url}</bdi>
              </Text>
              <Text size="sm" c="dimmed">
                {reach.data.secure ? t('secure') : t('insecure')}
              </Text>
            </>
          )}
          {isUsed ? (
            <ThemeIcon size={44} radius="xl" variant="light" color="clay" aria-hidden>
              <IconX size={24} />
            </ThemeIcon>
          ) : null}
          <Button component={Link} to="/" mt="xs">
            {t('open')}
          </Button>
        </Stack>
      </Card>
    </Page>
  );
}

/** The code that a parent shows at the desk, so that staff can vouch for the account (contract §6). */
import { vouchingRoutes } from '@haris/contract/http/vouching';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { momentFormat } from '../i18n/locale.ts';

export interface DeskCodeProps {
  /** Credentials of an unverified account; if omitted, the code is for the signed-in parent. */
  credentials?: { email: string; password: string };
}

/** Fetches a code on request and shows it large. */
export function DeskCode({ credentials }: DeskCodeProps) {
  const { t, i18n } = useTranslation('vouching');
  const code = useMutation({
    mutationFn: () =>
      call(vouchingRoutes.createDeskCode, {
        body: credentials ?? {},
        anonymous: credentials !== undefined,
        device: true,
      }),
    onError: (error) => showFailure(error),
  });
  if (code.data === undefined) {
    return (
      <Button
        variant="light"
        leftSection={<IconId size={18} aria-hidden />}
        loading={code.isPending}
        onClick={() => code.mutate()}
      >
        {t('code.show')}
      </Button>
    );
  }
  const until = momentFormat(i18n.language, { timeStyle: 'short' });
  return (
    <Alert color="pine" role="status">
      <Stack gap={4}>
        <Text fw={500}>{t('code.lead')}</Text>
        <Text fz={36} fw={600} lh={1.3} dir="ltr" ta="center" style={{ letterSpacing: '0.15em' }}>
          {code.data.code}
        </Text>
        <Text size="sm">{t('code.until', { time: until.format(new Date(code.data.expiresAt)) })}</Text>
      </Stack>
    </Alert>
  );
}

/** Whether all staff need a second factor. Administrators change it; the server asks for their own second factor. */
import { operationRoutes } from '@haris/contract/http/operations';
import { Anchor, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useMay } from '../../session/may.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';

/** Refusals that are said beside the switch, each with the way out. */
const WAYS = {
  no_factor: { text: 'signIn.ownFirst', link: 'signIn.toAccount', to: '/account' },
  no_mail_server: { text: 'signIn.mailFirst', link: 'signIn.toMail', to: '/settings/mail' },
} as const;

function wayOut(error: unknown): (typeof WAYS)[keyof typeof WAYS] | null {
  if (!(error instanceof ApiError)) return null;
  return error.code === 'no_factor' || error.code === 'no_mail_server' ? WAYS[error.code] : null;
}

export function SignInPanel({ isRequired }: { isRequired: boolean }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const mayChange = useMay()('security.manage');
  const sendsMail = useSendsMail();
  const [isSure, setSure] = useState(false);
  const save = useMutation({
    mutationFn: (staffSecondFactor: boolean) =>
      call(operationRoutes.updateSettings, { body: { staffSecondFactor } }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
    onError: (error) => {
      if (wayOut(error) === null) showFailure(error);
    },
    onSettled: () => setSure(false),
  });
  const way = wayOut(save.error);
  return (
    <Card component="section" aria-labelledby="sign-in-title">
      <Stack gap="sm">
        <Title order={2} fz="lg" id="sign-in-title">
          {t('signIn.title')}
        </Title>
        <Switch
          size="md"
          label={t('signIn.label')}
          description={t('signIn.hint')}
          checked={isRequired}
          disabled={!mayChange || save.isPending}
          onChange={({ currentTarget: { checked } }) => {
            if (checked) setSure(true);
            else save.mutate(false);
          }}
        />
        {way === null ? null : (
          <Text size="sm" role="alert">
            {t(way.text)}{' '}
            <Anchor component={Link} to={way.to} inherit fw={500}>
              {t(way.link)}
            </Anchor>
          </Text>
        )}
      </Stack>
      <ConfirmDialog
        opened={isSure}
        onClose={() => setSure(false)}
        onConfirm={() => save.mutate(true)}
        title={t('signIn.label')}
        confirmLabel={t('signIn.switchOn')}
        busy={save.isPending}
      >
        {t(sendsMail ? 'signIn.sure' : 'signIn.sureKept')}
      </ConfirmDialog>
    </Card>
  );
}

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
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function SignInPanel({ isRequired }: { isRequired: boolean }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const mayChange = useMay()('security.manage');
  const [isSure, setSure] = useState(false);
  const save = useMutation({
    mutationFn: (staffSecondFactor: boolean) =>
      call(operationRoutes.updateSettings, { body: { staffSecondFactor } }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
    onError: (error) => {
      // Said beside the switch, with the way out.
      if (!(error instanceof ApiError && error.code === 'no_factor')) showFailure(error);
    },
    onSettled: () => setSure(false),
  });
  const hasNone = save.error instanceof ApiError && save.error.code === 'no_factor';
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
        {hasNone ? (
          <Text size="sm" role="alert">
            {t('signIn.ownFirst')}{' '}
            <Anchor component={Link} to="/account" inherit fw={500}>
              {t('signIn.toAccount')}
            </Anchor>
          </Text>
        ) : null}
      </Stack>
      <ConfirmDialog
        opened={isSure}
        onClose={() => setSure(false)}
        onConfirm={() => save.mutate(true)}
        title={t('signIn.label')}
        confirmLabel={t('signIn.switchOn')}
        busy={save.isPending}
      >
        {t('signIn.sure')}
      </ConfirmDialog>
    </Card>
  );
}

/** Asks for the own password before something important is done; the call that waits for it goes on afterwards. */
import { sessionRoutes } from '@haris/contract/http/session';
import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/dialog.tsx';
import { ApiError } from './api-error.ts';
import { failureText } from './failure.ts';
import { call } from './http.ts';
import { settleProof, useProofAsked } from './proof.ts';
import { useSession } from './session.tsx';

export default function ProofDialog() {
  const { t } = useTranslation('password');
  const isAsked = useProofAsked();
  const { admin, parent } = useSession();
  const account = admin.identity ?? parent.identity;
  const isSignedOut = account === null;
  // The dialog is gone, so nobody can answer.
  useEffect(() => {
    if (isSignedOut) settleProof(false);
  }, [isSignedOut]);
  return (
    <Dialog opened={isAsked} onClose={() => settleProof(false)} title={t('proof.title')} size="sm" onTop>
      {isAsked ? <ProofForm email={account?.email ?? ''} /> : null}
    </Dialog>
  );
}

function ProofForm({ email }: { email: string }) {
  const { t } = useTranslation(['password', 'auth']);
  const [password, setPassword] = useState('');
  const prove = useMutation({
    mutationFn: () => call(sessionRoutes.proveSession, { body: { password } }),
    onSuccess: () => settleProof(true),
  });
  const isWrong = prove.error instanceof ApiError && prove.error.code === 'wrong_password';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '' && !prove.isPending) prove.mutate();
      }}
    >
      <Stack gap="md">
        <Text>{t('password:proof.lead')}</Text>
        {/* For the browser's password store. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label={t('password:proof.password')}
          autoComplete="current-password"
          dir="ltr"
          required
          withAsterisk={false}
          data-autofocus
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            if (prove.isError) prove.reset();
          }}
          visibilityToggleButtonProps={{ 'aria-label': t('auth:showPassword') }}
          error={isWrong ? failureText(prove.error) : null}
        />
        {prove.isError && !isWrong ? (
          <Alert color="clay" role="alert">
            {failureText(prove.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => settleProof(false)} disabled={prove.isPending}>
            {t('password:proof.cancel')}
          </Button>
          <Button type="submit" loading={prove.isPending} disabled={password === ''}>
            {t('password:proof.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for the account's password or second factor before a sensitive call; the waiting call then continues. */
import { oidcRoutes } from '@haris/contract/http/oidc';
import { sessionRoutes } from '@haris/contract/http/session';
import { Alert, Button, Group, PasswordInput, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../calls/api-error.ts';
import { failureText } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { settleProof, useProofAsked } from '../calls/proof.ts';
import { useProviderName } from '../calls/use-provider-name.ts';
import { FactorForm } from '../second-factor/factor-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/states.tsx';
import { onProofElsewhere } from './proved-elsewhere.ts';
import { useSession } from './session.tsx';

export default function ProofDialog() {
  const { t } = useTranslation('password');
  const methods = useProofAsked();
  const { admin, parent } = useSession();
  const account = admin.identity ?? parent.identity;
  const isSignedOut = account === null;
  // Once the session has ended, nobody can give the proof.
  useEffect(() => {
    if (isSignedOut) settleProof('impossible');
  }, [isSignedOut]);
  return (
    <Dialog
      opened={methods !== null}
      onClose={() => settleProof('declined')}
      title={t('proof.title')}
      size="sm"
      onTop
    >
      {methods === null ? null : methods.includes('password') ? (
        <ProofForm email={account?.email ?? ''} />
      ) : methods.includes('oidc') ? (
        <ProviderProof />
      ) : (
        <FactorProof />
      )}
    </Dialog>
  );
}

function FactorProof() {
  const { t } = useTranslation(['password', 'security']);
  const begun = useQuery({
    queryKey: ['account', 'proof'],
    queryFn: ({ signal }) => call(sessionRoutes.beginProof, { signal }),
    // A challenge is for one dialog.
    staleTime: 0,
    gcTime: 0,
  });
  const cancel = () => settleProof('declined');
  if (begun.isError)
    return (
      <ErrorState
        text={failureText(begun.error)}
        onRetry={() => void begun.refetch()}
        busy={begun.isRefetching}
      />
    );
  if (begun.data === undefined)
    return <Skeleton height={120} role="status" aria-label={t('security:loading')} />;
  const { methods, challenge, passkey } = begun.data;
  return (
    <Stack gap="md">
      <Text>{t('password:proof.leadFactor')}</Text>
      <FactorForm
        methods={methods.filter((method) => method !== 'password' && method !== 'oidc')}
        passkey={passkey}
        send={async (answer) => {
          await call(sessionRoutes.proveSession, {
            body: { ...answer, ...(challenge === undefined ? {} : { challenge }) },
          });
          settleProof('proved');
        }}
        submitLabel={t('password:proof.confirm')}
        cancelLabel={t('password:proof.cancel')}
        onCancel={cancel}
      />
    </Stack>
  );
}

/** For an account without a password or second factor: the person signs in again at the identity provider. */
function ProviderProof() {
  const { t } = useTranslation(['password', 'security']);
  const name = useProviderName() ?? t('password:proof.organisation');
  const begun = useQuery({
    queryKey: ['account', 'proof', 'provider'],
    queryFn: ({ signal }) => call(oidcRoutes.beginOidcProof, { signal, device: true }),
    // An attempt is for one dialog.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useEffect(() => onProofElsewhere(() => settleProof('proved')), []);
  if (begun.isError)
    return (
      <ErrorState
        text={failureText(begun.error)}
        onRetry={() => void begun.refetch()}
        busy={begun.isRefetching}
      />
    );
  if (begun.data === undefined)
    return <Skeleton height={120} role="status" aria-label={t('security:loading')} />;
  return (
    <Stack gap="md">
      <Text>{t('password:proof.leadProvider', { name })}</Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => settleProof('declined')}>
          {t('password:proof.cancel')}
        </Button>
        <Button component="a" href={begun.data.url} target="_blank" rel="noopener" data-autofocus>
          {t('password:proof.atProvider')}
        </Button>
      </Group>
    </Stack>
  );
}

function ProofForm({ email }: { email: string }) {
  const { t } = useTranslation(['password']);
  /** When the next try is taken, if the server said so. */
  const waitOf = (error: Error) =>
    error instanceof ApiError && error.retryAfter !== undefined
      ? t('password:proof.again', { count: Math.max(1, Math.ceil(error.retryAfter / 60)) })
      : null;
  const [password, setPassword] = useState('');
  const prove = useMutation({
    mutationFn: () => call(sessionRoutes.proveSession, { body: { password } }),
    onSuccess: () => settleProof('proved'),
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
        {/* Tells the browser's password manager which account the password belongs to. */}
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
          error={isWrong ? failureText(prove.error) : null}
        />
        {prove.isError && !isWrong ? (
          <Alert color="clay" role="alert">
            {failureText(prove.error)} {waitOf(prove.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => settleProof('declined')} disabled={prove.isPending}>
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

/** Sign-in with only a passkey; renders nothing if this page cannot use passkeys. */
import type { AccountKind } from '@haris/contract/roles';
import { Alert, Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';
import { hasPasskeys, PasskeyCancelled } from '../../second-factor/passkeys.ts';
import type { SignedIn } from '../../session/session.tsx';
import { loginByPasskey } from './api.ts';

export interface PasskeyButtonProps {
  /** The kind of account that signs in on this page. The passkey may belong to the other kind of account. */
  kind: AccountKind;
  onDone: (signedIn: SignedIn) => void;
}

export function PasskeyButton({ kind, onDone }: PasskeyButtonProps) {
  const { t } = useTranslation('auth');
  const sign = useMutation({ mutationFn: () => loginByPasskey(kind), onSuccess: onDone });
  if (!hasPasskeys()) return null;
  const say = (error: unknown): string => {
    if (error instanceof PasskeyCancelled) return t('passkey.cancelled');
    const isRefused = error instanceof ApiError && error.code === 'invalid_credentials';
    return isRefused ? t('passkey.refused') : failureText(error);
  };
  return (
    <>
      {sign.isError ? (
        <Alert color="clay" role="alert">
          {say(sign.error)}
        </Alert>
      ) : null}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        aria-disabled={sign.isPending}
        data-busy={sign.isPending || undefined}
        onClick={() => {
          if (!sign.isPending) sign.mutate();
        }}
      >
        {t('passkey.signIn')}
      </Button>
    </>
  );
}

/** Login of parents and, in admin mode, of staff. */

import { loginBodySchema } from '@haris/contract/http/accounts';
import type { SecondStep } from '@haris/contract/http/factors';
import type { AccountKind } from '@haris/contract/roles';
import { Alert, Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import * as z from 'zod/mini';
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';
import { useProviderName } from '../../calls/use-provider-name.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { hasPasskeys } from '../../second-factor/passkeys.ts';
import { pathAfterLogin } from '../../session/paths.ts';
import { type SignedIn, startSession, useSession } from '../../session/session.tsx';
import { MailNote } from '../../setup/mail-note.tsx';
import { Redirect } from '../../ui/redirect.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { DeskCode } from '../../vouching/desk-code.tsx';
import { type Credentials, login } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButton } from './provider-button.tsx';
import { SecondStepForm } from './second-step.tsx';
import { useKind } from './use-kind.ts';

/** The session now exists, so the screen redirects. */
function enter(client: QueryClient, signedIn: SignedIn, message: string): void {
  startSession(client, signedIn);
  notifySuccess(message);
}

function LoginForm({ isAdmin, onStep }: { isAdmin: boolean; onStep: (step: SecondStep) => void }) {
  const { t } = useTranslation('auth');
  const client = useQueryClient();
  const { form, onSubmit, isBusy, error, sent } = useCallForm({
    initialValues: { email: '', password: '' },
    draft: { key: 'login', fields: { email: z.string() } },
    validate: validateWith(loginBodySchema),
    send: (credentials: Credentials) => login(isAdmin ? 'admin' : 'parent', credentials),
    onSuccess: (answer) => {
      if ('step' in answer) onStep(answer);
      else enter(client, answer, t('login.success'));
    },
  });
  const isUnverified = error instanceof ApiError && error.code === 'email_not_verified';
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          dir="ltr"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          dir="ltr"
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" mt={-8}>
          <Anchor
            component={Link}
            to={isAdmin ? '/forgot-password?isAdmin=true' : '/forgot-password'}
            size="sm"
          >
            {t('login.forgot')}
          </Anchor>
        </Group>
        {isUnverified ? (
          // The toast disappears before the person opens the mail, so the form repeats the message.
          <Alert color="saffron" icon={<IconMailExclamation aria-hidden />} role="note">
            {failureText(error)}
          </Alert>
        ) : null}
        {isUnverified && !isAdmin ? <MailNote to="visitor" /> : null}
        {isUnverified && !isAdmin && sent !== undefined ? (
          <DeskCode key={sent.email} credentials={sent} />
        ) : null}
        {/* Not `loading`: the label must stay readable and the button in the tab order. */}
        <Button type="submit" fullWidth aria-disabled={isBusy} data-busy={isBusy || undefined}>
          {isBusy ? t('login.submitting') : t('login.submit')}
        </Button>
      </Stack>
    </form>
  );
}

/** The ways to sign in without a password, if this page offers any. */
function OtherWays({ isAdmin, children }: { isAdmin: boolean; children: ReactNode }) {
  const { t } = useTranslation('auth');
  const provider = useProviderName();
  if (!hasPasskeys() && !(isAdmin && provider !== null)) return null;
  return (
    <Stack gap="md">
      <Divider label={t('provider.or')} labelPosition="center" />
      {children}
    </Stack>
  );
}

export default function LoginScreen() {
  const { t } = useTranslation('auth');
  const client = useQueryClient();
  const [step, setStep] = useState<SecondStep | null>(null);
  const kind = useKind();
  // A passkey may belong to the other kind of account.
  const [entered, setEntered] = useState<AccountKind>();
  const session = useSession();
  const { state } = useLocation();
  const isAdmin = kind === 'admin';
  const as = entered ?? kind;
  if (session[as].isAuthenticated) return <Redirect to={pathAfterLogin(state, as)} replace />;
  const onPasskey = (signedIn: SignedIn) => {
    enter(client, signedIn, t('login.success'));
    setEntered('admin' in signedIn ? 'admin' : 'parent');
  };
  if (step !== null)
    return (
      <SecondStepForm
        step={step}
        onDone={(signedIn) => enter(client, signedIn, t('login.success'))}
        onCancel={() => setStep(null)}
      />
    );
  return (
    <AuthFrame
      title={isAdmin ? t('login.adminTitle') : t('login.title')}
      lead={isAdmin ? t('login.adminLead') : t('login.lead')}
    >
      <LoginForm key={kind} isAdmin={isAdmin} onStep={setStep} />
      <OtherWays isAdmin={isAdmin}>
        <PasskeyButton kind={kind} onDone={onPasskey} />
        {isAdmin ? <ProviderButton returnTo={pathAfterLogin(state, kind)} /> : null}
      </OtherWays>
      {isAdmin ? null : (
        <Text ta="center" size="sm">
          {t('login.noAccount')}{' '}
          <Anchor component={Link} to="/register" inherit fw={500}>
            {t('login.register')}
          </Anchor>
        </Text>
      )}
    </AuthFrame>
  );
}

/**
 * Sets a password with the token of a reset or invitation mail. A parent goes on with one press, which is an ordinary sign-in with the
 * password that was just typed.
 */

import { accountRoutes } from '@haris/contract/http/accounts';
import type { SecondStep } from '@haris/contract/http/factors';
import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { loginPath } from '../../session/paths.ts';
import { type SignedIn, startSession, useSession } from '../../session/session.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { type Credentials, login } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { SecondStepForm } from './second-step.tsx';

/** What was set: the parent's address with the password, or null for staff and once the password was dropped. */
type Done = { readonly isParent: boolean; readonly credentials: Credentials | null };

/** A password that was typed is kept for one press, no longer than this. */
const KEPT_MS = 5 * 60_000;

function ResetForm({ token, onDone }: { token: string; onDone: (done: Done) => void }) {
  const { t } = useTranslation('auth');
  const validate = validateWith(accountRoutes.resetPassword.body);
  const { form, onSubmit, isBusy, error } = useCallForm({
    initialValues: { password: '', repeated: '' },
    validate: (values) => ({
      ...validate({ token, password: values.password }),
      ...(values.password === values.repeated ? {} : { repeated: t('reset.mismatch') }),
    }),
    send: ({ password }) => call(accountRoutes.resetPassword, { body: { token, password }, device: true }),
    onSuccess: ({ email }, { password }) => {
      notifySuccess(t('reset.success'));
      onDone({
        isParent: email !== undefined,
        credentials: email === undefined ? null : { email, password },
      });
    },
  });
  const isTokenDead = error instanceof ApiError && error.code === 'invalid_token';
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {(['password', 'repeated'] as const).map((field) => (
          <PasswordInput
            key={form.key(field)}
            label={field === 'password' ? t('reset.newPassword') : t('reset.repeatPassword')}
            autoComplete="new-password"
            dir="ltr"
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            {...form.getInputProps(field)}
          />
        ))}
        <Button type="submit" fullWidth loading={isBusy}>
          {t('reset.submit')}
        </Button>
        {isTokenDead ? (
          <Text ta="center" size="sm">
            <Anchor component={Link} to="/forgot-password" inherit>
              {t('reset.askAgain')}
            </Anchor>
          </Text>
        ) : null}
      </Stack>
    </form>
  );
}

/** Signs in as the parent who has just set the password; a second factor is asked as on the login. */
function ContinueAs({
  credentials,
  onStep,
}: {
  credentials: Credentials;
  onStep: (step: SecondStep) => void;
}) {
  const { t } = useTranslation('auth');
  const enter = useEnter();
  const signIn = useMutation({
    mutationFn: () => login('parent', credentials),
    onSuccess: (answer) => ('step' in answer ? onStep(answer) : enter(answer)),
    onError: (error) => showFailure(error),
  });
  return (
    <Button
      loading={signIn.isPending}
      style={{ blockSize: 'auto', minBlockSize: '2.75rem' }}
      styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
      onClick={() => signIn.mutate()}
    >
      {t('verify.continueAs', { name: `\u2066${credentials.email}\u2069` })}
    </Button>
  );
}

/** Begins the session and leads to the profile. */
function useEnter() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (signedIn: SignedIn) => {
    startSession(client, signedIn);
    void navigate(loginPath('parent'));
  };
}

/**
 * Calls `drop` after {@link KEPT_MS}. A page in the background may be slowed or frozen, so the time is compared again when
 * the page is shown.
 */
function useDropLater(isKept: boolean, drop: () => void): void {
  useEffect(() => {
    if (!isKept) return;
    const until = Date.now() + KEPT_MS;
    const dropIfOver = () => {
      if (Date.now() >= until) drop();
    };
    const timer = setTimeout(drop, KEPT_MS);
    document.addEventListener('visibilitychange', dropIfOver);
    // A page that comes back from the browser's cache was stopped in between.
    window.addEventListener('pageshow', dropIfOver);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', dropIfOver);
      window.removeEventListener('pageshow', dropIfOver);
    };
  }, [isKept, drop]);
}

export default function ResetScreen() {
  const { t } = useTranslation('auth');
  const { token = '' } = useParams();
  const session = useSession();
  const [done, setDone] = useState<Done | null>(null);
  const [step, setStep] = useState<SecondStep | null>(null);
  const enter = useEnter();
  const drop = useCallback(() => setDone((now) => now && { ...now, credentials: null }), []);
  useDropLater(done !== null && done.credentials !== null, drop);
  if (done === null) {
    return (
      <AuthFrame title={t('reset.title')} lead={t('reset.lead')}>
        <ResetForm token={token} onDone={setDone} />
      </AuthFrame>
    );
  }
  if (step !== null) return <SecondStepForm step={step} onDone={enter} onCancel={() => setStep(null)} />;
  // Nobody who is signed in here is signed out by a press.
  const isAnyoneIn = session.parent.isAuthenticated || session.admin.isAuthenticated;
  const credentials = isAnyoneIn ? null : done.credentials;
  return (
    <AuthFrame title={t('reset.title')}>
      <Alert color="pine" icon={<IconCircleCheck aria-hidden />} role="status">
        {t('reset.done')}
      </Alert>
      {credentials === null ? null : <ContinueAs credentials={credentials} onStep={setStep} />}
      <Group grow>
        <Button
          component={Link}
          to={loginPath('parent')}
          variant={credentials === null ? 'filled' : 'default'}
        >
          {t('reset.loginParent')}
        </Button>
        {done.isParent ? null : (
          <Button component={Link} to={loginPath('admin')} variant="default">
            {t('reset.loginAdmin')}
          </Button>
        )}
      </Group>
    </AuthFrame>
  );
}

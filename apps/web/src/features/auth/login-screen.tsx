/** Login of parents and, in admin mode, of staff. */

import { loginBodySchema } from '@haris/contract/http/accounts';
import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMailExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { ApiError } from '../../client/api-error.ts';
import { DeskCode } from '../../client/desk-code.tsx';
import { failureText, fieldErrors } from '../../client/failure.ts';
import { pathAfterLogin } from '../../client/paths.ts';
import { useSession } from '../../client/session.tsx';
import { focusFirstError, validateWith } from '../../client/validation.ts';
import { Redirect } from '../../ui/redirect.tsx';
import { useLock } from '../../ui/use-lock.ts';
import { useLogin } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { useKind } from './use-kind.ts';

function LoginForm({ isAdmin }: { isAdmin: boolean }) {
  const { t } = useTranslation('auth');
  const login = useLogin(isAdmin ? 'admin' : 'parent');
  const lock = useLock();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: validateWith(loginBodySchema),
  });
  const isUnverified = login.error instanceof ApiError && login.error.code === 'email_not_verified';
  const submit = form.onSubmit((values) => {
    if (!lock.take()) return;
    login.mutate(values, {
      onError: (error) => form.setErrors(fieldErrors(error)),
      onSettled: lock.release,
    });
  }, focusFirstError(form));
  return (
    <form onSubmit={submit} noValidate>
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
          // The notice says it aloud, and is gone before the mail was opened.
          <Alert color="saffron" icon={<IconMailExclamation aria-hidden />} role="note">
            {failureText(login.error)}
          </Alert>
        ) : null}
        {isUnverified && !isAdmin && login.variables !== undefined ? (
          <DeskCode key={login.variables.email} credentials={login.variables} />
        ) : null}
        {/* Not `loading`: the words must stay readable, and the button in the tab order. */}
        <Button
          type="submit"
          fullWidth
          aria-disabled={login.isPending}
          data-busy={login.isPending || undefined}
        >
          {login.isPending ? t('login.submitting') : t('login.submit')}
        </Button>
      </Stack>
    </form>
  );
}

export default function LoginScreen() {
  const { t } = useTranslation('auth');
  const kind = useKind();
  const session = useSession();
  const { state } = useLocation();
  const isAdmin = kind === 'admin';
  if (session[kind].isAuthenticated) return <Redirect to={pathAfterLogin(state, kind)} replace />;
  return (
    <AuthFrame
      title={isAdmin ? t('login.adminTitle') : t('login.title')}
      lead={isAdmin ? t('login.adminLead') : t('login.lead')}
    >
      <LoginForm key={kind} isAdmin={isAdmin} />
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

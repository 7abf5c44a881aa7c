/** Sets a password with the token of a reset or invitation mail. */

import { accountRoutes } from '@haris/contract/http/accounts';
import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { ApiError } from '../../client/api-error.ts';
import { fieldErrors } from '../../client/failure.ts';
import { loginPath } from '../../client/paths.ts';
import { focusFirstError, validateWith } from '../../client/validation.ts';
import { notifySuccess } from '../../ui/toast.ts';
import { useLock } from '../../ui/use-lock.ts';
import { useResetPassword } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('auth');
  const reset = useResetPassword(token);
  const validate = validateWith(accountRoutes.resetPassword.body);
  const lock = useLock();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', repeated: '' },
    validate: (values) => ({
      ...validate({ token, password: values.password }),
      ...(values.password === values.repeated ? {} : { repeated: t('reset.mismatch') }),
    }),
  });
  const submit = form.onSubmit(({ password }) => {
    if (!lock.take()) return;
    reset.mutate(
      { password },
      {
        onSuccess: () => {
          notifySuccess(t('reset.success'));
          onDone();
        },
        onError: (error) => form.setErrors(fieldErrors(error)),
        onSettled: lock.release,
      },
    );
  }, focusFirstError(form));
  const isTokenDead = reset.error instanceof ApiError && reset.error.code === 'invalid_token';
  return (
    <form onSubmit={submit} noValidate>
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
        <Button type="submit" fullWidth loading={reset.isPending}>
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

export default function ResetScreen() {
  const { t } = useTranslation('auth');
  const { token = '' } = useParams();
  const [isDone, setDone] = useState(false);
  if (!isDone) {
    return (
      <AuthFrame title={t('reset.title')} lead={t('reset.lead')}>
        <ResetForm token={token} onDone={() => setDone(true)} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('reset.title')}>
      <Alert color="pine" icon={<IconCircleCheck aria-hidden />} role="status">
        {t('reset.done')}
      </Alert>
      <Group grow>
        <Button component={Link} to={loginPath('parent')}>
          {t('reset.loginParent')}
        </Button>
        <Button component={Link} to={loginPath('admin')} variant="default">
          {t('reset.loginAdmin')}
        </Button>
      </Group>
    </AuthFrame>
  );
}

/** Sets a password with the token of a reset or invitation mail. */

import { accountRoutes } from '@haris/contract/http/accounts';
import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { call } from '../../calls/http.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { loginPath } from '../../session/paths.ts';
import { notifySuccess } from '../../ui/toast.ts';
import { AuthFrame } from './auth-frame.tsx';

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('auth');
  const validate = validateWith(accountRoutes.resetPassword.body);
  const { form, onSubmit, isBusy, error } = useCallForm({
    initialValues: { password: '', repeated: '' },
    validate: (values) => ({
      ...validate({ token, password: values.password }),
      ...(values.password === values.repeated ? {} : { repeated: t('reset.mismatch') }),
    }),
    send: ({ password }) => call(accountRoutes.resetPassword, { body: { token, password }, device: true }),
    onSuccess: () => {
      notifySuccess(t('reset.success'));
      onDone();
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

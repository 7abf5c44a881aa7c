/** Asks for the mail with which a new password is set. */

import { accountRoutes } from '@haris/contract/http/accounts';
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMailCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { fieldErrors } from '../../client/failure.ts';
import { loginPath } from '../../client/paths.ts';
import { focusFirstError, validateWith } from '../../client/validation.ts';
import { useLock } from '../../ui/use-lock.ts';
import { useForgotPassword } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { useKind } from './use-kind.ts';

export default function ForgotScreen() {
  const { t } = useTranslation('auth');
  const kind = useKind();
  const forgot = useForgotPassword(kind);
  const lock = useLock();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: validateWith(accountRoutes.forgotPassword.body),
  });
  const submit = form.onSubmit((values) => {
    if (!lock.take()) return;
    forgot.mutate(values, {
      onError: (error) => form.setErrors(fieldErrors(error)),
      onSettled: lock.release,
    });
  }, focusFirstError(form));
  return (
    <AuthFrame title={t('forgot.title')} lead={forgot.isSuccess ? undefined : t('forgot.lead')}>
      {forgot.isSuccess ? (
        <Alert color="pine" icon={<IconMailCheck aria-hidden />} role="status">
          {t('forgot.sent')}
        </Alert>
      ) : (
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
            <Button type="submit" fullWidth loading={forgot.isPending}>
              {t('forgot.submit')}
            </Button>
          </Stack>
        </form>
      )}
      <Text ta="center" size="sm">
        <Anchor component={Link} to={loginPath(kind)} inherit>
          {t('forgot.backToLogin')}
        </Anchor>
      </Text>
    </AuthFrame>
  );
}

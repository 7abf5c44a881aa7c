/** "Create Account" for parents. */

import { PARENT_PASSWORD_MIN } from '@haris/contract/constants';
import { registerParentBodySchema } from '@haris/contract/http/accounts';
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { fieldErrors } from '../../client/failure.ts';
import { focusFirstError, validateWith } from '../../client/validation.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { notifySuccess } from '../../ui/toast.ts';
import { useLock } from '../../ui/use-lock.ts';
import { useRegister } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';

function RegisterForm() {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const register = useRegister();
  const lock = useLock();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', email: '', phone: '', password: '' },
    validate: validateWith(registerParentBodySchema),
  });
  const submit = form.onSubmit((values) => {
    if (!lock.take()) return;
    register.mutate(values, {
      onSuccess: ({ message }) => {
        // The server's message (spec §4); its Arabic is ours.
        notifySuccess(currentLanguage() === 'ar' ? t('register.success') : message);
        void navigate('/', { state: { registered: true } });
      },
      onError: (error) => form.setErrors(fieldErrors(error)),
      onSettled: lock.release,
    });
  }, focusFirstError(form));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('fullName')}
          autoComplete="name"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="email"
          dir="ltr"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <TextInput
          label={t('phone')}
          description={t('phoneHint')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          key={form.key('phone')}
          {...form.getInputProps('phone')}
        />
        <PasswordInput
          label={t('password')}
          description={t('passwordHint', { count: PARENT_PASSWORD_MIN })}
          autoComplete="new-password"
          dir="ltr"
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button
          type="submit"
          fullWidth
          mt="xs"
          aria-disabled={register.isPending}
          data-busy={register.isPending || undefined}
        >
          {register.isPending ? t('register.submitting') : t('register.submit')}
        </Button>
      </Stack>
    </form>
  );
}

export default function RegisterScreen() {
  const { t } = useTranslation('auth');
  return (
    <AuthFrame title={t('register.title')} lead={t('register.lead')}>
      <RegisterForm />
      <Text ta="center" size="sm">
        {t('register.haveAccount')}{' '}
        <Anchor component={Link} to="/login" inherit fw={500}>
          {t('register.login')}
        </Anchor>
      </Text>
    </AuthFrame>
  );
}

/** "Create Account" for parents. */

import { MAIL_INTERVAL_MS, PARENT_PASSWORD_MIN } from '@haris/contract/constants';
import { registerParentBodySchema } from '@haris/contract/http/accounts';
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { fieldErrors, showFailure } from '../../calls/failure.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { keepRegistration, type Typed, useRegistration } from '../../session/registration.ts';
import { MailNote, useSendsMail } from '../../setup/mail-note.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { register } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';

/** Never the password. */
const draftFields = { name: z.string(), email: z.string(), phone: z.string() };

const EMPTY = { name: '', email: '', phone: '' };

function typedOf({ name, email, phone }: Typed): Typed {
  return { name, email, phone };
}

/** Whether the person comes from “Wrong address?”. Somebody else who registers in this tab begins with an empty form. */
function useIsAgain(): boolean {
  const state: unknown = useLocation().state;
  return typeof state === 'object' && state !== null && 'again' in state;
}

function RegisterForm() {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const isAgain = useIsAgain();
  const before = useRegistration();
  const sendsMail = useSendsMail();
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { ...(isAgain && before ? typedOf(before) : EMPTY), password: '' },
    draft: { key: 'register', fields: draftFields },
    validate: validateWith(registerParentBodySchema),
    send: register,
    onSuccess: ({ message, parent, browserKey }, { name, phone }) => {
      // The server's message (spec §4) exists only in English; the web app translates it.
      notifySuccess(
        currentLanguage() === 'ar' ? t(sendsMail ? 'register.success' : 'register.successAtDesk') : message,
      );
      if (browserKey !== undefined)
        keepRegistration({ name, phone, email: parent.email }, browserKey, Date.now() + MAIL_INTERVAL_MS);
      void navigate('/');
    },
    onFailure: (error) => {
      showFailure(error, t('register.failed'));
      return fieldErrors(error);
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
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
          description={isAgain ? t('register.again') : undefined}
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
        <MailNote to="visitor" />
        <Button type="submit" fullWidth mt="xs" aria-disabled={isBusy} data-busy={isBusy || undefined}>
          {isBusy ? t('register.submitting') : t('register.submit')}
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

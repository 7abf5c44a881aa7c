/** Requests a password reset mail. */

import { accountRoutes } from '@haris/contract/http/accounts';
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../calls/http.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { loginPath } from '../../session/paths.ts';
import { MailNote, useSendsMail } from '../../setup/mail-note.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { useKind } from './use-kind.ts';

export default function ForgotScreen() {
  const { t } = useTranslation('auth');
  const kind = useKind();
  const [isSent, setSent] = useState(false);
  const sendsMail = useSendsMail();
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { email: '' },
    validate: validateWith(accountRoutes.forgotPassword.body),
    send: ({ email }) => call(accountRoutes.forgotPassword, { body: { email, kind }, device: true }),
    onSuccess: () => setSent(true),
  });
  return (
    <AuthFrame
      title={t('forgot.title')}
      lead={isSent ? undefined : t(sendsMail ? 'forgot.lead' : 'forgot.leadKept')}
    >
      {isSent ? (
        <Alert color="pine" icon={<IconMailCheck aria-hidden />} role="status">
          {t(sendsMail ? 'forgot.sent' : 'forgot.kept')}
        </Alert>
      ) : (
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
            <MailNote to="forgetful" />
            <Button type="submit" fullWidth loading={isBusy}>
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

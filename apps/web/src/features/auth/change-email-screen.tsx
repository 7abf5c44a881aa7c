/** Answers the mail at the old address about a new email that staff entered. */
import { vouchingRoutes } from '@haris/contract/http/vouching';
import { Alert, Button, Text } from '@mantine/core';
import { IconCircleCheck, IconMailX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { loginPath } from '../../session/paths.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { AuthFrame } from './auth-frame.tsx';

const isDead = (error: unknown) => error instanceof ApiError && error.code === 'invalid_token';

export default function ChangeEmailScreen() {
  const { t } = useTranslation('auth');
  const { token = '' } = useParams();
  const agreed = useSendsMail() ? 'changeEmail.agreed' : 'changeEmail.agreedKept';
  const answer = useMutation({
    mutationFn: (agree: boolean) =>
      call(vouchingRoutes.answerEmailChange, { params: { token }, body: { agree }, anonymous: true }),
    onError: (error) => {
      if (!isDead(error)) showFailure(error);
    },
  });
  const login = (
    <Button component={Link} to={loginPath('parent')} variant="default">
      {t('verify.login')}
    </Button>
  );
  if (answer.isSuccess)
    return (
      <AuthFrame title={t('changeEmail.title')}>
        <Alert color="pine" icon={<IconCircleCheck aria-hidden />} role="status">
          {t(answer.variables ? agreed : 'changeEmail.kept')}
        </Alert>
        {login}
      </AuthFrame>
    );
  if (isDead(answer.error))
    return (
      <AuthFrame title={t('changeEmail.title')}>
        <Alert color="clay" icon={<IconMailX aria-hidden />} role="alert">
          {failureText(answer.error)}
        </Alert>
        {login}
      </AuthFrame>
    );
  // Nothing is preselected: whoever does not know of it should say no.
  return (
    <AuthFrame title={t('changeEmail.title')}>
      <Text>{t('changeEmail.lead')}</Text>
      <Button
        variant="default"
        loading={answer.isPending && answer.variables}
        disabled={answer.isPending}
        onClick={() => answer.mutate(true)}
      >
        {t('changeEmail.yes')}
      </Button>
      <Button
        variant="default"
        loading={answer.isPending && !answer.variables}
        disabled={answer.isPending}
        onClick={() => answer.mutate(false)}
      >
        {t('changeEmail.no')}
      </Button>
    </AuthFrame>
  );
}

/** Result of a verification link: a loader, then the Arabic sentence of success or failure (spec §2). */

import type { AccountKind } from '@haris/contract/roles';
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { IconCircleCheck, IconMailX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { loginPath } from '../../session/paths.ts';
import { useDisownRegistration, useVerification } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NotMine } from './not-mine.tsx';

export function Verification({ kind }: { kind: AccountKind }) {
  const { t } = useTranslation(['auth', 'common']);
  const { token = '' } = useParams();
  const { status, data, error, refetch, isFetching } = useVerification(kind, token);
  const disown = useDisownRegistration(token);
  if (status === 'pending' || isFetching) {
    return (
      <AuthFrame title={t('verify.title')}>
        <Group role="status" gap="md">
          <Loader size="sm" aria-hidden />
          <Text>{t('verify.checking')}</Text>
        </Group>
      </AuthFrame>
    );
  }
  if (disown.isSuccess) {
    return (
      <AuthFrame title={t('verify.title')}>
        <Alert color="pine" icon={<IconCircleCheck aria-hidden />} role="status">
          {disown.data.deleted ? t('verify.notMineDone') : t('verify.notMineTold')}
        </Alert>
        <Button component={Link} to={loginPath(kind)} variant="default">
          {t('verify.login')}
        </Button>
      </AuthFrame>
    );
  }
  if (status === 'error') {
    const isPassing = error instanceof ApiError && (error.isNetworkError || error.status >= 500);
    // A link that verifies nothing any more can still say that the registration was somebody else's.
    const canBeDenied = kind === 'parent' && error instanceof ApiError && error.code === 'invalid_token';
    // The reason in the language of the page, unless it would repeat the Arabic sentence.
    const reason = currentLanguage() === 'ar' && !isPassing ? null : failureText(error);
    return (
      <AuthFrame title={t('verify.title')}>
        <Alert color="clay" icon={<IconMailX aria-hidden />} role="alert">
          <Text lang="ar" dir="rtl" fw={500}>
            {t('verify.failure')}
          </Text>
          {reason === null ? null : (
            <Text size="sm" mt="xs">
              {reason}
            </Text>
          )}
        </Alert>
        {isPassing ? null : (
          <Text size="sm" c="dimmed">
            {kind === 'parent' ? `${t('verify.again')} ${t('verify.week')}` : t('verify.again')}
          </Text>
        )}
        {isPassing ? <Button onClick={() => void refetch()}>{t('common:tryAgain')}</Button> : null}
        <Button component={Link} to={loginPath(kind)} variant={isPassing ? 'default' : 'filled'}>
          {t('verify.login')}
        </Button>
        {canBeDenied ? <NotMine account={null} isFresh={false} disown={disown} /> : null}
      </AuthFrame>
    );
  }
  const account = data !== undefined && 'account' in data ? data.account : undefined;
  const isFresh = data === undefined || !('alreadyVerified' in data);
  return (
    <AuthFrame title={t('verify.title')}>
      <Alert color="pine" icon={<IconCircleCheck aria-hidden />} role="status">
        <Text lang="ar" dir="rtl" fw={500}>
          {t(isFresh ? 'verify.success' : 'verify.already')}
        </Text>
        {currentLanguage() === 'ar' ? null : (
          <Text size="sm" mt="xs">
            {t(isFresh ? 'verify.successHere' : 'verify.alreadyHere')}
          </Text>
        )}
      </Alert>
      <Button component={Link} to={loginPath(kind)}>
        {t('verify.login')}
      </Button>
      {account === undefined ? null : <NotMine account={account} isFresh={isFresh} disown={disown} />}
    </AuthFrame>
  );
}

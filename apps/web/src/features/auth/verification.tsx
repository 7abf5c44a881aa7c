/** Result of a verification link: a loader, then the Arabic sentence of success or failure (spec §2). */

import type { AccountKind } from '@haris/contract/roles';
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { IconCircleCheck, IconMailX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { loginPath } from '../../session/paths.ts';
import { readBrowserKey } from '../../session/registration.ts';
import { startSession, useSession } from '../../session/session.tsx';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { useDisownRegistration, useStartByLink, useVerification } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NotMine } from './not-mine.tsx';

export function Verification({ kind }: { kind: AccountKind }) {
  const { t } = useTranslation(['auth', 'common']);
  const { token = '' } = useParams();
  const again = useAgain(kind);
  const session = useSession();
  const disown = useDisownRegistration(token, () => {});
  const { status, data, error, refetch, isFetching } = useVerification(kind, token, !disown.isSuccess);
  const [browserKey] = useState(readBrowserKey);
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
            {kind === 'parent' ? `${t(again)} ${t('verify.week')}` : t(again)}
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
  const what = isFresh ? 'fresh' : 'already';
  const isAnyoneIn = session.parent.isAuthenticated || session.admin.isAuthenticated;
  const isOwnBrowser = account !== undefined && browserKey !== null && !isAnyoneIn;
  return (
    <AuthFrame title={t('verify.title')}>
      <Alert color="pine" icon={<IconCircleCheck aria-hidden />} role="status">
        <Text lang="ar" dir="rtl" fw={500}>
          {t(ARABIC[what])}
        </Text>
        {currentLanguage() === 'ar' ? null : (
          <Text size="sm" mt="xs">
            {t(HERE[what])}
          </Text>
        )}
      </Alert>
      {isOwnBrowser ? <ContinueAs name={account.name} token={token} browserKey={browserKey} /> : null}
      {/* The login of somebody who is signed in leads on to the profile. */}
      <Button component={Link} to={loginPath(kind)} variant={isOwnBrowser ? 'default' : 'filled'}>
        {t(session[kind].isAuthenticated ? 'verify.goOn' : 'verify.login')}
      </Button>
      {account === undefined ? null : (
        <NotMine account={account} isFresh={isFresh && !isOwnBrowser} disown={disown} />
      )}
    </AuthFrame>
  );
}

/** The Arabic sentence of success (spec §2), and the same in the language of the page. */
const ARABIC = { fresh: 'verify.success', already: 'verify.already' } as const;
const HERE = { fresh: 'verify.successHere', already: 'verify.alreadyHere' } as const;

/** What leads to another link. */
function useAgain(kind: AccountKind) {
  if (useSendsMail()) return 'verify.again';
  return kind === 'parent' ? 'verify.againKept' : 'verify.againStaff';
}

/**
 * Signs in without the password, in the browser that registered. A press, because somebody else may have registered here
 * with the reader's address: the name says who.
 */
function ContinueAs({ name, token, browserKey }: { name: string; token: string; browserKey: string }) {
  const { t } = useTranslation('auth');
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = useStartByLink(token);
  const press = () =>
    start.mutate(browserKey, {
      onSuccess: ({ signedIn }) => {
        if (signedIn !== undefined) startSession(client, signedIn);
        // Without a session it asks for the password; with one it leads on to the profile.
        void navigate(loginPath('parent'));
      },
    });
  return (
    <Button loading={start.isPending} onClick={press}>
      {t('verify.continueAs', { name: `\u2068${name}\u2069` })}
    </Button>
  );
}

/**
 * The page to which the identity provider sends the browser: it takes the answer out of its address, and finishes the
 * sign-in, or the proof that another tab waits for.
 */
import { OIDC_PAGE, OIDC_PROOF_STATE } from '@haris/contract/constants';
import type { OidcAnswer } from '@haris/contract/http/oidc';
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { failureText } from '../../calls/failure.ts';
import { loginPath, pathAfterLogin } from '../../session/paths.ts';
import { announceProof } from '../../session/proved-elsewhere.ts';
import { type SignedIn, startSession } from '../../session/session.tsx';
import { Redirect } from '../../ui/redirect.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { finishAtProvider, proveAtProvider } from './api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { SecondStepForm } from './second-step.tsx';

function readAnswer(search: string): OidcAnswer {
  const query = new URLSearchParams(search);
  const optional = Object.fromEntries(
    ['code', 'error', 'iss'].flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { state: query.get('state') ?? '', ...optional };
}

/** The answer in the address, read once: it is then taken out, so that no history keeps it. */
function useAnswer(): OidcAnswer {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [answer] = useState(() => readAnswer(search));
  useEffect(() => {
    if (search !== '') void navigate(OIDC_PAGE, { replace: true });
  }, [search, navigate]);
  return answer;
}

type Outcome<T> =
  | { readonly status: 'pending' }
  | { readonly status: 'done'; readonly answered: T }
  | { readonly status: 'failed'; readonly error: unknown };

/** Sends once, also where React mounts twice: an answer of the provider works once. */
function useSentOnce<T>(send: () => Promise<T>): Outcome<T> {
  const first = useRef(send);
  const sent = useRef<Promise<T> | null>(null);
  const [outcome, setOutcome] = useState<Outcome<T>>({ status: 'pending' });
  useEffect(() => {
    let isShown = true;
    sent.current ??= first.current();
    sent.current.then(
      (answered) => isShown && setOutcome({ status: 'done', answered }),
      (error: unknown) => isShown && setOutcome({ status: 'failed', error }),
    );
    return () => {
      isShown = false;
    };
  }, []);
  return outcome;
}

export default function ProviderScreen() {
  const answer = useAnswer();
  return answer.state.startsWith(OIDC_PROOF_STATE) ? <Proof answer={answer} /> : <SignIn answer={answer} />;
}

function SignIn({ answer }: { answer: OidcAnswer }) {
  const { t } = useTranslation('auth');
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isIn, setIsIn] = useState(false);
  const enter = (signedIn: SignedIn) => {
    startSession(client, signedIn);
    notifySuccess(t('login.success'));
    setIsIn(true);
  };
  const outcome = useSentOnce(async () => {
    const answered = await finishAtProvider(answer);
    if (!('step' in answered)) enter(answered);
    return answered;
  });
  if (outcome.status === 'failed')
    return (
      <AuthFrame title={t('provider.title')}>
        <Failure error={outcome.error} />
        <Button component={Link} to={loginPath('admin')} replace>
          {t('provider.back')}
        </Button>
      </AuthFrame>
    );
  if (outcome.status === 'pending')
    return <Working title={t('provider.title')} text={t('provider.working')} />;
  const { answered } = outcome;
  if (isIn || !('step' in answered))
    return <Redirect to={pathAfterLogin({ from: answered.returnTo }, 'admin')} replace />;
  return (
    <SecondStepForm
      step={answered}
      onDone={enter}
      onCancel={() => void navigate(loginPath('admin'), { replace: true })}
    />
  );
}

function Proof({ answer }: { answer: OidcAnswer }) {
  const { t } = useTranslation('auth');
  const title = t('provider.proofTitle');
  const outcome = useSentOnce(async () => {
    await proveAtProvider(answer);
    announceProof();
  });
  if (outcome.status === 'pending') return <Working title={title} text={t('provider.proofWorking')} />;
  return (
    <AuthFrame title={title}>
      {outcome.status === 'failed' ? (
        <>
          <Failure error={outcome.error} />
          <Text size="sm" c="dimmed">
            {t('provider.proofAgain')}
          </Text>
        </>
      ) : (
        <Alert color="pine" icon={<IconCircleCheck aria-hidden />} role="status">
          {t('provider.proofDone')}
        </Alert>
      )}
    </AuthFrame>
  );
}

function Failure({ error }: { error: unknown }) {
  return (
    <Alert color="clay" icon={<IconPlugConnectedX aria-hidden />} role="alert">
      {failureText(error)}
    </Alert>
  );
}

function Working({ title, text }: { title: string; text: string }) {
  return (
    <AuthFrame title={title}>
      <Group role="status" gap="md">
        <Loader size="sm" aria-hidden />
        <Text>{text}</Text>
      </Group>
    </AuthFrame>
  );
}

/**
 * A one-time pass on the phone of whoever picks a child up, without an account. The token comes in the fragment of the
 * link, which reaches no server's log; it is sent in a body.
 */
import { collectorRoutes } from '@haris/contract/http/collectors';
import { Badge, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { failureText } from '../../calls/failure.ts';
import { type AnswerOf, call } from '../../calls/http.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import styles from './pass.module.css';

type Pass = AnswerOf<typeof collectorRoutes.showPass>;

export default function PassScreen() {
  const { t } = useTranslation('pass');
  const token = useLocation().hash.slice(1);
  return (
    <Page title={t('title')} size="xs">
      <meta name="robots" content="noindex" />
      {token === '' ? <NoPass why={t('missing')} /> : <PassOf key={token} token={token} />}
    </Page>
  );
}

function NoPass({ why }: { why: string }) {
  return (
    <Card>
      <Stack align="center" gap="md" ta="center" role="alert">
        <ThemeIcon size={44} radius="xl" variant="light" color="clay" aria-hidden>
          <IconX size={24} />
        </ThemeIcon>
        <Text fw={500}>{why}</Text>
      </Stack>
    </Card>
  );
}

function PassOf({ token }: { token: string }) {
  const { t } = useTranslation('pass');
  const pass = useQuery({
    queryKey: ['pass', token],
    // Also with a session in this browser: the pass is for whoever has it.
    queryFn: ({ signal }) => call(collectorRoutes.showPass, { body: { token }, signal, anonymous: true }),
  });
  if (pass.data !== undefined) return <PassCard pass={pass.data} token={token} />;
  if (pass.error instanceof ApiError && pass.error.status === 400) return <NoPass why={t('invalid')} />;
  if (pass.isError)
    return (
      <ErrorState
        text={failureText(pass.error)}
        onRetry={() => void pass.refetch()}
        busy={pass.isRefetching}
      />
    );
  return (
    <Card>
      <Stack align="center" gap="md" role="status" aria-label={t('loading')}>
        <Skeleton height={28} width={140} />
        <Skeleton className={styles.qr ?? ''} />
        <Skeleton height={16} width="70%" />
      </Stack>
    </Card>
  );
}

const COLORS = { valid: 'pine', early: 'saffron', past: 'gray', used: 'gray', revoked: 'clay' } as const;

function PassCard({ pass, token }: { pass: Pass; token: string }) {
  const { t, i18n } = useTranslation('pass');
  const { state } = pass;
  const mayShow = state === 'valid' || state === 'early';
  useWakeLock(mayShow);
  // A day has no time zone; any other would show the day before or after.
  const day = momentFormat(i18n.language, { dateStyle: 'full', timeZone: 'UTC' });
  return (
    <Card>
      <Stack align="center" gap="md" ta="center">
        <Badge size="xl" variant={state === 'valid' ? 'filled' : 'light'} color={COLORS[state]} tt="none">
          {t(`state.${state}`)}
        </Badge>
        {mayShow ? (
          <>
            <Text fw={600} fz="lg">
              {t('show')}
            </Text>
            <QrCode text={token} label={t('qr')} className={styles.qr} />
          </>
        ) : null}
        <Text size="sm" c="dimmed">
          {t(`why.${state}`)}
        </Text>
        <dl className={styles.facts}>
          {pass.childFirstName === '' ? null : <Fact name={t('child')}>{pass.childFirstName}</Fact>}
          {pass.collector === '' ? null : <Fact name={t('collector')}>{pass.collector}</Fact>}
          <Fact name={t('day')}>{day.format(Date.parse(pass.day))}</Fact>
          {pass.facility === null ? null : <Fact name={t('facility')}>{pass.facility}</Fact>}
        </dl>
      </Stack>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

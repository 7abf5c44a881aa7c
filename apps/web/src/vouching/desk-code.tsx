/** The code that a parent shows at the desk, so that staff can vouch for the account (contract §6). */
import { registrationRoutes } from '@haris/contract/http/registration';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import type { HarisEvent } from '@haris/contract/live/events';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { IconId } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../calls/api-error.ts';
import { showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { useAtTick } from '../countdown/use-tick.ts';
import { useLiveEvents } from '../live/live-provider.tsx';

/** How often a page without a session asks whether the desk has used its code. Milliseconds. */
const ASK_MS = 5_000;

export interface DeskCodeProps {
  /** Credentials of an unverified account, or the key of the browser that registered it; else the signed-in parent. */
  credentials?: { email: string; password: string } | { browserKey: string };
  /** The key has ended: the account was confirmed, or is gone. */
  onEnded?: () => void;
}

interface Shown {
  readonly code: string;
  /** Milliseconds since 1970, by the server's clock. */
  readonly until: number;
}

/**
 * Fetches a code on request and shows it large while it is valid. Without a password to send, a new one
 * follows when it expires; the signed-in parent sees none once the desk has changed the account, which is what using the code does.
 */
export function DeskCode({ credentials, onEnded }: DeskCodeProps) {
  const { t } = useTranslation('vouching');
  const format = useClockFormat();
  const isVisible = useDocumentVisibility() === 'visible';
  const [shown, setShown] = useState<Shown | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call(vouchingRoutes.createDeskCode, {
        body: credentials ?? {},
        anonymous: credentials !== undefined,
        device: true,
      }),
    onSuccess: ({ code, expiresAt }) => setShown({ code, until: Date.parse(expiresAt) }),
    onError: (error) => {
      setShown(null);
      if (onEnded !== undefined && error instanceof ApiError && error.code === 'invalid_token') onEnded();
      else showFailure(error);
    },
  });
  const until = shown?.until ?? null;
  const secondsLeft = useAtTick(
    useCallback(
      (now: number) => (until === null ? null : Math.max(0, Math.floor((until - now) / 1000))),
      [until],
    ),
  );
  const isOver = secondsLeft === 0;
  const sendsPassword = credentials !== undefined && 'password' in credentials;
  useEffect(() => {
    if (!isOver || !isVisible) return;
    // Only on request: a page that nobody looks at must not send a password again and again.
    if (!sendsPassword) mutate();
    else setShown(null);
  }, [isOver, isVisible, sendsPassword, mutate]);
  useLiveEvents(
    useCallback(({ type }: HarisEvent) => {
      if (type === 'parent.updated') setShown(null);
    }, []),
  );
  useDeskConfirmed(
    shown !== null && credentials !== undefined && 'browserKey' in credentials
      ? credentials.browserKey
      : null,
    () => onEnded?.(),
  );
  if (shown === null || secondsLeft === null || isOver) {
    return (
      <Button
        variant="light"
        leftSection={<IconId size={18} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('code.show')}
      </Button>
    );
  }
  const digits = [...shown.code].map((digit) => format.count(Number(digit))).join('');
  return (
    <Alert color="pine" role="group" aria-label={t('code.lead')}>
      <Stack gap={4}>
        <Text fw={500}>{t('code.lead')}</Text>
        <Text
          role="status"
          fz={36}
          fw={600}
          lh={1.3}
          dir="ltr"
          ta="center"
          style={{ letterSpacing: '0.15em' }}
        >
          {digits}
        </Text>
        {/* Outside the live region: screen readers would read out every second. */}
        <Text size="sm" role="timer">
          {t('code.left', { time: format.countdown(secondsLeft) })}
        </Text>
      </Stack>
    </Alert>
  );
}

/** Calls `onConfirmed` once the key (null: none is shown) no longer waits. Asks only while somebody looks at the page. */
function useDeskConfirmed(browserKey: string | null, onConfirmed: () => void): void {
  const { data } = useQuery({
    // Not by the key: a secret has no place in the memory of queries.
    queryKey: [keys.ownRegistration],
    queryFn: ({ signal }) =>
      call(registrationRoutes.readOwnRegistration, {
        body: { browserKey: browserKey ?? '' },
        anonymous: true,
        signal,
      }),
    enabled: browserKey !== null,
    refetchInterval: ASK_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const confirm = useEffectEvent(onConfirmed);
  const isConfirmed = browserKey !== null && data?.isWaiting === false;
  useEffect(() => {
    if (isConfirmed) confirm();
  }, [isConfirmed]);
}

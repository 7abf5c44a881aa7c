/** The code that a parent shows at the desk, so that staff can vouch for the account (contract §6). */
import { vouchingRoutes } from '@haris/contract/http/vouching';
import type { HarisEvent } from '@haris/contract/live/events';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { IconId } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { useAtTick } from '../countdown/use-tick.ts';
import { useLiveEvents } from '../live/live-provider.tsx';

export interface DeskCodeProps {
  /** Credentials of an unverified account; if omitted, the code is for the signed-in parent. */
  credentials?: { email: string; password: string };
}

interface Shown {
  readonly code: string;
  /** Milliseconds since 1970, by the server's clock. */
  readonly until: number;
}

/**
 * Fetches a code on request and shows it large while it is valid. The signed-in parent gets a new one when it expires, and
 * sees none once the desk has changed the account, which is what using the code does.
 */
export function DeskCode({ credentials }: DeskCodeProps) {
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
      showFailure(error);
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
  const isSignedIn = credentials === undefined;
  useEffect(() => {
    if (!isOver || !isVisible) return;
    // Only on request: a page that nobody looks at must not send a password again and again.
    if (isSignedIn) mutate();
    else setShown(null);
  }, [isOver, isVisible, isSignedIn, mutate]);
  useLiveEvents(
    useCallback(({ type }: HarisEvent) => {
      if (type === 'parent.updated') setShown(null);
    }, []),
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

/**
 * The first screen of somebody who has just registered (spec §4: the view goes to the home view): where the link is, and what to
 * do if it does not come. Loaded on demand, because it uses the component library.
 */
import { MAIL_INTERVAL_MS } from '@haris/contract/constants';
import { registrationRoutes } from '@haris/contract/http/registration';
import { Anchor, Button, CloseButton, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { IconMailOpened, IconUserCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import {
  hideRegistration,
  keepAgainAt,
  type Registration,
  readBrowserKey,
} from '../../session/registration.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { DeskCode } from '../../vouching/desk-code.tsx';
import styles from './waiting.module.css';

export function WaitingCard({ registration }: { registration: Registration }) {
  const { t } = useTranslation('waiting');
  const sendsMail = useSendsMail();
  const resend = useResend(registration);
  const [hasEnded, setEnded] = useState(false);
  const refusal = resend.error instanceof ApiError ? resend.error.code : null;
  const isOver = hasEnded || refusal === 'invalid_token';
  const what =
    refusal === 'already_verified' ? 'done' : isOver ? 'over' : sendsMail ? 'mail' : ('desk' as const);
  const code = (
    <DeskCode credentials={{ browserKey: readBrowserKey() ?? '' }} onEnded={() => setEnded(true)} />
  );
  const Icon = what === 'mail' ? IconMailOpened : IconUserCheck;
  return (
    <Card
      component="section"
      p={{ base: 'lg', xs: 'xl' }}
      className={styles.card}
      aria-labelledby="waiting-title"
    >
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Icon size={40} stroke={1.5} className={styles.icon} aria-hidden />
          <CloseButton aria-label={t('close')} onClick={hideRegistration} />
        </Group>
        <Stack gap={6}>
          <Title order={2} fz="1.75rem" id="waiting-title">
            {t(`${what}.title`)}
          </Title>
          <Text c="dimmed">{t(`${what}.lead`)}</Text>
          {what === 'mail' ? (
            <Text fw={600} dir="ltr" className={styles.email}>
              <bdi>{registration.email}</bdi>
            </Text>
          ) : null}
        </Stack>
        {what === 'mail' ? <Text>{t('mail.open')}</Text> : null}
        {what === 'desk' ? code : null}
        {what === 'done' || what === 'over' ? (
          <Button component={Link} to="/login">
            {t('login')}
          </Button>
        ) : null}
        {what === 'mail' ? (
          <>
            <Stack gap="xs">
              <Text size="sm" c="dimmed">
                {t('mail.none')}
              </Text>
              <Group gap="sm">
                <SendAgain registration={registration} isBusy={resend.isPending} onPress={resend.mutate} />
                <WrongAddress />
              </Group>
            </Stack>
            <Divider />
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{t('mail.atDesk')}</Text>
              {code}
            </Stack>
          </>
        ) : null}
        {what === 'desk' ? (
          <Group gap="sm">
            <WrongAddress />
          </Group>
        ) : null}
        {what === 'done' || what === 'over' ? null : (
          <Text size="sm">
            {t('isConfirmed')}{' '}
            <Anchor component={Link} to="/login" inherit fw={500}>
              {t('login')}
            </Anchor>
          </Text>
        )}
      </Stack>
    </Card>
  );
}

/** Back to the form, with all that was typed but the password. */
function WrongAddress() {
  const { t } = useTranslation('waiting');
  return (
    <Button component={Link} to="/register" state={{ again: true }} variant="subtle">
      {t('wrongAddress')}
    </Button>
  );
}

/** Asks for the mail again; after a refusal the wait is the server's. */
function useResend(registration: Registration) {
  const { t } = useTranslation('waiting');
  return useMutation({
    mutationFn: () =>
      call(registrationRoutes.resendOwnLink, {
        body: { browserKey: readBrowserKey() ?? '' },
        anonymous: true,
      }),
    onSuccess: () => {
      keepAgainAt(registration, Date.now() + MAIL_INTERVAL_MS, true);
      notifySuccess(t('sentAgain'));
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return showFailure(error);
      if (error.code === 'already_verified' || error.code === 'invalid_token') return;
      if (error.code !== 'too_many_attempts') return showFailure(error);
      keepAgainAt(registration, Date.now() + (error.retryAfter ?? 60) * 1000, false);
    },
  });
}

interface SendAgainProps {
  registration: Registration;
  isBusy: boolean;
  onPress: () => void;
}

/** Off, with the time that is left, until the next mail can be sent. */
function SendAgain({ registration: { againAt }, isBusy, onPress }: SendAgainProps) {
  const { t } = useTranslation('waiting');
  const format = useClockFormat();
  const secondsLeft = useAtTick(
    useCallback(() => Math.max(0, Math.ceil((againAt - Date.now()) / 1000)), [againAt]),
  );
  return (
    <Button variant="light" disabled={secondsLeft > 0} loading={isBusy} onClick={() => onPress()}>
      {secondsLeft > 0 ? t('sendAgainIn', { time: format.countdown(secondsLeft) }) : t('sendAgain')}
    </Button>
  );
}

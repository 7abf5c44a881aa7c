/** Lists the sessions of a person's own account, and ends them. */
import { type SessionView, sessionRoutes } from '@haris/contract/http/session';
import { Badge, Button, Skeleton, Text, Title } from '@mantine/core';
import { IconDevices, IconLogout } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { sessionsKey, useSessions } from './api.ts';
import classes from './security.module.css';

export function SessionsCard() {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const found = useSessions();
  const title = useId();
  const ended = async () => {
    notifySuccess(t('sessions.ended'));
    await client.invalidateQueries({ queryKey: sessionsKey });
  };
  const endOthers = useMutation({
    mutationFn: () => call(sessionRoutes.endOtherSessions),
    onSuccess: ended,
    onError: (error) => showFailure(error),
  });
  const sessions = found.data?.sessions;
  return (
    <Card component="section" aria-labelledby={title}>
      <Title order={2} fz="lg" id={title} mb="xs">
        {t('sessions.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('sessions.about')}
      </Text>
      {found.isError ? (
        <ErrorState
          text={failureText(found.error)}
          onRetry={() => void found.refetch()}
          busy={found.isRefetching}
        />
      ) : sessions === undefined ? (
        <Skeleton height={96} role="status" aria-label={t('loading')} />
      ) : (
        <>
          <ul className={classes.list}>
            {sessions.map((session) => (
              <Row key={session._id} session={session} onEnded={ended} />
            ))}
          </ul>
          {sessions.length > 1 ? (
            <div data-wraps>
              <Button
                mt="sm"
                variant="light"
                color="clay"
                loading={endOthers.isPending}
                leftSection={<IconLogout size={18} aria-hidden />}
                onClick={() => endOthers.mutate()}
              >
                {t('sessions.endOthers')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </Card>
  );
}

function Row({ session, onEnded }: { session: SessionView; onEnded: () => Promise<void> }) {
  const { t, i18n } = useTranslation('security');
  const moment = momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const name = session.agent ?? t('sessions.unknown');
  const end = useMutation({
    mutationFn: () => call(sessionRoutes.endSession, { params: { id: session._id } }),
    onSuccess: onEnded,
    onError: (error) => showFailure(error),
  });
  return (
    <li className={classes.item}>
      <IconDevices size={22} aria-hidden />
      <div className={classes.words}>
        <Text fw={500} component="div">
          <bdi>{name}</bdi>{' '}
          {session.isThis ? (
            <Badge tt="none" size="sm" variant="light">
              {t('sessions.this')}
            </Badge>
          ) : null}
        </Text>
        <Text size="sm" c="dimmed">
          {t('sessions.used', { date: moment.format(new Date(session.lastUsedAt)) })}
          {session.address === null ? null : (
            <>
              {' · '}
              <bdi dir="ltr">{session.address}</bdi>
            </>
          )}
        </Text>
      </div>
      {session.isThis ? null : (
        <Button
          variant="subtle"
          color="clay"
          size="sm"
          loading={end.isPending}
          aria-label={t('sessions.endOf', { name })}
          onClick={() => end.mutate()}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

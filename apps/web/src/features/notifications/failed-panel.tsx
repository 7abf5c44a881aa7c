/** Panel for staff only: deliveries that failed for good. */
import { Skeleton, Text, Title } from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useFailedNotifications } from './api.ts';
import classes from './notifications.module.css';

export function FailedPanel() {
  const { t, i18n } = useTranslation(['notifications', 'incidents']);
  const sendsMail = useSendsMail();
  const list = useFailedNotifications();
  const failures = list.data?.pages.flatMap((page) => page.failures);
  const moment = momentFormat(i18n.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return (
    <Card component="section" aria-labelledby="notifications-failed">
      <Title order={2} fz="lg" id="notifications-failed">
        {t('notifications:failed.title')}
      </Title>
      {failures === undefined ? (
        list.isError ? (
          <ErrorState
            text={failureText(list.error)}
            onRetry={() => void list.refetch()}
            busy={list.isRefetching}
          />
        ) : (
          <Skeleton height={64} mt="md" role="status" aria-label={t('notifications:loading')} />
        )
      ) : failures.length === 0 ? (
        <EmptyState
          icon={<IconMailCheck size={28} />}
          text={t(sendsMail ? 'notifications:failed.none' : 'notifications:failed.noneKept')}
          hint={t('notifications:failed.hint')}
        />
      ) : (
        <ul className={classes.rows}>
          {failures.map(({ _id, way, kind, account, reason, failedAt, attempts }) => (
            <li key={_id}>
              <div className={classes.grow}>
                <Text fw={500}>
                  {kind === 'test' ? t('notifications:test.title') : t(`incidents:kind.${kind}`)}
                </Text>
                <Text size="sm">
                  {t(`notifications:way.${way}`)}
                  {account === null ? null : (
                    <>
                      {' · '}
                      <bdi>{account.name ?? t('notifications:failed.gone')}</bdi>
                    </>
                  )}
                </Text>
                <Text size="sm">{t(`notifications:reason.${reason}`)}</Text>
                <Text size="sm" c="dimmed">
                  {moment.format(new Date(failedAt))} · {t('notifications:failed.tries', { count: attempts })}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        list={list}
        label={t('notifications:failed.more')}
        busyLabel={t('notifications:loading')}
        errorText={t('notifications:failed.moreFailed')}
      />
    </Card>
  );
}

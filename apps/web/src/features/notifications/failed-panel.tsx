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
import { useKindLabel } from './kind-label.ts';
import classes from './notifications.module.css';

export function FailedPanel() {
  const { t, i18n } = useTranslation('notifications');
  const labelOf = useKindLabel();
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
        {t('failed.title')}
      </Title>
      {failures === undefined ? (
        list.isError ? (
          <ErrorState
            text={failureText(list.error)}
            onRetry={() => void list.refetch()}
            busy={list.isRefetching}
          />
        ) : (
          <Skeleton height={64} mt="md" role="status" aria-label={t('loading')} />
        )
      ) : failures.length === 0 ? (
        <EmptyState
          icon={<IconMailCheck size={28} />}
          text={t(sendsMail ? 'failed.none' : 'failed.noneKept')}
          hint={t('failed.hint')}
        />
      ) : (
        <ul className={classes.rows}>
          {failures.map(({ _id, way, kind, account, reason, failedAt, attempts }) => (
            <li key={_id}>
              <div className={classes.grow}>
                <Text fw={500}>{kind === 'test' ? t('test.title') : labelOf(kind)}</Text>
                <Text size="sm">
                  {t(`way.${way}`)}
                  {account === null ? null : (
                    <>
                      {' · '}
                      <bdi>
                        {account.name === '' ? t('failed.family') : (account.name ?? t('failed.gone'))}
                      </bdi>
                    </>
                  )}
                </Text>
                <Text size="sm">{t(`reason.${reason}`)}</Text>
                <Text size="sm" c="dimmed">
                  {moment.format(new Date(failedAt))} · {t('failed.tries', { count: attempts })}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        list={list}
        label={t('failed.more')}
        busyLabel={t('loading')}
        errorText={t('failed.moreFailed')}
      />
    </Card>
  );
}

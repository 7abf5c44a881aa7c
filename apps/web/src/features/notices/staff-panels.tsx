/** What only staff see: notices that were given up, and the webhook of the place. */
import { noticeRoutes } from '@haris/contract/http/notices';
import {
  Alert,
  Button,
  Code,
  CopyButton,
  Group,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, fieldErrors, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useFailedNotices, useWebhook, webhookKey } from './api.ts';
import classes from './notices.module.css';

export function FailedPanel() {
  const { t, i18n } = useTranslation(['notices', 'incidents']);
  const list = useFailedNotices();
  const failures = list.data?.pages.flatMap((page) => page.failures);
  const moment = new Intl.DateTimeFormat(localeOf(i18n.language), {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return (
    <Card component="section" aria-labelledby="notices-failed">
      <Title order={2} fz="lg" id="notices-failed">
        {t('notices:failed.title')}
      </Title>
      {failures === undefined ? (
        list.isError ? (
          <ErrorState
            text={failureText(list.error)}
            onRetry={() => void list.refetch()}
            busy={list.isRefetching}
          />
        ) : (
          <Skeleton height={64} mt="md" role="status" aria-label={t('notices:loading')} />
        )
      ) : failures.length === 0 ? (
        <EmptyState
          icon={<IconMailCheck size={28} />}
          text={t('notices:failed.none')}
          hint={t('notices:failed.hint')}
        />
      ) : (
        <ul className={classes.rows}>
          {failures.map(({ _id, way, kind, account, reason, failedAt, attempts }) => (
            <li key={_id}>
              <div className={classes.grow}>
                <Text fw={500}>
                  {kind === 'test' ? t('notices:test.title') : t(`incidents:kind.${kind}`)}
                </Text>
                <Text size="sm">
                  {t(`notices:way.${way}`)}
                  {account === null ? null : (
                    <>
                      {' · '}
                      <bdi>{account.name ?? t('notices:failed.gone')}</bdi>
                    </>
                  )}
                </Text>
                <Text size="sm">{t(`notices:reason.${reason}`)}</Text>
                <Text size="sm" c="dimmed">
                  {moment.format(new Date(failedAt))} · {t('notices:failed.tries', { count: attempts })}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        list={list}
        label={t('notices:failed.more')}
        busyLabel={t('notices:loading')}
        errorText={t('notices:failed.moreFailed')}
      />
    </Card>
  );
}

export function WebhookPanel() {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const found = useWebhook();
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const save = useMutation({
    mutationFn: (address: string | null) => call(noticeRoutes.updateWebhook, { body: { url: address } }),
    onSuccess: (answer) => {
      client.setQueryData(webhookKey, { webhook: answer.webhook });
      setSecret(answer.secret);
      setUrl('');
      setAsking(false);
      notifySuccess(t(answer.webhook === null ? 'webhook.ended' : 'saved'));
    },
    onError: (error) => {
      // What is no address at all was found out here.
      if (fieldErrors(error).url === undefined) showFailure(error);
      else setProblem(t('reason.not_allowed'));
    },
  });
  const webhook = found.data?.webhook;
  return (
    <Card component="section" aria-labelledby="notices-webhook">
      <Title order={2} fz="lg" id="notices-webhook">
        {t('webhook.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('webhook.hint')}
      </Text>
      {webhook === undefined ? (
        found.isError ? (
          <ErrorState
            text={failureText(found.error)}
            onRetry={() => void found.refetch()}
            busy={found.isRefetching}
          />
        ) : (
          <Skeleton height={64} role="status" aria-label={t('loading')} />
        )
      ) : (
        <Stack gap="md">
          {webhook === null ? null : (
            <Group justify="space-between" gap="sm">
              <Text>
                {t('webhook.set')} <bdi dir="ltr">{webhook.origin}</bdi>
              </Text>
              <Button variant="default" onClick={() => setAsking(true)}>
                {t('webhook.end')}
              </Button>
            </Group>
          )}
          {secret === null ? null : (
            <Alert color="saffron" variant="light" title={t('webhook.secret')}>
              <Group gap="sm">
                <Code dir="ltr" className={classes.secret ?? ''}>
                  {secret}
                </Code>
                <CopyButton value={secret}>
                  {({ copied, copy }) => (
                    <Button variant="default" size="sm" onClick={copy}>
                      {t(copied ? 'webhook.copied' : 'webhook.copy')}
                    </Button>
                  )}
                </CopyButton>
              </Group>
            </Alert>
          )}
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              const checked = noticeRoutes.updateWebhook.body.safeParse({ url: url.trim() });
              setProblem(checked.success ? null : t('webhook.noAddress'));
              if (checked.success) save.mutate(checked.data.url);
            }}
          >
            <Group align="flex-start" gap="sm">
              <TextInput
                className={classes.grow ?? ''}
                type="url"
                dir="ltr"
                label={t(webhook === null ? 'webhook.address' : 'webhook.newAddress')}
                placeholder="https://example.org/hook"
                value={url}
                onChange={({ currentTarget: { value } }) => {
                  setUrl(value);
                  setProblem(null);
                }}
                error={problem}
              />
              <Button type="submit" loading={save.isPending} className={classes.besideField ?? ''}>
                {t('save')}
              </Button>
            </Group>
          </form>
        </Stack>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => save.mutate(null)}
        title={t('webhook.end')}
        confirmLabel={t('webhook.end')}
        busy={save.isPending}
        dangerous
      >
        {t('webhook.endQuestion')}
      </ConfirmDialog>
    </Card>
  );
}

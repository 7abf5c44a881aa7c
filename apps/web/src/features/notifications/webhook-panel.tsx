/** Panel for staff only: the webhook of the facility, and its secret, which is shown once. */
import { notificationRoutes } from '@haris/contract/http/notifications';
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
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, fieldErrors, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { SharedValues } from '../../session/read-only.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useWebhook, webhookKey } from './api.ts';
import classes from './notifications.module.css';

/** Sets the webhook's address, or removes the webhook for null; keeps the secret of the last change. */
function useSaveWebhook() {
  const { t } = useTranslation('notifications');
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (address: string | null) =>
      call(notificationRoutes.updateWebhook, { body: { url: address } }),
    onSuccess: (answer) => {
      client.setQueryData(webhookKey, { webhook: answer.webhook });
      setSecret(answer.secret);
      notifySuccess(t(answer.webhook === null ? 'webhook.ended' : 'saved'));
    },
  });
  return { save, secret };
}

export function WebhookPanel() {
  const { t } = useTranslation('notifications');
  const found = useWebhook();
  const { save, secret } = useSaveWebhook();
  const [isAsking, setAsking] = useState(false);
  const webhook = found.data?.webhook;
  const end = () =>
    save.mutate(null, { onSuccess: () => setAsking(false), onError: (error) => showFailure(error) });
  return (
    <Card component="section" aria-labelledby="notifications-webhook">
      <Title order={2} fz="lg" id="notifications-webhook">
        {t('webhook.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('webhook.hint')}
      </Text>
      {webhook !== undefined ? (
        <SharedValues unless="integrations.manage">
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
            {secret === null ? null : <Secret secret={secret} />}
            <AddressForm label={t(webhook === null ? 'webhook.address' : 'webhook.newAddress')} save={save} />
          </Stack>
        </SharedValues>
      ) : found.isError ? (
        <ErrorState
          text={failureText(found.error)}
          onRetry={() => void found.refetch()}
          busy={found.isRefetching}
        />
      ) : (
        <Skeleton height={64} role="status" aria-label={t('loading')} />
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={end}
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

function Secret({ secret }: { secret: string }) {
  const { t } = useTranslation('notifications');
  return (
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
  );
}

interface AddressFormProps {
  label: string;
  save: ReturnType<typeof useSaveWebhook>['save'];
}

function AddressForm({ label, save }: AddressFormProps) {
  const { t } = useTranslation('notifications');
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    const checked = notificationRoutes.updateWebhook.body.safeParse({ url: url.trim() });
    setProblem(checked.success ? null : t('webhook.noAddress'));
    if (!checked.success) return;
    save.mutate(checked.data.url, {
      onSuccess: () => setUrl(''),
      onError: (error) => {
        // A malformed address is caught before the call; this is the server's refusal of a well-formed one.
        if (fieldErrors(error).url === undefined) showFailure(error);
        else setProblem(t('reason.not_allowed'));
      },
    });
  }
  return (
    <form noValidate onSubmit={submit}>
      <Group align="flex-start" gap="sm">
        <TextInput
          className={classes.grow ?? ''}
          type="url"
          dir="ltr"
          label={label}
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
  );
}

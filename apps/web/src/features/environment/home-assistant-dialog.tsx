/** Manages the broker accounts with which Home Assistant may read Haris's topics. */
import {
  type HomeAssistantAccount,
  type sensorRoutes as Routes,
  sensorRoutes,
} from '@haris/contract/http/sensors';
import { ActionIcon, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { type AnswerOf, call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useHomeAssistantAccounts } from './api.ts';
import { SecretsPanel } from './secrets-panel.tsx';

type Made = AnswerOf<(typeof Routes)['createHomeAssistantAccount']>;

export function HomeAssistantDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('environment');
  const [made, setMade] = useState<Made | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={t('homeAssistant.title')} size="lg">
      {made === null ? (
        <Accounts isWanted={opened} onMade={setMade} />
      ) : (
        <SecretsPanel
          secrets={[
            ...(made.broker === null
              ? []
              : [
                  { label: t('homeAssistant.host'), value: made.broker.host },
                  { label: t('homeAssistant.port'), value: String(made.broker.port) },
                ]),
            { label: t('secrets.username'), value: made.username },
            { label: t('secrets.password'), value: made.password },
          ]}
          onDone={() => setMade(null)}
        />
      )}
    </Dialog>
  );
}

function Accounts({ isWanted, onMade }: { isWanted: boolean; onMade: (made: Made) => void }) {
  const { t } = useTranslation('environment');
  const client = useQueryClient();
  const list = useHomeAssistantAccounts(isWanted);
  const [name, setName] = useState('');
  const refresh = () => void client.invalidateQueries({ queryKey: [keys.sensors, 'home-assistant'] });
  const add = useMutation({
    mutationFn: () => call(sensorRoutes.createHomeAssistantAccount, { body: { name } }),
    onSuccess: onMade,
    onError: (error) => showFailure(error),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (account: HomeAssistantAccount) =>
      call(sensorRoutes.deleteHomeAssistantAccount, { params: { id: account._id } }),
    onSuccess: () => notifySuccess(t('homeAssistant.removed')),
    onError: (error) => showFailure(error),
    onSettled: refresh,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!add.isPending && name.trim() !== '') add.mutate();
  }
  if (list.isError && list.data === undefined)
    return (
      <ErrorState
        text={failureText(list.error)}
        onRetry={() => void list.refetch()}
        busy={list.isRefetching}
      />
    );
  if (list.data === undefined) return <Skeleton height={120} />;
  const { accounts, broker } = list.data;
  return (
    <Stack gap="md">
      <Text>{t('homeAssistant.intro')}</Text>
      {broker?.embedded ? null : (
        <Text c="dimmed">{t(broker ? 'homeAssistant.ownBroker' : 'homeAssistant.noBroker')}</Text>
      )}
      {accounts.length === 0 ? (
        <Text c="dimmed">{t('homeAssistant.empty')}</Text>
      ) : (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {accounts.map((account) => (
            <Group component="li" key={account._id} justify="space-between" wrap="nowrap">
              <div style={{ minInlineSize: 0 }}>
                <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{account.name}</bdi>
                </Text>
                <Text size="sm" c="dimmed">
                  <bdi>{account.username}</bdi>
                </Text>
              </div>
              <ActionIcon
                variant="subtle"
                color="clay"
                size="lg"
                loading={remove.isPending && remove.variables?._id === account._id}
                onClick={() => remove.mutate(account)}
                aria-label={t('homeAssistant.removeOf', { name: account.name })}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      {broker?.embedded ? (
        <form onSubmit={submit} noValidate>
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t('homeAssistant.name')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={100}
              dir="auto"
              flex={1}
              miw="12rem"
            />
            <Button type="submit" loading={add.isPending} disabled={name.trim() === ''}>
              {t('homeAssistant.add')}
            </Button>
          </Group>
        </form>
      ) : null}
    </Stack>
  );
}

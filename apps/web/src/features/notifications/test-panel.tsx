/** Sends a test to the person's own account by every channel, and shows the results. */
import { type NotificationTest, notificationRoutes } from '@haris/contract/http/notifications';
import { Button, Group, Loader, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { useTest } from './api.ts';
import classes from './notifications.module.css';

type Delivery = NotificationTest['deliveries'][number];

/** `arrived` only if the device itself confirmed it. */
function stateOf({ state, arrivedAt }: Delivery): 'waiting' | 'sent' | 'arrived' | 'failed' {
  return state === 'sent' && arrivedAt !== null ? 'arrived' : state;
}

const ICONS = { waiting: IconClock, sent: IconSend, arrived: IconCheck, failed: IconAlertTriangle } as const;

export function TestPanel() {
  const { t } = useTranslation('notifications');
  const sendsMail = useSendsMail();
  const [started, setStarted] = useState<{ id: string; at: number } | null>(null);
  const test = useTest(started?.id ?? null, started?.at ?? 0);
  const send = useMutation({
    mutationFn: () => call(notificationRoutes.sendNoticeTest),
    onSuccess: ({ test: made }) => setStarted({ id: made._id, at: Date.now() }),
    onError: (error) => showFailure(error),
  });
  const deliveries = test.data?.test.deliveries;
  return (
    <Card component="section" aria-labelledby="notifications-test">
      <Title order={2} fz="lg" id="notifications-test">
        {t('test.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('test.hint')}
      </Text>
      <Button
        variant="light"
        leftSection={<IconSend size={18} className={classes.mirror ?? ''} aria-hidden />}
        onClick={() => send.mutate()}
        loading={send.isPending}
      >
        {t('test.send')}
      </Button>
      <div role="status">
        {started !== null && deliveries === undefined ? <Loader size="sm" mt="md" /> : null}
        {deliveries === undefined ? null : deliveries.length === 0 ? (
          <Text mt="md">{t(sendsMail ? 'test.noWay' : 'test.noWayKept')}</Text>
        ) : (
          <ul className={classes.rows}>
            {deliveries.map((delivery, index) => {
              const state = stateOf(delivery);
              const isKept = state === 'sent' && delivery.way === 'mail' && !sendsMail;
              const Icon = ICONS[state];
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the deliveries of a test never change their order
                <li key={index} data-state={state}>
                  <Group gap="sm" wrap="nowrap" className={classes.grow ?? ''}>
                    <Icon size={20} aria-hidden className={classes.still ?? ''} />
                    <div>
                      <Text fw={500}>
                        {t(`way.${delivery.way}`)}
                        {delivery.device === null ? null : (
                          <>
                            {' · '}
                            <bdi>{delivery.device}</bdi>
                          </>
                        )}
                      </Text>
                      <Text size="sm">
                        {t(isKept ? 'test.state.kept' : `test.state.${state}`)}
                        {delivery.reason === null ? null : ` ${t(`reason.${delivery.reason}`)}`}
                      </Text>
                    </div>
                  </Group>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </Card>
  );
}

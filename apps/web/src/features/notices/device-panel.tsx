/** "This device gets notices": Web Push on and off, and the other devices of the account. */
import { noticeRoutes } from '@haris/contract/http/notices';
import { Alert, Button, Group, Skeleton, Switch, Text, Title } from '@mantine/core';
import { IconDeviceMobile, IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { failureText, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';
import { devicesKey, useDevices } from './api.ts';
import classes from './notices.module.css';
import { describeDevice, pushSupport, subscribeDevice, unsubscribeDevice } from './this-device.ts';

export function DevicePanel() {
  const { t, i18n } = useTranslation('notices');
  const client = useQueryClient();
  const list = useDevices();
  const [support, setSupport] = useState(pushSupport);
  const mine = list.data?.devices.find(({ isThisSession }) => isThisSession);
  const others = list.data?.devices.filter((device) => device !== mine) ?? [];
  const changed = () => client.invalidateQueries({ queryKey: devicesKey });
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: 'medium' });

  const remove = useMutation({
    mutationFn: async ({ id, isHere }: { id: string; isHere: boolean }) => {
      if (isHere) await unsubscribeDevice();
      await call(noticeRoutes.removePushDevice, { params: { id } });
    },
    onSuccess: () => notifySuccess(t('device.removed')),
    onError: (error) => showFailure(error),
    onSettled: changed,
  });
  const add = useMutation({
    mutationFn: async () => {
      const { publicKey } = await call(noticeRoutes.getPushKey);
      const subscription = await subscribeDevice(publicKey);
      if (subscription === null) return false;
      await call(noticeRoutes.addPushDevice, {
        body: { ...subscription, device: describeDevice(navigator.userAgent) },
      });
      return true;
    },
    onSuccess: (isAdded) => {
      setSupport(pushSupport());
      if (isAdded) notifySuccess(t('device.added'));
      else notifyError(t('device.refused'));
    },
    onError: (error) => {
      setSupport(pushSupport());
      if (error instanceof ApiError) showFailure(error);
      else notifyError(t('device.failed'));
    },
    onSettled: changed,
  });

  return (
    <Card component="section" aria-labelledby="notices-device">
      <Title order={2} fz="lg" id="notices-device">
        {t('device.title')}
      </Title>
      {list.data === undefined ? (
        list.isError ? (
          <ErrorState
            text={failureText(list.error)}
            onRetry={() => void list.refetch()}
            busy={list.isRefetching}
          />
        ) : (
          <Skeleton height={48} mt="md" role="status" aria-label={t('loading')} />
        )
      ) : (
        <>
          {support === 'able' || mine !== undefined ? (
            <Switch
              mt="md"
              size="md"
              label={t('device.label')}
              description={t('device.hint')}
              checked={mine !== undefined}
              disabled={add.isPending || remove.isPending}
              onChange={() =>
                mine === undefined ? add.mutate() : remove.mutate({ id: mine._id, isHere: true })
              }
            />
          ) : (
            <Alert
              mt="md"
              variant="light"
              color="saffron"
              icon={<IconInfoCircle size={20} aria-hidden />}
              title={t(`device.${support}.title`)}
            >
              {t(`device.${support}.text`)}
            </Alert>
          )}
          {others.length === 0 ? null : (
            <>
              <Text mt="md" fw={500}>
                {t('device.others')}
              </Text>
              <ul className={classes.rows}>
                {others.map(({ _id, device, createdAt }) => (
                  <li key={_id}>
                    <Group gap="sm" wrap="nowrap" className={classes.grow ?? ''}>
                      <IconDeviceMobile size={20} aria-hidden className={classes.still ?? ''} />
                      <div>
                        <bdi>{device}</bdi>
                        <Text size="sm" c="dimmed">
                          {t('device.since', { day: day.format(new Date(createdAt)) })}
                        </Text>
                      </div>
                    </Group>
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t('device.removeOf', { device })}
                      onClick={() => remove.mutate({ id: _id, isHere: false })}
                      disabled={remove.isPending}
                    >
                      {t('device.remove')}
                    </Button>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Card>
  );
}

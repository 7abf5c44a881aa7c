/** Turns Web Push on this device on and off, and lists the account's other devices. */
import { describeDevice } from '@haris/contract/device-name';
import { notificationRoutes } from '@haris/contract/http/notifications';
import { Alert, Button, Group, Skeleton, Switch, Text, Title } from '@mantine/core';
import { IconDeviceMobile, IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';
import { devicesKey, useDevices } from './api.ts';
import classes from './notifications.module.css';
import { pushSupport, subscribeDevice, unsubscribeDevice } from './this-device.ts';

/** Web Push on this device: its support, and the calls that add and remove devices. */
function usePushDevices() {
  const { t } = useTranslation('notifications');
  const client = useQueryClient();
  const [support, setSupport] = useState(pushSupport);
  const onSettled = () => client.invalidateQueries({ queryKey: devicesKey });

  const remove = useMutation({
    mutationFn: async ({ id, isHere }: { id: string; isHere: boolean }) => {
      if (isHere) await unsubscribeDevice();
      await call(notificationRoutes.removePushDevice, { params: { id } });
    },
    onSuccess: () => notifySuccess(t('device.removed')),
    onError: (error) => showFailure(error),
    onSettled,
  });
  const add = useMutation({
    mutationFn: async () => {
      const { publicKey } = await call(notificationRoutes.getPushKey);
      const subscription = await subscribeDevice(publicKey);
      if (subscription === null) return false;
      await call(notificationRoutes.addPushDevice, {
        body: { ...subscription, device: describeDevice(navigator.userAgent) ?? 'Browser' },
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
    onSettled,
  });
  return { support, add, remove };
}

type PushDevices = ReturnType<typeof usePushDevices>;
type Device = NonNullable<ReturnType<typeof useDevices>['data']>['devices'][number];

export function DevicePanel() {
  const { t } = useTranslation('notifications');
  const list = useDevices();
  const push = usePushDevices();
  const devices = list.data?.devices;
  const mine = devices?.find(({ isThisSession }) => isThisSession);
  return (
    <Card component="section" aria-labelledby="notifications-device">
      <Title order={2} fz="lg" id="notifications-device">
        {t('device.title')}
      </Title>
      {devices !== undefined ? (
        <>
          <ThisDevice mine={mine} push={push} />
          <OtherDevices devices={devices.filter((device) => device !== mine)} push={push} />
        </>
      ) : list.isError ? (
        <ErrorState
          text={failureText(list.error)}
          onRetry={() => void list.refetch()}
          busy={list.isRefetching}
        />
      ) : (
        <Skeleton height={48} mt="md" role="status" aria-label={t('loading')} />
      )}
    </Card>
  );
}

/** The switch, or why this browser cannot show notifications. */
function ThisDevice({ mine, push }: { mine: Device | undefined; push: PushDevices }) {
  const { t } = useTranslation('notifications');
  const { support, add, remove } = push;
  const sendsMail = useSendsMail();
  return support === 'able' || mine !== undefined ? (
    <Switch
      mt="md"
      size="md"
      label={t('device.label')}
      description={t('device.hint')}
      checked={mine !== undefined}
      disabled={add.isPending || remove.isPending}
      onChange={() => (mine === undefined ? add.mutate() : remove.mutate({ id: mine._id, isHere: true }))}
    />
  ) : (
    <Alert
      mt="md"
      variant="light"
      color="saffron"
      icon={<IconInfoCircle size={20} aria-hidden />}
      title={t(`device.${support}.title`)}
    >
      {t(support === 'unsupported' && !sendsMail ? 'device.unsupported.textKept' : `device.${support}.text`)}
    </Alert>
  );
}

function OtherDevices({ devices, push: { remove } }: { devices: readonly Device[]; push: PushDevices }) {
  const { t, i18n } = useTranslation('notifications');
  const day = momentFormat(i18n.language, { dateStyle: 'medium' });
  if (devices.length === 0) return null;
  return (
    <>
      <Text mt="md" fw={500}>
        {t('device.others')}
      </Text>
      <ul className={classes.rows}>
        {devices.map(({ _id, device, createdAt }) => (
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
  );
}

/** Sensors: the latest values of each, and actions to add, change and remove one. */
import { type Sensor, type SensorSecrets, sensorRoutes } from '@haris/contract/http/sensors';
import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { IconHomeLink, IconInfoCircle, IconPlus, IconTemperature } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useSensors } from './api.ts';
import { History } from './history.tsx';
import { HomeAssistantDialog } from './home-assistant-dialog.tsx';
import { type SensorAction, SensorCard } from './sensor-card.tsx';
import { AddSensorDialog, EditSensorDialog } from './sensor-form.tsx';
import { SensorSecretsPanel } from './sensor-secrets.tsx';
import classes from './sensors.module.css';
import { useReadings } from './use-air.ts';
import { withReading } from './with-reading.ts';

export default function SensorsScreen() {
  const { t } = useTranslation('environment');
  const list = useSensors();
  const { sensors: readings } = useReadings();
  const [open, setOpen] = useState<SensorAction | 'add' | 'home-assistant' | 'none'>('none');
  // Kept after the dialog closes, because it still shows the sensor while it fades out.
  const [chosenId, setChosenId] = useState<string | null>(null);
  const sensors = useMemo(
    () => list.data?.sensors.map((sensor) => withReading(sensor, readings.get(sensor._id))),
    [list.data, readings],
  );
  const [kept, setKept] = useState<Sensor | null>(null);
  const chosen = sensors?.find(({ _id }) => _id === chosenId) ?? kept;
  const areas = [...new Set((sensors ?? []).map(({ area }) => area))];
  const close = () => setOpen('none');
  const act = (action: SensorAction, sensor: Sensor) => {
    setChosenId(sensor._id);
    setKept(sensor);
    setOpen(action);
  };
  const mayManage = useMay()('sensors.manage');
  const addButton = mayManage ? (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen('add')}>
      {t('add.open')}
    </Button>
  ) : null;
  return (
    <Page
      title={t('title')}
      description={t('description')}
      size="xl"
      actions={
        <>
          <Allowed to="integrations.manage">
            <Button
              variant="default"
              leftSection={<IconHomeLink size={18} aria-hidden />}
              onClick={() => setOpen('home-assistant')}
            >
              {t('homeAssistant.open')}
            </Button>
          </Allowed>
          {addButton}
        </>
      }
    >
      {list.data === undefined ? null : <BrokerAlert state={list.data.brokerState} mayManage={mayManage} />}
      {sensors === undefined ? (
        list.isError ? (
          <ErrorState
            text={failureText(list.error)}
            onRetry={() => void list.refetch()}
            busy={list.isRefetching}
          />
        ) : (
          <SensorsSkeleton />
        )
      ) : sensors.length === 0 ? (
        <Card>
          <EmptyState
            icon={<IconTemperature size={28} />}
            text={t('empty')}
            {...(mayManage ? { hint: t('emptyHint'), action: addButton } : {})}
          />
        </Card>
      ) : (
        <ul className={classes.list} aria-label={t('title')}>
          {sensors.map((sensor) => (
            <SensorCard key={sensor._id} sensor={sensor} mayManage={mayManage} onAction={act} />
          ))}
        </ul>
      )}
      <AddSensorDialog opened={open === 'add'} areas={areas} onClose={close} />
      <EditSensorDialog opened={open === 'edit'} sensor={chosen} areas={areas} onClose={close} />
      <RenewDialog opened={open === 'secrets'} sensor={chosen} onClose={close} />
      <RemoveDialog opened={open === 'remove'} sensor={chosen} onClose={close} />
      <Dialog
        opened={open === 'history' && chosen !== null}
        onClose={close}
        title={t('history.title', { name: chosen?.name ?? '' })}
        size="xl"
      >
        {chosen === null ? null : <History sensorId={chosen._id} spans={['day', 'week', 'month']} />}
      </Dialog>
      <HomeAssistantDialog opened={open === 'home-assistant'} onClose={close} />
    </Page>
  );
}

interface BrokerAlertProps {
  state: 'ok' | 'down' | 'off';
  mayManage: boolean;
}

/** Says that the broker receives no readings. */
function BrokerAlert({ state, mayManage }: BrokerAlertProps) {
  const { t } = useTranslation('environment');
  // The operator chose to switch the broker off, and only staff who manage sensors can act on that.
  if (state === 'ok' || (state === 'off' && !mayManage)) return null;
  return (
    <Alert
      mb="md"
      variant="light"
      color={state === 'down' ? 'clay' : 'saffron'}
      icon={<IconInfoCircle size={20} aria-hidden />}
      title={t(`broker.${state}`)}
    >
      {t(`brokerHint.${state}`)}
    </Alert>
  );
}

interface SensorDialogProps {
  opened: boolean;
  sensor: Sensor | null;
  onClose: () => void;
}

/** Asks for confirmation, because somebody must enter the new secrets on the device by hand. */
function RenewDialog({ opened, sensor, onClose }: SensorDialogProps) {
  const { t } = useTranslation('environment');
  const client = useQueryClient();
  const [made, setMade] = useState<SensorSecrets | null>(null);
  useEffect(() => {
    if (!opened) setMade(null);
  }, [opened]);
  const renew = useMutation({
    mutationFn: () => call(sensorRoutes.renewSensorSecrets, { params: { id: sensor?._id ?? '' } }),
    onSuccess: (secrets) => {
      setMade(secrets);
      void client.invalidateQueries({ queryKey: [keys.sensors] });
    },
    onError: (error) => showFailure(error),
  });
  if (made !== null)
    return (
      <Dialog opened={opened} onClose={onClose} title={t('secrets.title')} size="lg">
        <SensorSecretsPanel made={made} onDone={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => renew.mutate()}
      title={t('renew.title')}
      confirmLabel={t('renew.confirm')}
      cancelLabel={t('cancel')}
      busy={renew.isPending}
    >
      <Text>{t('renew.question', { name: sensor?.name ?? '' })}</Text>
    </ConfirmDialog>
  );
}

function RemoveDialog({ opened, sensor, onClose }: SensorDialogProps) {
  const { t } = useTranslation('environment');
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(sensorRoutes.deleteSensor, { params: { id: sensor?._id ?? '' } }),
    onSuccess: () => {
      notifySuccess(t('remove.success'));
      onClose();
    },
    onError: (error) => showFailure(error),
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.sensors] }),
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      title={t('remove.title')}
      confirmLabel={t('remove.confirm')}
      cancelLabel={t('cancel')}
      busy={remove.isPending}
      dangerous
    >
      <Text>{t('remove.question', { name: sensor?.name ?? '' })}</Text>
    </ConfirmDialog>
  );
}

/** Placeholder cards while the list loads. */
function SensorsSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={classes.list} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c'].map((card) => (
        <Card key={card}>
          <Skeleton height={18} width="55%" mb="md" />
          <Skeleton height={72} />
        </Card>
      ))}
    </div>
  );
}

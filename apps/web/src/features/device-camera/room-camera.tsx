/** Screen of a paired device while it works as a camera. */
import { Alert, Badge, Button, NativeSelect, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBulb,
  IconBulbOff,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import styles from './device-camera.module.css';
import type { Device } from './device-store.ts';
import type { SenderReport } from './sender.ts';
import { type LensChoice, useLens } from './use-lens.ts';
import { useSender } from './use-sender.ts';

export interface RoomCameraProps {
  device: Device;
  onChange: (device: Device | null) => void;
  onUnpaired: () => void;
}

/** The picture being sent, the state of the connection, and the stop button. */
export function RoomCamera({ device, onChange, onUnpaired }: RoomCameraProps) {
  const { t } = useTranslation('device-camera');
  const isOn = !device.isStopped;
  const { lens, choices, retry } = useLens(isOn, device.lensId);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [takeOvers, setTakeOvers] = useState(0);
  const stream = lens.status === 'on' ? lens.stream : null;
  const report = useSender(video, stream, device.token, takeOvers);
  const wake = useWakeLock(isOn);
  const tellUnpaired = useEffectEvent(onUnpaired);
  useEffect(() => {
    if (report.state === 'unpaired') tellUnpaired();
  }, [report.state]);

  if (lens.status === 'failed' && isOn) {
    return (
      <Card>
        <ErrorState text={t(`lens.${lens.why}`)} onRetry={retry} />
        <StopButton device={device} onChange={onChange} />
      </Card>
    );
  }
  return (
    <Stack gap="md">
      <div className={styles.view} data-on={stream !== null || undefined}>
        <video ref={setVideo} autoPlay playsInline muted aria-label={t('preview')} />
        {stream === null ? <p>{isOn ? t('starting') : t('stopped')}</p> : null}
        {isOn ? <StateMark report={report} /> : null}
      </div>
      <p className={styles.spoken} role="status">
        {isOn ? t(`state.${report.state}`) : t('stopped')}
      </p>
      {report.state === 'replaced' && isOn ? (
        <Alert role="alert" color="saffron" variant="light" icon={<IconAlertTriangle size={20} />}>
          <Text size="sm" mb="xs">
            {t('replaced')}
          </Text>
          <Button size="sm" onClick={() => setTakeOvers((count) => count + 1)}>
            {t('takeOver')}
          </Button>
        </Alert>
      ) : null}
      {report.state === 'refused' && isOn ? (
        <Alert role="alert" color="clay" variant="light" icon={<IconAlertTriangle size={20} />}>
          <Text size="sm" mb="xs">
            {t('refused')}
          </Text>
          <Button size="sm" variant="default" onClick={() => onChange(null)}>
            {t('pairAgain')}
          </Button>
        </Alert>
      ) : null}
      {isOn ? <Facts report={report} /> : null}
      <StopButton device={device} onChange={onChange} />
      {choices.length > 1 ? <LensSelect device={device} choices={choices} onChange={onChange} /> : null}
      {isOn && wake !== 'off' ? (
        <Text size="sm" c="dimmed" className={styles.wake}>
          {wake === 'kept' ? <IconBulb size={18} aria-hidden /> : <IconBulbOff size={18} aria-hidden />}
          {wake === 'kept' ? t('awake') : t('notAwake')}
        </Text>
      ) : null}
      <Text size="sm" c="dimmed">
        {t('keepOpen')}
      </Text>
    </Stack>
  );
}

const tones = {
  sending: 'pine',
  connecting: 'saffron',
  reconnecting: 'saffron',
  refused: 'clay',
  unpaired: 'clay',
  replaced: 'saffron',
} as const;

function StateMark({ report }: { report: SenderReport }) {
  const { t } = useTranslation('device-camera');
  return (
    <Badge
      className={styles.mark ?? ''}
      tt="none"
      size="lg"
      variant="filled"
      color={tones[report.state]}
      aria-hidden
    >
      {t(`state.${report.state}`)}
    </Badge>
  );
}

function Facts({ report }: { report: SenderReport }) {
  const { t, i18n } = useTranslation('device-camera');
  const whole = new Intl.NumberFormat(localeOf(i18n.language), { maximumFractionDigits: 0 });
  const pixels = new Intl.NumberFormat(localeOf(i18n.language), { useGrouping: false });
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('fact.perSecond')}</dt>
        <dd>{whole.format(report.perSecond)}</dd>
      </div>
      <div>
        <dt>{t('fact.sent')}</dt>
        <dd>{whole.format(report.sent)}</dd>
      </div>
      <div>
        <dt>{t('fact.size')}</dt>
        <dd>
          {report.size === null ? (
            t('none')
          ) : (
            <bdi dir="ltr">
              {pixels.format(report.size.width)} × {pixels.format(report.size.height)}
            </bdi>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** A large button, for a device high on a shelf. */
function StopButton({ device, onChange }: Pick<RoomCameraProps, 'device' | 'onChange'>) {
  const { t } = useTranslation('device-camera');
  const { isStopped } = device;
  const Icon = isStopped ? IconPlayerPlay : IconPlayerStop;
  return (
    <Button
      size="xl"
      h={72}
      fullWidth
      color={isStopped ? 'pine' : 'clay'}
      leftSection={<Icon size={26} aria-hidden />}
      onClick={() => onChange({ ...device, isStopped: !isStopped })}
    >
      {isStopped ? t('start') : t('stop')}
    </Button>
  );
}

interface LensSelectProps extends Pick<RoomCameraProps, 'device' | 'onChange'> {
  choices: readonly LensChoice[];
}

function LensSelect({ device, choices, onChange }: LensSelectProps) {
  const { t, i18n } = useTranslation('device-camera');
  const number = new Intl.NumberFormat(localeOf(i18n.language));
  const known = choices.some(({ id }) => id === device.lensId);
  return (
    <NativeSelect
      label={t('lens.label')}
      size="md"
      value={known ? (device.lensId ?? '') : ''}
      onChange={(event) => onChange({ ...device, lensId: event.currentTarget.value || null })}
      data={[
        { value: '', label: t('lens.rear') },
        ...choices.map(({ id, label }, at) => ({
          value: id,
          label: label === '' ? t('lens.numbered', { number: number.format(at + 1) }) : label,
        })),
      ]}
    />
  );
}

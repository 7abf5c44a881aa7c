/** `/camera/{code}`: this device becomes a room camera. Nobody signs in here. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { Alert, Badge, Button, Group, Loader, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  IconAlertTriangle,
  IconBulb,
  IconBulbOff,
  IconDeviceMobile,
  IconLinkOff,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { failureText } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import styles from './device-camera.module.css';
import { type Device, keepDevice, readDevice } from './device-store.ts';
import { nothingSent, type SenderReport, startSending } from './sender.ts';
import { type LensChoice, useLens } from './use-lens.ts';
import { useWakeLock } from './use-wake-lock.ts';

export default function DeviceCameraScreen() {
  const { t } = useTranslation('device-camera');
  const { code } = useParams();
  const navigate = useNavigate();
  const [device, setDevice] = useState(readDevice);
  const [wasUnpaired, setWasUnpaired] = useState(false);

  function change(next: Device | null): void {
    keepDevice(next);
    setDevice(next);
  }

  function paired(next: Device): void {
    setWasUnpaired(false);
    change(next);
    // The code is used up; it must stand neither in the address nor in the history.
    void navigate('/camera', { replace: true });
  }

  const isPairing = code !== undefined || device === null;
  return (
    <Page
      title={isPairing ? t('title') : device.name}
      description={isPairing ? t('about') : <bdi>{device.area}</bdi>}
      size="sm"
    >
      {isPairing ? (
        <Stack gap="md">
          {wasUnpaired ? (
            <Alert role="alert" color="clay" variant="light" icon={<IconLinkOff size={20} />}>
              {t('unpaired')}
            </Alert>
          ) : null}
          <Pairing code={code} onPaired={paired} />
        </Stack>
      ) : (
        <RoomCamera
          key={device.token}
          device={device}
          onChange={change}
          onUnpaired={() => {
            change(null);
            setWasUnpaired(true);
          }}
        />
      )}
    </Page>
  );
}

/** By the code of the link, at once; or by one that is typed. */
function Pairing({ code, onPaired }: { code: string | undefined; onPaired: (device: Device) => void }) {
  const { t } = useTranslation('device-camera');
  const pair = useMutation({
    mutationFn: (typed: string) => call(cameraRoutes.pairDevice, { body: { code: typed }, anonymous: true }),
    onSuccess: ({ token, cameraId, name, area }) =>
      onPaired({ token, cameraId, name, area, lensId: null, isStopped: false }),
  });
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: code ?? '' } });
  // A code works once: React's second run of effects in development must not use it up.
  const begun = useRef(false);
  const begin = useEffectEvent(() => {
    if (code === undefined || begun.current) return;
    begun.current = true;
    pair.mutate(code);
  });
  useEffect(() => begin(), []);

  if (pair.isPending || (code !== undefined && pair.isIdle)) {
    return (
      <Card>
        <Group gap="md" role="status">
          <Loader size={24} aria-hidden />
          <Text>{t('pairing')}</Text>
        </Group>
      </Card>
    );
  }
  return (
    <Card>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          if (values.code.trim() === '') form.setErrors({ code: t('codeMissing') });
          else pair.mutate(values.code);
        })}
      >
        <Stack gap="md">
          {pair.error === null ? null : (
            <Alert role="alert" color="clay" variant="light" icon={<IconAlertTriangle size={20} />}>
              {failureText(pair.error)}
            </Alert>
          )}
          <TextInput
            label={t('code')}
            description={t('codeHint')}
            aria-required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={100}
            dir="ltr"
            classNames={{ input: styles.code ?? '' }}
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
          <Button type="submit" size="lg" leftSection={<IconDeviceMobile size={20} aria-hidden />}>
            {t('pair')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

interface RoomCameraProps {
  device: Device;
  onChange: (device: Device | null) => void;
  onUnpaired: () => void;
}

function RoomCamera({ device, onChange, onUnpaired }: RoomCameraProps) {
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

/** Shows the lens in the page, and sends what is shown. */
function useSender(
  video: HTMLVideoElement | null,
  stream: MediaStream | null,
  token: string,
  takeOvers: number,
): SenderReport {
  const [report, setReport] = useState(nothingSent);
  useEffect(() => {
    if (video === null || stream === null) return;
    video.srcObject = stream;
    // Some browsers do not begin by themselves after a reload.
    video.play().catch(() => {});
    return () => {
      video.srcObject = null;
    };
  }, [video, stream]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: taking over is a new connection
  useEffect(() => {
    if (video === null || stream === null) return;
    const stop = startSending(video, token, setReport);
    return () => {
      stop();
      setReport(nothingSent);
    };
  }, [video, stream, token, takeOvers]);
  return report;
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

/** Large enough for whoever reaches up to a shelf. */
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

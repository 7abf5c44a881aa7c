/** Makes a phone, tablet or laptop this camera: a code to scan or to type there, for ten minutes. */
import { type Camera, PAIRING_MS } from '@haris/contract/http/cameras';
import { Alert, Button, CopyButton, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconLink } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../client/failure.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { Card } from '../../ui/card.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { useCreatePairing } from './api.ts';
import styles from './cameras.module.css';

interface Pairing {
  readonly code: string;
  readonly expiresAt: string;
}

export function PairingCard({ camera }: { camera: Camera }) {
  const { t } = useTranslation('cameras');
  const [pairing, setPairing] = useState<Pairing | null>(null);
  const create = useCreatePairing(camera._id);
  const isPaired = camera.problem !== 'not_paired';
  const wasPaired = useRef(isPaired);
  useEffect(() => {
    // The code has been used.
    if (isPaired && !wasPaired.current) setPairing(null);
    wasPaired.current = isPaired;
  }, [isPaired]);

  function make(): void {
    if (create.isPending) return;
    create.mutate(undefined, { onSuccess: setPairing, onError: (error) => showFailure(error) });
  }

  return (
    <Card component="section" aria-labelledby="pairing-title">
      <Title order={2} id="pairing-title" fz="h4" mb="xs">
        {t('pairing.title')}
      </Title>
      <Text size="sm" role="status" mb="sm">
        {isPaired ? t('pairing.paired') : t('pairing.notPaired')}
      </Text>
      {pairing === null ? (
        <Stack gap="sm" align="flex-start">
          {isPaired ? (
            <Text size="sm" c="dimmed">
              {t('pairing.replaces')}
            </Text>
          ) : null}
          <Button
            size="sm"
            variant={isPaired ? 'default' : 'filled'}
            leftSection={<IconLink size={18} aria-hidden />}
            onClick={make}
            loading={create.isPending}
          >
            {isPaired ? t('pairing.pairAnother') : t('pairing.pair')}
          </Button>
        </Stack>
      ) : (
        <PairingCode pairing={pairing} onRenew={make} isBusy={create.isPending} />
      )}
    </Card>
  );
}

/** Seconds until a moment, never more than the code lives. */
function useSecondsLeft(moment: string): number {
  return useAtTick(
    useCallback(
      (now: number) => Math.min(PAIRING_MS / 1000, Math.max(0, Math.ceil((Date.parse(moment) - now) / 1000))),
      [moment],
    ),
  );
}

/** `ABCDE-FGHJK`, as one reads it to somebody; the page takes it with the dash. */
function grouped(code: string): string {
  const half = Math.ceil(code.length / 2);
  return `${code.slice(0, half)}-${code.slice(half)}`;
}

function PairingCode({
  pairing,
  onRenew,
  isBusy,
}: {
  pairing: Pairing;
  onRenew: () => void;
  isBusy: boolean;
}) {
  const { t } = useTranslation('cameras');
  const format = useClockFormat();
  const left = useSecondsLeft(pairing.expiresAt);
  const link = `${location.origin}/camera/${pairing.code}`;
  if (left === 0) {
    return (
      <Stack gap="sm" align="flex-start" role="alert">
        <Text size="sm">{t('pairing.expired')}</Text>
        <Button size="sm" onClick={onRenew} loading={isBusy}>
          {t('pairing.renew')}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <Text size="sm">{t('pairing.how')}</Text>
      <Group align="center" gap="md" wrap="nowrap" className={styles.pairing}>
        <QrCode text={link} label={t('pairing.qr')} className={styles.qr} />
        <div>
          <Text size="sm" c="dimmed">
            {t('pairing.code')}
          </Text>
          <Text fw={700} fz="xl" className={styles.code} dir="ltr">
            {grouped(pairing.code)}
          </Text>
          <Text size="sm" c="dimmed" mt="xs">
            {t('pairing.validFor')}{' '}
            <span role="timer" aria-label={t('pairing.validFor')} dir="ltr">
              {format.countdown(left)}
            </span>
          </Text>
        </div>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" className={styles.link}>
          <bdi dir="ltr">{link}</bdi>
        </Text>
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button
              size="compact-md"
              variant="default"
              style={{ flexShrink: 0 }}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? t('pairing.copied') : t('pairing.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      {location.protocol === 'https:' ? null : (
        <Alert color="saffron" variant="light" icon={<IconAlertTriangle size={20} />}>
          {t('pairing.needsHttps')}
        </Alert>
      )}
    </Stack>
  );
}

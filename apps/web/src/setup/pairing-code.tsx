/** A code that makes a device a camera, a kiosk or a desk tablet: to scan or to type there, and how long it is valid. */
import { Alert, Anchor, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { useAtTick } from '../countdown/use-tick.ts';
import { QrCode } from '../ui/qr-code.tsx';
import { useAddressesForPhones } from './addresses.ts';
import styles from './pairing-code.module.css';
import { isOnThisMachineOnly, useSetup } from './queries.ts';

/** The server's answer to the request for a code. */
export interface Pairing {
  readonly code: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface PairingCodeProps {
  /** The kind of device; also the path of its page. */
  as: 'camera' | 'kiosk' | 'desk';
  pairing: Pairing;
  /** How long a new code is valid, in milliseconds; the remaining time is never shown as longer than this. */
  lifetime: number;
  /** Asks for another code once this one has expired. */
  onRenew: () => void;
  isBusy: boolean;
}

/** Whole seconds until a moment, at most the lifetime of the code. */
function useSecondsLeft(moment: string, lifetime: number): number {
  return useAtTick(
    useCallback(
      (now: number) => Math.min(lifetime / 1000, Math.max(0, Math.ceil((Date.parse(moment) - now) / 1000))),
      [moment, lifetime],
    ),
  );
}

/** The code as `ABCDE-FGHJK`, easy to read aloud; the pages accept the dash. */
function grouped(code: string): string {
  const half = Math.ceil(code.length / 2);
  return `${code.slice(0, half)}-${code.slice(half)}`;
}

export function PairingCode({ as, pairing, lifetime, onRenew, isBusy }: PairingCodeProps) {
  const { t } = useTranslation('pairing');
  const format = useClockFormat();
  const left = useSecondsLeft(pairing.expiresAt, lifetime);
  const addresses = useAddressesForPhones(useSetup().data);
  const origin = addresses[0] ?? location.origin;
  const link = `${origin}/${as}/${pairing.code}`;
  if (left === 0)
    return (
      <Stack gap="sm" align="flex-start" role="alert">
        <Text size="sm">{t('expired')}</Text>
        <Button size="sm" onClick={onRenew} loading={isBusy}>
          {t('renew')}
        </Button>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Text size="sm">{t(`${as}.how`)}</Text>
      <Group align="center" gap="md" wrap="nowrap" className={styles.both}>
        <QrCode text={link} label={t('qr')} className={styles.qr} />
        <div>
          <Text size="sm" c="dimmed">
            {t('code')}
          </Text>
          <Text fw={700} fz="xl" className={styles.code} dir="ltr">
            {grouped(pairing.code)}
          </Text>
          <Text size="sm" c="dimmed" mt="xs">
            {t('validFor')}{' '}
            <span role="timer" aria-label={t('validFor')} dir="ltr">
              {format.countdown(left)}
            </span>
          </Text>
        </div>
      </Group>
      <PairingLink link={link} />
      {isOnThisMachineOnly() && addresses.length === 0 ? (
        <ReachWarning text={t('thisMachineOnly')} />
      ) : origin.startsWith('https:') ? null : (
        <ReachWarning text={t(`${as}.needsHttps`)} />
      )}
    </Stack>
  );
}

function PairingLink({ link }: { link: string }) {
  const { t } = useTranslation('pairing');
  return (
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
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}

function ReachWarning({ text }: { text: string }) {
  const { t } = useTranslation('pairing');
  return (
    <Alert color="saffron" variant="light" icon={<IconAlertTriangle size={20} />}>
      {text}{' '}
      <Anchor component={Link} to="/settings/phones" inherit fw={500}>
        {t('howToReach')}
      </Anchor>
    </Alert>
  );
}

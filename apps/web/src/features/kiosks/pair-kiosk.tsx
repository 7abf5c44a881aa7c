/** Makes a device this kiosk: a code to scan or to type there, for ten minutes. */
import { KIOSK_PAIRING_MS, type Kiosk } from '@haris/contract/http/kiosk';
import { Button, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { type Pairing, PairingCode } from '../../setup/pairing-code.tsx';
import { useCreateKioskPairing } from './api.ts';

export function PairKiosk({ kiosk }: { kiosk: Kiosk }) {
  const { t } = useTranslation('kiosks');
  const [pairing, setPairing] = useState<Pairing | null>(null);
  const create = useCreateKioskPairing();
  const pairedAt = useRef(kiosk.pairedAt);
  useEffect(() => {
    // The code has been used.
    if (pairedAt.current !== kiosk.pairedAt) setPairing(null);
    pairedAt.current = kiosk.pairedAt;
  }, [kiosk.pairedAt]);
  const make = () =>
    create.mutate(kiosk._id, { onSuccess: setPairing, onError: (error) => showFailure(error) });

  if (pairing === null)
    return (
      <Stack gap="xs" align="flex-start">
        <Button
          variant={kiosk.isPaired ? 'default' : 'filled'}
          leftSection={<IconLink size={18} aria-hidden />}
          loading={create.isPending}
          onClick={make}
        >
          {kiosk.isPaired ? t('pairAnother') : t('pair')}
        </Button>
        {kiosk.isPaired ? (
          <Text size="sm" c="dimmed">
            {t('pairReplaces')}
          </Text>
        ) : null}
      </Stack>
    );
  return (
    <PairingCode
      as={kiosk.kind}
      pairing={pairing}
      lifetime={KIOSK_PAIRING_MS}
      onRenew={make}
      isBusy={create.isPending}
    />
  );
}

/** Pairs a phone, tablet or laptop as this camera, with a code to scan or type. The code is valid for ten minutes. */
import { type Camera, PAIRING_MS } from '@haris/contract/http/cameras';
import { Button, Stack, Text, Title } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { type Pairing, PairingCode } from '../../setup/pairing-code.tsx';
import { Card } from '../../ui/card.tsx';
import { useCreatePairing } from './api.ts';

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
        <PairingCode
          as="camera"
          pairing={pairing}
          lifetime={PAIRING_MS}
          onRenew={make}
          isBusy={create.isPending}
        />
      )}
    </Card>
  );
}

/** `/camera/{code}`: makes this device a room camera, without a sign-in. */
import { Alert, Stack } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Page } from '../../ui/page.tsx';
import { type Device, keepDevice, readDevice } from './device-store.ts';
import { Pairing } from './pairing.tsx';
import { RoomCamera } from './room-camera.tsx';

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
    // The code is used up; remove it from the address and the history.
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

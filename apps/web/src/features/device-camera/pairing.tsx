/** Pairs a new device as a camera. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { Alert, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { Card } from '../../ui/card.tsx';
import styles from './device-camera.module.css';
import type { Device } from './device-store.ts';

export interface PairingProps {
  /** Code in the link, if any. */
  code: string | undefined;
  onPaired: (device: Device) => void;
}

/** Pairs at once with the code in the link, or with a typed code. */
export function Pairing({ code, onPaired }: PairingProps) {
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

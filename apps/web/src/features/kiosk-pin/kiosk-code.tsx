/** The code that a kiosk scans. While it is on the screen, it is replaced before it expires. */
import { Loader, Stack, Text } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { keys } from '../../calls/query-client.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useOnline } from '../../ui/use-online.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import { fetchKioskCode } from './api.ts';
import styles from './kiosk-pin.module.css';

/** A code lives 60 seconds. Milliseconds. */
const RENEW_MS = 45_000;

export function KioskCode() {
  const { t } = useTranslation('kiosk-pin');
  const isVisible = useDocumentVisibility() === 'visible';
  const isOnline = useOnline();
  useWakeLock(true);
  const code = useQuery({
    queryKey: [keys.kiosks, 'code'],
    queryFn: ({ signal }) => fetchKioskCode(signal),
    refetchInterval: RENEW_MS,
    enabled: isVisible,
    // An older code is never shown again.
    staleTime: 0,
    gcTime: 0,
  });
  if (code.isError || !isOnline)
    return (
      <ErrorState
        text={isOnline ? failureText(code.error) : t('offline')}
        onRetry={() => void code.refetch()}
        busy={code.isRefetching}
      />
    );
  return (
    <Stack align="center" gap="md">
      {code.data === undefined ? (
        <div className={styles.qr} role="status" aria-label={t('codeBusy')}>
          <Loader aria-hidden />
        </div>
      ) : (
        <QrCode text={code.data.code} label={t('codeQr')} className={styles.qr} />
      )}
      <Text ta="center">{t('codeHow')}</Text>
    </Stack>
  );
}

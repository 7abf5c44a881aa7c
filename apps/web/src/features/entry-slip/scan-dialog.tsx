/** Scans the code of an entry slip with the rear camera. */
import { entryIdSchema } from '@haris/contract/fields';
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readCodes } from '../../scanning/code-reader.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { isSecurePage } from '../../ui/secure-page.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useCamera } from '../../ui/use-camera.ts';
import classes from './scan.module.css';

export interface ScanDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Called once with the text of a slip's QR code. */
  onCode: (code: string) => void;
}

export function ScanDialog({ opened, onClose, onCode }: ScanDialogProps) {
  const { t } = useTranslation('entry-slip');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('scan.title')}>
      <Scanner onClose={onClose} onCode={onCode} />
    </Dialog>
  );
}

function Scanner({ onClose, onCode }: Omit<ScanDialogProps, 'opened'>) {
  const { t } = useTranslation(['entry-slip', 'common']);
  const { camera, retry } = useCamera(true, 'environment');
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [tries, setTries] = useState(0);
  const [problem, setProblem] = useState<'none' | 'notASlip' | 'noReader'>('none');
  const stream = camera.status === 'live' ? camera.stream : null;
  const tell = useEffectEvent((code: string) => onCode(code));

  useEffect(() => {
    if (video === null || stream === null) return;
    video.srcObject = stream;
    return () => {
      video.srcObject = null;
    };
  }, [video, stream]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try is a new reading
  useEffect(() => {
    if (video === null || stream === null) return;
    const reading = new AbortController();
    const onText = (text: string) => {
      if (!entryIdSchema.safeParse(text).success) return setProblem('notASlip');
      reading.abort();
      tell(text.trim());
    };
    readCodes(video, onText, reading.signal).catch(() => setProblem('noReader'));
    return () => reading.abort();
  }, [video, stream, tries]);

  if (camera.status === 'failed')
    return (
      <ErrorState
        text={t(isSecurePage() ? 'entry-slip:scan.cameraFailed' : 'common:needsHttps.camera')}
        onRetry={retry}
      />
    );
  if (problem === 'noReader') {
    return (
      <ErrorState
        text={t('scan.readerFailed')}
        onRetry={() => {
          setProblem('none');
          setTries((count) => count + 1);
        }}
      />
    );
  }
  return (
    <Stack gap="md">
      <div className={classes.view}>
        <video ref={setVideo} autoPlay playsInline muted aria-label={t('scan.preview')} />
        <div className={classes.frame} aria-hidden="true" />
        {stream === null ? (
          <div className={classes.starting} role="status">
            <Loader color="white" aria-hidden />
            {t('scan.starting')}
          </div>
        ) : null}
      </div>
      <Text size="sm">{t('scan.hint')}</Text>
      <div role="status">
        {problem === 'notASlip' ? (
          <Alert color="clay" variant="light" icon={<IconAlertCircle size={20} />}>
            {t('scan.notASlip')}
          </Alert>
        ) : null}
      </div>
      <Group justify="space-between" gap="sm">
        <Text size="xs" c="dimmed" flex={1} miw="12rem">
          {t('scan.keyboardHint')}
        </Text>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  );
}

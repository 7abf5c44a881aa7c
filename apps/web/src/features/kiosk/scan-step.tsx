/** Scans the code on a parent's phone with the tablet's front camera. */
import { entryIdSchema } from '@haris/contract/fields';
import { Button, Loader } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readCodes } from '../../scanning/code-reader.ts';
import styles from '../../tablet/tablet.module.css';
import { isSecurePage } from '../../ui/secure-page.ts';
import { useCamera } from '../../ui/use-camera.ts';
import { FailureText } from './failure-text.tsx';
import type { KioskFailure } from './kiosk-calls.ts';

export interface ScanStepProps {
  failure: KioskFailure | null;
  /** Called with null for a code that is not a parent's. */
  onCode: (code: string | null) => void;
  onPin: () => void;
  onBack: () => void;
}

export function ScanStep({ failure, onCode, onPin, onBack }: ScanStepProps) {
  const { t } = useTranslation('kiosk');
  const { camera } = useCamera(true, 'user');
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [hasReader, setHasReader] = useState(true);
  const stream = camera.status === 'live' ? camera.stream : null;
  // A refused code that is still in view is neither sent nor reported again.
  const last = useRef({ code: '', foreign: '' });
  const tell = useEffectEvent((text: string) => {
    const { data: code } = entryIdSchema.safeParse(text);
    const kind = code === undefined ? 'foreign' : 'code';
    if (last.current[kind] === (code ?? text)) return;
    last.current[kind] = code ?? text;
    onCode(code ?? null);
  });
  useEffect(() => {
    if (video === null || stream === null) return;
    video.srcObject = stream;
    const reading = new AbortController();
    readCodes(video, (text) => tell(text), reading.signal).catch(() => setHasReader(false));
    return () => {
      reading.abort();
      video.srcObject = null;
    };
  }, [video, stream]);
  const isBroken = camera.status === 'failed' || !hasReader;
  return (
    <div className={styles.split}>
      <div className={styles.panel}>
        <h1 className={styles.title}>{t('scan.title')}</h1>
        <ol className={styles.steps}>
          <li>{t('scan.step1')}</li>
          <li>{t('scan.step2')}</li>
        </ol>
        <FailureText failure={failure} />
        <div className={styles.row}>
          <Button
            size="xl"
            variant="default"
            leftSection={<IconArrowLeft size={24} className={styles.mirror ?? ''} aria-hidden />}
            onClick={onBack}
          >
            {t('back')}
          </Button>
          <Button size="xl" variant="light" flex="1 0 auto" onClick={onPin}>
            {t('scan.usePin')}
          </Button>
        </div>
      </div>
      <div className={styles.view}>
        {isBroken ? (
          <p role="alert">{t(isSecurePage() ? 'scan.noCamera' : 'scan.needsHttps')}</p>
        ) : (
          <>
            <video ref={setVideo} autoPlay playsInline muted aria-label={t('scan.preview')} />
            <div className={styles.frame} aria-hidden="true" />
            {stream === null ? (
              <p role="status">
                <Loader color="white" aria-hidden /> {t('scan.starting')}
              </p>
            ) : null}
          </>
        )}
      </div>
    </div>
  );
}

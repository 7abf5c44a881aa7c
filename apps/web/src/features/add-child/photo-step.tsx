/** Shows the camera or the captured photo, with Capture, Retake, Try Again and a file upload. */
import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconCamera, IconCameraOff, IconPhotoUp, IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localizeCode } from '../../calls/failure.ts';
import { isSecurePage } from '../../ui/secure-page.ts';
import { notifyError } from '../../ui/toast.ts';
import { useCamera } from '../../ui/use-camera.ts';
import { CameraView } from './camera-view.tsx';
import styles from './photo-step.module.css';
import { captureFrame, type Photo, readPhotoFile } from './picture.ts';
import { useGuide } from './use-guide.ts';

export interface PhotoStepProps {
  photo: Photo | null;
  /** Called with null when Retake is pressed. */
  onPhoto: (photo: Photo | null) => void;
  /** The server's reason for refusing this photo; null if it has not. */
  refusal: string | null;
  /** True while the photo is being sent; disables all changes. */
  isLocked: boolean;
  /**
   * `portrait`: one face to register, with the guide. `look`: whoever is before the camera of the back, without the guide,
   * because no photo is refused for its quality.
   */
  purpose?: 'portrait' | 'look';
}

function FileChoice({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation('add-child');
  return (
    <FileButton accept="image/png,image/jpeg,image/webp,image/heic" onChange={(file) => file && onFile(file)}>
      {(button) => (
        <Button {...button} variant="subtle" leftSection={<IconPhotoUp size={18} aria-hidden />}>
          {t('chooseFile')}
        </Button>
      )}
    </FileButton>
  );
}

interface LiveCameraProps {
  isGuided: boolean;
  onPhoto: (photo: Photo) => void;
  onFile: (file: File) => void;
}

function LiveCamera({ isGuided, onPhoto, onFile }: LiveCameraProps) {
  const { t } = useTranslation(['add-child', 'common']);
  const { camera, retry } = useCamera(true, isGuided ? 'user' : 'environment');
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const guide = useGuide(isGuided ? video : null);
  const isCapturing = useRef(false);
  const capture = async () => {
    if (video === null || isCapturing.current) return;
    isCapturing.current = true;
    try {
      onPhoto(await captureFrame(video));
    } catch {
      notifyError(t('common:unexpectedError'));
    } finally {
      isCapturing.current = false;
    }
  };
  const isFailed = camera.status === 'failed';
  // One tree for both, so that the field for a file is the same element when the camera fails while files are being chosen:
  // the file that somebody then picks would otherwise reach an element that is gone.
  return (
    <Stack {...(isFailed && { align: 'center', className: styles.failed, role: 'alert' })}>
      {isFailed ? (
        <Failed />
      ) : (
        <CameraView
          stream={camera.status === 'live' ? camera.stream : null}
          guide={isGuided ? guide : null}
          onVideo={setVideo}
        />
      )}
      <Group justify="center" gap="xs">
        {isFailed ? (
          <Button onClick={retry} leftSection={<IconRefresh size={18} aria-hidden />}>
            {t('common:tryAgain')}
          </Button>
        ) : (
          <Button
            size="lg"
            leftSection={<IconCamera size={22} aria-hidden />}
            onClick={() => void capture()}
            disabled={video === null || (isGuided && !guide.canCapture)}
          >
            {t('capture')}
          </Button>
        )}
        <FileChoice onFile={onFile} />
      </Group>
    </Stack>
  );
}

function Failed() {
  const { t } = useTranslation(['add-child', 'common']);
  return (
    <>
      <IconCameraOff size={36} aria-hidden />
      <Text fw={500}>{t('add-child:failed')}</Text>
      <Text size="sm" c="dimmed" maw={380} ta="center">
        {isSecurePage() ? t('add-child:failedHint') : t('common:needsHttps.camera')}
      </Text>
    </>
  );
}

/** Moves the focus when Capture and Retake replace each other, but not when the screen opens. */
function useFollowingFocus(hasPhoto: boolean) {
  const stage = useRef<HTMLDivElement>(null);
  const shown = useRef(hasPhoto);
  useEffect(() => {
    if (shown.current === hasPhoto) return;
    shown.current = hasPhoto;
    stage.current?.focus({ preventScroll: true });
  }, [hasPhoto]);
  return stage;
}

export function PhotoStep({ photo, onPhoto, refusal, isLocked, purpose = 'portrait' }: PhotoStepProps) {
  const takeFile = (file: File) => {
    readPhotoFile(file).then(onPhoto, () => notifyError(localizeCode('unreadable_photo')));
  };
  const stage = useFollowingFocus(photo !== null);
  return (
    <div ref={stage} tabIndex={-1} className={styles.stage}>
      {photo === null ? (
        <LiveCamera isGuided={purpose === 'portrait'} onPhoto={onPhoto} onFile={takeFile} />
      ) : (
        <CapturedPhoto photo={photo} refusal={refusal} isLocked={isLocked} onRetake={() => onPhoto(null)} />
      )}
    </div>
  );
}

function CapturedPhoto(props: {
  photo: Photo;
  refusal: string | null;
  isLocked: boolean;
  onRetake: () => void;
}) {
  const { t } = useTranslation('add-child');
  const { photo, refusal, isLocked, onRetake } = props;
  return (
    <Stack>
      <div className={styles.captured}>
        <img src={photo.url} alt={t('captured')} className={styles.picture} />
      </div>
      {refusal === null ? null : <Refusal>{refusal}</Refusal>}
      <Group justify="center">
        <Button
          variant={refusal === null ? 'default' : 'filled'}
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={onRetake}
          disabled={isLocked}
        >
          {t('retake')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Why the photo is refused, moved into view: the bar with the main action may cover it. */
function Refusal({ children }: { children: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Without braces the effect would return what this returns, in newer browsers a promise, as its clean-up.
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Alert ref={box} color="clay" role="alert" icon={<IconCameraOff aria-hidden />}>
      {children}
    </Alert>
  );
}

/** The live preview: for a portrait with the oval and its advice, and mirrored as people expect from a front camera. */
import { Loader } from '@mantine/core';
import { IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './camera-view.module.css';
import type { Guide } from './use-guide.ts';

export interface CameraViewProps {
  stream: MediaStream | null;
  /** Null: no portrait is asked for. */
  guide: Guide | null;
  /** Called with the video once it shows a picture, and with null when it is gone. */
  onVideo: (video: HTMLVideoElement | null) => void;
}

/** `good`: all is right; `advice`: something must change; `neutral`: not known yet. */
function toneOf(guide: Guide): 'good' | 'advice' | 'neutral' {
  if (guide.advice === 'ready') return 'good';
  return guide.advice === 'checking' ? 'neutral' : 'advice';
}

function AdviceLine({ guide }: { guide: Guide }) {
  const { t } = useTranslation('add-child');
  const text =
    guide.advice === 'checking' && !guide.isAvailable ? t('guide.unavailable') : t(`guide.${guide.advice}`);
  const Icon = guide.advice === 'ready' ? IconCheck : IconInfoCircle;
  return (
    <p className={styles.advice} data-tone={toneOf(guide)} role="status">
      <Icon size={18} aria-hidden />
      {text}
    </p>
  );
}

/** Ratio to expect until the camera reports its own: portrait on an upright phone, else landscape. */
function guessRatio(): number {
  return window.matchMedia('(pointer: coarse) and (orientation: portrait)').matches ? 3 / 4 : 4 / 3;
}

/** Outline that shows where to put the face. `ratio` is the picture's width divided by its height. */
function Oval({ ratio, tone }: { ratio: number; tone: ReturnType<typeof toneOf> }) {
  return (
    <svg
      className={styles.oval}
      data-tone={tone}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path
        className={styles.shade}
        fillRule="evenodd"
        d={`M0 0H100V100H0Z M${50 - 30 / ratio} 48a${30 / ratio} 39 0 1 0 ${60 / ratio} 0a${30 / ratio} 39 0 1 0 ${-60 / ratio} 0Z`}
      />
      <ellipse
        cx="50"
        cy="48"
        rx={30 / ratio}
        ry="39"
        className={styles.ring}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

export function CameraView({ stream, guide, onVideo }: CameraViewProps) {
  const { t } = useTranslation('add-child');
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [askedRatio] = useState(guessRatio);
  const [ratio, setRatio] = useState(askedRatio);
  useEffect(() => {
    if (video === null || stream === null) return;
    video.srcObject = stream;
    return () => {
      video.srcObject = null;
      onVideo(null);
    };
  }, [video, stream, onVideo]);
  return (
    <div className={styles.room}>
      <div
        className={styles.view}
        data-plain={guide === null || undefined}
        style={{ ['--ratio' as string]: ratio, ['--asked-ratio' as string]: askedRatio }}
      >
        <div className={styles.picture}>
          <video
            ref={setVideo}
            className={styles.video}
            autoPlay
            playsInline
            muted
            aria-label={t(guide === null ? 'previewAny' : 'preview')}
            data-mirrored={guide !== null || undefined}
            onPlaying={(event) => {
              setRatio(event.currentTarget.videoWidth / event.currentTarget.videoHeight);
              onVideo(event.currentTarget);
            }}
          />
          {stream === null ? (
            <div className={styles.starting} role="status">
              <Loader color="white" aria-hidden />
              {t('starting')}
            </div>
          ) : guide === null ? null : (
            <Oval ratio={ratio} tone={toneOf(guide)} />
          )}
        </div>
        {guide === null ? null : (
          <div className={styles.words}>{stream === null ? null : <AdviceLine guide={guide} />}</div>
        )}
      </div>
    </div>
  );
}

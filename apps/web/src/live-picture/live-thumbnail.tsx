/** A small live picture at a low rate, over a placeholder that stays while there is no picture. */
import { IconCameraOff, IconEyeSearch, IconPlugConnectedX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '../ui/use-online.ts';
import styles from './live-thumbnail.module.css';
import type { StreamTarget, StreamView } from './stream-view.ts';
import { type ShownStream, useLiveStream } from './use-live-stream.ts';

/** Interval between two pictures. Milliseconds. */
const PACE_MS = 1_000;
/** Interval in a list of cameras, at which people only glance. Milliseconds. */
const SLOW_PACE_MS = 5_000;

export interface LiveThumbnailProps {
  target: StreamTarget;
  /** Name of the child or camera, for the accessible name. */
  subject: string;
  /** Whether to open the stream: false while it is paused or out of sight. */
  isOn: boolean;
  /** Fills the area while there is no picture. */
  placeholder: ReactNode;
  /** A picture every few seconds, marked only if it is old. */
  isSlow?: boolean;
  /** Staff never confirmed the child's photo, so that no camera recognises it: said in place of “not seen yet”. */
  isUnconfirmed?: boolean;
}

const ICONS: Readonly<Record<string, typeof IconCameraOff>> = {
  offline: IconPlugConnectedX,
  lost: IconPlugConnectedX,
  not_seen_yet: IconEyeSearch,
  not_confirmed: IconEyeSearch,
  unrecognised: IconEyeSearch,
  camera_down: IconCameraOff,
  no_camera: IconCameraOff,
};

/** Keeps its size, so that nothing moves when pictures begin or end. */
export function LiveThumbnail(props: LiveThumbnailProps) {
  const { target, subject, isOn, placeholder, isSlow = false, isUnconfirmed = false } = props;
  const { t } = useTranslation('live-picture');
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const stream = useLiveStream({ target, canvas, isOn, paceMs: isSlow ? SLOW_PACE_MS : PACE_MS });
  const isOnline = useOnline();
  const { view, freshness } = stream;
  const hasPicture = isOn && freshness.kind !== 'none' && view.waiting === null;
  const reason = captionOf(stream, isOn, isOnline);
  const caption = isUnconfirmed && reason === 'not_seen_yet' ? 'not_confirmed' : reason;
  const Icon = caption === null ? null : ICONS[caption];
  return (
    <div className={styles.frame}>
      {hasPicture ? null : <div className={styles.placeholder}>{placeholder}</div>}
      <canvas
        ref={setCanvas}
        className={styles.picture}
        data-shown={(hasPicture && view.imageUrl === null) || undefined}
        role="img"
        aria-label={t('picture', { subject })}
        aria-hidden={!hasPicture || view.imageUrl !== null}
      />
      {view.imageUrl === null ? null : (
        <img
          className={styles.picture}
          data-shown={hasPicture || undefined}
          src={view.imageUrl}
          alt={t('picture', { subject })}
          onLoad={(event) => stream.onImageLoad(event.currentTarget)}
          onError={stream.onImageError}
        />
      )}
      {hasPicture && !isSlow && freshness.kind === 'live' ? (
        <span className={styles.mark}>
          <span className={styles.dot} aria-hidden />
          {t('live')}
        </span>
      ) : null}
      {hasPicture && freshness.kind === 'frozen' ? (
        <span className={styles.mark} data-frozen>
          {t('thumbnail.frozen')}
        </span>
      ) : null}
      {caption === null ? null : (
        <span className={styles.caption}>
          {Icon === null || Icon === undefined ? null : <Icon size={16} aria-hidden />}
          {t(`thumbnail.${caption}`)}
        </span>
      )}
    </div>
  );
}

type Caption = 'offline' | 'lost' | 'connecting' | 'unrecognised' | Exclude<StreamView['waiting'], null>;

/** Why there is no picture, or why the child is not sharp in it; null while all is well or the stream is off. */
function captionOf(
  { view, freshness, isUnrecognised }: ShownStream,
  isOn: boolean,
  isOnline: boolean,
): Exclude<Caption, 'child_outside'> | null {
  if (!isOn || view.ended !== null || view.link === 'paused') return null;
  if (!isOnline) return 'offline';
  if (view.link === 'lost') return 'lost';
  if (view.waiting === 'child_outside') return null;
  if (view.waiting !== null) return view.waiting;
  if (freshness.kind === 'none') return 'connecting';
  return isUnrecognised ? 'unrecognised' : null;
}

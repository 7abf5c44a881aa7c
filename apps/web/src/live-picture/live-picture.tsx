/** A live picture: its canvas, its freshness, and a message if there is none. */
import { Loader } from '@mantine/core';
import {
  IconCameraOff,
  IconClock,
  IconDoorExit,
  IconEyeSearch,
  IconLock,
  IconPlugConnectedX,
  IconVideoOff,
} from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, momentFormat } from '../i18n/locale.ts';
import { useOnline } from '../ui/use-online.ts';
import { FaceBoxes } from './face-boxes.tsx';
import type { Freshness } from './freshness.ts';
import styles from './live-picture.module.css';
import { PictureTools } from './picture-tools.tsx';
import type { StreamTarget, StreamView } from './stream-view.ts';
import { type ShownStream, useLiveStream } from './use-live-stream.ts';

export interface LivePictureProps {
  target: StreamTarget;
  /** Name of the child or camera, for the accessible name. */
  subject: string;
  /** Reason why there is no stream to open; null if there is one. */
  offReason: string | null;
  /** Expected width by height, if known, so that the layout does not jump. */
  expectedRatio?: number | null;
  /** Staff never confirmed the child's photo, so that no camera recognises it: said in place of “not seen yet”. */
  isUnconfirmed?: boolean;
  /** Shows the tools: full screen, picture in picture, still image. */
  hasTools?: boolean;
  /** Milliseconds between pictures, for pages with many streams; 0 for full speed. */
  paceMs?: number;
  /** Drawn over the picture, in its coordinates, instead of the names. */
  children?: ReactNode;
}

const DEFAULT_RATIO = 16 / 9;

/** Announces changes of state, but not the seconds of the age. */
export function LivePicture(props: LivePictureProps) {
  const { target, subject, offReason, expectedRatio, hasTools = false, paceMs = 0, children } = props;
  const { isUnconfirmed = false } = props;
  const { t } = useTranslation('live-picture');
  const frame = useRef<HTMLDivElement>(null);
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const stream = useLiveStream({ target, canvas, isOn: offReason === null, paceMs });
  const message = useMessage(stream, { subject, offReason, isUnconfirmed });
  const { view, freshness } = stream;
  const hasPicture = freshness.kind !== 'none';
  const ratio = stream.ratio ?? expectedRatio ?? DEFAULT_RATIO;
  const isFrozen = freshness.kind === 'frozen';

  return (
    <div
      className={styles.frame}
      ref={frame}
      style={{ ['--ratio' as string]: ratio }}
      data-drawn-over={(hasPicture && Boolean(children)) || undefined}
    >
      <div className={styles.picture} style={{ aspectRatio: ratio }}>
        <canvas
          ref={setCanvas}
          className={styles.canvas}
          data-shown={(hasPicture && view.imageUrl === null) || undefined}
          data-frozen={isFrozen || undefined}
          role="img"
          aria-label={t('picture', { subject })}
          aria-hidden={!hasPicture || view.imageUrl !== null}
        />
        {view.imageUrl === null ? null : (
          <img
            ref={setImage}
            className={styles.canvas}
            data-shown={hasPicture || undefined}
            src={view.imageUrl}
            alt={t('picture', { subject })}
            onLoad={(event) => stream.onImageLoad(event.currentTarget)}
            onError={stream.onImageError}
          />
        )}
        {hasPicture ? (children ?? <FaceBoxes faces={stream.faces} />) : null}
      </div>
      {message === null ? null : (
        <div
          className={styles.message}
          data-over={hasPicture || undefined}
          data-brief={message.isBrief || undefined}
          aria-hidden="true"
        >
          {message.icon}
          <span>{message.text}</span>
        </div>
      )}
      <FreshnessMark freshness={freshness} isAgeKnown={view.imageUrl === null} />
      <Announcement
        freshness={freshness}
        isAgeKnown={view.imageUrl === null}
        area={view.camera?.area ?? null}
        message={message?.text ?? null}
      />
      {hasTools ? (
        <PictureTools
          frame={frame}
          canvas={canvas}
          image={view.imageUrl === null ? null : image}
          isOn={hasPicture}
        />
      ) : null}
    </div>
  );
}

interface Message {
  readonly icon: ReactNode;
  readonly text: string;
  /** True for a short, transient message, which gets no line of its own. */
  readonly isBrief?: boolean;
}

/** Message for a missing or unsuitable picture; null while all is well. */
function useMessage(
  { view, freshness, isUnrecognised }: ShownStream,
  { subject, offReason, isUnconfirmed }: Pick<LivePictureProps, 'subject' | 'offReason' | 'isUnconfirmed'>,
): Message | null {
  const { t } = useTranslation('live-picture');
  const isOnline = useOnline();
  const icon = { size: 30, stroke: 1.6, 'aria-hidden': true } as const;
  if (offReason !== null) return { icon: <IconVideoOff {...icon} />, text: offReason };
  if (view.ended !== null) {
    const Icon = { checked_out: IconDoorExit, signed_out: IconLock, no_right: IconLock }[view.ended];
    return { icon: <Icon {...icon} />, text: t(`ended.${view.ended}`, { subject }) };
  }
  if (!isOnline) return { icon: <IconPlugConnectedX {...icon} />, text: t('offline') };
  if (view.link === 'paused') return { icon: <IconClock {...icon} />, text: t('paused') };
  if (view.link === 'lost') return { icon: <IconPlugConnectedX {...icon} />, text: t('lost') };
  if (view.waiting !== null) {
    const Icon = iconOfWaiting[view.waiting];
    const reason = isUnconfirmed && view.waiting === 'not_seen_yet' ? 'not_confirmed' : view.waiting;
    return { icon: <Icon {...icon} />, text: t(`waiting.${reason}`, { subject }) };
  }
  if (freshness.kind === 'none')
    return { icon: <Loader color="white" size={30} aria-hidden />, text: t('connecting') };
  if (isUnrecognised && freshness.kind === 'live')
    return { icon: <IconEyeSearch {...icon} />, text: t('unrecognised', { subject }), isBrief: true };
  return null;
}

const iconOfWaiting: Readonly<Record<NonNullable<StreamView['waiting']>, typeof IconClock>> = {
  not_seen_yet: IconEyeSearch,
  camera_down: IconCameraOff,
  no_camera: IconCameraOff,
  child_outside: IconDoorExit,
};

/**
 * “Live · 0.3 s”, or “Frozen since 10:15:32”. An image element reports neither the age of its picture nor the arrival
 * of an identical one, so for MJPEG the mark shows the time of the last change.
 */
function FreshnessMark({ freshness, isAgeKnown }: { freshness: Freshness; isAgeKnown: boolean }) {
  const { t } = useTranslation('live-picture');
  const { seconds, time } = useFormats();
  if (freshness.kind === 'none') return null;
  return (
    <div className={styles.mark} data-kind={freshness.kind}>
      <span className={styles.dot} aria-hidden="true" />
      {freshness.kind === 'frozen'
        ? t(isAgeKnown ? 'frozenSince' : 'unchangedSince', { time: time(freshness.since) })
        : isAgeKnown
          ? t('liveAge', { seconds: seconds(freshness.tenths / 10) })
          : t('live')}
    </div>
  );
}

function useFormats() {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  const age = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const clock = momentFormat(i18n.language, { timeStyle: 'medium' });
  return {
    seconds: (value: number) => age.format(value),
    time: (moment: number) => clock.format(new Date(moment)),
  };
}

interface AnnouncementProps {
  freshness: Freshness;
  isAgeKnown: boolean;
  area: string | null;
  message: string | null;
}

/** Announces each change once, but never the age. */
function Announcement({ freshness, isAgeKnown, area, message }: AnnouncementProps) {
  const { t } = useTranslation('live-picture');
  const { time } = useFormats();
  const spoken =
    message ??
    (freshness.kind === 'frozen'
      ? t(isAgeKnown ? 'frozenSince' : 'unchangedSince', { time: time(freshness.since) })
      : area === null
        ? t('live')
        : t('liveIn', { area }));
  return (
    <p className={styles.spoken} role="status">
      {spoken}
    </p>
  );
}

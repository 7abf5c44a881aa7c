/** Tools of a live picture: full screen, floating window, still image. Live pictures have no sound. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCamera, IconMaximize, IconMinimize, IconPictureInPicture } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../calls/server-clock.ts';
import { saveBlob } from '../downloads/save-blob.ts';
import { facilityTimeZone } from '../i18n/locale.ts';
import { notifyError, notifySuccess } from '../ui/toast.ts';
import styles from './live-picture.module.css';

export interface PictureToolsProps {
  frame: RefObject<HTMLDivElement | null>;
  canvas: HTMLCanvasElement | null;
  /** Image element that shows the picture instead of the canvas; null for the canvas. */
  image: HTMLImageElement | null;
  /** True while a picture is shown. */
  isOn: boolean;
}

export function PictureTools({ frame, canvas, image, isOn }: PictureToolsProps) {
  const { t } = useTranslation('live-picture');
  const { isLarge, toggle } = useLarge(frame);
  const float = useFloating(canvas);
  const Size = isLarge ? IconMinimize : IconMaximize;

  async function keep(): Promise<void> {
    try {
      saveBlob(await takeStill(image ?? canvas), stillName(serverNow()));
      notifySuccess(t('tools.kept'));
    } catch {
      notifyError(t('tools.notKept'));
    }
  }

  return (
    <div className={styles.tools} role="toolbar" aria-label={t('tools.label')}>
      <Tool label={t('tools.still')} isOn={isOn} onClick={() => void keep()}>
        <IconCamera size={22} aria-hidden />
      </Tool>
      {float === null || image !== null ? null : (
        <Tool
          label={t('tools.float')}
          isOn={isOn}
          onClick={() => void float().catch(() => notifyError(t('tools.notFloating')))}
        >
          <IconPictureInPicture size={22} aria-hidden />
        </Tool>
      )}
      <Tool label={t(isLarge ? 'tools.small' : 'tools.large')} isOn={isOn || isLarge} onClick={toggle}>
        <Size size={22} aria-hidden />
      </Tool>
    </div>
  );
}

interface ToolProps {
  label: string;
  isOn: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A tool whose tooltip stays inside the frame, because full screen shows only the frame. */
function Tool({ label, isOn, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label} withinPortal={false} openDelay={300}>
      <ActionIcon
        className={styles.tool ?? ''}
        variant="transparent"
        size={44}
        aria-label={label}
        disabled={!isOn}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** Full screen; where browsers do not support it for elements (iPhone), the whole window. */
function useLarge(frame: RefObject<HTMLDivElement | null>): { isLarge: boolean; toggle: () => void } {
  const [isLarge, setLarge] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!isLarge || element === null) return;
    const leave = (): void => setLarge(false);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leave();
    };
    const onChange = (): void => {
      if (document.fullscreenElement === null) leave();
    };
    element.dataset.large = '';
    document.addEventListener('keydown', onKey);
    document.addEventListener('fullscreenchange', onChange);
    element.requestFullscreen?.().catch(() => {});
    return () => {
      delete element.dataset.large;
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('fullscreenchange', onChange);
      if (document.fullscreenElement === element) document.exitFullscreen().catch(() => {});
    };
  }, [isLarge, frame]);
  return { isLarge, toggle: () => setLarge((before) => !before) };
}

/** Floats the canvas above other programs; null if the browser does not support it. */
function useFloating(canvas: HTMLCanvasElement | null): (() => Promise<void>) | null {
  const video = useRef<HTMLVideoElement | null>(null);
  useEffect(() => () => closeFloating(video.current), []);
  if (canvas === null || !document.pictureInPictureEnabled || canvas.captureStream === undefined) return null;
  return async () => {
    if (document.pictureInPictureElement !== null) return document.exitPictureInPicture();
    const element = document.createElement('video');
    video.current = element;
    element.muted = true;
    element.playsInline = true;
    element.srcObject = canvas.captureStream();
    element.addEventListener('leavepictureinpicture', () => closeFloating(element), { once: true });
    await element.play();
    await element.requestPictureInPicture();
  };
}

function closeFloating(video: HTMLVideoElement | null): void {
  if (video === null) return;
  if (document.pictureInPictureElement === video) document.exitPictureInPicture().catch(() => {});
  if (video.srcObject instanceof MediaStream) for (const track of video.srcObject.getTracks()) track.stop();
  video.srcObject = null;
}

/** Takes the current picture as JPEG. Rejects without a picture. */
async function takeStill(shown: HTMLCanvasElement | HTMLImageElement | null): Promise<Blob> {
  if (shown === null) throw new Error('There is no picture');
  let canvas = shown;
  if (canvas instanceof HTMLImageElement) {
    const copy = document.createElement('canvas');
    copy.width = canvas.naturalWidth;
    copy.height = canvas.naturalHeight;
    copy.getContext('2d')?.drawImage(canvas, 0, 0);
    canvas = copy;
  }
  const drawn = canvas;
  const blob = await new Promise<Blob | null>((resolve) => drawn.toBlob(resolve, 'image/jpeg', 0.92));
  if (blob === null) throw new Error('The picture could not be made');
  return blob;
}

/**
 * File name of a still image: `haris-2026-11-21-10-15-32.jpg`, in the facility's time. Contains no child's name, because
 * others may see file names.
 */
function stillName(now: number): string {
  // Swedish dates and times have the ISO format.
  const time = new Intl.DateTimeFormat('sv', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: facilityTimeZone(),
  });
  return `haris-${time.format(now).replace(/[ :]/g, '-')}.jpg`;
}

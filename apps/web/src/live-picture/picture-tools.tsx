/** What one does with a live picture: see it large, let it float, keep a still of it. There is never sound. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCamera, IconMaximize, IconMinimize, IconPictureInPicture } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveBlob } from '../client/save-blob.ts';
import { serverNow } from '../client/server-clock.ts';
import { notifyError, notifySuccess } from '../ui/toast.ts';
import styles from './live-picture.module.css';

export interface PictureToolsProps {
  frame: RefObject<HTMLDivElement | null>;
  canvas: HTMLCanvasElement | null;
  /** Shows the picture in place of the canvas. */
  image: HTMLImageElement | null;
  /** There is a picture. */
  isOn: boolean;
}

export function PictureTools({ frame, canvas, image, isOn }: PictureToolsProps) {
  const { t } = useTranslation('live-picture');
  const { isLarge, toggle } = useLarge(frame);
  const float = useFloating(canvas);
  const Size = isLarge ? IconMinimize : IconMaximize;

  async function keep(): Promise<void> {
    try {
      saveBlob(await takeStill(image ?? canvas), stillName(new Date(serverNow())));
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

/** Inside the frame, which may be all that is shown: its tooltip must not go elsewhere. */
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

/** The whole screen; where the browser keeps that to itself (iPhone), the whole window. */
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

/** Lets the picture float above other programs; null where the browser cannot. What floats is what the canvas shows. */
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

/** What is on the screen, as JPEG. Rejects where there is nothing. */
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

/** No name of a child: file names are seen by others. `haris-2026-11-21-10-15-32.jpg`, in this device's time. */
function stillName(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `haris-${day}-${two(now.getHours())}-${two(now.getMinutes())}-${two(now.getSeconds())}.jpg`;
}

/**
 * Detects new pictures in an image element that shows MJPEG, because browsers report only the first. Compares a
 * downscaled copy of the whole picture, and a piece at full size, where the camera's noise is visible.
 */

const WIDTH = 128;
const HEIGHT = 72;
const LOOK_MS = 250;

export interface ImageWatch {
  readonly start: (image: HTMLImageElement) => void;
  readonly stop: () => void;
}

/** `onChanged` is called for each new picture, `onStill` once after `stillMs` without any. */
export function createImageWatch(handlers: {
  onChanged: () => void;
  onStill: () => void;
  stillMs: number;
}): ImageWatch {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let timer: ReturnType<typeof setInterval> | undefined;

  function read(image: HTMLImageElement): Uint32Array | null {
    const { naturalWidth: width, naturalHeight: height } = image;
    if (context === null || width === 0 || height === 0) return null;
    const half = HEIGHT / 2;
    context.drawImage(image, 0, 0, WIDTH, half);
    context.drawImage(image, (width - WIDTH) / 2, (height - half) / 2, WIDTH, half, 0, half, WIDTH, half);
    return new Uint32Array(context.getImageData(0, 0, WIDTH, HEIGHT).data.buffer);
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    stop,
    start(image) {
      stop();
      let before: Uint32Array | null = null;
      let changedAt = performance.now();
      const look = (): void => {
        const now = read(image);
        if (now === null) return;
        if (before === null || now.some((pixels, at) => pixels !== before?.[at])) {
          before = now;
          changedAt = performance.now();
          handlers.onChanged();
        } else if (performance.now() - changedAt > handlers.stillMs) {
          stop();
          handlers.onStill();
        }
      };
      look();
      timer = setInterval(look, LOOK_MS);
    },
  };
}

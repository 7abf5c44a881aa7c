/** Opens a camera of any kind. A source delivers frames until it fails; then its caller opens a new one. */
import type { CameraTask } from '@haris/contract/vision-live';
import { BrowserSource } from './browser.ts';
import { playFile } from './file.ts';
import { playMjpeg } from './mjpeg.ts';
import { playRtsp } from './rtsp.ts';
import { SourceError, type TakeFrame } from './source-error.ts';
import { playV4l2 } from './v4l2.ts';

export interface Source {
  /** Resolves, or rejects with {@link SourceError}, when no more frames come. */
  readonly ended: Promise<void>;
  /** Adds a picture that a device sent; has an effect only for cameras of kind `browser`. */
  push(jpeg: Uint8Array): void;
}

export function openSource({ kind, url }: CameraTask, take: TakeFrame): Source {
  if (kind === 'browser') return new BrowserSource(take);
  const play = { rtsp: playRtsp, mjpeg: playMjpeg, v4l2: playV4l2, file: playFile }[kind];
  const ended = url === null ? Promise.reject(new SourceError('unreachable')) : play(url, take);
  return { ended, push() {} };
}

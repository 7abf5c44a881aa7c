/** Opens a camera of any kind. A source gives pictures until it fails; whoever runs it starts it anew. */
import type { CameraTask } from '@haris/contract/vision-live';
import { BrowserSource } from './browser.ts';
import { playFile } from './file.ts';
import { playMjpeg } from './mjpeg.ts';
import { playRtsp } from './rtsp.ts';
import { SourceError, type TakeFrame } from './source-error.ts';
import { playV4l2 } from './v4l2.ts';

export interface Source {
  /** Resolves or throws {@link SourceError} when no more pictures come. */
  readonly ended: Promise<void>;
  /** A picture that a device sent; for a camera of kind `browser` only. */
  push(jpeg: Uint8Array): void;
}

export function openSource({ kind, url }: CameraTask, take: TakeFrame): Source {
  if (kind === 'browser') return new BrowserSource(take);
  const play = { rtsp: playRtsp, mjpeg: playMjpeg, v4l2: playV4l2, file: playFile }[kind];
  const ended = url === null ? Promise.reject(new SourceError('unreachable')) : play(url, take);
  return { ended, push() {} };
}
